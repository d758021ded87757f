//! The store that nodes share, in PostgreSQL.
//!
//! A [`PostgresTable`] gives a node access to the whole table. The node takes rooms through it, and
//! each room uses a connection of its own. Each transaction begins with a fence: it updates the row
//! of its room on condition that the row still has the owner's epoch. The writes of a batch are
//! sent together with its commit, one statement for each table of the database.
//!
//! Connections are not encrypted: run the database on the same machine or in a private network.
//! Only this module uses PostgreSQL.

mod address;
mod batch;
mod finished;
mod inspector;
mod ladder;
mod players;
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

pub use address::{AddressError, DatabaseAddress};
pub use reader::PostgresReader;
pub use relocation::{PostgresMoveSource, PostgresMoveTarget};
pub use room::PostgresRoom;
pub use table::PostgresTable;
