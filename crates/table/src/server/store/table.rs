use super::{Store, StoreError};
use crate::room::{PlayerId, Standing};
use crate::server::rooms::{Census, NodeAddress, People, RoomNumber, RoomSight, Rooms};

/// The store of a whole table, as a node sees it that may own rooms of it.
pub trait TableStore: Send {
    /// How many rooms the table has.
    fn rooms(&self) -> Rooms;

    /// All rooms and nodes, as they are committed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn census(&self) -> Result<Census, StoreError>;

    /// Shows that a node is there, and whom it counts: its beat goes up.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn beat(&self, node: &NodeAddress, people: People) -> Result<(), StoreError>;

    /// Forgets a node that is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn forget(&self, node: &NodeAddress) -> Result<(), StoreError>;

    /// Takes a room over that is still as it was seen: it gets a new epoch, which is committed
    /// before anything of the room is read.
    ///
    /// The result is `None` where the room has changed since.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn take(
        &self,
        seen: &RoomSight,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError>;

    /// Where these players are, and the number of the last message to each.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<Whereabouts>, StoreError>;
}

/// Where a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whereabouts {
    /// The player.
    pub player: PlayerId,
    /// The number of the last message to them.
    pub seq: u64,
    /// The room that has claimed them.
    pub room: Option<RoomNumber>,
    /// Whether they may play.
    pub standing: Standing,
}

/// What operators ask of the nodes that own rooms, by way of the store: any node takes it in.
///
/// What is asked is done once or not at all: who takes it does it.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails"
)]
pub trait Inbox: Send {
    /// Asks the node that owns this room, or any room, for something; the result is what it is
    /// called from then on.
    fn hand_in(&self, ask: &str, room: Option<RoomNumber>) -> Result<String, StoreError>;

    /// The answer, once it is there. Nobody else gets it.
    fn answer(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// Takes back what nobody has taken; the result is whether nobody had.
    fn withdraw(&self, id: &str) -> Result<bool, StoreError>;

    /// Takes something that was handed in lately, for the node that owns these rooms, and what it is
    /// called.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError>;

    /// Answers what was taken.
    fn settle(&self, id: &str, answer: &str) -> Result<(), StoreError>;
}
