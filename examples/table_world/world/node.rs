use super::bug::Bug;
use super::chance::Chance;
use super::clocks::Clocks;
use std::sync::Arc;
use war::room::{PlayerId, Request, Timeouts};
use war::server::hub::{Hub, HubSettings, Now, Publication, UnitOfWork};
use war::server::store::{MemoryStore, Store, StoreError};
use war::server::{Arrivals, Arrived, Desk, Identity, Metrics};
use war::signing::TableKey;

/// How long games wait for players.
pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    decide: 30_000,
    seeds: 5_000,
};
/// More new players of an address in a minute than come.
const NEWCOMERS: u32 = 1_000_000;

/// A machine on which the server runs, or does not.
pub(crate) struct Node<'s> {
    /// The store as its server sees it.
    store: &'s dyn Store,
    pub(crate) clocks: Clocks,
    pub(crate) process: Option<Process<'s>>,
    /// Until when nothing runs on it, since it was stopped.
    pub(crate) stopped_until: u64,
    /// Which turn of its loop is the one that counts.
    pub(crate) turn: u64,
    identity: Identity,
    house: usize,
    bug: Option<Bug>,
}

/// A server that runs.
pub(crate) struct Process<'s> {
    desk: Desk,
    /// What arrived and waits for the desk.
    pub(crate) inbox: Vec<Taken>,
    /// The batch that is done and not committed, with what it is made of.
    pub(crate) batch: Option<(UnitOfWork<'s>, Vec<Taken>)>,
    /// For how long the loop waits at most.
    patience: u64,
}

/// A command that arrived.
pub(crate) struct Taken {
    pub(crate) arrived: Arrived,
    /// When, by the world's time.
    pub(crate) at: u64,
    /// Who asks for what, where a player does.
    pub(crate) asked: Option<(PlayerId, Request)>,
}

impl Taken {
    pub(crate) const fn new(arrived: Arrived, at: u64) -> Self {
        let asked = None;
        Self { arrived, at, asked }
    }
}

impl<'s> Node<'s> {
    pub(crate) fn new(store: &'s dyn Store, house: usize, bug: Option<Bug>) -> Self {
        let key = TableKey::from_file(include_str!("table.key")).expect("a key");
        Self {
            store,
            clocks: Clocks::default(),
            process: None,
            stopped_until: 0,
            turn: 0,
            identity: Identity {
                engine: "table world",
                table: MemoryStore::ID,
                key: Arc::new(key),
            },
            house,
            bug,
        }
    }

    /// What its monotonic clock shows, as the server reads it.
    pub(crate) fn clock(&self, now: u64) -> u64 {
        match self.bug {
            Some(Bug::WallClock) => self.clocks.wall(now),
            _ => self.clocks.monotonic(now),
        }
    }

    /// Starts the server.
    pub(crate) fn start(&mut self, now: u64, chance: &mut Chance) -> Result<(), StoreError> {
        self.clocks.started = now;
        self.clocks.asleep = 0;
        let (table, clock) = (self.store.time()?, self.clock(now));
        let settings = HubSettings {
            timeouts: TIMEOUTS,
            house_players: self.house,
            new_players: NEWCOMERS,
        };
        let wall = self.clocks.wall(now);
        let hub = Hub::open(
            self.store,
            settings,
            Box::new(chance.randomness()),
            self.identity.clone(),
            Arc::new(Metrics::new()),
            slog::Logger::root(slog::Discard, slog::o!()),
            Now { table, wall },
        )?;
        self.process = Some(Process {
            desk: Desk::new(hub, table, clock),
            inbox: Vec::new(),
            batch: None,
            patience: 0,
        });
        Ok(())
    }

    /// Whether it serves now.
    pub(crate) const fn serves(&self, now: u64) -> bool {
        self.process.is_some() && self.stopped_until <= now
    }

    /// Whether its server waits for a command or for time to pass.
    pub(crate) fn waits(&self) -> bool {
        let process = self.process.as_ref();
        process.is_some_and(|process| process.batch.is_none() && process.patience > 0)
    }

    /// How long its server waits from now on, at most; it is drained where that is `None`.
    pub(crate) fn wait(&mut self) -> Option<u64> {
        let process = self.process.as_mut()?;
        if process.desk.hub().is_closed() {
            return None;
        }
        let busy = !process.inbox.is_empty();
        process.patience = if busy { 0 } else { process.desk.patience() };
        Some(process.patience)
    }

    /// Begins and does a batch; the result is whether there was one, as the store was not busy.
    pub(crate) fn work(&mut self, now: u64) -> Result<bool, StoreError> {
        let (clock, wall) = (self.clock(now), self.clocks.wall(now));
        let Some(process) = &mut self.process else {
            return Ok(false);
        };
        let patience = std::mem::take(&mut process.patience);
        process.desk.pass(clock, patience);
        let Some(transaction) = process.desk.begin(self.store, clock)? else {
            return Ok(false);
        };
        let taken = std::mem::take(&mut process.inbox);
        let commands = taken.iter().map(|taken| taken.arrived.clone()).collect();
        let more = false;
        let arrivals = Arrivals { commands, more };
        let unit = process.desk.work(transaction, arrivals, wall)?;
        process.batch = Some((unit, taken));
        Ok(true)
    }

    /// Lets time go on although the store is busy, as a desk that is not asked does.
    pub(crate) fn pass_wrongly(&mut self, now: u64) -> bool {
        let clock = self.clock(now);
        let wrong = self.bug == Some(Bug::BusyTime);
        if let Some(process) = self.process.as_mut().filter(|_| wrong) {
            process.desk.pass(clock, 1_000);
        }
        wrong
    }

    /// Commits what is done.
    pub(crate) fn commit(&mut self, now: u64) -> Done {
        let clock = self.clock(now);
        let process = self.process.as_mut();
        let batch = process.and_then(|process| Some((&mut process.desk, process.batch.take()?)));
        let Some((desk, (unit, taken))) = batch else {
            return Done::default();
        };
        let published = match unit.commit() {
            Err(_) if self.bug == Some(Bug::ReloadSkipped) => Some(Vec::new()),
            committed => committed.ok(),
        };
        desk.pass(clock, 0);
        Done { taken, published }
    }
}

/// A batch that was to be committed.
#[derive(Default)]
pub(crate) struct Done {
    /// What it was asked by.
    pub(crate) taken: Vec<Taken>,
    /// What to publish, unless that failed.
    pub(crate) published: Option<Vec<Publication>>,
}
