use super::collect::Collect;
use super::parameters::{Draw, OutOfCards, Parameters, Repeated};
use super::piles::Piles;
use super::scenarios::Scenarios;
use super::variant::{ScreenStyle, Typed, Variant};
use crate::cards::Deck;

/// The X/Y edition: three cards face down, captured cards shuffled, wars that shrink.
pub const XY: Variant = Variant {
    id: "xy/1",
    players: (2, 2),
    decks: &[Deck::Thirteen],
    scenarios: Scenarios::Decks,
    typed: Typed::Nothing,
    screens: ScreenStyle::Rows,
    parameters: Parameters {
        face_down: 3,
        collect: Collect::Shuffled,
        piles: Piles::One,
        out_of_cards: OutOfCards::Shrink,
        repetition: Repeated::GoesOn,
        draw: Draw::Top,
        limit: None,
    },
};
