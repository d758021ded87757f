use super::OpponentChoice;
use crate::protocol::{PlayerId, Reason};
use crate::time::{TableTime, duration_millis};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use war::support::hex::Hex;
use war::tokens::{self, Kind, Name, Secret, TokenEvent, TokenRules};

/// An event of the room.
///
/// Stores keep events forever as the JSON of these types: variants and fields may be added, but
/// none may change or disappear. New events identify players by number only, never by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomEvent {
    /// Arrival of a new player, who gets the opening balance.
    Joined {
        /// The player's number.
        player: PlayerId,
        /// The player's name; present only in events that earlier versions of the server stored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Name>,
        /// True for a house player.
        house: bool,
    },
    /// Change of a player's name. Only earlier versions of the server stored this event.
    Renamed {
        /// The player.
        player: PlayerId,
        /// The new name.
        name: Name,
    },
    /// Choice of a game by a player, who then waits for an opponent.
    Chose {
        /// The player.
        player: PlayerId,
        /// The kind of game that the player chose.
        kind: Kind,
        /// Start of the wait.
        at: TableTime,
        /// The SHA-256 of the seed that the player will open; missing in events that earlier
        /// versions of the server stored.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Hex<32>>,
        /// The opponent that the player wants.
        #[serde(default, skip_serializing_if = "OpponentChoice::is_anyone")]
        with: OpponentChoice,
    },
    /// End of a player's wait before an opponent was found.
    Cancelled {
        /// The player.
        player: PlayerId,
    },
    /// Departure of a waiting player to another room of the table.
    SentOn {
        /// The player.
        player: PlayerId,
        /// The number of that room.
        room: u16,
        /// The kind of game that the player chose.
        kind: Kind,
        /// Time that the player has waited so far.
        #[serde(with = "duration_millis")]
        waited: Duration,
        /// The SHA-256 of the seed that the player will open.
        seed_hash: Hex<32>,
    },
    /// Arrival of a waiting player from another room of the table.
    Came {
        /// The player.
        player: PlayerId,
        /// The kind of game that the player chose.
        kind: Kind,
        /// Start of the wait in this room's time, as if the player had waited in this room
        /// throughout.
        at: TableTime,
        /// The SHA-256 of the seed that the player will open.
        seed_hash: Hex<32>,
    },
    /// Match of two players, whose game begins now.
    Matched(Match),
    /// An event of a game.
    Played {
        /// The number of the game.
        game: u64,
        /// The players, by seat.
        seats: [PlayerId; 2],
        /// The event.
        event: tokens::TokenEvent,
        /// Deadline for the decisions if the event deals cards.
        due: Option<TableTime>,
    },
    /// Resumption of a game after a pause in which the table was unreachable.
    WentOn {
        /// The number of the game.
        game: u64,
        /// The new deadline.
        due: TableTime,
    },
    /// Transfer of tokens by an operator, from the bank to a player or back.
    Adjusted {
        /// The player.
        player: PlayerId,
        /// Number of tokens; negative if taken.
        tokens: i64,
        /// The operator's reason.
        reason: Reason,
    },
    /// Ban of a player by an operator.
    Banned {
        /// The player.
        player: PlayerId,
    },
    /// End of a player's ban by an operator.
    Readmitted {
        /// The player.
        player: PlayerId,
    },
    /// Deletion of a player's name and token; only the number is left.
    Forgotten {
        /// The player.
        player: PlayerId,
    },
}

impl RoomEvent {
    /// The number of the game that the event belongs to, if any.
    #[must_use]
    pub const fn game(&self) -> Option<u64> {
        match self {
            Self::Matched(Match { game, .. })
            | Self::Played { game, .. }
            | Self::WentOn { game, .. } => Some(*game),
            _ => None,
        }
    }
}

/// Two matched players and the game that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The number of the game.
    pub game: u64,
    /// The kind of the game.
    pub kind: Kind,
    /// The players, by seat; the player who waited for the other has seat 1.
    pub seats: [PlayerId; 2],
    /// The players' names or seed hashes, depending on the version of the rules.
    #[serde(flatten)]
    pub parties: Parties,
    /// The secret that the deals are derived from.
    #[serde(with = "secret")]
    pub secret: Secret,
    /// Deadline for opening the seeds.
    pub due: TableTime,
    /// The opponent that the player at seat 2 wanted; anyone if missing.
    #[serde(default, skip_serializing_if = "OpponentChoice::is_anyone")]
    pub with: OpponentChoice,
}

/// Names or seed hashes of two matched players, by seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parties {
    /// Players of a game under version 1 of the rules.
    Added {
        /// The players' names.
        names: [Name; 2],
    },
    /// Players of a game under version 2 of the rules.
    Committed {
        /// The SHA-256 of the seeds that the players will open.
        seed_hashes: [Hex<32>; 2],
    },
}

impl Match {
    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> TokenRules {
        match self.parties {
            Parties::Added { .. } => TokenRules::first_version(self.kind),
            Parties::Committed { .. } => TokenRules::current(self.kind),
        }
    }

    /// The first event of the game.
    #[must_use]
    pub fn first_event(&self) -> TokenEvent {
        match &self.parties {
            Parties::Added { names } => TokenEvent::Started {
                players: names.clone(),
            },
            Parties::Committed { seed_hashes } => TokenEvent::Committed {
                players: self.seats.map(|player| player.0),
                seed_hashes: *seed_hashes,
            },
        }
    }
}

/// JSON form of the secret in the event that starts a game.
mod secret {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use war::support::hex::Hex;
    use war::tokens::Secret;

    pub(super) fn serialize<S: Serializer>(
        secret: &Secret,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        secret.reveal().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Secret, D::Error> {
        Hex::deserialize(deserializer).map(Secret::new)
    }
}
