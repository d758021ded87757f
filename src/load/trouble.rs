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
    /// A gap or a repeat in the sequence.
    #[error("a message is missing or came twice")]
    Sequence,
    /// A balance is not what the messages make it.
    #[error("a balance doesn't match the messages")]
    Balance,
    /// A revealed seed is not the one that was committed to.
    #[error("a revealed seed doesn't match its commitment")]
    Commitment,
    /// A seed of the player is not the one they gave.
    #[error("a player's seed is not the one the player gave")]
    Seed,
    /// Cards do not follow from the seeds.
    #[error("cards don't follow from the seeds")]
    Cards,
    /// A message that nothing called for.
    #[error("an unexpected message: {0}")]
    Unexpected(String),
}
