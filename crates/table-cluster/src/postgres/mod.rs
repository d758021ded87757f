//! The store that many nodes share: PostgreSQL.
//!
//! A [`PostgresTable`] is what a node knows of the whole table; it takes rooms, each of which
//! has a connection of its own. Each transaction begins with a fence: it changes the row of its
//! room, and only where that is still of the owner's epoch. All that a batch writes goes out
//! together with its commit, a statement a table.
//!
//! Connections are not encrypted: the database is to be on the same machine or on a private
//! network. This is the one place that knows PostgreSQL.

mod address;
mod batch;
mod finished;
mod inspecting;
mod ladder;
mod marks;
mod moving;
mod people;
mod reader;
mod room;
mod schema;
mod session;
mod statements;
mod table;
mod tenure;
mod transaction;

pub use address::{AddressError, DatabaseAddress};
pub use moving::{PostgresArrival, PostgresDeparture};
pub use reader::PostgresReader;
pub use room::PostgresRoom;
pub use table::PostgresTable;
