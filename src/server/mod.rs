//! The card table as a server.
//!
//! Connections hand commands to the writer, the one thread that steps the room and writes
//! the [`store`]; it publishes once everything is on the disk.

mod allowance;
mod connection;
mod error;
mod http;
mod hub;
mod metrics;
mod origin;
mod page;
mod running;
pub mod store;
mod writer;

pub use error::ServerError;
pub use origin::{Origin, ParseOriginError};
pub use running::{RunningServer, Settings};
