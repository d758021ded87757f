//! Simulation: many games of any rules, played by kernels without events.
//!
//! [`Portable`] plays every rule; [`Pair`] and [`Vector`] play some rules faster, and all of
//! them agree with the event engine game by game. A [`Simulator`] takes the fastest that can,
//! and counts in a [`Tally`] of whole numbers: threads, shards and order change no figure.

mod enumerate;
mod figures;
mod game;
pub mod literature;
mod natural;
mod pair;
mod parallel;
mod plan;
mod portable;
mod record;
mod rows;
mod run;
mod setup;
mod small;
mod tally;
mod vector;

pub use enumerate::{Enumeration, Exact, MOST_DEALS, NotEnumerable};
pub use figures::{Estimate, Turns, quantile, share};
pub use game::{Depths, Played, Verdict};
pub use natural::Natural;
pub use pair::Pair;
pub use parallel::Watch;
pub use plan::Plan;
pub use portable::{Counted, MOST_PLAYERS, Portable};
pub use record::RunFileError;
pub use rows::ROWS;
pub use run::{Kernel, NotJoined, Run, Simulator};
pub use setup::{Dealing, GameSetup};
pub use tally::{Cycles, Extreme, Histogram, Tally};
#[cfg(target_arch = "x86_64")]
pub use vector::{Dealt, Vector};
