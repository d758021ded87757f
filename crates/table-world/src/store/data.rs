use super::contents::StoreContents;
use super::contents::StoreWrite;
use super::fault::{CommitOutcome, Fault, FaultInjector, StoreCall, fault_error, lock};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard};
use war_table::protocol::PlayerId;
use war_table::room::NUMBER_RESERVE;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::server::store::{Sequence, StoreError};
use war_table_cluster::leases::{Beat, Epoch, NodeAddress, NodeRecord, RoomRecord};

/// Data that all clones of a store in memory share.
#[derive(Default)]
pub(super) struct StoreData {
    contents: Mutex<StoreContents>,
    rows: Mutex<SharedRows>,
    /// Faults of a store that is not shared by nodes.
    pub(super) faults: FaultInjector,
    /// Writes committed since the last call of [`take_writes`](Self::take_writes); `None` unless
    /// writes are recorded.
    watched: Mutex<Option<Vec<StoreWrite>>>,
}

impl StoreData {
    pub(super) fn lock_contents(&self) -> MutexGuard<'_, StoreContents> {
        lock(&self.contents)
    }

    /// Locks the rows of the rooms. There are rows only if nodes share the rooms.
    pub(super) fn lock_rows(&self) -> MutexGuard<'_, SharedRows> {
        lock(&self.rows)
    }

    pub(super) fn start_recording_writes(&self) {
        *lock(&self.watched) = Some(Vec::new());
    }

    pub(super) fn take_writes(&self) -> Vec<StoreWrite> {
        let mut watched = lock(&self.watched);
        watched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Records a write without applying it.
    pub(super) fn record_write(&self, write: StoreWrite) {
        if let Some(watched) = &mut *lock(&self.watched) {
            watched.push(write);
        }
    }

    /// Commits a batch of the room with this row.
    pub(super) fn commit(&self, row: &mut RoomRow, batch: WriteBatch) -> Result<(), StoreError> {
        row.record_batch(&batch)?;
        let room = batch.room;
        self.record_write(StoreWrite::BeginBatch(room, Epoch(batch.epoch), batch.seq));
        self.apply(batch.writes, Some(room));
        Ok(())
    }

    /// Completes or drops the commit under way. Returns true if a commit took effect. A transaction
    /// that has not sent its commit continues.
    pub(super) fn resolve_commit(&self, row: &mut RoomRow, outcome: CommitOutcome) -> bool {
        let in_doubt = row.take_in_doubt();
        match outcome {
            CommitOutcome::Applied => in_doubt.is_some_and(|batch| self.commit(row, batch).is_ok()),
            CommitOutcome::Dropped => false,
        }
    }

    /// Applies committed writes. `room` is `None` for a store that is not shared.
    pub(super) fn apply(&self, writes: Vec<StoreWrite>, room: Option<RoomNumber>) {
        if let Some(watched) = &mut *lock(&self.watched) {
            watched.extend(writes.iter().cloned());
        }
        let mut contents = self.lock_contents();
        for write in writes {
            contents.apply(write, room);
        }
    }
}

/// Limit on batch numbers remembered for the second fence, which rejects a number used before.
const MAX_REMEMBERED_BATCHES: usize = 1_000;

/// Rows of all rooms, with other data that nodes share.
#[derive(Default)]
pub(super) struct SharedRows {
    rooms: BTreeMap<RoomNumber, RoomRow>,
    /// Highest reserved player number and highest reserved game number.
    assigned: [u64; 2],
    pub(super) nodes: BTreeMap<NodeAddress, NodeRecord>,
}

/// Row of a room.
#[derive(Default)]
pub(super) struct RoomRow {
    pub(super) owner: Option<NodeAddress>,
    pub(super) epoch: u64,
    pub(super) beat: u64,
    pub(super) next_seq: u64,
    /// Transaction that holds the row.
    pub(super) transaction: Option<OpenTransaction>,
    /// Number of transactions begun.
    begun: u64,
    /// Numbers of the last batches with writes.
    batches: BTreeSet<u64>,
}

