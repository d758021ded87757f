//! A node, and what serves each of its rooms: a hub with its time, and a batch at a time.

use crate::options::{Bug, Options};
use crate::post::Post;
use crate::schedule::{Chance, Clocks};
use crate::store::MemoryStore;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::signing::TableKey;
use war_table::protocol::{PlayerId, Request};
use war_table::room::Timeouts;
use war_table::server::hub::{Hub, HubSettings, Load, Now, Publication, TimedCommand, UnitOfWork};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Store, StoreError};
use war_table::server::{Arrivals, Identity, Metrics, TimedHub};
use war_table_cluster::leases::{Epoch, LEASE};

/// How long games wait for players.
pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    decide: 30_000,
    seeds: 5_000,
};
/// How long players wait until the house steps in, in milliseconds.
const HOUSE_AFTER: u64 = 1_500;
/// More new players of an address in a minute than come.
const NEWCOMERS: u32 = 1_000_000;

/// A machine on which the server runs, or does not.
pub(crate) struct Node<'s> {
    /// The store as its server sees it.
    pub(crate) post: Post<'s>,
    pub(crate) clocks: Clocks,
    /// What serves each room that it owns.
    pub(crate) processes: BTreeMap<RoomNumber, Process<'s>>,
    /// Until when nothing runs on it, since it was stopped.
    pub(crate) stopped_until: u64,
    /// Whether it does not reach the store.
    pub(crate) cut: Arc<AtomicBool>,
    /// Whether its commit takes longer than it waits.
    pub(crate) slow: Arc<AtomicBool>,
    /// Whether the store failed since that was asked last.
    pub(crate) failed: Arc<AtomicBool>,
    /// Since when it runs and reaches a store that works.
    pub(crate) able_since: u64,
    /// Until when it served a room last although another node had taken it.
    pub(crate) replaced_until: u64,
    /// How often its program was started, or ended.
    pub(crate) run: u64,
    turns: u64,
    identity: Identity,
    house: usize,
    full: Load,
    pub(crate) bug: Option<Bug>,
}

impl<'s> Node<'s> {
    pub(crate) fn new(post: Post<'s>, clocks: Clocks, options: &Options) -> Self {
        let key = TableKey::from_file(include_str!("table.key")).expect("a key");
        Self {
            post,
            clocks,
            processes: BTreeMap::new(),
            stopped_until: 0,
            cut: Arc::default(),
            slow: Arc::default(),
            failed: Arc::default(),
            able_since: 0,
            replaced_until: 0,
            run: 0,
            turns: 0,
            identity: Identity {
                engine: "table world",
                table: MemoryStore::ID,
                key: Arc::new(key),
            },
            house: options.house,
            full: options.full(),
            bug: options.bug,
        }
    }

    /// What its monotonic clock shows, as the server reads it.
    pub(crate) fn clock(&self, now: u64) -> u64 {
        match self.bug {
            Some(Bug::WallClock) => self.clocks.wall(now),
            _ => self.clocks.monotonic(now),
        }
    }

    /// Begins to serve a room; `silent` is for how long nobody did, as far as it knows.
    fn open(
        &mut self,
        (room, epoch): (RoomNumber, Epoch),
        store: &'s dyn Store,
        silent: u64,
        now: u64,
        chance: &mut Chance,
    ) -> Result<(), StoreError> {
        let (mut table, clock) = (store.time()?, self.clock(now));
        if self.bug == Some(Bug::OwnerlessTime) {
            table += silent;
        }
        let settings = HubSettings {
            timeouts: TIMEOUTS,
            house_players: self.house,
            house_after: HOUSE_AFTER,
            new_players: NEWCOMERS,
            full: self.full,
        };
        let wall = self.clocks.wall(now);
        let hub = Hub::open(
            store,
            settings,
            Box::new(chance.randomness()),
            self.identity.clone(),
            Arc::new(Metrics::new()),
            slog::Logger::root(slog::Discard, slog::o!()),
            Now { table, wall },
        )?;
        let process = Process::new(store, hub, epoch, (table, clock));
        self.processes.insert(room, process);
        Ok(())
    }

    /// Its program starts, and serves at once where the table is its own.
    pub(crate) fn start(&mut self, now: u64, chance: &mut Chance) -> Result<(), StoreError> {
        self.clocks.start(now);
        self.run += 1;
        match &mut self.post {
            Post::Own(store) => {
                let store = *store;
                self.open((RoomNumber(0), Epoch(0)), store, 0, now, chance)
            }
            Post::Shared(post) => {
                post.start();
                Ok(())
            }
        }
    }

