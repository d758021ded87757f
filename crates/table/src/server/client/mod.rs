//! A client: its WebSocket, its session and its transport.

mod connection;
mod query;
mod session;
mod socket;
mod transport;

pub use connection::AcceptedClient;
pub use session::{
    CloseCode, ConnectionEnd, HELLO_TIMEOUT, MAX_EXCESS_MESSAGES, MessageLimit, PING_INTERVAL,
    SEND_TIMEOUT, SILENCE_TIMEOUT, Session, SessionAction,
};
pub(super) use socket::Socket;
pub(super) use transport::LocalTransport;
pub use transport::Transport;
