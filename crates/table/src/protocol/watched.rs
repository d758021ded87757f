//! What people see of a game that they watch.

use super::{Opponent, described};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::tokens::{Decision, Hand, Kind};

/// A game as those see it who watch: what both of its players know by then, and no card that only
/// one of them does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedGame {
    /// Its number.
    pub game_id: u64,
    /// What is played.
    #[schemars(with = "described::Kind")]
    pub game: Kind,
    /// Who plays, by seat.
    pub players: [Opponent; 2],
    /// How many times cards were dealt: 0 as long as seeds are opened.
    pub deal: u32,
    /// Who has decided on the last deal, by seat.
    pub decided: [bool; 2],
    /// The hands of each tie, by seat, the first tie first: both players have seen them.
    #[schemars(with = "Vec<[Vec<described::Card>; 2]>")]
    pub ties: Vec<[Hand; 2]>,
    /// How it came out; missing as long as it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<WatchedResult>,
}

/// How a game came out that people watch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedResult {
    /// What each player won, by seat; negative for what they lost.
    pub deltas: [i64; 2],
    /// What each of them decided in the end, by seat; missing where no cards were dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[described::Decision; 2]")]
    pub decisions: Option<[Decision; 2]>,
    /// The seats of those who did not open their seed in time, and so folded; missing where both
    /// opened it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeited: Vec<u8>,
    /// The hands, by seat, where both played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[Vec<described::Card>; 2]")]
    pub cards: Option<[Vec<Card>; 2]>,
}
