use crate::room::{PlayerId, Refusal, Request, RequestId};
use crate::server::hub::Hello;
use crate::server::looks::Look;
use std::sync::Arc;

/// What comes from a client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// A text message.
    Text(&'a str),
    /// A text message that is one too many for its address.
    Crowded(&'a str),
    /// A binary message, which no request is.
    Binary,
    /// A ping or a pong.
    Control,
    /// The client closes.
    Close,
}

/// What a connection has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Send this message.
    Send(Arc<str>),
    /// Send this answer to a request that is not granted.
    Refuse(Refusal, Arc<str>),
    /// Ask the client whether it is there.
    Ping,
    /// Hand the `hello` to the hub.
    Hello(Hello),
    /// Count who is at the table, and tell [`Session::tell`](super::Session::tell): the answer to
    /// this request.
    People(RequestId),
    /// Hand a request to the hub.
    Request(Request),
    /// Read the messages to this player after this number from the store, and tell
    /// [`Session::replay`](super::Session::replay).
    Read {
        /// The player.
        player: PlayerId,
        /// The number.
        after: u64,
    },
    /// Read what the client asks to see, and tell [`Session::show`](super::Session::show) or
    /// [`Session::give_up`](super::Session::give_up).
    Look(Look),
    /// Tell [`Session::catch_up`](super::Session::catch_up), unless a delivery waits.
    CatchUp,
    /// End the connection.
    End(End),
}

/// How a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The client is gone, or does not take what it is sent.
    Gone,
    /// The client has closed it.
    Left,
    /// The server closes it.
    Close(CloseCode),
}

/// Why the server closes a connection, as the WebSocket protocol numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum CloseCode {
    /// What came is against the WebSocket protocol.
    Protocol = 1002,
    /// A text was not one.
    Invalid = 1007,
    /// The client does what it may not, or not what it should.
    Policy = 1008,
    /// A message was too long.
    Size = 1009,
    /// The server ends.
    Restart = 1012,
}
