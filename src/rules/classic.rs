use super::collect::CollectOrder;
use super::flow::Flow;
use super::parameters::{Draw, OutOfCards, Parameters, Piles, RepetitionRule};
use super::variant::{Scenarios, ScreenStyle, SetupArguments, Variant};
use crate::cards::Deck;

/// The classic edition: one card face down in a war, End of Cards, collection by seat.
pub const CLASSIC: Variant = Variant {
    id: "classic/1",
    players: (1, 5),
    decks: &[Deck::Small, Deck::Large],
    scenarios: Scenarios::Decks,
    typed: SetupArguments::Both,
    screens: ScreenStyle::Turns,
    parameters: Parameters {
        face_down: 1,
        collect: CollectOrder::Seat,
        piles: Piles::One,
        out_of_cards: OutOfCards::EndOfCards,
        repetition: RepetitionRule::Ends,
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
