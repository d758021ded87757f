//! Simulation: many games of any rules, played by kernels without events.
//!
//! [`Portable`] plays every rule; the other kernels play some rules faster, and all of them
//! agree with the event engine game by game.

mod game;
mod pair;
mod portable;
mod rules;
mod vector;

pub use game::{Depths, Played, Verdict};
pub use pair::Pair;
pub use portable::{Counted, MOST_PLAYERS, Portable};
pub use rules::{Dealing, Rules};
pub use vector::{Dealt, Vector};
