use super::contents::{StoreSnapshot, StoreWrite};
use super::data::{RoomLease, RowLock, StoreData};
use super::fault::{CommitOutcome, Fault, FaultInjector, StoreCall, fault_error};
use super::transaction::MemoryTransaction;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use war::support::hex::Hex;
use war_table::log::TableId;
use war_table::protocol::PlayerId;
use war_table::room::{NumberPool, Room, Timeouts};
use war_table::server::Headcount;
use war_table::server::rooms::{RoomCount, RoomNumber, RoomPosition};
use war_table::server::store::{
    Sequence, Store, StoreError, StoreSecret, StoredMessage, Transaction,
};
use war_table::time::TableTime;
use war_table_cluster::leases::{Beat, Census, Epoch, NodeAddress, NodeRecord, RoomRecord};
use war_table_cluster::{PlayerLocation, TableStore};

/// Store in memory as seen by one of several nodes: a table with rooms that nodes own in turn. Its
/// faults affect this node only.
///
/// Clones belong to the same node.
#[derive(Clone)]
pub struct MemoryTable {
    store: Arc<StoreData>,
    faults: Arc<FaultInjector>,
    rooms: RoomCount,
}

impl MemoryTable {
    pub(super) fn new(store: Arc<StoreData>, rooms: RoomCount) -> Self {
        let faults = Arc::default();
        Self {
            store,
            faults,
            rooms,
        }
    }

    /// Makes calls of this node fail. `plan` returns the fault of each call, or `None`.
    pub fn inject_faults(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.faults.set(Some(Box::new(plan)));
    }

    /// Stops the faults of this node.
    pub fn clear_faults(&self) {
        self.faults.set(None);
    }

    /// Gives a room to a node, if the room is unchanged or `blind` is set.
    fn give(&self, seen: &RoomRecord, owner: &NodeAddress, blind: bool) -> Option<MemoryRoom> {
        let mut rows = self.store.lock_rows();
        let row = rows.row_mut(seen.room);
        if row.to_record(seen.room) == *seen {
            // A commit under way can't be stopped, but a transaction before its commit is ended.
            self.store.resolve_commit(row, CommitOutcome::Applied);
            if row.to_record(seen.room) == *seen && seen.owner.is_some() {
                row.transaction = None;
            }
        }
        let same = (row.epoch, row.beat) == (seen.epoch.0, seen.beat.0);
        if !blind && (!same || row.transaction.is_some()) {
            return None;
        }
        row.epoch = seen.epoch.0 + 1;
        row.beat += 1;
        row.owner = Some(owner.clone());
        self.store
            .record_write(StoreWrite::Take(seen.room, Epoch(row.epoch)));
        let (epoch, next) = (row.epoch, row.next_seq);
        let (store, faults) = (&self.store, &self.faults);
        let place = (self.rooms, seen.room);
        Some(MemoryRoom::new(store, faults, place, epoch, next))
    }

    /// Takes over a room if it is unchanged, like [`TableStore::take`].
    ///
    /// # Errors
    ///
    /// [`StoreError`] when the store fails as planned.
    pub fn take_room(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<MemoryRoom>, StoreError> {
        let fault = self.faults.next_fault(StoreCall::Take);
        let given = match fault {
            Some(Fault::Busy) => None,
            None | Some(Fault::LostReply | Fault::Blind) => {
                self.give(seen, owner, fault == Some(Fault::Blind))
            }
            Some(fault) => return Err(fault_error(fault)),
        };
        match given {
            Some(_) if fault == Some(Fault::LostReply) => Err(fault_error(Fault::Cut)),
            given => Ok(given),
        }
    }
}

impl TableStore for MemoryTable {
    fn rooms(&self) -> RoomCount {
        self.rooms
    }

    fn take(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        let taken = self.take_room(seen, owner)?;
        Ok(taken.map(|room| Box::new(room) as Box<dyn Store>))
    }

    fn census(&self) -> Result<Census, StoreError> {
        self.faults.check(StoreCall::Poll)?;
        let mut rows = self.store.lock_rows();
        let rooms = self.rooms.room_numbers();
        let rooms = rooms
            .map(|room| rows.row_mut(room).to_record(room))
            .collect();
        Ok(Census {
            rooms,
            nodes: rows.nodes.values().cloned().collect(),
        })
    }