/// Open transaction.
pub(super) struct OpenTransaction {
    number: u64,
    /// Batch of a commit in doubt.
    in_doubt: Option<WriteBatch>,
    /// Players that no other transaction can claim until this one ends.
    claims: BTreeSet<PlayerId>,
}

/// Writes of one commit.
pub(super) struct WriteBatch {
    pub(super) room: RoomNumber,
    pub(super) epoch: u64,
    pub(super) seq: u64,
    pub(super) writes: Vec<StoreWrite>,
}

impl SharedRows {
    /// Returns the row of a room, created if needed.
    pub(super) fn row_mut(&mut self, room: RoomNumber) -> &mut RoomRow {
        self.rooms.entry(room).or_default()
    }

    /// Returns true if a transaction of a room other than `besides` has claimed a player.
    pub(super) fn is_claimed_by_other_room(&self, player: PlayerId, besides: RoomNumber) -> bool {
        let others = self.rooms.iter().filter(|(room, _)| **room != besides);
        let mut open = others.filter_map(|(_, row)| row.transaction.as_ref());
        open.any(|open| open.claims.contains(&player))
    }

    /// Reserves a block of unassigned numbers.
    pub(super) fn reserve_numbers(&mut self, of: Sequence) -> Range<u64> {
        let assigned = &mut self.assigned[of as usize];
        let first = *assigned + 1;
        *assigned += 2 * NUMBER_RESERVE;
        first..*assigned + 1
    }
}

impl RoomRow {
    /// Returns the committed record of the room with this row.
    pub(super) fn to_record(&self, room: RoomNumber) -> RoomRecord {
        RoomRecord {
            room,
            owner: self.owner.clone(),
            epoch: Epoch(self.epoch),
            beat: Beat(self.beat),
        }
    }

    /// Begins a transaction that holds the row. Returns the number of the transaction.
    pub(super) fn begin(&mut self) -> u64 {
        self.begun += 1;
        let (number, in_doubt) = (self.begun, None);
        self.transaction = Some(OpenTransaction {
            number,
            in_doubt,
            claims: BTreeSet::new(),
        });
        number
    }

    /// Adds a claim to the transaction that holds the row.
    pub(super) fn claim(&mut self, player: PlayerId) {
        if let Some(open) = &mut self.transaction {
            open.claims.insert(player);
        }
    }

    /// Returns true if this transaction still holds the row and its commit is not in doubt.
    fn is_held_by(&self, number: u64) -> bool {
        let open = self.transaction.as_ref();
        open.is_some_and(|open| open.number == number && open.in_doubt.is_none())
    }

    /// Records that the commit of the transaction that holds the row is in doubt.
    fn leave_in_doubt(&mut self, batch: WriteBatch) {
        if let Some(open) = &mut self.transaction {
            open.in_doubt = Some(batch);
        }
    }

    /// Ends the transaction if its commit is in doubt, and returns the batch of that commit.
    fn take_in_doubt(&mut self) -> Option<WriteBatch> {
        let in_doubt = self.transaction.as_mut()?.in_doubt.take();
        if in_doubt.is_some() {
            self.transaction = None;
        }
        in_doubt
    }

    /// Ends a transaction that has not sent its commit.
    pub(super) fn end_idle_transaction(&mut self) {
        self.transaction.take_if(|open| open.in_doubt.is_none());
    }

    /// Ends the transaction and updates the row for its batch. Fails if the batch number was used
    /// before.
    pub(super) fn record_batch(&mut self, batch: &WriteBatch) -> Result<(), StoreError> {
        self.transaction = None;
        if !batch.writes.is_empty() && !self.batches.insert(batch.seq) {
            return Err(StoreError::DuplicateBatch);
        }
        if self.batches.len() > MAX_REMEMBERED_BATCHES {
            self.batches.pop_first();
        }
        self.next_seq = batch.seq + 1;
        self.beat += 1;
        Ok(())
    }
}

