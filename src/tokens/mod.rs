//! The token games of the card table: one card each or two, play or fold.
//!
//! A [`TokenGame`] is the fold of its [`TokenEvent`]s, and knows what the rules make of a
//! [`Move`]. Its cards follow from a [`Secret`] of the table and a seed of each player, all of them
//! committed to before any is opened: nobody can choose theirs by what the others are, and
//! anybody who holds a finished game can deal it again.

pub mod equilibrium;
mod event;
mod fair;
mod game;
mod hand;
mod kind;
mod moves;
mod rules;
mod seats;
mod words;

pub use event::{Decision, Settlement, TokenEvent};
pub use fair::{SHUFFLE, Secret, commitment, deal_message};
pub use game::{ApplyError, TokenGame};
pub use hand::{Hand, compare};
pub use kind::{Kind, Stakes};
pub use moves::{Move, Refused};
pub use rules::{Fairness, TokenRules};
pub use seats::{Opening, Seats};
pub use words::{ClientSeed, Name, TextError};
