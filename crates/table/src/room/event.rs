use super::Meeting;
use crate::protocol::{PlayerId, Reason};
use serde::{Deserialize, Serialize};
use war::support::hex::Hex;
use war::tokens::{self, Fairness, Kind, Name, Secret, TokenEvent, TokenRules};

/// A fact of the room.
///
/// Stores keep events as the JSON that serde makes of these types, for ever: a name or a
/// field may be added, but none may change or go. Events of today name nobody: players are
/// numbers in them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoomEvent {
    /// A player came for the first time, and got their opening balance.
    Joined {
        /// Their number.
        player: PlayerId,
        /// What they were called, in events of earlier programs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<Name>,
        /// Whether they belong to the house.
        house: bool,
    },
    /// A player took another name: an event of earlier programs.
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
        /// The SHA-256 of the seed that they will open; those who chose at an earlier program
        /// are committed to none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seed_hash: Option<Hex<32>>,
        /// Whom they want to play with.
        #[serde(default, skip_serializing_if = "Meeting::is_anyone")]
        with: Meeting,
    },
    /// A player waits no longer, and has no opponent.
    Cancelled {
        /// Who.
        player: PlayerId,
    },
    /// A player who waited was sent on to another room of the table, and waits there.
    SentOn {
        /// Who.
        player: PlayerId,
        /// The number of that room.
        room: u16,
        /// The game that they chose.
        kind: Kind,
        /// How long they had waited, in milliseconds.
        waited: u64,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
    },
    /// A player who waits came from another room of the table.
    Came {
        /// Who.
        player: PlayerId,
        /// The game that they chose.
        kind: Kind,
        /// Since when they wait, as if they had waited here, in the table's time.
        at: u64,
        /// The SHA-256 of the seed that they will open.
        seed_hash: Hex<32>,
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
    /// The bank gave a player tokens, or took some, because an operator said so.
    Adjusted {
        /// Who.
        player: PlayerId,
        /// How many; negative where they were taken.
        tokens: i64,
        /// Why.
        reason: Reason,
    },
    /// An operator banned a player.
    Banned {
        /// Who.
        player: PlayerId,
    },
    /// An operator let a player come again.
    Readmitted {
        /// Who.
        player: PlayerId,
    },
    /// A player's name and token went; what is left is their number.
    Forgotten {
        /// Who.
        player: PlayerId,
    },
}

impl RoomEvent {
    /// The number of the game that it belongs to, if it belongs to one.
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

/// Two players who met, and the game that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// The number of the game.
    pub game: u64,
    /// The kind of the game.
    pub kind: Kind,
    /// Who plays, by seat; the one who waited sits at seat 1.
    pub seats: [PlayerId; 2],
    /// What is known of them, by the version of the rules.
    #[serde(flatten)]
    pub parties: Parties,
    /// The secret that the deals are derived from.
    #[serde(with = "secret")]
    pub secret: Secret,
    /// When time decides for players whose seeds are not there before.
    pub due: u64,
    /// How they met, as the player at seat 2 chose it: any two who wanted to play, unless it says
    /// otherwise.
    #[serde(default, skip_serializing_if = "Meeting::is_anyone")]
    pub with: Meeting,
}

/// What is known of two players who meet, by seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parties {
    /// In a game of version 1 of the rules.
    Added {
        /// What they are called.
        names: [Name; 2],
    },
    /// In a game of version 2.
    Committed {
        /// The SHA-256 of the seeds that they will open.
        seed_hashes: [Hex<32>; 2],
    },
}

impl Match {
    /// The rules of the game.
    #[must_use]
    pub const fn rules(&self) -> TokenRules {
        let fairness = match self.parties {
            Parties::Added { .. } => Fairness::Added,
            Parties::Committed { .. } => Fairness::Committed,
        };
        TokenRules::by(self.kind, fairness)
    }

    /// The first event of the game.
    #[must_use]
    pub fn opening(&self) -> TokenEvent {
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

/// The secret of a game in the event that starts it.
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
