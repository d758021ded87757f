use super::ClientId;
use crate::room::PlayerId;
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
}

/// What is handed to which client.
pub type Publication = (ClientId, Outbound);
