//! Access of a node to the table, either as the only node or as a member of a cluster.

use crate::buggy_store::BuggyStore;
use crate::options::Bug;
use crate::schedule::Clocks;
use crate::schedule::WorldTime;
use crate::store::{MemoryRoom, MemoryTable};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war_table::protocol::PlayerId;
use war_table::server::Headcount;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Store, StoreError};
use war_table::time::Monotonic;
use war_table_cluster::leases::{Epoch, NodeAddress, RoomRecord};
use war_table_cluster::{Membership, PlayerLocation, TableStore};

/// Access of a node to the table.
pub(crate) enum TableAccess<'s> {
    /// Access of the only node of a table.
    Standalone(&'s dyn Store),
    /// Access of one of several nodes of a table.
    Shared(Box<ClusterMember>),
}

/// Node that shares its table with others.
pub(crate) struct ClusterMember {
    pub(crate) address: NodeAddress,
    pub(crate) table: MemoryTable,
    /// Membership in the cluster; `None` while the node's program is not running.
    membership: Option<Membership>,
    /// Owners of the rooms at the last poll, except this node.
    directory: BTreeMap<RoomNumber, NodeAddress>,
    /// Rooms to take, as they were at the last poll.
    takeable: BTreeMap<RoomNumber, RoomRecord>,
    /// Rooms taken by this node.
    rooms: BTreeMap<RoomNumber, MemoryRoom>,
    /// True if the node is about to leave the table.
    pub(crate) is_leaving: bool,
    /// True if the node has reloaded a room without a new epoch.
    pub(crate) reloaded: Arc<AtomicBool>,
    bug: Option<Bug>,
}

/// Changes of ownership planned by a poll.
#[derive(Default)]
pub(crate) struct OwnershipChanges {
    pub(crate) take: Vec<RoomNumber>,
    pub(crate) hand_over: Option<RoomNumber>,
}

impl ClusterMember {
    pub(crate) fn new(number: usize, table: MemoryTable, bug: Option<Bug>) -> Self {
        Self {
            address: node_address(number),
            table,
            membership: None,
            directory: BTreeMap::new(),
            takeable: BTreeMap::new(),
            rooms: BTreeMap::new(),
            is_leaving: false,
            reloaded: Arc::default(),
            bug,
        }
    }

    pub(crate) fn start(&mut self) {
        self.stop();
        self.membership = Some(Membership::new(self.address.clone()));
    }

    /// Clears all state that is lost when the node's program ends.
    pub(crate) fn stop(&mut self) {
        self.membership = None;
        self.is_leaving = false;
        self.takeable.clear();
        self.rooms.clear();
        self.directory.clear();
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.membership.is_some()
    }

    /// Checks the leases of all rooms and plans changes of ownership.
    pub(crate) fn refresh(
        &mut self,
        owned: &BTreeMap<RoomNumber, Epoch>,
        clocks: &Clocks,
        now: WorldTime,
    ) -> Result<OwnershipChanges, StoreError> {
        let clock = match self.bug {
            Some(Bug::WallLease) => Monotonic::from_millis(clocks.wall_time(now).as_millis()),
            _ => clocks.monotonic_time(now),
        };
        let Some(standby) = &mut self.membership else {
            return Ok(OwnershipChanges::default());
        };
        let (_, plan) = standby.refresh(&self.table, owned, Headcount::default(), clock)?;
        let takeable = plan.take.into_iter();
        self.takeable = takeable.map(|record| (record.room, record)).collect();
        if self.bug != Some(Bug::StaleDirectory) || self.directory.is_empty() {
            let rooms = self.table.census()?.rooms.into_iter();
            let owners = rooms.filter_map(|record| Some((record.room, record.owner?)));
            self.directory = owners.filter(|(_, owner)| *owner != self.address).collect();
        }
        Ok(OwnershipChanges {
            take: self.takeable.keys().copied().collect(),
            hand_over: plan.hand_over,
        })
    }

    /// Returns the other node that owned a room at the last poll, if any.
    pub(crate) fn owner(&self, room: RoomNumber) -> Option<&NodeAddress> {
        self.directory.get(&room)
    }

    pub(crate) fn locate(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        self.table.locate(players)
    }

    /// Takes a room, unless it has changed since the last poll.
    pub(crate) fn take_room(
        &mut self,
        room: RoomNumber,
    ) -> Result<Option<(RoomRecord, &'static dyn Store)>, StoreError> {
        let Some(takeable) = self.takeable.remove(&room) else {
            return Ok(None);
        };
        let Some(taken) = self.table.take_room(&takeable, &self.address)? else {
            return Ok(None);
        };
        self.reloaded.store(false, Ordering::Relaxed);
        self.rooms.insert(room, taken.clone());
        let taken = BuggyStore::new(Box::new(taken), self.bug);
        // Leaks the room, since transactions borrow it while the node lives. Rooms are small, and
        // few are leaked.
        Ok(Some((takeable, Box::leak(Box::new(taken)))))
    }

    pub(crate) fn hand_over(&mut self, room: RoomNumber) -> Result<(), StoreError> {
        let room = self.rooms.remove(&room);
        room.map_or(Ok(()), |room| Box::new(room).close())
    }

    /// Leaves the table after all rooms are handed over.
    pub(crate) fn leave(&mut self) -> Result<(), StoreError> {
        let standby = self.membership.take();
        self.stop();
        standby.map_or(Ok(()), |standby| standby.leave(&self.table))
    }
}

/// Returns the address of a node.
pub(crate) fn node_address(node: usize) -> NodeAddress {
    NodeAddress(format!("node {node}"))
}
