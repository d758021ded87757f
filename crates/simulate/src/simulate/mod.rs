//! Simulation: many games of any rules, played by kernels without events.
//!
//! [`General`] plays every rule; others play some rules faster, and all of them agree with the
//! event engine game by game. A [`Simulator`] takes the one that a [`Kernel`] names, and counts in a [`Tally`] of whole numbers: threads, shards and order change no figure.
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
//! use war_simulate::simulate::{Dealing, GameSetup, Kernel, Plan, share};
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

mod chosen;
mod enumerate;
mod enumerated;
mod enumeration;
mod exact;
mod figures;
mod game;
mod kernel;
pub mod literature;
mod moments;
mod named;
mod natural;
mod parts;
mod plan;
mod record;
mod rows;
mod run;
mod setup;
mod simulator;
mod tally;
mod walk;

pub use crate::parallel::Watch;
pub use chosen::{ChosenGame, ChosenRules, FixedHand, NotPlayable};
pub use enumerate::{Enumeration, MOST_DEALS, NotEnumerable};
pub use enumerated::Enumerated;
pub use enumeration::Method;
pub use exact::{Exact, Longest};
pub use figures::{Estimate, Turns, quantile, quantile_has_error, share, share_bounds};
pub use game::{Conclusion, Depths, Played, Ties};
pub use kernel::{Counted, Few, General, Kernel, MOST_PLAYERS, OnKernel, play_few, play_on_each};
pub use moments::{Mean, Moments};
pub use named::NamedRules;
pub use natural::Natural;
pub use plan::Plan;
pub use record::RunFileError;
pub use rows::{Column, heading};
pub use run::{NotJoined, Run, Shard};
pub use setup::{Dealing, GameSetup};
pub use simulator::Simulator;
pub use tally::{Cycles, Extreme, Histogram, Tally};