    /// Takes a room that it has seen when it looked last; the result is whether it got it.
    pub(crate) fn take(
        &mut self,
        room: RoomNumber,
        now: u64,
        chance: &mut Chance,
    ) -> Result<bool, StoreError> {
        let Post::Shared(post) = &mut self.post else {
            return Ok(false);
        };
        let Some((seen, store)) = post.take(room)? else {
            return Ok(false);
        };
        let silent = seen.owner.map_or(0, |_| LEASE);
        let epoch = Epoch(seen.epoch.0 + 1);
        self.open((room, epoch), store, silent, now, chance)?;
        Ok(true)
    }

    /// Loads a room anew in the same epoch, as no server may.
    pub(crate) fn reload(
        &mut self,
        room: RoomNumber,
        now: u64,
        chance: &mut Chance,
    ) -> Result<(), StoreError> {
        match self.processes.remove(&room) {
            Some(process) => self.open((room, process.epoch), process.store, 0, now, chance),
            None => Ok(()),
        }
    }

    /// Its program ends.
    pub(crate) fn ends(&mut self) {
        self.processes.clear();
        self.run += 1;
        if let Post::Shared(post) = &mut self.post {
            post.dies();
        }
    }

    /// The number of the next turn of a room's loop.
    pub(crate) fn next_turn(&mut self, room: RoomNumber) -> u64 {
        self.turns += 1;
        if let Some(process) = self.processes.get_mut(&room) {
            process.turn = self.turns;
        }
        self.turns
    }

    /// The rooms that it serves, with their epochs.
    pub(crate) fn owned(&self) -> BTreeMap<RoomNumber, Epoch> {
        let processes = self.processes.iter();
        processes
            .map(|(room, process)| (*room, process.epoch))
            .collect()
    }

    /// Whether its program runs.
    pub(crate) fn runs(&self) -> bool {
        match &self.post {
            Post::Own(_) => !self.processes.is_empty(),
            Post::Shared(post) => post.runs(),
        }
    }

    /// Whether it can be connected to now, as its players see it.
    pub(crate) fn serves(&self, now: u64) -> bool {
        self.runs() && self.stopped_until <= now
    }

    /// Whether it reaches the store.
    pub(crate) fn reaches(&self) -> bool {
        !self.cut.load(Ordering::Relaxed)
    }

    /// Whether the store has failed it since this was asked last.
    pub(crate) fn failed(&self) -> bool {
        self.failed.swap(false, Ordering::Relaxed)
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

    /// Lets time go on although the store is busy, as a hub without commands does.
    pub(crate) fn pass_wrongly(&mut self, room: RoomNumber, now: u64) -> bool {
        let clock = self.clock(now);
        let wrong = self.bug == Some(Bug::BusyTime);
        if let Some(process) = self.processes.get_mut(&room).filter(|_| wrong) {
            process.timed_hub.pass(clock, 1_000);
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
        process.timed_hub.pass(clock, 0);
        Some(answer)
    }
}

/// The server of a room.
pub(crate) struct Process<'s> {
    store: &'s dyn Store,
    timed_hub: TimedHub,
    pub(crate) epoch: Epoch,
    /// Which turn of its loop is the one that counts: those of all rooms of a node differ.
    pub(crate) turn: u64,
    /// What arrived and waits for the hub.
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
    pub(crate) arrived: TimedCommand,
    /// When, by the world's time.
    pub(crate) at: u64,
    /// Who asks for what, where a player does.
    pub(crate) asked: Option<(PlayerId, Request)>,
}

impl<'s> Process<'s> {
    /// A server of a hub that was opened at the table's time `table`, when the clock showed this.
    const fn new(store: &'s dyn Store, hub: Hub, epoch: Epoch, (table, clock): (u64, u64)) -> Self {
        Self {
            store,
            timed_hub: TimedHub::new(hub, table, clock),
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
        if self.timed_hub.hub().is_closed() || self.hands_over {
            return None;
        }
        let busy = !self.inbox.is_empty();
        self.patience = if busy {
            0
        } else {
            self.timed_hub.time_to_wait()
        };
        Some(self.patience)
    }

    /// Begins and does a batch; the result is whether there was one, as the store was not busy.
    fn work(&mut self, clock: u64, wall: u64) -> Result<bool, StoreError> {
        let patience = std::mem::take(&mut self.patience);
        self.timed_hub.pass(clock, patience);
        let Some(transaction) = self.timed_hub.begin(self.store, clock)? else {
            return Ok(false);
        };
        let taken = std::mem::take(&mut self.inbox);
        let commands = taken.iter().map(|taken| taken.arrived.clone()).collect();
        let more = false;
        let arrivals = Arrivals { commands, more };
        let unit = self.timed_hub.work(transaction, arrivals, wall)?;
        self.batch = Some(Batch::Open(Box::new(unit), taken));
        Ok(true)
    }
}
