use super::bug::Bug;
use super::clocks::Clocks;
use super::tampered::Tampered;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war_table::room::PlayerId;
use war_table::server::Standby;
use war_table::server::rooms::{Epoch, NodeAddress, People, RoomNumber, RoomSight};
use war_table::server::store::{
    MemoryRoom, MemoryTable, Store, StoreError, TableStore, Whereabouts,
};

/// What a node serves.
pub(crate) enum Post<'s> {
    /// A table of its own.
    Own(&'s dyn Store),
    /// A table of several nodes.
    Shared(Box<SharedPost>),
}

/// A node of several.
pub(crate) struct SharedPost {
    pub(crate) address: NodeAddress,
    pub(crate) table: MemoryTable,
    /// As long as the program runs.
    standby: Option<Standby>,
    /// Who owned which room when it looked last.
    directory: BTreeMap<RoomNumber, NodeAddress>,
    /// The rooms that it has seen and is to take.
    seen: BTreeMap<RoomNumber, RoomSight>,
    /// The rooms that it took last.
    rooms: BTreeMap<RoomNumber, MemoryRoom>,
    /// Whether it is about to leave the table.
    pub(crate) leaves: bool,
    /// Whether it has loaded a room again without taking it anew.
    pub(crate) reloaded: Arc<AtomicBool>,
    bug: Option<Bug>,
}

/// What a node of several does next.
#[derive(Default)]
pub(crate) struct Round {
    /// The rooms to take.
    pub(crate) takes: Vec<RoomNumber>,
    /// The room to hand over.
    pub(crate) hands_over: Option<RoomNumber>,
}

impl SharedPost {
    pub(crate) fn new(number: usize, table: MemoryTable, bug: Option<Bug>) -> Self {
        Self {
            address: address(number),
            table,
            standby: None,
            directory: BTreeMap::new(),
            seen: BTreeMap::new(),
            rooms: BTreeMap::new(),
            leaves: false,
            reloaded: Arc::default(),
            bug,
        }
    }

    pub(crate) fn start(&mut self) {
        self.dies();
        self.standby = Some(Standby::new(self.address.clone()));
    }

    /// Its program is killed.
    pub(crate) fn dies(&mut self) {
        self.standby = None;
        self.leaves = false;
        self.seen.clear();
        self.rooms.clear();
        self.directory.clear();
    }

    pub(crate) const fn runs(&self) -> bool {
        self.standby.is_some()
    }

    /// Looks around while its clocks are so, and it owns these rooms.
    pub(crate) fn look(
        &mut self,
        owned: &BTreeMap<RoomNumber, Epoch>,
        clocks: &Clocks,
        now: u64,
    ) -> Result<Round, StoreError> {
        let clock = match self.bug {
            Some(Bug::WallLease) => clocks.wall(now),
            _ => clocks.monotonic(now),
        };
        let Some(standby) = &mut self.standby else {
            return Ok(Round::default());
        };
        let (_, plan) = standby.look(&self.table, owned, People::default(), clock)?;
        let seen = plan.take.into_iter();
        self.seen = seen.map(|sight| (sight.room, sight)).collect();
        if self.bug != Some(Bug::StaleDirectory) || self.directory.is_empty() {
            let rooms = self.table.census()?.rooms.into_iter();
            let owners = rooms.filter_map(|sight| Some((sight.room, sight.owner?)));
            self.directory = owners.filter(|(_, owner)| *owner != self.address).collect();
        }
        Ok(Round {
            takes: self.seen.keys().copied().collect(),
            hands_over: plan.hand_over,
        })
    }

    /// Another node that owned a room when this one looked last.
    pub(crate) fn owner(&self, room: RoomNumber) -> Option<&NodeAddress> {
        self.directory.get(&room)
    }

    /// Where these players are.
    pub(crate) fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<Whereabouts>, StoreError> {
        self.table.whereabouts(players)
    }

    /// Takes a room as it was seen.
    pub(crate) fn take(
        &mut self,
        room: RoomNumber,
    ) -> Result<Option<(RoomSight, &'static dyn Store)>, StoreError> {
        let Some(seen) = self.seen.remove(&room) else {
            return Ok(None);
        };
        let Some(taken) = self.table.take_room(&seen, &self.address)? else {
            return Ok(None);
        };
        self.reloaded.store(false, Ordering::Relaxed);
        self.rooms.insert(room, taken.clone());
        let taken = Tampered::new(Box::new(taken), self.bug);
        // What is written in it borrows it, as long as the node lives. They are small, and few.
        Ok(Some((seen, Box::leak(Box::new(taken)))))
    }

    /// Hands a room over.
    pub(crate) fn hand_over(&mut self, room: RoomNumber) -> Result<(), StoreError> {
        let room = self.rooms.remove(&room);
        room.map_or(Ok(()), |room| Box::new(room).close())
    }

    /// Leaves the table, all of whose rooms are handed over.
    pub(crate) fn leave(&mut self) -> Result<(), StoreError> {
        let standby = self.standby.take();
        self.dies();
        standby.map_or(Ok(()), |standby| standby.leave(&self.table))
    }
}

/// Where a node is reached.
pub(crate) fn address(node: usize) -> NodeAddress {
    NodeAddress(format!("node {node}"))
}
