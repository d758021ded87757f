//! The event-sourced core: events, the table they change, and the game that drives both.
//!
//! Rules decide, events are facts, the table is their fold. A [`Game`] asks its [`Rules`] for the
//! next [`Event`], applies it to the [`Table`] and returns it. Everything else you may want to
//! know about a game (a screen, a log, a journal) is a [`Projection`] of the same events.
//!
//! # Examples
//!
//! ```
//! use war::{cards::Rank, engine::{Event, Game, Table}, rules::StandardRules};
//!
//! let hands = vec![vec![Rank::ACE], vec![Rank::new(9).unwrap()]];
//! let mut game = Game::new(Box::new(StandardRules::classic()), hands).unwrap();
//! let events: Vec<Event> = game.by_ref().collect();
//!
//! // The events alone rebuild the table, so a replay needs nothing else.
//! let mut table = Table::default();
//! for event in &events {
//!     table.apply(event).unwrap();
//! }
//! assert_eq!(&table, game.table());
//! ```

mod event;
mod game;
mod seat;
mod state;
mod table;

pub use event::{Event, Play, TakenCards, TurnStep, tied_plays};
pub use game::{DealError, Game, Rules};
pub use seat::Seat;
pub use state::{Projection, Screen, State};
pub use table::{ApplyError, Face, Outcome, Place, Table, TableCard};
