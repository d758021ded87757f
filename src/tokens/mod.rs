//! The token games of the card table: one or two cards each, play or fold.
//!
//! A [`TokenGame`] is built by applying its [`TokenEvent`]s, and decides the event of a [`Move`].
//! Its cards follow from a [`Secret`] of the table and a seed of each player. By the current rules,
//! the table and both players commit to these before any of them is opened, so that nobody can
//! choose their own to suit the others. Anyone who holds a finished game can repeat its deals.

pub mod equilibrium;
mod event;
mod fair;
mod game;
mod rules;
mod seats;

pub use event::{DealResult, Decision, TokenEvent};
pub use fair::{GENERATOR_NAME, Secret, commitment, format_deal_message};
pub use game::{Move, MoveError, TokenApplyError, TokenGame};
pub use rules::{Fairness, Hand, Kind, Stakes, TokenRules, compare_hands};
pub use seats::{ClientSeed, Name, Seats, SeedStatus, TextError};
