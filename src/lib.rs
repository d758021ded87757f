//! War: an event-sourced engine for the card game and its relatives.
//!
//! A game is an append-only stream of [`engine::Event`]s. Rules decide them, the
//! [`engine::Table`] is their fold, and everything else that can be told of a game is
//! another fold of the same stream:
//!
//! ```text
//!  command line                   journal file
//!       |                              |
//!       v                              v
//!     deal                      journal::Reader
//!       |                              |
//!       v                              v
//!  engine::Game   <-- rules -->   journal::Verifier
//!       |                              |
//!   event, table                   event, table
//!       |                              |
//!       v                              v
//!   Recorder                        Replay
//!       |                              |
//!       +-> journal::Writer            |
//!       |                              |
//!       +-----> engine::Projection <---+
//!                      |
//!            screens, audit, yours
//! ```
//!
//! Every game goes through one [`recording::Recorder`], and every journal through one
//! [`replay::Replay`]. Both feed the same [`projections::screens`], so a replay prints the
//! same bytes. The [`journal::Verifier`] plays the rules along and hands out an event only
//! when they decide the same.
//!
//! To add an edition, write its row and name it in [`rules::VARIANTS`]. To add a projection,
//! implement [`engine::Projection`] and hand it to the recording or the replay.
//!
//! # From a game to a projection of your own
//!
//! A [`Game`](engine::Game) is an iterator of events. It needs [`Rules`](engine::Rules) and a
//! hand for each player:
//!
//! ```
//! use war::cards::{ChaCha8, Chance, Deck, deal};
//! use war::engine::{Event, Game, Outcome};
//! use war::rules::Flow;
//!
//! let mut cards = Deck::Small.cards();
//! ChaCha8::new(1).shuffle(&mut cards);
//! let mut game = Game::new(Box::new(Flow::classic()), deal(&cards, 4)).unwrap();
//!
//! assert!(matches!(game.next(), Some(Event::Dealt { .. })));
//! assert!(matches!(game.next(), Some(Event::Clash { .. })));
//! // Play on to the end. The table is as the last event left it.
//! game.by_ref().for_each(drop);
//! let Some(Outcome::Won(winner)) = game.table().outcome() else { panic!("this game is won") };
//! assert_eq!((winner.number(), game.table().turn()), (2, 19));
//! ```
//!
//! Whatever you want to know of a game is a fold of its events: a
//! [`Projection`](engine::Projection) gets each event, and the table as it is after it. This one
//! finds the largest pile of cards that a player took at once:
//!
//! ```
//! use war::engine::{Event, Projection, Table};
//! # use war::cards::{ChaCha8, Chance, Deck, deal};
//! # use war::{engine::Game, rules::Flow};
//! # let mut cards = Deck::Small.cards();
//! # ChaCha8::new(1).shuffle(&mut cards);
//! # let mut game = Game::new(Box::new(Flow::classic()), deal(&cards, 4)).unwrap();
//!
//! #[derive(Default)]
//! struct LargestPile(usize);
//!
//! impl Projection<Table> for LargestPile {
//!     fn project(&mut self, event: &Event, _: &Table, _: &mut String) {
//!         if let Event::Collected { cards, .. } = event {
//!             self.0 = self.0.max(cards.len());
//!         }
//!     }
//! }
//!
//! let mut largest = LargestPile::default();
//! while let Some(event) = game.next() {
//!     largest.project(&event, game.table(), &mut String::new());
//! }
//! assert_eq!(largest.0, 12);
//! ```
//!
//! The same projection looks on while a game is recorded
//! ([`Recorder::with`](recording::Recorder::with)) and while a journal is replayed
//! ([`Replay::verify`](replay::Replay::verify) with [`WarOnly`](replay::WarOnly)). From there:
//!
//! - [`recording`] writes journals, [`replay`] verifies them event by event, and [`repair`] keeps
//!   what is proven of one that was cut off;
//! - [`rules`] has the editions, parameters for house rules, and what games by rules of your own
//!   need to be recorded and verified like the others: [`OwnRules`](rules::OwnRules);
//! - the crate `war-simulate` plays games by the million, and opens any of them as events;
//! - `examples/` in the sources has a program for each of these.
//!
//! # Screens
//!
//! What the program prints is a projection too. In the words of event sourcing:
//! [`engine::Rules`] *decide*, [`engine::Table::apply`] is *evolve*, and screens, audit log and
//! journal are *projections*.
//!
//! ```
//! use war::cards::{Chance, Deck, deal, ChaCha8};
//! use war::engine::{Event, Game, Table};
//! use war::i18n::{Catalogue, Lang};
//! use war::projections::screens::{CardSource, Start, screens};
//! use war::rules::{CLASSIC, Flow};
//!
//! let mut cards = Deck::Small.cards();
//! ChaCha8::new(1).shuffle(&mut cards);
//! let rules = Box::new(Flow::new(CLASSIC.parameters));
//! let events: Vec<Event> = Game::new(rules, deal(&cards, 4)).unwrap().collect();
//!
//! let mut screens = screens(CLASSIC.screens, Start {
//!     catalogue: Catalogue::of(Lang::En).expect("the catalogue is built in"),
//!     source: CardSource::Dealt,
//!     corrections: Vec::new(),
//! });
//! let (mut table, mut printed) = (Table::default(), String::new());
//! for event in &events {
//!     table.apply(event).expect("what the rules decide is possible");
//!     screens.project(event, &table, &mut printed);
//! }
//! assert!(printed.ends_with("turn #19 - player2 WON with 24/24 cards\n"));
//! ```
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `screens` (default) | what games print, in English and Polish |
//! | `audit` | the records of an audit log, written with `slog` |
//! | `csv`, `parquet` | these formats of [`export`] |
//! | `signing` | keys and signatures in minisign's format |
//! | `table-key` | the key with which a card table signs by itself; it needs `signing` |
//!
//! Without any of them there are cards, rules, events, projections and journals. Such a program's games
//! print nothing, so its journals say so, and it does not compare what other games printed. In no case is
//! there a command line, a clock, or a file other than a [`JournalFile`](journal::JournalFile) that a
//! program asks for.
//!
//! # Stability
//!
//! **The API is not stable before 1.0**: every 0.x version may change it, and the changelog says
//! how. The journal format has a version of its own and is stable: a journal of version 1
//! replays for ever.
//!
//! # Parts
//!
//! Dependencies point one way: [`cards`] <- [`engine`] <- [`rules`] and [`tokens`] <- [`journal`] and
//! [`projections`] <- [`recording`] and [`replay`] <- [`repair`], with `i18n` beside them for words.
//! [`scenario`] and `import` make games of files, [`result`] is what a program reads of one, and
//! [`export`] makes tables of events.
//!
//! Other crates of the workspace stand on this one: `war-simulate` plays the same rules by the million,
//! `war-viewer` shows a game in a browser, `war-table` lets people play the [`tokens`] games, and
//! `war-cli` is the program.

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
#[cfg(feature = "screens")]
mod wording;
