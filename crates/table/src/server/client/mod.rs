//! A client: its WebSocket, and the session that decides what is done with it.

mod connection;
mod looking;
mod session;
mod socket;
mod way;

pub use connection::Caller;
pub use session::{
    Action, CloseCode, End, Frame, HELLO_PATIENCE, MOST_TOO_FAST, PING_INTERVAL, RateLimit,
    SEND_PATIENCE, SILENCE, Session,
};
pub(super) use socket::Socket;
pub(super) use way::Own;
pub use way::{Errand, Handed, Way};
