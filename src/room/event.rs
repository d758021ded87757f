use super::{PlayerId, revealed};
use crate::tokens::{self, Kind, Name, Secret};
use serde::{Deserialize, Serialize};

/// A fact of the room.
///
/// Stores keep events as the JSON that serde makes of these types, for ever: a name or a
/// field may be added, but none may change or go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomEvent {
    /// A player came for the first time, and got their opening balance.
    Joined {
        /// Their number.
        player: PlayerId,
        /// What they are called.
        name: Name,
        /// Whether they belong to the house.
        house: bool,
    },
    /// A player took another name.
    Renamed {
        /// Who.
        player: PlayerId,
        /// The new name.
        name: Name,
    },
    /// A player waits for an opponent.
    Chose {
        /// Who.
        player: PlayerId,
        /// The game that they chose.
        kind: Kind,
        /// Since when, in the table's time.
        at: u64,
    },
    /// A player waits no longer, and has no opponent.
    Cancelled {
        /// Who.
        player: PlayerId,
    },
    /// Two players met: a game of its own number begins.
    Matched(Match),
    /// Something happened in a game.
    Played {
        /// The number of the game.
        game: u64,
        /// Who plays it, by seat.
        seats: [PlayerId; 2],
        /// What.
        event: tokens::TokenEvent,
        /// When time decides for players who have not decided, where that is awaited now.
        due: Option<u64>,
    },
    /// A game went on after a pause, in which nobody could be heard.
    WentOn {
        /// The number of the game.
        game: u64,
        /// When time decides now.
        due: u64,
    },
}

/// Two players who met, and the game that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The number of the game.
    pub game: u64,
    /// The kind of the game.
    pub kind: Kind,
    /// Who plays, by seat; the one who waited sits at seat 1.
    pub seats: [PlayerId; 2],
    /// What they are called, by seat.
    pub names: [Name; 2],
    /// The secret that the deals are derived from.
    #[serde(with = "revealed::secret")]
    pub secret: Secret,
    /// When the cards are dealt if the players' seeds are not there before.
    pub due: u64,
}
