use super::collect::Collect;
use super::flow::Flow;
use super::parameters::{Draw, OutOfCards, Parameters, Piles, Repeated};
use super::variant::{Scenarios, ScreenStyle, Typed, Variant};
use crate::cards::Deck;

/// The classic edition: one card face down in a war, End of Cards, collection by seat.
pub const CLASSIC: Variant = Variant {
    id: "classic/1",
    players: (1, 5),
    decks: &[Deck::Small, Deck::Large],
    scenarios: Scenarios::Decks,
    typed: Typed::Both,
    screens: ScreenStyle::Turns,
    parameters: Parameters {
        face_down: 1,
        collect: Collect::Seat,
        piles: Piles::One,
        out_of_cards: OutOfCards::EndOfCards,
        repetition: Repeated::Ends,
        draw: Draw::Top,
        limit: None,
    },
};

impl Flow {
    /// Rules of the classic edition, for a new game.
    #[must_use]
    pub fn classic() -> Self {
        Self::new(CLASSIC.parameters)
    }
}
