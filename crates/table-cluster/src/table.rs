//! The store of a whole table, which nodes share.

use crate::leases::{Census, NodeAddress, RoomRecord};
use war_table::protocol::PlayerId;
use war_table::room::PlayerStatus;
use war_table::server::Headcount;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::{Store, StoreError};

/// Store of a whole table, through which a node takes rooms.
pub trait TableStore: Send {
    /// Number of rooms of the table.
    fn rooms(&self) -> RoomCount;

    /// Reads the committed state of all rooms and nodes.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn census(&self) -> Result<Census, StoreError>;

    /// Increments the heartbeat counter of a node and stores the headcount at that node.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn record_beat(&self, node: &NodeAddress, people: Headcount) -> Result<(), StoreError>;

    /// Removes a node that is gone.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn remove_node(&self, node: &NodeAddress) -> Result<(), StoreError>;

    /// Takes a room over for `owner`; returns `None` if the room has changed since it was observed
    /// as `seen`.
    ///
    /// The room's new [`Epoch`](crate::leases::Epoch) is committed before any data of the room is
    /// read.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn take(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError>;

    /// Reads the locations of these players.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    fn locate(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError>;
}

/// Room and status of a player, as committed to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayerLocation {
    /// The player.
    pub player: PlayerId,
    /// Number of the last message to the player.
    pub seq: u64,
    /// Room that has claimed the player, if any.
    pub room: Option<RoomNumber>,
    /// Status of the player.
    pub status: PlayerStatus,
}
