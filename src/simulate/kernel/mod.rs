//! Kernels: what plays a game by itself, without events. All of them play the same games.
//!
//! | kernel | rules that it plays | where |
//! |---|---|---|
//! | [`General`] | all | everywhere |
//! | [`Pair`] | two players whose cards go back pair by pair, and who lose without cards; shuffled | everywhere |
//! | [`Vector`] | those of [`Pair`] with 64 cards at most | processors with AVX-512 VBMI2 |
//! | `Small` | two players with 16 cards at most, back pair by pair or as in bataille | everywhere |
//!
//! All but [`General`] give up after many turns, for they know no cycles, and leave the game
//! to it. [`Pair`] and [`Vector`] play whole batches of games for a simulation, behind one
//! trait; `Small` plays the deals of an enumeration.

mod batch;
mod choice;
mod general;
mod pair;
mod small;
mod vector;

pub(super) use batch::{BatchKernel, Deals};
pub use choice::Kernel;
pub use general::{Counted, General, MOST_PLAYERS};
pub use pair::Pair;
pub(super) use small::Small;
#[cfg(target_arch = "x86_64")]
pub use vector::{Dealt, Vector};
