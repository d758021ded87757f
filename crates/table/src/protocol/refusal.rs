use schemars::JsonSchema;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};
use war::tokens::Refused;

/// Why a request is not granted.
///
/// Its name, in the messages of the protocol too, is what programs go by.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error,
)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The message is not a request.
    #[error("bad_message")]
    BadMessage,
    /// The client speaks another version of the protocol, or names none.
    #[error("old_protocol")]
    OldProtocol,
    /// A first `hello` is missing.
    #[error("hello_first")]
    HelloFirst,
    /// A `hello` was said already.
    #[error("hello_again")]
    HelloAgain,
    /// The `id` was used for another request.
    #[error("id_reused")]
    IdReused,
    /// The player waits for an opponent.
    #[error("waiting")]
    Waiting,
    /// The player is in a game.
    #[error("playing")]
    Playing,
    /// The player does not wait for this game.
    #[error("not_waiting")]
    NotWaiting,
    /// The player is not in a game.
    #[error("not_playing")]
    NotPlaying,
    /// Nobody waits with this invitation, or somebody does for another game.
    #[error("not_invited")]
    NotInvited,
    /// Who waits with this invitation has no connection now.
    #[error("inviter_away")]
    InviterAway,
    /// The player has not played this game to its end, or not one of this kind, or the opponent was
    /// the house or has left the table for good.
    #[error("no_rematch")]
    NoRematch,
    /// The house does not play at this table.
    #[error("house_closed")]
    HouseClosed,
    /// The player is in another game than the seed is for.
    #[error("stale_seed")]
    StaleSeed,
    /// The seed is not the one that the player is committed to.
    #[error("wrong_seed")]
    WrongSeed,
    /// The seed comes too late, or to a game that takes none.
    #[error("seeds_closed")]
    SeedsClosed,
    /// The player has opened their seed before.
    #[error("seeded_already")]
    SeededAlready,
    /// The decision is on another game or deal than the one on the table.
    #[error("stale_decision")]
    StaleDecision,
    /// The decision came when its time was up.
    #[error("too_late")]
    TooLate,
    /// The player decided before.
    #[error("decided_already")]
    DecidedAlready,
    /// There are not as many messages yet.
    #[error("bad_after")]
    BadAfter,
    /// Too many messages in a short time, or too many requests in an hour.
    #[error("too_fast")]
    TooFast,
    /// The player has as many connections as one may have.
    #[error("too_many_connections")]
    TooManyConnections,
    /// An operator has banned the player.
    #[error("banned")]
    Banned,
    /// The server shuts down, and no game starts.
    #[error("draining")]
    Draining,
    /// The server can't do it now.
    #[error("unavailable")]
    Unavailable,
}

impl Refusal {
    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name: StrDeserializer<'_, ValueError> = name.into_deserializer();
        Self::deserialize(name).ok()
    }

    /// Whether a request that was refused so is refused so again under its `id`: it depends on
    /// the state of the players or the game, which may change while a copy of it is on its way.
    #[must_use]
    pub const fn is_kept(self) -> bool {
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

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::SeedsClosed => Self::SeedsClosed,
            Refused::WrongSeed => Self::WrongSeed,
            Refused::SeededAlready => Self::SeededAlready,
            Refused::NotDealt => Self::StaleDecision,
            Refused::DecidedAlready => Self::DecidedAlready,
            Refused::Over | Refused::NoSuchSeat => Self::NotPlaying,
        }
    }
}
