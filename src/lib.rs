//! An event-sourced engine for the card game War and its relatives.
//!
//! A game is an append-only stream of [`Event`]s. Rules decide the next event, a [`Table`]
//! applies it, and a [`Projection`] turns the stream into something else: a screen, a log, a
//! statistic. A recorded stream is a journal, which replays the game exactly.
//!
//! ```
//! use war::{CLASSIC, Deck, Event, Game, Seat};
//!
//! // The game of `war 4 small --seed 1`.
//! let game = Game::shuffled(CLASSIC, Deck::Small, 4, 1)?;
//! assert_eq!(game.last(), Some(Event::Won { seat: Seat::SECOND }));
//! # Ok::<(), war::journal::Problem>(())
//! ```
//!
//! # A projection of your own
//!
//! A [`Game`] is an iterator of events, and its table shows the state after the last one. This
//! projection finds the largest pile of cards that a player took at once:
//!
//! ```
//! use war::{CLASSIC, Deck, Event, Game, Projection, Table};
//!
//! #[derive(Default)]
//! struct LargestPile(usize);
//!
//! impl Projection<Table> for LargestPile {
//!     fn project(&mut self, event: &Event, _: &Table) {
//!         if let Event::Collected { cards, .. } = event {
//!             self.0 = self.0.max(cards.len());
//!         }
//!     }
//! }
//!
//! let mut game = Game::shuffled(CLASSIC, Deck::Small, 4, 1)?;
//! let mut largest = LargestPile::default();
//! while let Some(event) = game.next() {
//!     largest.project(&event, game.table());
//! }
//! assert_eq!((largest.0, game.table().turn()), (12, 19));
//! # Ok::<(), war::journal::Problem>(())
//! ```
//!
//! The same projection can follow a game while it is recorded
//! ([`Recorder::with_projection`](recording::Recorder::with_projection)) and a journal while it is
//! verified ([`Replay::verify`](replay::Replay::verify)).
//!
//! # Modules
//!
//! Dependencies point one way: [`cards`] <- [`engine`] <- [`rules`] and [`tokens`] <- [`journal`]
//! and [`projections`] <- [`recording`] and [`replay`] <- [`repair`]. [`scenario`] and `import`
//! read games from files, [`result`] and [`export`] write them for other programs, and `i18n`
//! holds the messages. To play games by the million, use the crate `war-simulate`.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `screens` (default) | the text that games print, in English and Polish |
//! | `audit` | the records of an audit log, written with `slog` |
//! | `csv`, `parquet` | these output formats of [`export`] |
//! | `signing` | keys and signatures in minisign's format |
//! | `table-key` | the key with which a card table signs on its own; requires `signing` |
//!
//! The engine has no command line and no clock, and opens no file except a
//! [`JournalFile`](journal::JournalFile) that you ask for.
//!
//! # Stability
//!
//! **The API is not stable before 1.0**: every 0.x version may change it, and the changelog says
//! how. The journal format has its own version: a version 1 journal replays forever.

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

pub mod cards;
pub mod console;
pub mod engine;
#[cfg(feature = "screens")]
mod error_messages;
pub mod export;
#[cfg(feature = "screens")]
pub mod i18n;
#[cfg(feature = "screens")]
pub mod import;
pub mod journal;
pub mod lang;
pub mod projections;
pub mod recording;
pub mod repair;
pub mod replay;
pub mod result;
pub mod rules;
pub mod scenario;
pub mod setup;
#[cfg(feature = "signing")]
pub mod signing;
#[doc(hidden)]
pub mod support;
pub mod tokens;

pub use cards::{Deck, Rank};
pub use engine::{Event, Game, Projection, Seat, Table};
pub use rules::{CLASSIC, DUELS, XY};
