use super::check::Checked;
use crate::room::{OrderError, PlayerId, Standing};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use war::tokens::{Kind, Name};

/// What a table answers to its operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The order is carried out: the player as they are now.
    Done(Listed),
    /// No node owns the room that this is about now, and nothing was done.
    NotServed,
    /// The order can't be carried out.
    Refused(OrderError),
    /// Players, in the order of their numbers; none where there are no more.
    Players(Vec<Listed>),
    /// Old messages were removed.
    Retained {
        /// How many.
        messages: u64,
        /// The last player who was looked at, unless those were all.
        next: Option<PlayerId>,
    },
    /// All that is kept of a player.
    Kept(Value),
    /// What came of the part of the check.
    Checked(Checked),
}

/// A player as an operator sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Their number.
    pub player: PlayerId,
    /// What they are called.
    pub name: Name,
    /// Their tokens.
    pub balance: i64,
    /// Whether they belong to the house.
    pub house: bool,
    /// Whether they may come.
    pub standing: Standing,
    /// What they are doing.
    pub doing: Doing,
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// Neither waiting nor playing.
    Nothing,
    /// Waiting for an opponent in a game of this kind.
    Waiting(Kind),
    /// Playing in the game of this number.
    Playing(u64),
}
