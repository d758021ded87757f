//! A node of a shared table: takes rooms and serves each of them in its own thread.
#![expect(
    clippy::disallowed_methods,
    reason = "a node starts the threads of its rooms"
)]

use crate::directory::{Directory, Owner};
use crate::leases::{
    Census, Epoch, LEASE_DURATION, LEASE_POLL_INTERVAL, LeasePlan, Leases, NodeAddress, RoomRecord,
};
use crate::table::TableStore;
use slog::{info, warn};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use war_table::server::Headcount;
use war_table::server::hub::Health;
use war_table::server::room_actor::{ActorMessage, COMMAND_QUEUE_CAPACITY, HubFactory, RoomSender};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Store, StoreError};
use war_table::time::Monotonic;

/// Time for which a node waits for its rooms to end on shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Time in which a room that was handed over is taken, unless something is wrong. Players notice
/// nothing meanwhile, since their requests wait for longer.
const TAKE_TIMEOUT: Duration = Duration::from_secs(1);

/// Number of a room whose thread has ended, and the result of that thread.
type RoomExit = (RoomNumber, Result<(), StoreError>);

/// A running node.
pub(crate) struct Node<'a> {
    factory: HubFactory,
    table: &'a dyn TableStore,
    me: NodeAddress,
    membership: Membership,
    directory: watch::Sender<Directory>,
    runtime: Handle,
    served: BTreeMap<RoomNumber, ServedRoom>,
    /// Epochs of rooms that this node served and lost to a transient error.
    lost: BTreeMap<RoomNumber, Epoch>,
    /// Last observed owners of the other rooms.
    other_owners: BTreeMap<RoomNumber, NodeAddress>,
    /// Rooms without an owner at the last poll.
    free: BTreeSet<RoomNumber>,
    /// Times at which rooms could not be taken that nobody has taken since.
    take_failures: BTreeMap<RoomNumber, Monotonic>,
    /// Code of the error with which the store failed at the last poll, if it failed.
    store_failure: Option<&'static str>,
    exit_sender: mpsc::UnboundedSender<RoomExit>,
    exit_receiver: mpsc::UnboundedReceiver<RoomExit>,
}

/// Room that this node serves.
struct ServedRoom {
    epoch: Epoch,
    /// Time at which the node took the room.
    taken_at: Monotonic,
    commands: RoomSender,
    thread: JoinHandle<()>,
    /// True once the room's actor was asked to hand the room over.
    is_handing_over: bool,
}

impl<'a> Node<'a> {
    /// Creates a node that serves no room yet.
    pub(crate) fn new(
        factory: HubFactory,
        table: &'a dyn TableStore,
        me: NodeAddress,
        directory: watch::Sender<Directory>,
        runtime: Handle,
    ) -> Self {
        let (exit_sender, exit_receiver) = mpsc::unbounded_channel();
        Self {
            factory,
            table,
            membership: Membership::new(me.clone()),
            me,
            directory,
            runtime,
            served: BTreeMap::new(),
            lost: BTreeMap::new(),
            other_owners: BTreeMap::new(),
            free: BTreeSet::new(),
            take_failures: BTreeMap::new(),
            store_failure: None,
            exit_sender,
            exit_receiver,
        }
    }

    /// Serves rooms until the server is draining, then hands them over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails with an error that is not transient.
    pub(crate) fn serve(mut self, mut draining: watch::Receiver<bool>) -> Result<(), StoreError> {
        info!(self.factory.log, "looking for rooms"; "node" => %self.me);
        let mut result = Ok(());
        // The sender of `draining` is gone only if the server has ended.
        while result.is_ok() && !*draining.borrow() && draining.has_changed().is_ok() {
            result = self.run_once();
            self.publish();
            if result.is_ok() {
                result = self.wait(&mut draining);
            }
        }
        if result.is_err() {
            self.factory.health.record_shut_out();
        }
        let left = self.leave();
        result.and(left)
    }