    fn record_beat(&self, node: &NodeAddress, people: Headcount) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Poll)?;
        let mut rows = self.store.lock_rows();
        let new = || NodeRecord {
            address: node.clone(),
            beat: Beat(0),
            people,
        };
        let known = rows.nodes.entry(node.clone()).or_insert_with(new);
        known.beat.0 += 1;
        known.people = people;
        Ok(())
    }

    fn remove_node(&self, node: &NodeAddress) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Poll)?;
        self.store.lock_rows().nodes.remove(node);
        Ok(())
    }

    fn locate(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        self.faults.check(StoreCall::Poll)?;
        let kept = self.store.lock_contents();
        let place = |&player: &PlayerId| {
            let (found, _) = kept.players.get(&player)?;
            Some(PlayerLocation {
                player,
                seq: found.seq,
                room: kept.claiming_room(player),
                status: found.status,
            })
        };
        Ok(players.iter().filter_map(place).collect())
    }
}

impl MemoryStore {
    /// Returns the store of a table with one room, as seen by one of the nodes that share the
    /// table.
    #[must_use]
    pub fn table(&self) -> MemoryTable {
        self.table_with_rooms(RoomCount::ONE)
    }

    /// Returns the store of a table with these rooms, as seen by one of the nodes that share the
    /// table.
    #[must_use]
    pub fn table_with_rooms(&self, rooms: RoomCount) -> MemoryTable {
        MemoryTable::new(self.data(), rooms)
    }
}

/// Room of a table in memory, as its owner sees it in one epoch.
///
/// Clones belong to the same owner.
#[derive(Clone)]
pub struct MemoryRoom(Arc<RoomLease>);

impl MemoryRoom {
    /// Creates the room of a new owner. `seq` is the number of the next batch.
    pub(super) fn new(
        store: &Arc<StoreData>,
        faults: &Arc<FaultInjector>,
        (rooms, room): (RoomCount, RoomNumber),
        epoch: u64,
        seq: u64,
    ) -> Self {
        Self(Arc::new(RoomLease {
            store: Arc::clone(store),
            faults: Arc::clone(faults),
            rooms,
            room,
            epoch,
            next_seq: AtomicU64::new(seq),
            is_lost: AtomicBool::new(false),
        }))
    }
}

impl Store for MemoryRoom {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let players = NumberPool::from_block(self.reserve_numbers(Sequence::Players)?);
        let games = NumberPool::from_block(self.reserve_numbers(Sequence::Games)?);
        let kept = self.0.store.lock_contents();
        kept.restore_room(timeouts, players, games, Some(self.0.room))
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(MemoryStore::ID)
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        Ok(self.0.store.lock_contents().time(self.0.room))
    }

    fn position(&self) -> RoomPosition {
        RoomPosition {
            room: self.0.room,
            rooms: self.0.rooms,
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        self.0.faults.check(StoreCall::Poll)?;
        Ok(self.0.store.lock_rows().reserve_numbers(of))
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        let fault = self.0.faults.next_fault(StoreCall::Begin);
        let fenced = match fault {
            Some(Fault::Busy) => return Ok(None),
            Some(Fault::Unfenced | Fault::Blind | Fault::Reread) => false,
            Some(fault) => return Err(fault_error(fault)),
            None => true,
        };
        if fenced && self.0.is_lost.load(Relaxed) {
            return Err(StoreError::RoomLost);
        }
        let mut rows = self.0.store.lock_rows();
        let row = rows.row_mut(self.0.room);
        if fault == Some(Fault::Reread) && row.epoch != self.0.epoch {
            return Err(StoreError::RoomLost);
        }
        if fault == Some(Fault::Reread) {
            // The owner waits for a commit under way that it does not know of.
            self.0.store.resolve_commit(row, CommitOutcome::Applied);
        }
        if row.transaction.is_some() {
            return Ok(None);
        }
        if fenced {
            self.0.check_fence(row)?;
        }
        let (lease, number) = (&*self.0, row.begin());
        drop(rows);
        let lock = RowLock {
            lease,
            number,
            blind: matches!(fault, Some(Fault::Blind | Fault::Reread)),
        };
        let transaction = MemoryTransaction::new(&self.0.store, &self.0.faults, Some(lock));
        Ok(Some(Box::new(transaction)))
    }

    /// Releases the room to the next node that takes it.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.0.faults.check(StoreCall::Take)?;
        let mut rows = self.0.store.lock_rows();
        let row = rows.row_mut(self.0.room);
        if row.epoch == self.0.epoch {
            row.owner = None;
            row.beat += 1;
            self.0
                .store
                .record_write(StoreWrite::HandOver(self.0.room, Epoch(self.0.epoch)));
        }
        Ok(())
    }
}

