use super::fault::{Faults, failure};
use super::shared::Shared;
use super::tenure::{Hold, Tenure};
use super::transaction::MemoryTransaction;
use super::{Fault, MemoryStore, StoreCall, Write};
use crate::log::TableId;
use crate::room::{Numbers, Room, Timeouts};
use crate::server::rooms::{Epoch, Location, RoomNumber, Rooms};
use crate::server::store::{Numbered, Store, StoreError, Transaction};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// A room of a table in memory, as its owner in one epoch sees it.
///
/// Clones are the same owner's.
#[derive(Clone)]
pub struct MemoryRoom(Arc<Tenure>);

impl MemoryRoom {
    /// The room of who owns it since this epoch, with the number of the next batch.
    pub(super) fn new(
        store: &Arc<Shared>,
        faults: &Arc<Faults>,
        (rooms, room): (Rooms, RoomNumber),
        epoch: u64,
        seq: u64,
    ) -> Self {
        Self(Arc::new(Tenure {
            store: Arc::clone(store),
            faults: Arc::clone(faults),
            rooms,
            room,
            epoch,
            next_seq: AtomicU64::new(seq),
            spent: AtomicBool::new(false),
        }))
    }
}

impl Store for MemoryRoom {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let players = Numbers::block(self.block(Numbered::Players)?);
        let games = Numbers::block(self.block(Numbered::Games)?);
        let kept = self.0.store.kept();
        kept.room(timeouts, players, games, Some(self.0.room))
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(MemoryStore::ID)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.0.store.kept().time(self.0.room))
    }

    fn location(&self) -> Location {
        Location {
            room: self.0.room,
            rooms: self.0.rooms,
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        self.0.faults.check(StoreCall::Look)?;
        Ok(self.0.store.rows().block(of))
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        let fault = self.0.faults.of(StoreCall::Begin);
        let fenced = match fault {
            Some(Fault::Busy) => return Ok(None),
            Some(Fault::Unfenced | Fault::Blind | Fault::Reread) => false,
            Some(fault) => return Err(failure(fault)),
            None => true,
        };
        if fenced && self.0.spent.load(Relaxed) {
            return Err(StoreError::Lost);
        }
        let mut rows = self.0.store.rows();
        let row = rows.of(self.0.room);
        if fault == Some(Fault::Reread) && row.epoch != self.0.epoch {
            return Err(StoreError::Lost);
        }
        if fault == Some(Fault::Reread) {
            // It waits for what is under way, which it does not know of.
            self.0.store.settle(row, true);
        }
        if row.open.is_some() {
            return Ok(None);
        }
        if fenced {
            self.0.pass_fence(row)?;
        }
        let (room, number) = (&*self.0, row.begin());
        drop(rows);
        let hold = Hold {
            room,
            number,
            blind: matches!(fault, Some(Fault::Blind | Fault::Reread)),
        };
        let transaction = MemoryTransaction::new(&self.0.store, &self.0.faults, Some(hold));
        Ok(Some(Box::new(transaction)))
    }

    /// Hands the room over to the next who takes it.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.0.faults.check(StoreCall::Take)?;
        let mut rows = self.0.store.rows();
        let row = rows.of(self.0.room);
        if row.epoch == self.0.epoch {
            row.owner = None;
            row.beat += 1;
            self.0
                .store
                .show(Write::HandOver(self.0.room, Epoch(self.0.epoch)));
        }
        Ok(())
    }
}
