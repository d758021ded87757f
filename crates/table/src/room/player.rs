use super::Meeting;
use crate::protocol::PlayerId;
use serde::{Deserialize, Serialize};
use war::tokens::{Kind, Name};

/// A player as the room knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// What they are called.
    pub name: Name,
    /// Their tokens; negative where they owe some.
    pub balance: i64,
    /// How many notices they were sent so far: the number of the last one.
    pub seq: u64,
    /// Whether they belong to the house, and step in where nobody else plays.
    pub house: bool,
    /// Whether an operator chose the name, so that they can't change it.
    pub name_is_fixed: bool,
    /// Whether they may come.
    pub standing: Standing,
    /// Whether others may watch their games.
    pub watchable: bool,
    /// What they are doing.
    pub activity: Activity,
}

/// Whether a player may come to the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// They may.
    #[default]
    Welcome,
    /// An operator has banned them.
    Banned,
    /// They were forgotten: nobody has their token, and they have no name.
    Forgotten,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Welcome, Self::Banned, Self::Forgotten];

    /// Its name, for programs and stores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Welcome => "welcome",
            Self::Banned => "banned",
            Self::Forgotten => "forgotten",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

impl Player {
    /// The tokens that a new player gets.
    pub const OPENING_BALANCE: i64 = 1000;

    /// A player who comes for the first time.
    #[must_use]
    pub const fn new(name: Name, house: bool) -> Self {
        Self {
            name,
            balance: Self::OPENING_BALANCE,
            seq: 0,
            house,
            name_is_fixed: false,
            standing: Standing::Welcome,
            watchable: false,
            activity: Activity::Free,
        }
    }
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// They may choose a game.
    Free,
    /// They wait for an opponent in a game of this kind: for this one.
    Waiting(Kind, Meeting),
    /// They play in the game of this number.
    Playing(u64),
}

impl PlayerId {
    /// What a player is called of whom only the number is known.
    pub(super) fn as_name(self) -> Name {
        Name::new(&format!("Player {self}")).expect("a short name")
    }
}
