//! The card table as a server.
//!
//! Dependencies point one way. The [`hub`] decides everything that concerns players, without
//! sockets or a clock. A [`TimedHub`] adds the table's time, which stands still while the store
//! can't be written. A [`room_actor`] owns both and their [`store`] in one thread: it takes
//! commands in batches, commits each batch, and only then publishes. There is one actor for each
//! room of the server. A [`client`] is a WebSocket with its session; the [`placement`] finds the
//! room for its requests. [`RunningServer`] composes them:
//!
//! ```text
//!  store <- hub <- timed_hub <- room_actor <- client <- placement <- http <- RunningServer
//! ```

mod address_connections;
mod attendance;
mod audit;
pub mod client;
mod clock;
mod completed_game;
mod host;
pub mod http;
pub mod hub;
mod identity;
mod limits;
pub mod mailbox;
mod metrics;
pub mod placement;
mod queries;
mod randomness;
mod rating;
mod reply;
pub mod room_actor;
pub mod rooms;
mod running;
mod shared_state;
pub mod store;
mod table_health;
mod table_log;
mod timed_hub;

pub use attendance::{Attendance, Headcount};
pub use audit::answer_inspection;
pub use clock::Clock;
pub use host::{
    HostName, Listeners, Origin, ParseHostNameError, ParseOriginError, accept_connection,
};
pub use identity::Identity;
pub use limits::{ClientAddress, NewPlayerLimit, ParseProxyHeaderError, ProxyHeader};
pub use metrics::Metrics;
pub use placement::TableBackend;
pub use queries::{Query, QueryKind};
pub use randomness::{Randomness, SeededRandomness, SystemRandomness};
pub use running::{RunningServer, ServerError, ServerSettings};
pub use table_health::TableHealth;
pub use timed_hub::{Arrivals, TimedHub};
