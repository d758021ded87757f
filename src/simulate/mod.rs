//! Simulation: many games of any rules, played by kernels without events.
//!
//! [`General`] plays every rule; [`Pair`] and [`Vector`] play some rules faster, and all of
//! them agree with the event engine game by game. A [`Simulator`] takes the fastest that can,
//! and counts in a [`Tally`] of whole numbers: threads, shards and order change no figure.
//!
//! A [`Plan`] says what to play; its [`Run`] holds the tally, and [`Turns`] and [`share`] make
//! figures of it.
//!
//! # Examples
//!
//! ```
//! use std::num::NonZero;
//! use war::cards::Deck;
//! use war::rules::CLASSIC;
//! use war::simulate::{Dealing, GameSetup, Kernel, Plan, share};
//!
//! let plan = Plan {
//!     rules: GameSetup {
//!         parameters: CLASSIC.parameters,
//!         players: 3,
//!         deck: Deck::Small,
//!         dealing: Dealing::Shuffled,
//!     },
//!     seed: 1,
//!     games: 500,
//!     part: 0..500,
//!     kernel: Kernel::Fastest,
//! };
//! let tally = plan.play(NonZero::<usize>::MIN, &()).tally;
//! let endless = share(tally.endless, tally.games());
//! assert!((0.0..=1.0).contains(&endless.value));
//! ```

mod enumerate;
mod figures;
mod game;
mod kernel;
pub mod literature;
mod natural;
mod plan;
mod record;
mod rows;
mod run;
mod setup;
mod simulator;
mod tally;

pub use crate::parallel::Watch;
pub use enumerate::{Enumeration, Exact, MOST_DEALS, NotEnumerable};
pub use figures::{Estimate, Turns, quantile, share};
pub use game::{Conclusion, Depths, Played};
pub use kernel::{Counted, General, Kernel, MOST_PLAYERS, Pair};
#[cfg(target_arch = "x86_64")]
pub use kernel::{Dealt, Vector};
pub use natural::Natural;
pub use plan::Plan;
pub use record::RunFileError;
pub use rows::ROWS;
pub use run::{NotJoined, Run, Shard};
pub use setup::{Dealing, GameSetup};
pub use simulator::Simulator;
pub use tally::{Cycles, Extreme, Histogram, Tally};
