//! A whole table, as a node sees it that may own rooms of it.

use crate::leases::{Census, NodeAddress, RoomRecord};
use war_table::protocol::PlayerId;
use war_table::room::PlayerStatus;
use war_table::server::People;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table::server::store::{Store, StoreError};

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
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError>;

    /// Where these players are, and the number of the last message to each.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError>;
}

/// Where a player is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerLocation {
    /// The player.
    pub player: PlayerId,
    /// The number of the last message to them.
    pub seq: u64,
    /// The room that has claimed them.
    pub room: Option<RoomNumber>,
    /// Whether they may play.
    pub standing: PlayerStatus,
}
