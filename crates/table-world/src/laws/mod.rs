//! Laws of the table, checked against the writes of every commit.
//!
//! The laws never ask the server: all state is rebuilt from the writes of the store.

mod checker;
mod games;
mod law;
mod matchmaking;
mod players;
mod rooms;

pub use law::LawViolation;

pub(crate) use checker::Laws;
pub(crate) use law::{LawResult, Moment, ensure};
pub(crate) use players::{MessageLaws, strip_opponent_name};
