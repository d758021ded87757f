//! A node of a table that several nodes share: the rooms that it serves, each in a thread.
#![expect(
    clippy::disallowed_methods,
    reason = "a node starts the threads of its rooms"
)]

use crate::directory::{Directory, Owner};
use crate::leases::{Census, Epoch, LEASE, LOOK, Leases, NodeAddress, Plan, RoomRecord};
use crate::table::TableStore;
use slog::{info, warn};
use std::collections::BTreeMap;
use std::error::Error;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use war_table::server::People;
use war_table::server::room_actor::{ActorMessage, HubFactory, RoomSender, WAITING_COMMANDS};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Store, StoreError};

/// How long a node waits for its rooms at the end, in milliseconds.
const LAST_WAIT: u64 = 5_000;

/// How the thread of a room ended.
type End = (RoomNumber, Result<(), StoreError>);

/// A node at work.
pub(crate) struct Node<'a> {
    opening: HubFactory,
    table: &'a dyn TableStore,
    me: NodeAddress,
    standby: Standby,
    directory: watch::Sender<Directory>,
    runtime: Handle,
    /// The rooms that this node serves.
    kept: BTreeMap<RoomNumber, Kept>,
    /// The rooms that it can't serve any more, for a reason that may pass, by the epochs in which it
    /// did.
    lost: BTreeMap<RoomNumber, Epoch>,
    /// Who owned the others when they were seen last.
    others: BTreeMap<RoomNumber, NodeAddress>,
    /// Why the store could not be used when it was last looked, in a word.
    blind: Option<&'static str>,
    end: mpsc::UnboundedSender<End>,
    ended: mpsc::UnboundedReceiver<End>,
}

/// A room that this node serves.
struct Kept {
    epoch: Epoch,
    /// When it was taken.
    since: u64,
    commands: RoomSender,
    thread: JoinHandle<()>,
    /// Whether it was said that another node is to go on.
    is_leaving: bool,
}

impl<'a> Node<'a> {
    /// A node that serves no room yet.
    pub(crate) fn new(
        opening: HubFactory,
        table: &'a dyn TableStore,
        me: NodeAddress,
        directory: watch::Sender<Directory>,
        runtime: Handle,
    ) -> Self {
        let (end, ended) = mpsc::unbounded_channel();
        Self {
            opening,
            table,
            standby: Standby::new(me.clone()),
            me,
            directory,
            runtime,
            kept: BTreeMap::new(),
            lost: BTreeMap::new(),
            others: BTreeMap::new(),
            blind: None,
            end,
            ended,
        }
    }

    /// Serves rooms until the server is to end, and hands them over then.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails for good.
    pub(crate) fn serve(mut self, mut draining: watch::Receiver<bool>) -> Result<(), StoreError> {
        info!(self.opening.log, "looking for rooms"; "node" => %self.me);
        let mut served = Ok(());
        // Nobody can say it any more where the server is gone.
        while served.is_ok() && !*draining.borrow() && draining.has_changed().is_ok() {
            served = self.turn();
            self.publish();
            if served.is_ok() {
                served = self.rest(&mut draining);
            }
        }
        let left = self.leave();
        served.and(left)
    }

    /// Looks around once, takes rooms and hands one over.
    fn turn(&mut self) -> Result<(), StoreError> {
        self.notice_all()?;
        match self.look() {
            Ok(()) => {
                self.opening.metrics.store_works();
                if self.blind.take().is_some() {
                    info!(self.opening.log, "the store can be used again");
                }
                Ok(())
            }
            Err(error) if self.blind == Some(error.word()) && Standby::outlasts(&error) => {
                self.opening.metrics.store_error(&error);
                Ok(())
            }
            Err(error) => {
                self.blind = Some(error.word());
                self.outlast(error, "the store can't be used")
            }
        }
    }