    /// Polls the store once, takes rooms, and hands over at most one room.
    fn run_once(&mut self) -> Result<(), StoreError> {
        self.handle_exits()?;
        let polled = self.poll();
        self.record_health(polled.as_ref().err());
        match polled {
            Ok(()) => {
                if self.store_failure.take().is_some() {
                    info!(self.factory.log, "the store can be used again");
                }
                Ok(())
            }
            Err(error)
                if self.store_failure == Some(error.code()) && Membership::is_transient(&error) =>
            {
                self.factory.metrics.count_store_error();
                Ok(())
            }
            Err(error) => {
                self.store_failure = Some(error.code());
                let error = self.tolerate(error)?;
                warn!(self.factory.log, "the store can't be used";
                    "reason" => %error, "cause" => find_cause(&error));
                Ok(())
            }
        }
    }

    /// Records the rooms that other nodes serve or are about to take, and whether the poll failed.
    fn record_health(&self, failure: Option<&StoreError>) {
        let now = self.factory.clock.now();
        self.factory.health.record_turn(now);
        let owners = self.other_owners.keys().copied();
        let served = owners.filter(|room| self.membership.leases.is_live(*room, now));
        // A room that was just handed over is about to be taken.
        let is_new = |room: &RoomNumber| {
            self.membership.leases.age(*room, now) < TAKE_TIMEOUT
                && !self.take_failures.contains_key(room)
        };
        let elsewhere = served
            .chain(self.free.iter().copied().filter(is_new))
            .collect();
        match failure {
            None => {
                let rooms = self.table.rooms().count();
                self.factory.health.record_census(rooms, elsewhere);
            }
            Some(error) => {
                let health = &self.factory.health;
                health.record_census_failure(error, elsewhere);
            }
        }
    }

    fn poll(&mut self) -> Result<(), StoreError> {
        let owned = self
            .served
            .iter()
            .map(|(room, served)| (*room, served.epoch));
        let owned = owned.collect();
        let now = self.factory.clock.now();
        let attendance = self.factory.metrics.attendance();
        let people = attendance.headcount();
        let (census, plan) = self.membership.refresh(self.table, &owned, people, now)?;
        attendance.set_other_headcount(census.other_headcount(&self.me));
        let reclaimable = self.prune_lost_rooms(&census);
        self.record_owners(census);
        if let Some(served) = plan.hand_over.and_then(|room| self.served.get_mut(&room)) {
            served.hand_over();
        }
        self.take_all(reclaimable.into_iter().chain(plan.take).collect())
    }

    /// Takes rooms until the first one that can't be taken.
    ///
    /// A room that failed counts as such alone, and is tried again after the others: the database may
    /// have connections for some rooms only. Each failure may last until a time limit, so a poll has
    /// one at most.
    fn take_all(&mut self, mut rooms: Vec<RoomRecord>) -> Result<(), StoreError> {
        rooms.sort_by_key(|seen| self.take_failures.get(&seen.room).copied());
        for seen in rooms {
            // The thread of a lost room may still be running.
            if self.served.contains_key(&seen.room) {
                continue;
            }
            let taken = self.take(&seen);
            let now = self.factory.clock.now();
            self.factory.health.record_turn(now);
            if let Err(error) = taken {
                self.take_failures.insert(seen.room, now);
                self.factory.health.record_failure(seen.room, &error, now);
                let error = self.tolerate(error)?;
                warn!(self.factory.log, "can't take a room";
                    "room" => seen.room.0, "reason" => %error, "cause" => find_cause(&error));
                break;
            }
            self.take_failures.remove(&seen.room);
        }
        Ok(())
    }

    /// Forgets the lost rooms that have been taken again, and returns the records of the other lost
    /// rooms. This node still holds their leases, so it can retake them at once.
    fn prune_lost_rooms(&mut self, census: &Census) -> Vec<RoomRecord> {
        let rooms = census.rooms.iter();
        let still = rooms.filter(|record| self.lost.get(&record.room) == Some(&record.epoch));
        let still: Vec<_> = still.cloned().collect();
        self.lost = still
            .iter()
            .map(|record| (record.room, record.epoch))
            .collect();
        still
    }

    /// Records the owner of each room that another node owns, and the rooms without an owner.
    fn record_owners(&mut self, census: Census) {
        let free = census.rooms.iter().filter(|record| record.owner.is_none());
        self.free = free.map(|record| record.room).collect();
        let owners = census.rooms.into_iter();
        let owners = owners.filter_map(|record| Some((record.room, record.owner?)));
        self.other_owners = owners.filter(|(_, owner)| *owner != self.me).collect();
        let now = self.factory.clock.now();
        let is_open = |room: &RoomNumber| {
            !self.other_owners.contains_key(room) || !self.membership.leases.is_live(*room, now)
        };
        self.take_failures.retain(|room, _| is_open(room));
    }

