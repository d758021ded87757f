//! Simulation: many games of any rules, played by kernels without events.
//!
//! [`General`] plays every rule; [`Pair`] and [`Vector`] play some rules faster, and all of
//! them agree with the event engine game by game. A [`Simulator`] takes the fastest that can,
//! and counts in a [`Tally`] of whole numbers: threads, shards and order change no figure.

mod enumerate;
mod figures;
mod game;
mod kernel;
pub mod literature;
mod natural;
mod parallel;
mod plan;
mod record;
mod rows;
mod run;
mod setup;
mod simulator;
mod tally;

pub use enumerate::{Enumeration, Exact, MOST_DEALS, NotEnumerable};
pub use figures::{Estimate, Turns, quantile, share};
pub use game::{Depths, Played, Verdict};
pub use kernel::{Counted, General, Kernel, MOST_PLAYERS, Pair};
#[cfg(target_arch = "x86_64")]
pub use kernel::{Dealt, Vector};
pub use natural::Natural;
pub use parallel::Watch;
pub use plan::Plan;
pub use record::RunFileError;
pub use rows::ROWS;
pub use run::{NotJoined, Run, Shard};
pub use setup::{Dealing, GameSetup};
pub use simulator::Simulator;
pub use tally::{Cycles, Extreme, Histogram, Tally};
