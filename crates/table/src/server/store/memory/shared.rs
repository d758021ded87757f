use super::Write;
use super::fault::{Faults, locked};
use super::kept::Kept;
use super::row::{Batch, Row, Rows};
use crate::server::rooms::{Epoch, RoomNumber};
use crate::server::store::StoreError;
use std::sync::{Mutex, MutexGuard};

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
