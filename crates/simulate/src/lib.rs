//! Simulator that plays games of War by the million.
//!
//! A [`RunPlan`] describes the games to play, its [`Run`] holds a [`Tally`] of whole numbers, and
//! [`TurnStatistics`] and [`share`] derive figures from it. [`Kernel`]s play by the engine's rules
//! without events. All of them agree with the engine game by game, and any game of a run can be
//! played again with events. [`Enumeration`] plays all deals of a deck, [`literature`] compares
//! with published figures, [`plot`] draws figures, and [`parallel`] spreads work over threads. The
//! figures depend neither on the number of threads nor on the split into shards.
//!
//! The crate depends on the engine, `war`, alone. It reads no file, no clock and no environment,
//! and never draws a random seed.
//!
//! ```
//! use std::num::NonZero;
//! use war::cards::Deck;
//! use war::rules::CLASSIC;
//! use war_simulate::{Dealing, GameSetup, Kernel, RunPlan, share};
//!
//! let rules = GameSetup {
//!     parameters: CLASSIC.parameters,
//!     players: 3,
//!     deck: Deck::Small,
//!     dealing: Dealing::Shuffled,
//! };
//! let plan = RunPlan { setup: rules, seed: 1, games: 500, part: 0..500, kernel: Kernel::Fastest };
//! let tally = plan.play(NonZero::<usize>::MIN, &()).tally;
//! let endless = share(tally.endless, tally.games());
//! assert!((0.0..=1.0).contains(&endless.value));
//! ```
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod enumeration;
mod figures;
mod game;
mod kernel;
pub mod literature;
pub mod parallel;
#[cfg(feature = "plot")]
pub mod plot;
mod record;
mod run;
mod setup;
mod simulator;
mod tally;

pub use enumeration::{
    Enumeration, EnumerationError, EnumerationMethod, EnumerationRun, ExactFigures, LongestGame,
    MAX_DEALS, NaturalNumber,
};
pub use figures::{Estimate, TurnStatistics, has_quantile_error, quantile, share, share_bounds};
pub use game::{Conclusion, GameResult, HandColumn, Ties, WarDepthCounts, csv_header};
pub use kernel::{
    DetailedResult, GeneralKernel, Kernel, KernelResults, MAX_PLAYERS, SmallKernelResult,
    play_on_each_kernel, play_on_small_kernel,
};
pub use parallel::Monitor;
pub use record::RunFileError;
pub use run::{JoinError, ResumeError, Run, RunPlan, Shard};
pub use setup::{
    Dealing, FixedHand, GameSettings, GameSetup, NamedRules, RuleSettings, SetupError,
};
pub use simulator::Simulator;
pub use tally::{ExtremeGame, Histogram, Mean, Moments, PeriodStatistics, Tally};

// Tests the Rust examples of the library guide as documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guides/library.md")]
pub struct LibraryGuide;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/explanation/event-sourcing.md")]
pub struct OneWarFollowed;
