//! A client: its WebSocket, and the session that decides what is done with it.

mod action;
mod connection;
mod frames;
mod looking;
mod rate_limit;
mod session;
mod socket;
mod way;

pub use action::{Action, CloseCode, End, Frame};
pub(super) use connection::Connection;
pub use rate_limit::{MOST_TOO_FAST, RateLimit};
pub use session::{HELLO_PATIENCE, PING_INTERVAL, SEND_PATIENCE, SILENCE, Session};
pub(super) use socket::Socket;
