//! Where the hub keeps what must outlive it.
//!
//! A [`Transaction`] takes the events, messages and answers of a batch of commands: all of
//! them are kept when it is committed, or none. [`SqliteStore`] is the store of a table with one
//! server, [`PostgresTable`] that of one with several, and [`MemoryStore`] one for tests and
//! simulations, which fails when asked to.

mod error;
mod finished_row;
mod inbox;
mod inspector;
mod interface;
mod ladder_game;
mod ledger;
mod meeting;
mod memory;
mod moving;
mod place;
mod postgres;
mod reader;
mod record;
mod restored;
mod sqlite;
mod table;
mod token_hash;

pub use error::{Damage, StoreError};
pub use finished_row::Past;
pub use inbox::Inbox;
pub use inspector::{Booked, Inspector};
pub use interface::{
    Answer, Claim, Coming, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Removed,
    Store, SweepPosition, Transaction, Wanted,
};
pub use ledger::{Transfer, transfers};
pub use memory::{Committed, Fault, MemoryRoom, MemoryStore, MemoryTable, StoreCall, Write};
pub use moving::{
    About, Arrival, Cell, Column, Departure, MoveError, Moved, Occupant, Part, Row, carry,
};
pub use place::{PlaceError, StorePlace};
pub use postgres::{
    AddressError, DatabaseAddress, PostgresArrival, PostgresDeparture, PostgresReader,
    PostgresRoom, PostgresTable,
};
pub use reader::{Gap, Ladder, Messages, Page, Reader};
pub use record::PlayedGame;
pub use restored::Restoration;
pub use sqlite::{SqliteArrival, SqliteDeparture, SqliteReader, SqliteStore};
pub use table::{TableStore, Whereabouts};
pub use token_hash::TokenHash;
