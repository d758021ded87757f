use super::fault::{Fault, StoreCall};
use super::fault::{Faults, failure, locked};
use super::kept::Kept;
use super::kept::Write;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard};
use war_table::protocol::PlayerId;
use war_table::room::NUMBER_RESERVE;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table::server::store::{Numbered, StoreError};
use war_table_cluster::leases::{Beat, Epoch, NodeAddress, NodeRecord, RoomRecord};

/// What all clones of a store in memory are.
#[derive(Default)]
pub(super) struct Shared {
    kept: Mutex<Kept>,
    rows: Mutex<Rows>,
    /// How the store fails for who has it alone.
    pub(super) faults: Faults,
    /// What was committed lately, where that is watched.
    watched: Mutex<Option<Vec<Write>>>,
}

impl Shared {
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.kept)
    }

    /// The rows of the rooms, where nodes share them.
    pub(super) fn rows(&self) -> MutexGuard<'_, Rows> {
        locked(&self.rows)
    }

    pub(super) fn watch(&self) {
        *locked(&self.watched) = Some(Vec::new());
    }

    pub(super) fn watched(&self) -> Vec<Write> {
        let mut watched = locked(&self.watched);
        watched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Shows something to who watches, which is not of what is kept.
    pub(super) fn show(&self, write: Write) {
        if let Some(watched) = &mut *locked(&self.watched) {
            watched.push(write);
        }
    }

    /// Commits a batch of a room, whose row this is.
    pub(super) fn commit(&self, row: &mut Row, batch: Batch) -> Result<(), StoreError> {
        row.count(&batch)?;
        let room = batch.room;
        self.show(Write::Batch(room, Epoch(batch.epoch), batch.seq));
        self.keep(batch.writes, Some(room));
        Ok(())
    }

    /// What is under way ends: it is done, or nothing of it; the result is whether it was done. A
    /// transaction whose commit was not sent goes on.
    pub(super) fn settle(&self, row: &mut Row, done: bool) -> bool {
        let late = row.take_late().filter(|_| done);
        late.is_some_and(|batch| self.commit(row, batch).is_ok())
    }

    /// Keeps what was written, in a room of several or by who has the store alone.
    pub(super) fn keep(&self, writes: Vec<Write>, room: Option<RoomNumber>) {
        if let Some(watched) = &mut *locked(&self.watched) {
            watched.extend(writes.iter().cloned());
        }
        let mut kept = self.kept();
        for write in writes {
            kept.apply(write, room);
        }
    }
}

/// How many batches are remembered, for the second fence.
const REMEMBERED: usize = 1_000;

/// The rows of all rooms, with what else nodes share.
#[derive(Default)]
pub(super) struct Rows {
    rooms: BTreeMap<RoomNumber, Row>,
    /// The numbers of players and games that were given up to now.
    given: [u64; 2],
    pub(super) nodes: BTreeMap<NodeAddress, NodeRecord>,
}

/// The row of a room.
#[derive(Default)]
pub(super) struct Row {
    pub(super) owner: Option<NodeAddress>,
    pub(super) epoch: u64,
    pub(super) beat: u64,
    pub(super) next_seq: u64,
    /// The transaction that holds the row, if there is one.
    pub(super) open: Option<Open>,
    /// How many transactions have begun.
    begun: u64,
    /// The numbers of the last batches that wrote anything.
    batches: BTreeSet<u64>,
}

/// A transaction that has begun.
pub(super) struct Open {
    number: u64,
    /// What it will have committed, if the commit under way is done.
    late: Option<Batch>,
    /// Whom it has claimed: no other transaction can until it ends.
    claims: BTreeSet<PlayerId>,
}

/// What is committed at once.
pub(super) struct Batch {
    pub(super) room: RoomNumber,
    pub(super) epoch: u64,
    pub(super) seq: u64,
    pub(super) writes: Vec<Write>,
}

impl Rows {
    /// The row of a room.
    pub(super) fn of(&mut self, room: RoomNumber) -> &mut Row {
        self.rooms.entry(room).or_default()
    }

    /// Whether a transaction of another room than this one has claimed a player.
    pub(super) fn is_claimed(&self, player: PlayerId, besides: RoomNumber) -> bool {
        let others = self.rooms.iter().filter(|(room, _)| **room != besides);
        let mut open = others.filter_map(|(_, row)| row.open.as_ref());
        open.any(|open| open.claims.contains(&player))
    }

    /// Numbers that were not given yet.
    pub(super) fn block(&mut self, of: Numbered) -> Range<u64> {
        let given = &mut self.given[of as usize];
        let first = *given + 1;
        *given += 2 * NUMBER_RESERVE;
        first..*given + 1
    }
}

impl Row {
    /// The room of this number, as it is committed.
    pub(super) fn sight(&self, room: RoomNumber) -> RoomRecord {
        RoomRecord {
            room,
            owner: self.owner.clone(),
            epoch: Epoch(self.epoch),
            beat: Beat(self.beat),
        }
    }

    /// Lets a transaction hold the row; the result is its number.
    pub(super) fn begin(&mut self) -> u64 {
        self.begun += 1;
        let (number, late) = (self.begun, None);
        self.open = Some(Open {
            number,
            late,
            claims: BTreeSet::new(),
        });
        number
    }

