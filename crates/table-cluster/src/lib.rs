//! A card table on several nodes: the store in PostgreSQL, the leases that decide which node owns
//! a room, and the links over which clients of one node reach the rooms of another.
//!
//! [`StoreLocation`] names the store of a table, and [`PostgresTable`] is the store that nodes
//! share. [`build_shared_backend`] makes a server a node of that table: a [`Membership`] uses
//! [`leases`] to decide which rooms the node may take, and the [`gateway`] routes each request of a
//! client to its room, on this node or over a link. The card table does not depend on this crate: a
//! server sees only a [`Placement`](war_table::server::placement::Placement).
//!
//! ```
//! use war_table_cluster::StoreLocation;
//!
//! let location: StoreLocation = "postgres://war:secret@db.example:5432/war".parse().unwrap();
//! assert_eq!(location.to_string(), "postgres://war@db.example:5432/war");
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types
    )
)]

mod directory;
pub mod gateway;
mod inbox;
pub mod leases;
mod local_connection;
mod node;
mod peers;
mod placement;
mod postgres;
mod store_location;
mod table;

pub use inbox::OperatorInbox;
pub use node::Membership;
pub use placement::build_shared_backend;
pub use postgres::{
    ConnectionBudget, ConnectionLimit, DatabaseAddress, DatabaseAddressError, PostgresMoveSource,
    PostgresMoveTarget, PostgresReader, PostgresRoom, PostgresTable, TlsOptionsError,
    WeakProtection,
};
pub use store_location::{StoreLocation, StoreLocationError};
pub use table::{PlayerLocation, TableStore};
