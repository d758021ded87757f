use super::collect::Collect;
use super::parameters::{Draw, OutOfCards, Parameters, Piles, Repeated};
use super::variant::{Scenarios, ScreenStyle, Typed, Variant};
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
