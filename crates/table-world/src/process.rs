//! What serves a room: its desk, and a batch at a time.

use super::bug::Bug;
use super::node::Node;
use std::sync::atomic::Ordering;
use war_table::room::{PlayerId, Request};
use war_table::server::hub::{Hub, Publication, UnitOfWork};
use war_table::server::rooms::{Epoch, RoomNumber};
use war_table::server::store::{Store, StoreError};
use war_table::server::{Arrivals, Arrived, Desk};

/// The server of a room.
pub(crate) struct Process<'s> {
    pub(super) store: &'s dyn Store,
    desk: Desk,
    pub(crate) epoch: Epoch,
    /// Which turn of its loop is the one that counts: those of all rooms of a node differ.
    pub(crate) turn: u64,
    /// What arrived and waits for the desk.
    pub(crate) inbox: Vec<Taken>,
    pub(crate) batch: Option<Batch<'s>>,
    /// For how long the loop waits at most.
    patience: u64,
    /// Whether another node is to go on.
    pub(crate) hands_over: bool,
    /// Until when its commit takes so long that time stands still.
    pub(crate) stalled_until: u64,
    /// Since when it waits for another room that has claimed somebody, if it does.
    pub(crate) waits_since: Option<u64>,
    /// Whether its commit takes longer than it waits.
    pub(crate) times_out: bool,
}

/// A batch that is done.
pub(crate) enum Batch<'s> {
    /// It is not committed, with what it is made of.
    Open(Box<UnitOfWork<'s>>, Vec<Taken>),
    /// The store has answered to its commit.
    Answered(Result<Vec<Publication>, StoreError>),
}

/// A command that arrived.
#[derive(Clone)]
pub(crate) struct Taken {
    pub(crate) arrived: Arrived,
    /// When, by the world's time.
    pub(crate) at: u64,
    /// Who asks for what, where a player does.
    pub(crate) asked: Option<(PlayerId, Request)>,
}

impl<'s> Process<'s> {
    /// A server of a hub that was opened at the table's time `table`, when the clock showed this.
    pub(super) const fn new(
        store: &'s dyn Store,
        hub: Hub,
        epoch: Epoch,
        (table, clock): (u64, u64),
    ) -> Self {
        Self {
            store,
            desk: Desk::new(hub, table, clock),
            epoch,
            turn: 0,
            inbox: Vec::new(),
            batch: None,
            patience: 0,
            hands_over: false,
            stalled_until: 0,
            waits_since: None,
            times_out: false,
        }
    }

    /// Whether it holds a transaction open.
    pub(crate) const fn is_in_transaction(&self) -> bool {
        matches!(self.batch, Some(Batch::Open(..)))
    }

    /// Whether it waits for a command or for time to pass.
    pub(crate) const fn waits(&self) -> bool {
        self.batch.is_none() && self.patience > 0
    }

    /// How long it waits from now on, at most; it is drained where that is `None`.
    fn wait(&mut self) -> Option<u64> {
        if self.desk.hub().is_closed() || self.hands_over {
            return None;
        }
        let busy = !self.inbox.is_empty();
        self.patience = if busy { 0 } else { self.desk.patience() };
        Some(self.patience)
    }

    /// Begins and does a batch; the result is whether there was one, as the store was not busy.
    fn work(&mut self, clock: u64, wall: u64) -> Result<bool, StoreError> {
        let patience = std::mem::take(&mut self.patience);
        self.desk.pass(clock, patience);
        let Some(transaction) = self.desk.begin(self.store, clock)? else {
            return Ok(false);
        };
        let taken = std::mem::take(&mut self.inbox);
        let commands = taken.iter().map(|taken| taken.arrived.clone()).collect();
        let more = false;
        let arrivals = Arrivals { commands, more };
        let unit = self.desk.work(transaction, arrivals, wall)?;
        self.batch = Some(Batch::Open(Box::new(unit), taken));
        Ok(true)
    }
}

impl Node<'_> {
    /// What serves a room here, if something does.
    pub(crate) fn process(&self, room: RoomNumber) -> Option<&Process<'_>> {
        self.processes.get(&room)
    }

    /// How long a room waits from now on, at most; it is drained where that is `None`.
    pub(crate) fn wait(&mut self, room: RoomNumber) -> Option<u64> {
        self.processes.get_mut(&room)?.wait()
    }

    /// Begins and does a batch of a room; the result is whether there was one, as the store was
    /// not busy.
    pub(crate) fn work(&mut self, room: RoomNumber, now: u64) -> Result<bool, StoreError> {
        let (clock, wall) = (self.clock(now), self.clocks.wall(now));
        let process = self.processes.get_mut(&room);
        process.map_or(Ok(false), |process| process.work(clock, wall))
    }

    /// Lets time go on although the store is busy, as a desk that is not asked does.
    pub(crate) fn pass_wrongly(&mut self, room: RoomNumber, now: u64) -> bool {
        let clock = self.clock(now);
        let wrong = self.bug == Some(Bug::BusyTime);
        if let Some(process) = self.processes.get_mut(&room).filter(|_| wrong) {
            process.desk.pass(clock, 1_000);
        }
        wrong
    }

    /// Sends the commit of what is done to the store, which answers at once; the result is what
    /// the batch is made of, and whether nobody knows what became of it.
    pub(crate) fn commit(&mut self, room: RoomNumber) -> Option<(Vec<Taken>, bool)> {
        let process = self.processes.get_mut(&room)?;
        let (unit, taken) = match process.batch.take()? {
            Batch::Open(unit, taken) => (unit, taken),
            answered @ Batch::Answered(_) => {
                process.batch = Some(answered);
                return None;
            }
        };
        self.slow
            .store(std::mem::take(&mut process.times_out), Ordering::Relaxed);
        let answer = match unit.commit() {
            Err(_) if self.bug == Some(Bug::ReloadSkipped) => Ok(Vec::new()),
            answer => answer,
        };
        self.slow.store(false, Ordering::Relaxed);
        let in_doubt = matches!(answer, Err(StoreError::InDoubt(_)));
        process.batch = Some(Batch::Answered(answer));
        Some((taken, in_doubt))
    }

    /// Learns what the store has answered to the commit of a room: what to publish.
    pub(crate) fn learn(
        &mut self,
        room: RoomNumber,
        now: u64,
    ) -> Option<Result<Vec<Publication>, StoreError>> {
        let clock = self.clock(now);
        let process = self.processes.get_mut(&room)?;
        let Some(Batch::Answered(answer)) = process.batch.take() else {
            return None;
        };
        process.desk.pass(clock, 0);
        Some(answer)
    }
}
