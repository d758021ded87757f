//! The card table as a server.
//!
//! Dependencies point one way. The [`hub`] decides all that concerns players, without
//! sockets and clock; a [`Desk`] lets it work, by a time that stands still while nothing can
//! be written; a writer owns both and their [`store`], in one thread: it takes commands
//! in batches, commits each batch, and only then publishes. There is a writer for each room that
//! the server owns; the [`gateway`] finds the room that does a request, here or over a link to another
//! node. A [`client`] is a WebSocket
//! and the session that decides what is done with it. [`RunningServer`] composes them:
//!
//! ```text
//!  store <- hub <- desk <- writer <- gateway <- client <- http <- RunningServer
//! ```

mod attendance;
mod audit;
pub mod client;
mod clock;
mod cluster;
mod desk;
mod directory;
pub mod gateway;
mod host;
pub mod http;
pub mod hub;
mod identity;
mod inbox;
mod limits;
mod looks;
pub mod mailbox;
mod metrics;
mod node;
mod peers;
pub mod placement;
mod played;
mod randomness;
mod rating;
mod reply;
pub mod rooms;
mod running;
mod shared;
pub mod store;
mod table_log;
pub mod writer;

pub use audit::inspect;
pub use clock::Clock;
pub use cluster::home;
pub use desk::{Arrivals, Arrived, Desk};
pub use host::{HostName, Listeners, Origin, ParseHostNameError, ParseOriginError};
pub use identity::Identity;
pub use limits::{Address, ParseProxyHeaderError, ProxyHeader};
pub use looks::{Look, Sight};
pub use metrics::Metrics;
pub use node::Standby;
pub use placement::Home;
pub use randomness::{Randomness, SeededRandomness, SystemRandomness};
pub use running::{RunningServer, ServerError, Settings};
