//! Games of two players in whole passes: as many pairs as a vector holds are compared at once.
//!
//! A [`Machine`] has the hands in its registers or its memory, and plays passes. A war gives
//! the span of its pairs to its winner; the pairs that each player won are pressed together and
//! put under their hand. A pass ends before the second war in it, and before one that it does
//! not settle. What becomes of a game that stops is the same for all machines: [`Passes`] says.

mod game;
mod kernel;
mod masks;

pub(super) use game::Begun;
pub(super) use kernel::{Machine, Passes, Slot};
pub(super) use masks::{Pass, Wars};
