use super::bug::Bug;
use super::chance::Chance;
use super::clocks::Clocks;
use super::options::Options;
use super::post::Post;
use super::process::Process;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::signing::TableKey;
use war_table::room::Timeouts;
use war_table::server::hub::{Hub, HubSettings, Load, Now};
use war_table::server::rooms::{Epoch, LEASE, RoomNumber};
use war_table::server::store::{MemoryStore, Store, StoreError};
use war_table::server::{Identity, Metrics};

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
