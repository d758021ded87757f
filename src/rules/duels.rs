use super::collect::CollectOrder;
use super::parameters::{CardChoice, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit};
use super::variant::{ScenarioLimits, ScreenStyle, SetupArguments, Variant};
use crate::cards::Deck;

/// The duels edition with its default strategy, not requested by name.
pub const DUELS: Variant = Variant {
    id: "duels/1",
    players: (2, 5),
    decks: &[Deck::Small, Deck::Large],
    scenario_limits: ScenarioLimits::Any,
    setup_arguments: SetupArguments::Either,
    screens: ScreenStyle::Battles { strategy: None },
    parameters: Parameters {
        face_down: 1,
        collect: CollectOrder::Seat,
        piles: Piles::One,
        out_of_cards: OutOfCards::EndOfCards,
        repetition: RepetitionRule::GoesOn,
        card_choice: CardChoice::Top,
        limit: Some(TurnLimit::TurnsPerCard(10)),
    },
};

/// The duels edition with the strategy `default`, requested by name.
pub const DUELS_DEFAULT: Variant = Variant {
    id: "duels-default/1",
    screens: ScreenStyle::Battles {
        strategy: Some("default"),
    },
    ..DUELS
};

/// The duels edition with the strategy `shuffle`: repeated hands are shuffled.
pub const DUELS_SHUFFLE: Variant = Variant {
    id: "duels-shuffle/1",
    screens: ScreenStyle::Battles {
        strategy: Some("shuffle"),
    },
    parameters: Parameters {
        repetition: RepetitionRule::Reshuffled,
        ..DUELS.parameters
    },
    ..DUELS
};

/// The duels edition with the strategy `random`: players put a random card of their hand.
pub const DUELS_RANDOM: Variant = Variant {
    id: "duels-random/1",
    screens: ScreenStyle::Battles {
        strategy: Some("random"),
    },
    parameters: Parameters {
        card_choice: CardChoice::Random,
        ..DUELS.parameters
    },
    ..DUELS
};
