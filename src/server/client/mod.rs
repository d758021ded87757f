//! A client: its WebSocket, and the session that decides what is done with it.

mod connection;
mod rate_limit;
mod session;

pub(super) use connection::{Connection, LONGEST_MESSAGE, LONGEST_READ};
pub use rate_limit::{MOST_TOO_FAST, RateLimit};
pub use session::{
    Action, CloseCode, End, Frame, HELLO_PATIENCE, PING_INTERVAL, SEND_PATIENCE, SILENCE, Session,
};
