use super::bug::Bug;
use super::clocks::Clocks;
use super::tampered::Tampered;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::server::Standby;
use war::server::rooms::{NodeAddress, RoomSight};
use war::server::store::{MemoryRoom, MemoryTable, Store, StoreError};

/// What a node serves.
pub(crate) enum Post<'s> {
    /// A table of its own.
    Own(&'s dyn Store),
    /// A table of several nodes, or it stands by.
    Shared(Box<SharedPost>),
}

/// A node of several.
pub(crate) struct SharedPost {
    address: NodeAddress,
    pub(crate) table: MemoryTable,
    /// As long as the program runs.
    standby: Option<Standby>,
    /// The room that it has seen and is to take.
    seen: Option<RoomSight>,
    /// The room that it took last.
    room: Option<MemoryRoom>,
    /// Whether it has loaded the room again without taking it anew.
    pub(crate) reloaded: Arc<AtomicBool>,
    bug: Option<Bug>,
}

impl SharedPost {
    pub(crate) fn new(number: usize, table: MemoryTable, bug: Option<Bug>) -> Self {
        Self {
            address: NodeAddress(format!("node {number}")),
            table,
            standby: None,
            seen: None,
            room: None,
            reloaded: Arc::default(),
            bug,
        }
    }

    pub(crate) fn start(&mut self) {
        self.standby = Some(Standby::new(self.address.clone()));
        self.seen = None;
    }

    /// Its program is killed.
    pub(crate) fn dies(&mut self) {
        (self.standby, self.seen, self.room) = (None, None, None);
    }

    pub(crate) const fn runs(&self) -> bool {
        self.standby.is_some()
    }

    /// Whether it is about to take a room.
    pub(crate) const fn is_about_to_take(&self) -> bool {
        self.seen.is_some()
    }

    /// Looks around while its clocks are so.
    pub(crate) fn look(&mut self, clocks: &Clocks, now: u64) -> Result<(), StoreError> {
        let clock = match self.bug {
            Some(Bug::WallLease) => clocks.wall(now),
            _ => clocks.monotonic(now),
        };
        if let Some(standby) = &mut self.standby {
            self.seen = standby.look(&self.table, clock)?;
        }
        Ok(())
    }

    /// Takes the room as it was seen.
    pub(crate) fn take(&mut self) -> Result<Option<(RoomSight, &'static dyn Store)>, StoreError> {
        let Some(seen) = self.seen.take() else {
            return Ok(None);
        };
        let Some(room) = self.table.take_room(&seen, &self.address)? else {
            return Ok(None);
        };
        self.reloaded.store(false, Ordering::Relaxed);
        self.room = Some(room.clone());
        let room = Tampered::new(Box::new(room), self.bug);
        // What is written in it borrows it, as long as the node lives. They are small, and few.
        Ok(Some((seen, Box::leak(Box::new(room)))))
    }

    /// Hands the room over, and leaves the table.
    pub(crate) fn leave(&mut self) -> Result<(), StoreError> {
        let (room, standby) = (self.room.take(), self.standby.take());
        self.dies();
        if let Some(room) = room {
            Box::new(room).close()?;
        }
        standby.map_or(Ok(()), |standby| standby.leave(&self.table))
    }
}