    /// Takes a room, unless it has changed since it was observed, and starts its thread.
    fn take(&mut self, seen: &RoomRecord) -> Result<(), StoreError> {
        let Some(store) = self.membership.take_room(self.table, seen)? else {
            return Ok(());
        };
        let room = seen.room;
        info!(self.factory.log, "took a room"; "room" => room.0, "after" => seen.epoch.0);
        let (commands, waiting) = mpsc::channel(COMMAND_QUEUE_CAPACITY);
        let (factory, runtime, end) = (
            self.factory.clone(),
            self.runtime.clone(),
            self.exit_sender.clone(),
        );
        let thread = std::thread::Builder::new().name(format!("room {room}"));
        self.factory
            .health
            .record_room(room, Health::default(), self.factory.clock.now());
        let thread = thread.spawn(move || {
            let ended = serve_room(&factory, store, waiting, &runtime);
            match &ended {
                Ok(()) => factory.health.record_end(room),
                Err(error) => {
                    let now = factory.clock.now();
                    factory.health.record_failure(room, error, now);
                }
            }
            // The receiver is gone only if the node has ended.
            let _ = end.send((room, ended));
        });
        match thread {
            Ok(thread) => {
                let served = ServedRoom {
                    epoch: Epoch(seen.epoch.0 + 1),
                    taken_at: self.factory.clock.now(),
                    commands,
                    thread,
                    is_handing_over: false,
                };
                self.served.insert(room, served);
                self.publish();
            }
            // The room becomes free again when its lease expires.
            Err(error) => warn!(self.factory.log, "a room can't be served"; "reason" => %error),
        }
        Ok(())
    }

    /// Publishes the owners of all rooms in the directory.
    fn publish(&self) {
        let other_owners = self.other_owners.iter();
        let other_owners = other_owners.map(|(room, node)| (*room, Owner::Remote(node.clone())));
        let served = self.served.iter();
        let served = served.map(|(room, served)| (*room, Owner::Local(served.commands.clone())));
        let directory = Directory::new(other_owners.chain(served));
        self.directory.send_replace(directory);
    }

    /// Waits until the next poll is due, a room has ended, or the server is draining.
    fn wait(&mut self, draining: &mut watch::Receiver<bool>) -> Result<(), StoreError> {
        let ended = self.runtime.block_on(async {
            let time = tokio::time::sleep(LEASE_POLL_INTERVAL);
            tokio::select! {
                ended = self.exit_receiver.recv() => ended,
                _ = draining.changed() => None,
                () = time => None,
            }
        });
        match ended {
            Some(ended) => self.handle_exit(ended),
            None => Ok(()),
        }
    }

    /// Handles the end of a room's thread.
    fn handle_exit(&mut self, (room, ended): RoomExit) -> Result<(), StoreError> {
        if let Some(served) = self.served.remove(&room) {
            info!(self.factory.log, "left a room"; "room" => room.0);
            let age = self.factory.clock.now().saturating_since(served.taken_at);
            // A room that was lost soon after it was taken, before the duration of a lease had
            // passed, is left to other nodes, which may serve it better.
            if ended.is_err() && age >= LEASE_DURATION {
                self.lost.insert(room, served.epoch);
            }
        }
        match ended {
            Ok(()) => Ok(()),
            Err(error) => {
                let error = self.tolerate(error)?;
                warn!(self.factory.log, "lost a room";
                    "room" => room.0, "reason" => %error, "cause" => find_cause(&error));
                Ok(())
            }
        }
    }

    /// Handles the end of all threads that have finished.
    fn handle_exits(&mut self) -> Result<(), StoreError> {
        let served = self.served.iter();
        let finished = served.filter(|(_, served)| served.thread.is_finished());
        let finished: Vec<_> = finished.map(|(room, _)| *room).collect();
        while let Ok(ended) = self.exit_receiver.try_recv() {
            self.handle_exit(ended)?;
        }
        // A thread that panicked has sent no result: propagate the panic.
        let unreported = finished.iter().find_map(|room| self.served.remove(room));
        if let Some(Err(panic)) = unreported.map(|served| served.thread.join()) {
            std::panic::resume_unwind(panic);
        }
        Ok(())
    }

