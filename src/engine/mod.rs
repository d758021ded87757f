//! The event-sourced core: what can happen, the table it happens on, and the driver.
//!
//! Rules decide, events are facts, the table is their fold. [`Game`] turns the
//! wheel: it asks the [`Rules`] what happens next, applies the [`Event`] to the
//! [`Table`] and hands it out. Everything else that can be known of a game (a screen, a
//! log, a journal) is a [`Projection`] of the same events.
//!
//! # Examples
//!
//! ```
//! use war::{cards::Rank, engine::{Event, Game, Table}, rules::Flow};
//!
//! let hands = vec![vec![Rank::ACE], vec![Rank::new(9).unwrap()]];
//! let mut game = Game::new(Box::new(Flow::classic()), hands).unwrap();
//! let events: Vec<Event> = game.by_ref().collect();
//!
//! // The events alone make the same table again: that is all a replay needs.
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

pub use event::{Event, Play, Step, Take, tied};
pub use game::{DealError, Game, Rules};
pub use seat::Seat;
pub use state::{Projection, Screen, State};
pub use table::{ApplyError, Face, Outcome, Place, Put, Table};
