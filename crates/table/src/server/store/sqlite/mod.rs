//! Embedded store in one `SQLite` file.
//!
//! Events, ledger, messages and answers of a batch of commands are one transaction, synced before
//! any of it is published. All SQL of this crate is here.

mod finished;
mod inspecting;
mod ladder;
mod marks;
mod moving;
mod open;
mod reader;
mod restoring;
mod rows;
mod schema;
mod sqlite_store;
mod transaction;

pub use moving::{SqliteMoveSource, SqliteMoveTarget};
pub use reader::SqliteReader;
pub use sqlite_store::SqliteStore;
