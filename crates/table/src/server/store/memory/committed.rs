use crate::log::Leaf;
use crate::room::{FinishedGame, Player, PlayerId, RoomEvent};
use crate::server::store::{Answer, TokenHash};
use std::collections::BTreeMap;
use war::recording::Settlement;

/// What a store in memory holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    /// The players, with the hashes of their tokens.
    pub players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// The events in order, each with its time.
    pub events: Vec<(u64, RoomEvent)>,
    /// The messages to each player, by number.
    pub outbox: BTreeMap<(PlayerId, u64), String>,
    /// What was answered, by player and the request's `id`, and when.
    pub answers: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// The leaves of the log, in order.
    pub leaves: Vec<Leaf>,
    /// What the journals say besides their events, by game.
    pub settlements: BTreeMap<u64, Settlement>,
    /// The games that are over, for each of their players.
    pub finished: Vec<FinishedGame>,
    /// The table's time: that of its first room.
    pub time: u64,
}
