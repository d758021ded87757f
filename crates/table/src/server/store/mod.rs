//! Where the hub keeps what must outlive it.
//!
//! A [`Transaction`] takes the events, messages and answers of a batch of commands: all of
//! them are kept when it is committed, or none. [`SqliteStore`] is the store of a table with one
//! server, [`PostgresTable`] that of one with several, and [`MemoryStore`] one for tests and
//! simulations, which fails when asked to.

mod error;
mod inspector;
mod interface;
mod meeting;
mod memory;
mod moving;
mod place;
mod postgres;
mod reader;
mod restored;
mod sqlite;
mod table;

pub use error::{Damage, StoreError};
pub use inspector::{Booked, Inspector, PlayedGame, Transfer, transfers};
pub use interface::{
    Answer, Claim, Coming, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Removed,
    Store, SweepPosition, TokenHash, Transaction, Wanted,
};
pub use memory::{Committed, Fault, MemoryRoom, MemoryStore, MemoryTable, StoreCall, Write};
pub use moving::{
    About, Arrival, Cell, Column, Departure, MoveError, Moved, Occupant, Part, Row, carry,
};
pub use place::{PlaceError, StorePlace};
pub use postgres::{
    AddressError, DatabaseAddress, PostgresArrival, PostgresDeparture, PostgresReader,
    PostgresRoom, PostgresTable,
};
pub use reader::{Gap, Ladder, Messages, Page, Past, Reader};
pub use restored::Restoration;
pub use sqlite::{SqliteArrival, SqliteDeparture, SqliteReader, SqliteStore};
pub use table::{Inbox, TableStore, Whereabouts};
