use super::collect::CollectOrder;
use super::parameters::{CardChoice, OutOfCards, Parameters, Piles, RepetitionRule};
use super::variant::{ScenarioLimits, ScreenStyle, SetupArguments, Variant};
use crate::cards::Deck;

/// The X/Y edition: three cards face down, captured cards shuffled, wars that shrink.
pub const XY: Variant = Variant {
    id: "xy/1",
    players: (2, 2),
    decks: &[Deck::Thirteen],
    scenario_limits: ScenarioLimits::Decks,
    setup_arguments: SetupArguments::Nothing,
    screens: ScreenStyle::Rows,
    parameters: Parameters {
        face_down: 3,
        collect: CollectOrder::Shuffled,
        piles: Piles::One,
        out_of_cards: OutOfCards::Shrink,
        repetition: RepetitionRule::GoesOn,
        card_choice: CardChoice::Top,
        limit: None,
    },
};
