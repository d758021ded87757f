//! The embedded store: every event of the room, and what follows from it, in one file.
//!
//! Events, ledger, messages and answers of a batch of commands are one transaction, synced
//! before anybody learns of it. This is the one place that knows SQL.

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

pub use moving::{SqliteArrival, SqliteDeparture};
pub use reader::SqliteReader;
pub use sqlite_store::SqliteStore;
