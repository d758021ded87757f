//! Where the hub keeps what must outlive it.
//!
//! A [`Transaction`] takes the events, messages and answers of a batch of commands: all of
//! them are kept when it is committed, or none. [`SqliteStore`] is the store of the program,
//! [`MemoryStore`] one for tests and simulations, which fails when asked to.

mod error;
mod interface;
mod memory;
mod sqlite;
mod token_hash;

pub use error::{Damage, StoreError};
pub use interface::{
    Answer, KeptAnswer, MessageRange, Registration, Store, SweepPosition, Transaction,
};
pub use memory::{Committed, Fault, MemoryStore, StoreCall, Write};
pub use sqlite::{SqliteReader, SqliteStore};
pub use token_hash::TokenHash;
