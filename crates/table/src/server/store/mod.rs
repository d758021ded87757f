//! Where the hub keeps what must outlive it.
//!
//! A [`Transaction`] takes the events, messages and answers of a batch of commands: all of
//! them are kept when it is committed, or none. [`SqliteStore`] is the store of a table with one
//! server, [`PostgresTable`] that of one with several.

mod error;
mod inspector;
mod interface;
mod meeting;
mod moving;
mod place;
mod postgres;
mod reader;
mod restored;
mod sqlite;
mod table;
#[cfg(test)]
mod test_store;

pub use error::{Damage, StoreError};
pub use inspector::{Booked, Inspector, PlayedGame, Transfer, transfers};
pub use interface::{
    Answer, Claim, Coming, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Removed,
    Store, SweepPosition, TokenHash, Transaction, Wanted,
};
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

#[cfg(test)]
pub(crate) use test_store::TestStore;
