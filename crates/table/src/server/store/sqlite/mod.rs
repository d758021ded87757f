//! The embedded store: every event of the room, and what follows from it, in one file.
//!
//! Events, ledger, messages and answers of a batch of commands are one transaction, synced
//! before anybody learns of it. This is the one place that knows SQL.

mod arrival;
mod checking;
mod copy;
mod departure;
mod export;
mod finished;
mod inspecting;
mod ladder;
mod listing;
mod marks;
mod moved_rows;
mod open;
mod played;
mod reader;
mod restoring;
mod rows;
mod schema;
mod sqlite_store;
mod transaction;
mod watch;

pub use arrival::SqliteArrival;
pub use departure::SqliteDeparture;
pub use reader::SqliteReader;
pub use sqlite_store::SqliteStore;