/// Store in memory for tests and simulations. It can fail on request and shows what was committed.
///
/// Clones share their contents, so that a test can inspect the store of a hub.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<StoreData>);

impl MemoryStore {
    /// Id of the table, the same for all stores in memory.
    pub const ID: TableId = Hex::new([0x7a; 16]);

    /// Secret of the store.
    pub const SECRET: StoreSecret = StoreSecret::new([0x2a; 32]);

    /// Creates an empty store without faults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes calls fail. `plan` returns the fault of each call, or `None`.
    pub fn inject_faults(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.0.faults.set(Some(Box::new(plan)));
    }

    /// Stops the faults.
    pub fn clear_faults(&self) {
        self.0.faults.set(None);
    }

    /// Returns a copy of the committed data.
    #[must_use]
    pub fn snapshot(&self) -> StoreSnapshot {
        self.0.lock_contents().snapshot()
    }

    /// Starts to record committed writes.
    pub fn start_recording_writes(&self) {
        self.0.start_recording_writes();
    }

    /// Takes the writes committed since the last call, in order. Empty unless
    /// [`start_recording_writes`](Self::start_recording_writes) was called.
    #[must_use]
    pub fn take_writes(&self) -> Vec<StoreWrite> {
        self.0.take_writes()
    }

    /// Returns the messages to a player after this number, in order.
    #[must_use]
    pub fn messages(&self, player: PlayerId, after: u64) -> Vec<StoredMessage> {
        let from = (player, after.saturating_add(1));
        let kept = self.0.lock_contents();
        let messages = kept.outbox.range(from..=(player, u64::MAX));
        messages.map(|(_, message)| message.clone()).collect()
    }

    /// Completes or drops the commit that is under way in a room. Returns true if a commit took
    /// effect.
    #[must_use]
    pub fn resolve_commit(&self, room: RoomNumber, outcome: CommitOutcome) -> bool {
        self.0
            .resolve_commit(self.0.lock_rows().row_mut(room), outcome)
    }

    /// Ends an open transaction of a room, as a database does when a transaction stays idle.
    pub fn end_idle_transaction(&self, room: RoomNumber) {
        self.0.lock_rows().row_mut(room).end_idle_transaction();
    }

    /// Returns true if an uncommitted transaction of a room other than `besides` has claimed a
    /// player.
    #[must_use]
    pub fn is_claimed_by_other_room(&self, player: PlayerId, besides: RoomNumber) -> bool {
        self.0.lock_rows().is_claimed_by_other_room(player, besides)
    }

    /// Returns the data that all clones share.
    pub(super) fn data(&self) -> Arc<StoreData> {
        Arc::clone(&self.0)
    }

    /// Drops a settled game with its leaves, to save memory in long runs.
    pub fn drop_game(&self, game: u64) {
        self.0.lock_contents().drop_game(game);
    }

    /// Drops the messages to a player up to this number, to save memory in long runs.
    pub fn drop_messages(&self, player: PlayerId, last: u64) {
        self.0.lock_contents().drop_messages(player, last);
    }
}

impl Store for MemoryStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let kept = self.0.lock_contents();
        let numbers = |of| NumberPool::from_first(kept.next_number(of));
        let (players, games) = (numbers(Sequence::Players), numbers(Sequence::Games));
        kept.restore_room(timeouts, players, games, None)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(Self::ID)
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        Ok(self.0.lock_contents().time(RoomNumber(0)))
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        Ok(self.0.lock_contents().next_number(of)..u64::MAX)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        match self.0.faults.next_fault(StoreCall::Begin) {
            Some(Fault::Busy) => Ok(None),
            Some(fault) => Err(fault_error(fault)),
            None => {
                let transaction = MemoryTransaction::new(&self.0, &self.0.faults, None);
                Ok(Some(Box::new(transaction)))
            }
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}
