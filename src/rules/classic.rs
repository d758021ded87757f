use super::collect::CollectOrder;
use super::flow::StandardRules;
use super::parameters::{CardChoice, OutOfCards, Parameters, Piles, RepetitionRule};
use super::variant::{ScenarioLimits, ScreenStyle, SetupArguments, Variant};
use crate::cards::Deck;

/// The classic edition: one card face down in a war, End of Cards, collection by seat.
pub const CLASSIC: Variant = Variant {
    id: "classic/1",
    players: (1, 5),
    decks: &[Deck::Small, Deck::Large],
    scenario_limits: ScenarioLimits::Decks,
    setup_arguments: SetupArguments::Both,
    screens: ScreenStyle::Turns,
    parameters: Parameters {
        face_down: 1,
        collect: CollectOrder::Seat,
        piles: Piles::One,
        out_of_cards: OutOfCards::EndOfCards,
        repetition: RepetitionRule::Ends,
        card_choice: CardChoice::Top,
        limit: None,
    },
};

impl StandardRules {
    /// Rules of the classic edition, for a new game.
    #[must_use]
    pub fn classic() -> Self {
        Self::new(CLASSIC.parameters)
    }
}