    /// Counts a transient error and returns it; fails with any other.
    fn tolerate(&self, error: StoreError) -> Result<StoreError, StoreError> {
        if !Membership::is_transient(&error) {
            return Err(error);
        }
        self.factory.metrics.count_store_error();
        Ok(error)
    }

    /// Hands all rooms over and leaves the table.
    fn leave(mut self) -> Result<(), StoreError> {
        let start = self.factory.clock.now();
        let (sender, mut never) = watch::channel(false);
        let mut left = Ok(());
        while left.is_ok() && !self.served.is_empty() {
            if self.factory.clock.now().saturating_since(start) > SHUTDOWN_TIMEOUT {
                break;
            }
            for served in self.served.values_mut() {
                served.hand_over();
            }
            self.publish();
            left = self.wait(&mut never);
        }
        drop(sender);
        left.and_then(|()| self.membership.leave(self.table))
    }
}

impl ServedRoom {
    /// Asks the room's actor to hand the room over.
    fn hand_over(&mut self) {
        // Fails if the queue is full; the next call of this method tries again.
        self.is_handing_over =
            self.is_handing_over || self.commands.try_send(ActorMessage::HandOver).is_ok();
    }
}

/// Returns the cause of an error, to log with it.
fn find_cause(error: &StoreError) -> Option<String> {
    error.source().map(ToString::to_string)
}

/// Opens a room and runs its actor until the room is handed over or lost.
fn serve_room(
    factory: &HubFactory,
    store: Box<dyn Store>,
    mut waiting: mpsc::Receiver<ActorMessage>,
    runtime: &Handle,
) -> Result<(), StoreError> {
    let actor = factory.open(store)?;
    actor.run(&mut waiting, runtime)
}

/// Membership of a node in a shared table: sends the node's heartbeats, and decides which rooms the
/// node may take.
///
/// A membership has no thread and no clock: call [`refresh`](Self::refresh) every
/// [`LEASE_POLL_INTERVAL`], and [`take_room`](Self::take_room) for each room that the plan names.
#[derive(Debug, Clone)]
pub struct Membership {
    node: NodeAddress,
    leases: Leases,
}

impl Membership {
    /// Creates the membership of the node at this address.
    #[must_use]
    pub fn new(node: NodeAddress) -> Self {
        let leases = Leases::new(node.clone());
        Self { node, leases }
    }

    /// Sends a heartbeat and reads the census; returns the census and the plan of the next actions.
    ///
    /// `owned` holds the rooms that the node serves, `people` is the headcount at this node, and
    /// `clock` is the node's monotonic time. The nodes in [`LeasePlan::remove`] are already
    /// removed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn refresh(
        &mut self,
        table: &dyn TableStore,
        owned: &BTreeMap<RoomNumber, Epoch>,
        people: Headcount,
        clock: Monotonic,
    ) -> Result<(Census, LeasePlan), StoreError> {
        table.record_beat(&self.node, people)?;
        let census = table.census()?;
        let plan = self.leases.observe(&census, owned, clock);
        for gone in &plan.remove {
            table.remove_node(gone)?;
        }
        Ok((census, plan))
    }

    /// Takes a room; returns `None` if it has changed since it was observed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn take_room(
        &self,
        table: &dyn TableStore,
        seen: &RoomRecord,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        table.take(seen, &self.node)
    }

    /// True if the node continues after a room or a poll has failed with this error. After any
    /// other error the node ends.
    #[must_use]
    pub const fn is_transient(error: &StoreError) -> bool {
        error.is_transient()
    }

    /// Removes the node from the table, so that the other nodes stop counting it at once.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails with an error that is not transient.
    pub fn leave(self, table: &dyn TableStore) -> Result<(), StoreError> {
        match table.remove_node(&self.node) {
            Err(error) if Self::is_transient(&error) => Ok(()),
            left => left,
        }
    }
}

#[cfg(test)]
mod tests;
