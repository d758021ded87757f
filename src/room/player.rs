use crate::tokens::{Kind, Name};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a player, given in the order in which players first came.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct PlayerId(pub u64);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A player as the room knows him.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// What he is called.
    pub name: Name,
    /// His tokens; negative where he owes some.
    pub balance: i64,
    /// How many notices he was sent so far: the number of the last one.
    pub seq: u64,
    /// Whether he belongs to the house, and steps in where nobody else plays.
    pub house: bool,
    /// Where he is.
    pub place: Place,
}

impl Player {
    /// The tokens that a new player gets.
    pub const OPENING_BALANCE: i64 = 1000;
}

/// Where a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// He may choose a game.
    Free,
    /// He waits for an opponent in a game of this kind.
    Waiting(Kind),
    /// He plays in the game of this number.
    Playing(u64),
}
