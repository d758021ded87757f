//! A card table on several nodes: the store in PostgreSQL, the leases that say which node owns a
//! room, and the links by which clients of one node visit the rooms of another.
//!
//! [`StorePlace`] is where a table keeps its data, [`PostgresTable`] the store that nodes share, and
//! [`home`] gives a server its share of such a table: a [`Standby`] looks by its [`leases`] which
//! rooms it may take, and the [`gateway`] finds the room that does a client's request, here or over
//! a link. The crate stands on the card table, which knows nothing of it: to a server, all of this
//! is one [`Placement`](war_table::server::placement::Placement).
//!
//! ```
//! use war_table_cluster::StorePlace;
//!
//! let place: StorePlace = "postgres://war:secret@db.example:5432/war".parse().unwrap();
//! assert_eq!(place.to_string(), "postgres://war@db.example:5432/war");
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
mod node;
mod peers;
mod place;
mod placement;
mod postgres;
mod table;
mod visit;

pub use inbox::Inbox;
pub use node::Standby;
pub use place::{PlaceError, StorePlace};
pub use placement::home;
pub use postgres::{
    AddressError, DatabaseAddress, PostgresArrival, PostgresDeparture, PostgresReader,
    PostgresRoom, PostgresTable,
};
pub use table::{PlayerLocation, TableStore};
