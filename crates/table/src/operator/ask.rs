use super::check::Place;
use crate::room::{Order, PlayerId};
use serde::{Deserialize, Serialize};

/// Where a table is asked: with `GET` for a challenge, with `POST` for all else.
pub const PATH: &str = "/operator";
/// The header of the challenge that a question answers.
pub const CHALLENGE: &str = "x-war-challenge";
/// How the header `Authorization` begins; the proof follows.
pub const SCHEME: &str = "War-Operator ";
/// The most players that are listed at once.
pub const MOST_LISTED: u32 = 1000;

/// The shortest time that messages are kept, in milliseconds: a day. Answers refer to messages, and
/// are kept for an hour.
pub const LEAST_RETAINED: u64 = 24 * 3_600_000;

/// What an operator asks of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// To do something with a player.
    Order(Order),
    /// To list up to [`MOST_LISTED`] players, in the order of their numbers.
    Players {
        /// The number after which they begin.
        after: u64,
    },
    /// All that is kept of a player.
    Export {
        /// Who.
        player: PlayerId,
    },
    /// To keep the messages of this time only, and to remove older ones up to the end of a game: of
    /// some of the players behind `after`.
    Retain {
        /// How long, at least [`LEAST_RETAINED`].
        milliseconds: u64,
        /// The number of the player.
        after: PlayerId,
    },
    /// To check one part of the store.
    Verify(Place),
}
