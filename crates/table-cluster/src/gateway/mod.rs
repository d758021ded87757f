//! The gateway: serves the clients connected to this node, whichever nodes own the rooms of their
//! players.
//!
//! A client has one connection. The client's player is in at most one room at a time, and any node
//! may own that room. A [`Route`] decides which room gets each request of a client, and when,
//! without sockets or a clock.

mod player_locations;
mod room_connector;
mod route;
mod routed_client;

pub use crate::local_connection::RETRY_DELAY;
pub(super) use player_locations::{LocationSubscription, LocationSubscriptions, PlayerLocator};
pub(super) use room_connector::RoomConnector;
pub use route::{REQUEST_TIMEOUT, Route, RouteStep};
pub(super) use routed_client::RoutedClient;