    fn look(&mut self) -> Result<(), StoreError> {
        let owned = self.kept.iter().map(|(room, kept)| (*room, kept.epoch));
        let owned = owned.collect();
        let now = self.opening.clock.now();
        let attendance = self.opening.metrics.attendance();
        let people = attendance.people();
        let (census, plan) = self.standby.look(self.table, &owned, people, now)?;
        attendance.note_elsewhere(census.elsewhere(&self.me));
        let again = self.still_lost(&census);
        self.note(census);
        if let Some(kept) = plan.hand_over.and_then(|room| self.kept.get_mut(&room)) {
            kept.hand_over();
        }
        for seen in again.into_iter().chain(plan.take) {
            // The thread of a room that was lost may not know it yet.
            if !self.kept.contains_key(&seen.room) {
                self.take(&seen)?;
            }
        }
        Ok(())
    }

    /// The rooms that this node has lost, and nobody has taken since: it knows that their lease is
    /// over.
    fn still_lost(&mut self, census: &Census) -> Vec<RoomRecord> {
        let rooms = census.rooms.iter();
        let still = rooms.filter(|sight| self.lost.get(&sight.room) == Some(&sight.epoch));
        let still: Vec<_> = still.cloned().collect();
        self.lost = still
            .iter()
            .map(|sight| (sight.room, sight.epoch))
            .collect();
        still
    }

    /// Keeps who owns the rooms of others.
    fn note(&mut self, census: Census) {
        let owners = census.rooms.into_iter();
        let owners = owners.filter_map(|sight| Some((sight.room, sight.owner?)));
        self.others = owners.filter(|(_, owner)| *owner != self.me).collect();
    }

    /// Takes a room that is still as it was seen, and lets it be served.
    fn take(&mut self, seen: &RoomRecord) -> Result<(), StoreError> {
        let Some(store) = self.standby.take(self.table, seen)? else {
            return Ok(());
        };
        let room = seen.room;
        info!(self.opening.log, "took a room"; "room" => room.0, "after" => seen.epoch.0);
        let (commands, waiting) = mpsc::channel(WAITING_COMMANDS);
        let (opening, runtime, end) =
            (self.opening.clone(), self.runtime.clone(), self.end.clone());
        let thread = std::thread::Builder::new().name(format!("room {room}"));
        let thread = thread.spawn(move || {
            let ended = serve_room(&opening, store, waiting, &runtime);
            // A node that is gone needs to know nothing.
            let _ = end.send((room, ended));
        });
        match thread {
            Ok(thread) => {
                let kept = Kept {
                    epoch: Epoch(seen.epoch.0 + 1),
                    since: self.opening.clock.now(),
                    commands,
                    thread,
                    is_leaving: false,
                };
                self.kept.insert(room, kept);
                self.publish();
            }
            // It is free again once its lease is over.
            Err(error) => warn!(self.opening.log, "a room can't be served"; "reason" => %error),
        }
        Ok(())
    }

    /// Says where all rooms are.
    fn publish(&self) {
        let others = self.others.iter();
        let others = others.map(|(room, node)| (*room, Owner::There(node.clone())));
        let kept = self.kept.iter();
        let kept = kept.map(|(room, kept)| (*room, Owner::Here(kept.commands.clone())));
        let directory = Directory::new(others.chain(kept), self.blind.is_none());
        self.directory.send_replace(directory);
    }

    /// Waits until it is time to look again.
    fn rest(&mut self, draining: &mut watch::Receiver<bool>) -> Result<(), StoreError> {
        let ended = self.runtime.block_on(async {
            let time = tokio::time::sleep(Duration::from_millis(LOOK));
            tokio::select! {
                ended = self.ended.recv() => ended,
                _ = draining.changed() => None,
                () = time => None,
            }
        });
        match ended {
            Some(ended) => self.notice(ended),
            None => Ok(()),
        }
    }

    /// Notices that the thread of a room ended.
    fn notice(&mut self, (room, ended): End) -> Result<(), StoreError> {
        if let Some(kept) = self.kept.remove(&room) {
            info!(self.opening.log, "left a room"; "room" => room.0);
            let age = self.opening.clock.now().saturating_sub(kept.since);
            // What is lost soon again may be better off at another node.
            if ended.is_err() && age >= LEASE {
                self.lost.insert(room, kept.epoch);
            }
        }
        match ended {
            Ok(()) => Ok(()),
            Err(error) => self.outlast(error, "lost a room"),
        }
    }

