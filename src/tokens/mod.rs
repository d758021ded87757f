//! The token games of the card table: one card each or two, play or fold.
//!
//! A [`TokenGame`] is the fold of its [`TokenEvent`]s, and knows what the rules make of a
//! [`Move`]. Its cards follow from a [`Secret`] that is committed to before the players
//! add seeds of their own, so that anybody who holds a finished game can deal it again.

pub mod equilibrium;
mod event;
mod fair;
mod game;
mod hand;
mod kind;
mod words;

pub use event::{Decision, Settlement, TokenEvent};
pub use fair::{SHUFFLE, Secret, deal_message};
pub use game::{ApplyError, Move, Refused, TokenGame};
pub use hand::{Hand, compare};
pub use kind::{Kind, Stakes};
pub use words::{ClientSeed, Name, TextError};
