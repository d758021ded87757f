use super::{Collect, Draw, OutOfCards, Parameters, Repeated, Scenarios, Typed, Variant};
use crate::cards::Deck;

/// The X/Y edition: three cards face down, captured cards shuffled, wars that shrink.
pub const XY: Variant = Variant {
    id: "xy/1",
    players: (2, 2),
    decks: &[Deck::Thirteen],
    scenarios: Scenarios::Decks,
    typed: Typed::Nothing,
    parameters: Parameters {
        face_down: 3,
        collect: Collect::Shuffled,
        out_of_cards: OutOfCards::Shrink,
        repetition: Repeated::GoesOn,
        draw: Draw::Top,
        limit: None,
    },
};
