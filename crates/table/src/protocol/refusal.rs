use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};
use war::tokens::MoveError;

/// Reason why a request is refused.
///
/// Programs, and the messages of the protocol, identify a refusal by its name.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// Message that is not a request.
    #[error("bad_message")]
    BadMessage,
    /// Client that has another protocol version, or states none.
    #[error("old_protocol")]
    OldProtocol,
    /// Request before `hello`, with which every connection must begin.
    #[error("hello_first")]
    HelloFirst,
    /// Second `hello` on the same connection.
    #[error("hello_again")]
    HelloAgain,
    /// `id` that was used for a different request.
    #[error("id_reused")]
    IdReused,
    /// Request that is not possible while the player waits for an opponent.
    #[error("waiting")]
    Waiting,
    /// Request that is not possible while the player is in a game.
    #[error("playing")]
    Playing,
    /// Cancellation by a player who is not waiting for this kind of game.
    #[error("not_waiting")]
    NotWaiting,
    /// Seed or decision from a player who is not in a game.
    #[error("not_playing")]
    NotPlaying,
    /// Invitation with which nobody is waiting for this kind of game.
    #[error("not_invited")]
    NotInvited,
    /// Invitation of a player who is waiting, but is not connected.
    #[error("inviter_away")]
    InviterAway,
    /// Rematch that is not possible: the player has not finished this game, the game was of another
    /// kind, or the opponent was the house or may no longer play at the table.
    #[error("no_rematch")]
    NoRematch,
    /// Friend link that does not exist or was revoked, or whose secret or kind of game is another.
    #[error("no_link")]
    NoLink,
    /// Friend link of a player who already has the maximum number of links.
    #[error("too_many_links")]
    TooManyLinks,
    /// Request to play against the house, which does not play at this table.
    #[error("house_closed")]
    HouseClosed,
    /// Seed for a game other than the one that the player is in.
    #[error("stale_seed")]
    StaleSeed,
    /// Seed that does not match the hash in the player's `choose`.
    #[error("wrong_seed")]
    WrongSeed,
    /// Seed that comes too late, or for a game that takes none.
    #[error("seeds_closed")]
    SeedsClosed,
    /// Seed from a player who has already opened theirs in this game.
    #[error("seeded_already")]
    SeededAlready,
    /// Decision for a game or deal other than the current one.
    #[error("stale_decision")]
    StaleDecision,
    /// Decision that came after its deadline.
    #[error("too_late")]
    TooLate,
    /// Second decision on the same deal.
    #[error("decided_already")]
    DecidedAlready,
    /// `resume` whose `after` is greater than the number of the player's last message.
    #[error("bad_after")]
    BadAfter,
    /// Too many messages in a short time, or too many requests or withdrawn rematches in an hour.
    #[error("too_fast")]
    TooFast,
    /// Connection of a player who already has the maximum number of connections.
    #[error("too_many_connections")]
    TooManyConnections,
    /// Player banned by an operator.
    #[error("banned")]
    Banned,
    /// `hello` with the access token of a player who was forgotten.
    #[error("forgotten")]
    Forgotten,
    /// Request for a game while the server is shutting down and starts no games.
    #[error("draining")]
    Draining,
    /// Request that the server can't handle at the moment.
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
            | Self::NoLink
            | Self::TooManyLinks
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
            | Self::Forgotten
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
