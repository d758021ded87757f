use super::fault::{Faults, failure};
use super::memory_room::MemoryRoom;
use super::shared::Shared;
use super::{Fault, MemoryStore, StoreCall, Write};
use crate::room::PlayerId;
use crate::server::rooms::{Beat, Census, Epoch, NodeAddress, NodeSight, People, RoomSight, Rooms};
use crate::server::store::{Store, StoreError, TableStore, Whereabouts};
use std::sync::Arc;

/// A store in memory as one of several nodes sees it: a table with rooms, which the nodes own by
/// turns. It fails for this node alone.
///
/// Clones are the same node's.
#[derive(Clone)]
pub struct MemoryTable {
    store: Arc<Shared>,
    faults: Arc<Faults>,
    rooms: Rooms,
}

impl MemoryTable {
    pub(super) fn new(store: Arc<Shared>, rooms: Rooms) -> Self {
        let faults = Arc::default();
        Self {
            store,
            faults,
            rooms,
        }
    }

    /// Lets the store fail for this node: `plan` says for each call whether it fails, and how.
    pub fn fail(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.faults.set(Some(Box::new(plan)));
    }

    /// Lets the store work again for this node.
    pub fn recover(&self) {
        self.faults.set(None);
    }

    /// Gives a room to a node, if it is as it was seen, or however it is.
    fn give(&self, seen: &RoomSight, owner: &NodeAddress, blind: bool) -> Option<MemoryRoom> {
        let mut rows = self.store.rows();
        let row = rows.of(seen.room);
        if row.sight(seen.room) == *seen {
            // What is under way can't be stopped; what is not committed yet is ended.
            self.store.settle(row, true);
            if row.sight(seen.room) == *seen && seen.owner.is_some() {
                row.open = None;
            }
        }
        let same = (row.epoch, row.beat) == (seen.epoch.0, seen.beat.0);
        if !blind && (!same || row.open.is_some()) {
            return None;
        }
        row.epoch = seen.epoch.0 + 1;
        row.beat += 1;
        row.owner = Some(owner.clone());
        self.store.show(Write::Take(seen.room, Epoch(row.epoch)));
        let (epoch, next) = (row.epoch, row.next_seq);
        let (store, faults) = (&self.store, &self.faults);
        let place = (self.rooms, seen.room);
        Some(MemoryRoom::new(store, faults, place, epoch, next))
    }

    /// Takes a room over if it is still as it was seen, as [`TableStore::take`] does.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails as planned.
    pub fn take_room(
        &self,
        seen: &RoomSight,
        owner: &NodeAddress,
    ) -> Result<Option<MemoryRoom>, StoreError> {
        let fault = self.faults.of(StoreCall::Take);
        let given = match fault {
            Some(Fault::Busy) => None,
            None | Some(Fault::LostReply) => self.give(seen, owner, false),
            Some(Fault::Blind) => self.give(seen, owner, true),
            Some(fault) => return Err(failure(fault)),
        };
        match given {
            Some(_) if fault == Some(Fault::LostReply) => Err(failure(Fault::Cut)),
            given => Ok(given),
        }
    }
}

impl TableStore for MemoryTable {
    fn rooms(&self) -> Rooms {
        self.rooms
    }

    fn take(
        &self,
        seen: &RoomSight,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        let taken = self.take_room(seen, owner)?;
        Ok(taken.map(|room| Box::new(room) as Box<dyn Store>))
    }

    fn census(&self) -> Result<Census, StoreError> {
        self.faults.check(StoreCall::Look)?;
        let mut rows = self.store.rows();
        let rooms = self.rooms.all();
        let rooms = rooms.map(|room| rows.of(room).sight(room)).collect();
        Ok(Census {
            rooms,
            nodes: rows.nodes.values().cloned().collect(),
        })
    }

    fn beat(&self, node: &NodeAddress, people: People) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Look)?;
        let mut rows = self.store.rows();
        let new = || NodeSight {
            address: node.clone(),
            beat: Beat(0),
            people,
        };
        let known = rows.nodes.entry(node.clone()).or_insert_with(new);
        known.beat.0 += 1;
        known.people = people;
        Ok(())
    }

    fn forget(&self, node: &NodeAddress) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Look)?;
        self.store.rows().nodes.remove(node);
        Ok(())
    }

    fn whereabouts(&self, players: &[PlayerId]) -> Result<Vec<Whereabouts>, StoreError> {
        self.faults.check(StoreCall::Look)?;
        let kept = self.store.kept();
        let place = |&player: &PlayerId| {
            let (found, _) = kept.players.get(&player)?;
            Some(Whereabouts {
                player,
                seq: found.seq,
                room: kept.place(player),
                standing: found.standing,
            })
        };
        Ok(players.iter().filter_map(place).collect())
    }
}

impl MemoryStore {
    /// The store as a node sees it that shares its only room with others, who see it the same
    /// way.
    #[must_use]
    pub fn table(&self) -> MemoryTable {
        self.table_of(Rooms::ONE)
    }

    /// The store of a table of so many rooms, as each of the nodes sees it that share them.
    #[must_use]
    pub fn table_of(&self, rooms: Rooms) -> MemoryTable {
        MemoryTable::new(self.shared(), rooms)
    }
}
