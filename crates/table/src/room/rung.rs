use super::{PlayerId, described};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::tokens::Name;

/// A player in the ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rung {
    /// Their place from 1 on; missing where they have played too few games to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub place: Option<u64>,
    /// Their public number; 0 for the house, however many play for it.
    pub player: PlayerId,
    /// What they are called now; missing for the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "described::Name")]
    pub name: Option<Name>,
    /// Whether it is the house.
    pub house: bool,
    /// The rating, rounded.
    pub rating: i64,
    /// Its deviation, rounded: with a probability of 95 percent the rating is off by no more than
    /// twice as much.
    pub deviation: i64,
    /// How many of their games were rated.
    pub games: u64,
}
