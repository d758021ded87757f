//! A client: its WebSocket, its session and its transport.

mod connection;
mod query;
mod session;
mod socket;
mod transport;

pub use connection::Caller;
pub use session::{
    Action, CloseCode, End, Frame, HELLO_TIMEOUT, MAX_TOO_FAST, MessageLimit, PING_INTERVAL,
    SEND_TIMEOUT, SILENCE, Session,
};
pub(super) use socket::Socket;
pub(super) use transport::LocalTransport;
pub use transport::Transport;
