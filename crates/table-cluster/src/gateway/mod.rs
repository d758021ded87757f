//! The gateway: what a node does for the clients that are connected to it, wherever their players
//! are.
//!
//! A client knows one connection. Its player is in one room at a time or in none, and any node may
//! own that room. A [`Route`] decides to which room each request of a client goes and when, without
//! sockets and clock.

mod entrance;
mod followed;
mod route;
mod routed_client;

pub use crate::visit::RETRY;
pub(super) use entrance::Entrance;
pub(super) use followed::{Follow, Followed, PlayerLocator};
pub use route::{PATIENCE, Route, Step};
pub(super) use routed_client::RoutedClient;
