use super::collect::CollectOrder;
use super::parameters::{Draw, OutOfCards, Parameters, Piles, RepetitionRule};
use super::variant::{Scenarios, ScreenStyle, SetupArguments, Variant};
use crate::cards::Deck;

/// The X/Y edition: three cards face down, captured cards shuffled, wars that shrink.
pub const XY: Variant = Variant {
    id: "xy/1",
    players: (2, 2),
    decks: &[Deck::Thirteen],
    scenarios: Scenarios::Decks,
    typed: SetupArguments::Nothing,
    screens: ScreenStyle::Rows,
    parameters: Parameters {
        face_down: 3,
        collect: CollectOrder::Shuffled,
        piles: Piles::One,
        out_of_cards: OutOfCards::Shrink,
        repetition: RepetitionRule::GoesOn,
        draw: Draw::Top,
        limit: None,
    },
};
