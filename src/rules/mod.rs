//! Rules: one flow of play with its parameters, and a small file for each variant.
//!
//! An edition is a [`Variant`] with its [`Parameters`]; the same [`StandardRules`] play all
//! editions.
//!
//! # Examples
//!
//! ```
//! use war::rules::{CLASSIC, DUELS, StandardRules, Parameters, RepetitionRule};
//!
//! // Editions differ in few parameters.
//! let duels_that_end = Parameters { repetition: RepetitionRule::Ends, limit: None, ..DUELS.parameters };
//! assert_eq!(duels_that_end, CLASSIC.parameters);
//! let flow = StandardRules::new(CLASSIC.parameters);
//! ```

mod classic;
mod collect;
mod custom;
mod duels;
mod flow;
mod parameters;
mod repetition;
mod ruleset;
mod variant;
mod variants;
mod xy;

pub use classic::CLASSIC;
pub use collect::{CollectOrder, CollectOrders};
pub use duels::{DUELS, DUELS_DEFAULT, DUELS_RANDOM, DUELS_SHUFFLE};
pub use flow::{StandardRules, StoppedHand, winner_when_stopped};
pub use parameters::{CardChoice, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit};
pub use ruleset::{
    ParseRulesIdError, ProgramRules, ProgramScreenFactory, Rulebook, RulesId, Ruleset,
};
pub use variant::{ScenarioLimits, ScreenStyle, SetupArguments, Variant};
pub use variants::VARIANTS;
pub use xy::XY;
