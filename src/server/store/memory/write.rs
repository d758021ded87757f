use crate::log::Leaf;
use crate::recording::Settlement;
use crate::room::{Player, PlayerId, RoomEvent};
use crate::server::rooms::Epoch;
use crate::server::store::{Answer, TokenHash};

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
    /// A message to a player, with its number.
    Post(PlayerId, u64, String),
    /// What a player is answered to the request of this `id`, and when.
    Answer(PlayerId, String, Answer, u64),
    /// The name, the balance and the last message of a player.
    Persist(PlayerId, Player),
    /// Answers that are forgotten: whose, and to which `id`.
    Forget(Vec<(PlayerId, String)>),
    /// The table's time.
    Time(u64),
    /// A node takes the room, in this epoch: shown to who watches a store that nodes share.
    Take(Epoch),
    /// What follows is a batch of this epoch, with its number; shown as well.
    Batch(Epoch, u64),
    /// The owner of this epoch hands the room over; shown as well.
    HandOver(Epoch),
}