    /// The transaction that holds the row claims a player.
    pub(super) fn claim(&mut self, player: PlayerId) {
        if let Some(open) = &mut self.open {
            open.claims.insert(player);
        }
    }

    /// Whether a transaction still holds the row, and nothing of it is on its way.
    fn is_held_by(&self, number: u64) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| open.number == number && open.late.is_none())
    }

    /// Lets the commit of the transaction that holds the row be under way.
    fn delay(&mut self, batch: Batch) {
        if let Some(open) = &mut self.open {
            open.late = Some(batch);
        }
    }

    /// What is under way, which ends so.
    fn take_late(&mut self) -> Option<Batch> {
        let late = self.open.as_mut()?.late.take();
        if late.is_some() {
            self.open = None;
        }
        late
    }

    /// A transaction that does nothing is ended, as a database does after a while.
    pub(super) fn end_idle(&mut self) {
        self.open.take_if(|open| open.late.is_none());
    }

    /// Counts a batch, if its number is a new one.
    pub(super) fn count(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.open = None;
        if !batch.writes.is_empty() && !self.batches.insert(batch.seq) {
            return Err(StoreError::Twice);
        }
        if self.batches.len() > REMEMBERED {
            self.batches.pop_first();
        }
        self.next_seq = batch.seq + 1;
        self.beat += 1;
        Ok(())
    }
}

/// What an owner knows.
pub(super) struct Tenure {
    pub(super) store: Arc<Shared>,
    pub(super) faults: Arc<Faults>,
    pub(super) rooms: Rooms,
    pub(super) room: RoomNumber,
    pub(super) epoch: u64,
    /// The number of the next batch.
    pub(super) next_seq: AtomicU64,
    /// Whether nothing may be committed in this epoch any more: the room is lost, or it is not
    /// known what was committed.
    pub(super) spent: AtomicBool,
}

impl Tenure {
    /// Whether the fence lets this owner through.
    pub(super) fn pass_fence(&self, row: &Row) -> Result<(), StoreError> {
        let (epoch, seq) = (self.epoch, self.next_seq.load(Relaxed));
        if (epoch, seq) == (row.epoch, row.next_seq) {
            return Ok(());
        }
        self.spent.store(true, Relaxed);
        Err(if row.epoch < epoch || row.next_seq < seq {
            StoreError::WentBack
        } else if row.epoch > epoch {
            StoreError::Lost
        } else {
            StoreError::Twice
        })
    }

    /// Nobody knows what became of a commit.
    fn doubt(&self) -> StoreError {
        self.spent.store(true, Relaxed);
        StoreError::InDoubt("a planned break".into())
    }
}

/// The row of a room, held by a transaction of its owner until that is committed or dropped.
pub(super) struct Hold<'a> {
    pub(super) room: &'a Tenure,
    pub(super) number: u64,
    /// Whether the batch gets the number that is next, whatever this owner knows.
    pub(super) blind: bool,
}

impl Hold<'_> {
    /// Commits what was written.
    pub(super) fn commit(self, writes: Vec<Write>) -> Result<(), StoreError> {
        let room = self.room;
        let fault = room.faults.of(StoreCall::Commit);
        let mut rows = room.store.rows();
        let row = rows.of(room.room);
        if !row.is_held_by(self.number) {
            // Who has taken the room since has ended it.
            drop(rows);
            return Err(room.doubt());
        }
        let seq = if self.blind {
            row.next_seq
        } else {
            room.next_seq.load(Relaxed)
        };
        let epoch = room.epoch;
        let batch = Batch {
            room: room.room,
            epoch,
            seq,
            writes,
        };
        let committed = match fault {
            Some(Fault::Cut) => Err(room.doubt()),
            Some(Fault::Late) => {
                row.delay(batch);
                Err(room.doubt())
            }
            None | Some(Fault::LostReply) => room.store.commit(row, batch),
            Some(fault) => Err(failure(fault)),
        };
        drop(rows);
        if committed.is_ok() {
            room.next_seq.store(seq + 1, Relaxed);
        }
        match committed {
            Ok(()) if fault.is_some() => Err(room.doubt()),
            Err(StoreError::Twice) => {
                room.spent.store(true, Relaxed);
                Err(StoreError::Twice)
            }
            committed => committed,
        }
    }
}

impl Hold<'_> {
    /// Claims a player, who is where the store says if this transaction has not claimed them.
    pub(super) fn claim(
        &self,
        player: PlayerId,
        place: Option<RoomNumber>,
    ) -> Result<Option<RoomNumber>, StoreError> {
        let here = self.room.room;
        if let Some(other) = place.filter(|room| *room != here) {
            return Ok(Some(other));
        }
        let mut rows = self.room.store.rows();
        if rows.is_claimed(player, here) {
            // A database waits for the other transaction, but not for long.
            return Err(StoreError::Unreachable("a claim under way".into()));
        }
        rows.of(here).claim(player);
        Ok(None)
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut rows = self.room.store.rows();
        let row = rows.of(self.room.room);
        if row.is_held_by(self.number) {
            row.open = None;
        }
    }
}
