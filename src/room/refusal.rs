use crate::i18n::{Message, Text};
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
    /// The player is in no game.
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

impl Refusal {
    /// What to tell the player, in words.
    #[must_use]
    pub const fn text(self) -> Text {
        Text::new(match self {
            Self::BadMessage => Message::REFUSED_BAD_MESSAGE,
            Self::HelloFirst => Message::REFUSED_HELLO_FIRST,
            Self::HelloAgain => Message::REFUSED_HELLO_AGAIN,
            Self::UnknownToken => Message::REFUSED_UNKNOWN_TOKEN,
            Self::IdReused => Message::REFUSED_ID_REUSED,
            Self::Waiting => Message::REFUSED_WAITING,
            Self::Playing => Message::REFUSED_PLAYING,
            Self::NotWaiting => Message::REFUSED_NOT_WAITING,
            Self::NotPlaying => Message::REFUSED_NOT_PLAYING,
            Self::SeedsClosed => Message::REFUSED_SEEDS_CLOSED,
            Self::SeededAlready => Message::REFUSED_SEEDED_ALREADY,
            Self::NotDealt => Message::REFUSED_NOT_DEALT,
            Self::DecidedAlready => Message::REFUSED_DECIDED_ALREADY,
            Self::BadAfter => Message::REFUSED_BAD_AFTER,
            Self::TooFast => Message::REFUSED_TOO_FAST,
            Self::TooManyConnections => Message::REFUSED_TOO_MANY_CONNECTIONS,
            Self::Draining => Message::REFUSED_DRAINING,
        })
    }
}

impl From<Refused> for Refusal {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::SeedsClosed => Self::SeedsClosed,
            Refused::SeededAlready => Self::SeededAlready,
            Refused::NotDealt => Self::NotDealt,
            Refused::DecidedAlready => Self::DecidedAlready,
            Refused::Over | Refused::NoSuchSeat => Self::NotPlaying,
        }
    }
}
