//! Games of two players in whole passes: as many pairs as a vector holds are compared at once.
//!
//! A [`Machine`] has the hands in its registers or its memory, and plays passes. A war gives the
//! span of its pairs to its winner; the pairs that each player won are packed and put under that
//! player's hand. A pass ends before the second war in it, and before a war that it doesn't settle.
//! [`PassKernel`] handles a stopped game in the same way for all machines.

mod game;
mod kernel;
mod masks;

pub(super) use game::ResumedGame;
pub(super) use kernel::{Machine, PassKernel, Slot};
pub(super) use masks::{Pass, WarMasks};
