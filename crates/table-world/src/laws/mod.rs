//! The laws of the table, checked with every commit by what it wrote.
//!
//! Nothing here asks the server: all is counted anew from the writes of the store.

mod checker;
mod games;
mod law;
mod players;
mod rooms;
mod waiting;

pub use law::Broken;

pub(crate) use checker::Laws;
pub(crate) use law::{Lawful, When, law};
pub(crate) use players::{Messages, unnamed};
