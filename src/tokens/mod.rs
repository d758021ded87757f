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
mod rules;
mod seats;

pub use event::{Decision, Settlement, TokenEvent};
pub use fair::{SHUFFLE, Secret, commitment, deal_message};
pub use game::{ApplyError, Move, Refused, TokenGame};
pub use rules::{Fairness, Hand, Kind, Stakes, TokenRules, compare};
pub use seats::{ClientSeed, Name, Opening, Seats, TextError};
