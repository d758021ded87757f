//! A client: its WebSocket, and the session that decides what is done with it.

mod connection;
mod frames;
mod rate_limit;
mod session;
mod socket;

pub(super) use connection::Connection;
pub use rate_limit::{MOST_TOO_FAST, RateLimit};
pub use session::{
    Action, CloseCode, End, Frame, HELLO_PATIENCE, PING_INTERVAL, SEND_PATIENCE, SILENCE, Session,
};
pub(super) use socket::Socket;
