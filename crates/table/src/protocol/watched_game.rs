//! Games as watchers see them.

use super::{JournalAddress, Opponent, schema_types};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::tokens::{Decision, Hand, Kind};

/// A game as watchers see it: only facts that both players know, and so no card that only one
/// player has seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedGame {
    /// The number of the game.
    pub game_id: u64,
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// The players, by seat.
    pub players: [Opponent; 2],
    /// Number of deals: 0 while the seeds are being opened.
    pub deal: u32,
    /// True for each player who has decided on the last deal, by seat.
    pub decided: [bool; 2],
    /// Hands of each tie by seat, in order of play. Both players have seen these hands.
    #[schemars(with = "Vec<[Vec<schema_types::Card>; 2]>")]
    pub ties: Vec<[Hand; 2]>,
    /// The result; missing while the game is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<WatchedResult>,
    /// Address of the game's journal; missing while the game is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "JournalAddress")]
    pub journal: Option<JournalAddress>,
}

/// Result of a watched game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WatchedResult {
    /// Tokens won by each player, by seat; negative if lost.
    pub deltas: [i64; 2],
    /// Final decisions, by seat; missing if no cards were dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[schema_types::Decision; 2]")]
    pub decisions: Option<[Decision; 2]>,
    /// Seats of the players who did not open their seeds in time, and so folded; missing if there
    /// are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forfeited: Vec<u8>,
    /// Final hands, by seat; missing unless both played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[Vec<schema_types::Card>; 2]")]
    pub cards: Option<[Vec<Card>; 2]>,
}
