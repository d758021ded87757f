use crate::fair::{Unfair, Unlogged};
use std::time::Duration;

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// What went wrong for a player.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Trouble {
    /// The table can't be reached.
    #[error("the table can't be reached")]
    NoConnection,
    /// The table lets one address do no more.
    #[error("the table limits what one address may do")]
    TooFast,
    /// The connection ended.
    #[error("the connection ended")]
    Lost,
    /// Nothing came in time.
    #[error("nothing came for {} seconds", PATIENCE.as_secs())]
    NoAnswer,
    /// A message does not belong to the protocol.
    #[error("a message does not belong to the protocol")]
    NoMessage,
    /// The table does not play fair.
    #[error(transparent)]
    Unfair(#[from] Unfair),
    /// The table's log does not have what it must, or a journal is another one.
    #[error(transparent)]
    Unlogged(#[from] Unlogged),
    /// The table's log or a journal can't be read.
    #[error("the table's log or a journal can't be read: {0}")]
    Unread(String),
    /// A message that nothing called for.
    #[error("an unexpected message: {0}")]
    Unexpected(String),
}

impl Trouble {
    /// Whether the table can't be trusted, rather than reached.
    #[must_use]
    pub const fn is_unfair(&self) -> bool {
        matches!(self, Self::Unfair(_) | Self::Unlogged(_))
    }
}