    /// Notices all threads that have ended by now.
    fn notice_all(&mut self) -> Result<(), StoreError> {
        let kept = self.kept.iter();
        let over = kept.filter(|(_, kept)| kept.thread.is_finished());
        let over: Vec<_> = over.map(|(room, _)| *room).collect();
        while let Ok(ended) = self.ended.try_recv() {
            self.notice(ended)?;
        }
        // One that panicked could not say that it ended, and takes this one with it.
        let unsaid = over.iter().find_map(|room| self.kept.remove(room));
        if let Some(Err(panic)) = unsaid.map(|kept| kept.thread.join()) {
            std::panic::resume_unwind(panic);
        }
        Ok(())
    }

    /// Notes an error that may pass.
    fn outlast(&self, error: StoreError, what: &str) -> Result<(), StoreError> {
        if !Standby::outlasts(&error) {
            return Err(error);
        }
        self.opening.metrics.store_error(&error);
        let cause = error.source().map(ToString::to_string);
        warn!(self.opening.log, "{}", what; "reason" => %error, "cause" => cause);
        Ok(())
    }

    /// Hands all rooms over, and leaves the table in order.
    fn leave(mut self) -> Result<(), StoreError> {
        let began = self.opening.clock.now();
        let (open, mut never) = watch::channel(false);
        let mut left = Ok(());
        while left.is_ok() && !self.kept.is_empty() {
            if self.opening.clock.now().saturating_sub(began) > LAST_WAIT {
                break;
            }
            for kept in self.kept.values_mut() {
                kept.hand_over();
            }
            self.publish();
            left = self.rest(&mut never);
        }
        drop(open);
        left.and_then(|()| self.standby.leave(self.table))
    }
}

impl Kept {
    /// Lets the room go to another node.
    fn hand_over(&mut self) {
        // Where too many commands wait it is said again.
        self.is_leaving = self.is_leaving || self.commands.try_send(ActorMessage::HandOver).is_ok();
    }
}

/// Opens the hub of a room, and lets its writer work until it is handed over or lost.
fn serve_room(
    opening: &HubFactory,
    store: Box<dyn Store>,
    mut waiting: mpsc::Receiver<ActorMessage>,
    runtime: &Handle,
) -> Result<(), StoreError> {
    let writer = opening.open(store)?;
    writer.work(&mut waiting, runtime)
}

/// A node of several that share a table, as it looks around: it shows that it is there, and sees
/// which rooms it may take.
///
/// It has no thread and no clock. Its caller calls [`look`](Self::look) every [`LOOK`]
/// milliseconds, and [`take`](Self::take) for what that finds.
#[derive(Debug, Clone)]
pub struct Standby {
    node: NodeAddress,
    leases: Leases,
}

impl Standby {
    /// The node of this address, which has seen nothing yet.
    #[must_use]
    pub fn new(node: NodeAddress) -> Self {
        let leases = Leases::new(node.clone());
        Self { node, leases }
    }

    /// Looks around when the node's monotonic clock shows `clock`, a number of milliseconds that
    /// never goes back, the node serves the rooms `owned`, and counts these people.
    ///
    /// The result is what was seen, and what to do: nodes to forget are forgotten already.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn look(
        &mut self,
        table: &dyn TableStore,
        owned: &BTreeMap<RoomNumber, Epoch>,
        people: People,
        clock: u64,
    ) -> Result<(Census, Plan), StoreError> {
        table.beat(&self.node, people)?;
        let census = table.census()?;
        let plan = self.leases.look(&census, owned, clock);
        for gone in &plan.forget {
            table.forget(gone)?;
        }
        Ok((census, plan))
    }

    /// Takes a room that is still as it was seen; `None` where it is not.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn take(
        &self,
        table: &dyn TableStore,
        seen: &RoomRecord,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        table.take(seen, &self.node)
    }

    /// Whether the node goes on after a room or its look around ended so, and looks again; it
    /// ends with any other error.
    #[must_use]
    pub const fn outlasts(error: &StoreError) -> bool {
        error.may_pass()
    }

    /// Leaves the table in order: others need not wait until they forget the node.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails for good.
    pub fn leave(self, table: &dyn TableStore) -> Result<(), StoreError> {
        match table.forget(&self.node) {
            Err(error) if Self::outlasts(&error) => Ok(()),
            left => left,
        }
    }
}

#[cfg(test)]
mod tests;
