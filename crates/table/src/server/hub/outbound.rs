use super::ClientId;
use crate::room::{OrderError, Player, PlayerId};
use crate::server::rooms::RoomNumber;
use crate::server::store::Removed;
use std::sync::Arc;

/// What a client is handed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outbound {
    /// Its player is known.
    Welcome {
        /// The player.
        player: PlayerId,
        /// The number of the last message to the player.
        seq: u64,
        /// Whether the player was here before, and may ask for messages.
        returns: bool,
        /// The message.
        body: String,
    },
    /// The next message to its player.
    Push {
        /// The message's number.
        seq: u64,
        /// The message.
        body: Arc<str>,
    },
    /// An answer to this connection alone.
    Answer(String),
    /// Its `resume` is done: it goes on after this message, unless that was refused.
    Resumed(Option<u64>),
    /// What it asked for last is done, and all answers to that were handed over. Only a room of
    /// several says so.
    Done,
    /// Its player is in another room: what it asked for last was not done, and is to be asked
    /// there.
    Elsewhere(RoomNumber),
    /// What came of an operator's order: the player as they are then.
    Operated(Result<Player, OrderError>),
    /// How many messages were removed for an operator.
    Retained(Removed),
    /// Its player may not stay: the connection ends.
    Expelled,
    /// Its player is in no room now, and the client is not known here any more.
    Released,
}

/// What is handed to which client.
pub type Publication = (ClientId, Outbound);
