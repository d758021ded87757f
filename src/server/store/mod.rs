//! Where the hub keeps what must outlive it.
//!
//! A [`Transaction`] takes the events, messages and answers of a batch of commands: all of
//! them are kept when it is committed, or none. [`SqliteStore`] is the store of a table with one
//! server, [`PostgresTable`] that of one with several, and [`MemoryStore`] one for tests and
//! simulations, which fails when asked to.

mod error;
mod interface;
mod ledger;
mod memory;
mod postgres;
mod reader;
mod sqlite;
mod table;
mod token_hash;

pub use error::{Damage, StoreError};
pub use interface::{
    Answer, Claim, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Store,
    SweepPosition, Transaction, Wanted,
};
pub use memory::{Committed, Fault, MemoryRoom, MemoryStore, MemoryTable, StoreCall, Write};
pub use postgres::{AddressError, DatabaseAddress, PostgresReader, PostgresRoom, PostgresTable};
pub use reader::Reader;
pub use sqlite::{SqliteReader, SqliteStore};
pub use table::{TableStore, Whereabouts};
pub use token_hash::TokenHash;