/// Ownership of a room in one epoch, as its owner knows it.
pub(super) struct RoomLease {
    pub(super) store: Arc<StoreData>,
    pub(super) faults: Arc<FaultInjector>,
    pub(super) rooms: RoomCount,
    pub(super) room: RoomNumber,
    pub(super) epoch: u64,
    pub(super) next_seq: AtomicU64,
    /// True if nothing can be committed in this epoch any more, because the room is lost or a
    /// commit is in doubt.
    pub(super) is_lost: AtomicBool,
}

impl RoomLease {
    /// Checks epoch and batch number against the row. After a mismatch, nothing can be committed in
    /// this epoch any more.
    pub(super) fn check_fence(&self, row: &RoomRow) -> Result<(), StoreError> {
        let (epoch, seq) = (self.epoch, self.next_seq.load(Relaxed));
        if (epoch, seq) == (row.epoch, row.next_seq) {
            return Ok(());
        }
        self.is_lost.store(true, Relaxed);
        Err(if row.epoch < epoch || row.next_seq < seq {
            StoreError::StaleCopy
        } else if row.epoch > epoch {
            StoreError::RoomLost
        } else {
            StoreError::DuplicateBatch
        })
    }

    /// Marks this epoch as unusable for commits, and returns the error of a commit in doubt.
    fn in_doubt_error(&self) -> StoreError {
        self.is_lost.store(true, Relaxed);
        StoreError::InDoubt("a planned break".into())
    }
}

/// Lock on the row of a room, held by a transaction of its owner until commit or drop.
pub(super) struct RowLock<'a> {
    pub(super) lease: &'a RoomLease,
    pub(super) number: u64,
    /// True if the batch gets the next free number, regardless of the owner's count.
    pub(super) blind: bool,
}

impl RowLock<'_> {
    /// Commits the writes of the transaction.
    pub(super) fn commit(self, writes: Vec<StoreWrite>) -> Result<(), StoreError> {
        let room = self.lease;
        let fault = room.faults.next_fault(StoreCall::Commit);
        let mut rows = room.store.lock_rows();
        let row = rows.row_mut(room.room);
        if !row.is_held_by(self.number) {
            // The next owner of the room has ended the transaction.
            drop(rows);
            return Err(room.in_doubt_error());
        }
        let seq = if self.blind {
            row.next_seq
        } else {
            room.next_seq.load(Relaxed)
        };
        let epoch = room.epoch;
        let batch = WriteBatch {
            room: room.room,
            epoch,
            seq,
            writes,
        };
        let committed = match fault {
            Some(Fault::Cut) => Err(room.in_doubt_error()),
            Some(Fault::InDoubt) => {
                row.leave_in_doubt(batch);
                Err(room.in_doubt_error())
            }
            None | Some(Fault::LostReply) => room.store.commit(row, batch),
            Some(fault) => Err(fault_error(fault)),
        };
        drop(rows);
        if committed.is_ok() {
            room.next_seq.store(seq + 1, Relaxed);
        }
        match committed {
            Ok(()) if fault.is_some() => Err(room.in_doubt_error()),
            Err(StoreError::DuplicateBatch) => {
                room.is_lost.store(true, Relaxed);
                Err(StoreError::DuplicateBatch)
            }
            committed => committed,
        }
    }
}

impl RowLock<'_> {
    /// Claims a player. If `place`, the room of the stored claim, is another room, returns that
    /// room instead.
    pub(super) fn claim(
        &self,
        player: PlayerId,
        place: Option<RoomNumber>,
    ) -> Result<Option<RoomNumber>, StoreError> {
        let here = self.lease.room;
        if let Some(other) = place.filter(|room| *room != here) {
            return Ok(Some(other));
        }
        let mut rows = self.lease.store.lock_rows();
        if rows.is_claimed_by_other_room(player, here) {
            // A database would wait briefly for the other transaction.
            return Err(StoreError::Unreachable("a claim under way".into()));
        }
        rows.row_mut(here).claim(player);
        Ok(None)
    }
}

impl Drop for RowLock<'_> {
    fn drop(&mut self) {
        let mut rows = self.lease.store.lock_rows();
        let row = rows.row_mut(self.lease.room);
        if row.is_held_by(self.number) {
            row.transaction = None;
        }
    }
}
