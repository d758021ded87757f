//! War: an event-sourced engine for the card game and its relatives.
//!
//! A game is an append-only stream of [`engine::Event`]s. Rules decide them, the
//! [`engine::Table`] is their fold, and everything else that can be told of a game is
//! another fold of the same stream:
//!
//! ```text
//!  command line                 journal file
//!       |                            |
//!       v                            v
//!     deal                    journal::Reader
//!       |                            |
//!       v                            v
//!  engine::Game  <-- rules -->  journal::Verifier
//!       |                            |
//!       +----------> Event <---------+
//!                      |
//!        +-------------+--------------+
//!        v             v              v
//!     screens        audit     journal::Writer
//! ```
//!
//! A live game and a replay print through the same [`projections::screens`], so a
//! replay prints the same bytes. The [`journal::Verifier`] plays the rules along and
//! hands out an event only when they decide the same.
//!
//! Dependencies point one way: [`cards`] <- [`engine`] <- [`rules`] <- [`projections`]
//! and [`journal`] <- [`replay`] <- [`app`], with [`i18n`] beside them for words. Only
//! [`app`] touches files, the clock, the environment and the terminal.
//!
//! [`simulate`] plays the same rules without events, by the million; its kernels agree with
//! the event engine game by game, and any game of a run can be opened as events.
//!
//! [`tokens`] are the games of the card table, with events of their own in the same journal.
//! With the feature `table`, the part `room` is the table's state machine, and [`app`]
//! serves it.

pub mod app;
pub mod cards;
pub mod engine;
pub mod hex;
pub mod i18n;
pub mod import;
pub mod journal;
pub mod projections;
pub mod replay;
#[cfg(feature = "table")]
pub mod room;
pub mod rules;
pub mod scenario;
pub mod simulate;
pub mod tokens;
