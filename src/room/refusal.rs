use crate::tokens::Refused;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
    /// A first `hello` is missing.
    #[error("hello_first")]
    HelloFirst,
    /// A `hello` was said already.
    #[error("hello_again")]
    HelloAgain,
    /// No player has this token.
    #[error("unknown_token")]
    UnknownToken,
    /// The `id` was used for another request.
    #[error("id_reused")]
    IdReused,
    /// The player waits for an opponent.
    #[error("waiting")]
    Waiting,
    /// The player is in a game.
    #[error("playing")]
    Playing,
    /// The player waits for nobody.
    #[error("not_waiting")]
    NotWaiting,
    /// The player is not in a game.
    #[error("not_playing")]
    NotPlaying,
    /// The cards are dealt, and seeds come too late.
    #[error("seeds_closed")]
    SeedsClosed,
    /// The player gave a seed before.
    #[error("seeded_already")]
    SeededAlready,
    /// No cards are dealt yet.
    #[error("not_dealt")]
    NotDealt,
    /// The player decided before.
    #[error("decided_already")]
    DecidedAlready,
    /// There are not as many messages yet.
    #[error("bad_after")]
    BadAfter,
    /// Too many messages in a short time.
    #[error("too_fast")]
    TooFast,
    /// The player has as many connections as one may have.
    #[error("too_many_connections")]
    TooManyConnections,
    /// The server shuts down, and no game starts.
    #[error("draining")]
    Draining,
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::SeedsClosed | Refused::WrongSeed => Self::SeedsClosed,
            Refused::SeededAlready => Self::SeededAlready,
            Refused::NotDealt => Self::NotDealt,
            Refused::DecidedAlready => Self::DecidedAlready,
            Refused::Over | Refused::NoSuchSeat => Self::NotPlaying,
        }
    }
}
