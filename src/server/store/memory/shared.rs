use super::Write;
use super::fault::{Faults, locked};
use super::kept::Kept;
use super::row::{Batch, Row};
use crate::server::rooms::Epoch;
use crate::server::store::StoreError;
use std::sync::{Mutex, MutexGuard};

/// What all clones of a store in memory are.
#[derive(Default)]
pub(super) struct Shared {
    kept: Mutex<Kept>,
    row: Mutex<Row>,
    /// How the store fails for who has it alone.
    pub(super) faults: Faults,
    /// What was committed lately, where that is watched.
    watched: Mutex<Option<Vec<Write>>>,
}

impl Shared {
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.kept)
    }

    /// The row of the room, where nodes share it.
    pub(super) fn row(&self) -> MutexGuard<'_, Row> {
        locked(&self.row)
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

    /// Commits a batch of the room.
    pub(super) fn commit(&self, row: &mut Row, batch: Batch) -> Result<(), StoreError> {
        row.count(&batch)?;
        self.show(Write::Batch(Epoch(batch.epoch), batch.seq));
        self.keep(batch.writes);
        Ok(())
    }

    /// What is under way ends: it is done, or nothing of it; the result is whether it was done. A
    /// transaction whose commit was not sent goes on.
    pub(super) fn settle(&self, row: &mut Row, done: bool) -> bool {
        let late = row.take_late().filter(|_| done);
        late.is_some_and(|batch| self.commit(row, batch).is_ok())
    }

    /// Keeps what was written.
    pub(super) fn keep(&self, writes: Vec<Write>) {
        if let Some(watched) = &mut *locked(&self.watched) {
            watched.extend(writes.iter().cloned());
        }
        let mut kept = self.kept();
        for write in writes {
            kept.apply(write);
        }
    }
}
