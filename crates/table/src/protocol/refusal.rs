use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};
use war::tokens::MoveError;

/// Reason why a request is refused.
///
/// Programs, and the messages of the protocol, identify it by name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The message is not a request.
    #[error("bad_message")]
    BadMessage,
    /// The client has another protocol version, or states none.
    #[error("old_protocol")]
    OldProtocol,
    /// The connection must begin with `hello`.
    #[error("hello_first")]
    HelloFirst,
    /// The connection already had its `hello`.
    #[error("hello_again")]
    HelloAgain,
    /// The `id` was used for a different request.
    #[error("id_reused")]
    IdReused,
    /// The player is waiting for an opponent.
    #[error("waiting")]
    Waiting,
    /// The player is in a game.
    #[error("playing")]
    Playing,
    /// The player is not waiting for this game.
    #[error("not_waiting")]
    NotWaiting,
    /// The player is not in a game.
    #[error("not_playing")]
    NotPlaying,
    /// Nobody is waiting with this invitation, or only for another game.
    #[error("not_invited")]
    NotInvited,
    /// The player waiting with this invitation is not connected.
    #[error("inviter_away")]
    InviterAway,
    /// No rematch is possible: the player has not finished this game, it was of another kind, or
    /// the opponent was the house or has left the table for good.
    #[error("no_rematch")]
    NoRematch,
    /// The house does not play at this table.
    #[error("house_closed")]
    HouseClosed,
    /// The seed is for another game than the one that the player is in.
    #[error("stale_seed")]
    StaleSeed,
    /// The seed does not match the commitment.
    #[error("wrong_seed")]
    WrongSeed,
    /// The seed comes too late, or the game takes none.
    #[error("seeds_closed")]
    SeedsClosed,
    /// The player has already opened their seed.
    #[error("seeded_already")]
    SeededAlready,
    /// The decision is for another game or deal than the current one.
    #[error("stale_decision")]
    StaleDecision,
    /// The decision came after its deadline.
    #[error("too_late")]
    TooLate,
    /// The player has already decided.
    #[error("decided_already")]
    DecidedAlready,
    /// There are fewer messages than `after` says.
    #[error("bad_after")]
    BadAfter,
    /// Too many messages in a short time, or too many requests in an hour.
    #[error("too_fast")]
    TooFast,
    /// The player has the maximum number of connections.
    #[error("too_many_connections")]
    TooManyConnections,
    /// An operator has banned the player.
    #[error("banned")]
    Banned,
    /// The server is shutting down, and starts no games.
    #[error("draining")]
    Draining,
    /// The server can't handle the request now.
    #[error("unavailable")]
    Unavailable,
}

impl Refusal {
    /// Returns the refusal with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, ValueError> = name.into_deserializer();
        Self::deserialize(name).ok()
    }

    /// Returns true if a repeated request gets the same refusal under the same `id`: such a refusal
    /// depends on the state of players or the game, which may change before the repeated request
    /// arrives.
    #[must_use]
    pub const fn is_stored(self) -> bool {
        match self {
            Self::Waiting
            | Self::Playing
            | Self::NotWaiting
            | Self::NotPlaying
            | Self::NotInvited
            | Self::InviterAway
            | Self::NoRematch
            | Self::StaleSeed
            | Self::WrongSeed
            | Self::SeedsClosed
            | Self::SeededAlready
            | Self::StaleDecision
            | Self::TooLate
            | Self::DecidedAlready
            | Self::BadAfter => true,
            Self::BadMessage
            | Self::OldProtocol
            | Self::HelloFirst
            | Self::HelloAgain
            | Self::HouseClosed
            | Self::IdReused
            | Self::TooFast
            | Self::TooManyConnections
            | Self::Banned
            | Self::Draining
            | Self::Unavailable => false,
        }
    }
}

impl From<MoveError> for Refusal {
    fn from(refused: MoveError) -> Self {
        match refused {
            MoveError::SeedsClosed => Self::SeedsClosed,
            MoveError::WrongSeed => Self::WrongSeed,
            MoveError::SeededAlready => Self::SeededAlready,
            MoveError::NotDealt => Self::StaleDecision,
            MoveError::DecidedAlready => Self::DecidedAlready,
            MoveError::Over | MoveError::NoSuchSeat => Self::NotPlaying,
        }
    }
}
