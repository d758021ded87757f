use super::fault::{Faults, failure};
use super::row::{Batch, Row};
use super::shared::Shared;
use super::{Fault, StoreCall, Write};
use crate::room::PlayerId;
use crate::server::rooms::{RoomNumber, Rooms};
use crate::server::store::StoreError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

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
