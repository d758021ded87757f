//! The store that nodes share, in PostgreSQL.
//!
//! A [`PostgresTable`] gives a node access to the whole table and lets the node take rooms. Each
//! room uses a separate connection. Each transaction begins with a fence: a statement that updates
//! the row of the room only if the row still has the owner's epoch. The writes of a batch are sent
//! together with the commit, one statement for each table of the database.
//!
//! Connections to another machine use TLS, unless the address says otherwise. Only this module uses
//! PostgreSQL.

mod address;
mod authentication_guard;
mod batch;
mod connect;
mod connection_budget;
mod exclusive_access;
mod finished;
mod inspector;
mod ladder;
mod players;
mod pooler;
mod reader;
mod relocation;
mod relocation_marks;
mod restoring;
mod room;
mod room_lease;
mod schema;
mod session;
mod statements;
mod table;
mod tls_config;
mod tls_options;
mod transaction;

pub use address::{DatabaseAddress, DatabaseAddressError, WeakProtection};
pub use connection_budget::{ConnectionBudget, ConnectionLimit};
pub use reader::PostgresReader;
pub use relocation::{PostgresMoveSource, PostgresMoveTarget};
pub use room::PostgresRoom;
pub use table::PostgresTable;
pub use tls_options::TlsOptionsError;
