use super::OpponentChoice;
use crate::protocol::PlayerId;
use serde::{Deserialize, Serialize};
use war::tokens::{Kind, Name};

/// A player's state in the room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// The name.
    pub name: Name,
    /// Balance in tokens; negative if the player owes some.
    pub balance: i64,
    /// Number of the last message sent to the player.
    pub seq: u64,
    /// True for a house player, who steps in when nobody else plays.
    pub house: bool,
    /// True if an operator chose the name, so that the player can't change it.
    pub name_is_fixed: bool,
    /// Admission to the table.
    pub status: PlayerStatus,
    /// True if others may watch the player's games.
    pub watchable: bool,
    /// Current activity.
    pub activity: Activity,
}

/// A player's admission to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerStatus {
    /// Admitted to play.
    #[default]
    Welcome,
    /// Banned by an operator.
    Banned,
    /// Forgotten: the player's token and name have been deleted.
    Forgotten,
}

impl PlayerStatus {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Welcome, Self::Banned, Self::Forgotten];

    /// The name, as programs and stores use it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::Banned => "banned",
            Self::Forgotten => "forgotten",
        }
    }

    /// Returns the value with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

impl Player {
    /// Opening balance of a new player, in tokens.
    pub const OPENING_BALANCE: i64 = 1000;

    /// Creates a new player.
    #[must_use]
    pub const fn new(name: Name, house: bool) -> Self {
        Self {
            name,
            balance: Self::OPENING_BALANCE,
            seq: 0,
            house,
            name_is_fixed: false,
            status: PlayerStatus::Welcome,
            watchable: false,
            activity: Activity::Free,
        }
    }
}

/// A player's activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Free to choose a game.
    Free,
    /// Waiting for this opponent in a game of this kind.
    Waiting(Kind, OpponentChoice),
    /// Playing the game with this number.
    Playing(u64),
}

impl PlayerId {
    /// Name for a player of whom only the number is known.
    pub(super) fn default_name(self) -> Name {
        Name::new(&format!("Player {self}")).expect("a short name")
    }
}
