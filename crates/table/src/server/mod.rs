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
mod desk;
mod directory;
mod error;
mod flow_control;
pub mod gateway;
mod home;
mod host;
mod http;
pub mod hub;
mod identity;
mod keeper;
mod limits;
mod listeners;
mod lookout;
mod looks;
mod mailbox;
mod messages;
mod metrics;
mod names;
mod node;
mod open_games;
mod opening;
mod origin;
mod peers;
mod played;
mod process;
mod randomness;
mod rater;
mod rating;
mod reply;
pub mod rooms;
mod running;
mod shared;
mod standby;
pub mod store;
mod table_log;
mod table_time;
mod writer;

pub use audit::inspect;
pub use clock::Clock;
pub use desk::{Arrivals, Arrived, Desk};
pub use error::ServerError;
pub use home::Home;
pub use host::{HostName, ParseHostNameError};
pub use identity::Identity;
pub use limits::{Address, ParseProxyHeaderError, ProxyHeader};
pub use listeners::Listeners;
pub use looks::{Look, Sight};
pub use metrics::Metrics;
pub use origin::{Origin, ParseOriginError};
pub use randomness::{Randomness, SeededRandomness, SystemRandomness};
pub use running::{RunningServer, Settings};
pub use standby::Standby;
