//! The store that nodes share, in PostgreSQL.
//!
//! A [`PostgresTable`] gives a node access to the whole table and lets the node take rooms. Each
//! room uses a separate connection. Each transaction begins with a fence: a statement that updates
//! the row of the room only if the row still has the owner's epoch. The writes of a batch are sent
//! together with the commit, one statement for each table of the database.
//!
//! Connections are not encrypted: run the database on the same machine or in a private network.
//! Only this module uses PostgreSQL.

mod address;
mod batch;
mod finished;
mod inspector;
mod ladder;
mod players;
mod pooler;
mod reader;
mod relocation;
mod relocation_marks;
mod room;
mod room_lease;
mod schema;
mod session;
mod statements;
mod table;
mod transaction;

pub use address::{DatabaseAddress, DatabaseAddressError};
pub use reader::PostgresReader;
pub use relocation::{PostgresMoveSource, PostgresMoveTarget};
pub use room::PostgresRoom;
pub use table::PostgresTable;
