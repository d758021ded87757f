use crate::ladder::Rated;
use crate::log::Leaf;
use crate::room::{FinishedGame, Player, PlayerId, RoomEvent};
use crate::server::rooms::{Epoch, RoomNumber};
use crate::server::store::{Answer, TokenHash};
use std::collections::BTreeMap;
use war::recording::Settlement;

/// One thing that a transaction writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Write {
    /// A player joins.
    Register(PlayerId, Player, TokenHash),
    /// An event, and when it happened.
    Record(u64, RoomEvent),
    /// A leaf of the log.
    Append(Leaf),
    /// What the journal of a game says besides its events.
    Settle(u64, Settlement),
    /// A game that is over, for one of its players.
    Finish(FinishedGame),
    /// What the ladder has become.
    Rate(Rated),
    /// A message to a player, with its number.
    Post(PlayerId, u64, String),
    /// What a player is answered to the request of this `id`, and when.
    Answer(PlayerId, String, Answer, u64),
    /// All of a player but what they are doing.
    Persist(PlayerId, Player),
    /// Answers that are forgotten: whose, and to which `id`.
    Forget(Vec<(PlayerId, String)>),
    /// A player is forgotten: somebody else's token takes the place of theirs, and their messages
    /// and answers go.
    Unknow(PlayerId, TokenHash),
    /// Messages that are removed: to whom, and up to which number.
    Retain(BTreeMap<PlayerId, u64>),
    /// The table's time.
    Time(u64),
    /// A room claims a player, and no other one may until it lets them go.
    Claim(PlayerId),
    /// A room lets a player go.
    Release(PlayerId),
    /// A room lets another one have a player who waits.
    SendOn(PlayerId, RoomNumber),
    /// A node takes a room, in this epoch: shown to who watches a store that nodes share.
    Take(RoomNumber, Epoch),
    /// What follows is a batch of a room in this epoch, with its number; shown as well.
    Batch(RoomNumber, Epoch, u64),
    /// The owner of this epoch hands a room over; shown as well.
    HandOver(RoomNumber, Epoch),
}
