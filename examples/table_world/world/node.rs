use super::bug::Bug;
use super::chance::Chance;
use super::clocks::Clocks;
use super::post::Post;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::room::{PlayerId, Request, Timeouts};
use war::server::hub::{Hub, HubSettings, Now, Publication, UnitOfWork};
use war::server::rooms::LEASE;
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
    pub(crate) post: Post<'s>,
    pub(crate) clocks: Clocks,
    /// What serves, where the server does.
    pub(crate) process: Option<Process<'s>>,
    /// Until when nothing runs on it, since it was stopped.
    pub(crate) stopped_until: u64,
    /// Until when its commit takes so long that time stands still.
    pub(crate) stalled_until: u64,
    /// Whether it does not reach the store.
    pub(crate) cut: Arc<AtomicBool>,
    /// Whether its commit takes longer than it waits.
    pub(crate) slow: Arc<AtomicBool>,
    /// Whether the store failed since that was asked last.
    pub(crate) failed: Arc<AtomicBool>,
    /// Since when it runs and reaches a store that works.
    pub(crate) able_since: u64,
    /// Until when it served last although another node had taken the room.
    pub(crate) replaced_until: u64,
    /// Which turn of its loop is the one that counts.
    pub(crate) turn: u64,
    identity: Identity,
    house: usize,
    bug: Option<Bug>,
}

/// A server that serves.
pub(crate) struct Process<'s> {
    store: &'s dyn Store,
    desk: Desk,
    /// What arrived and waits for the desk.
    pub(crate) inbox: Vec<Taken>,
    pub(crate) batch: Option<Batch<'s>>,
    /// For how long the loop waits at most.
    patience: u64,
    /// Whether another node is to go on.
    pub(crate) hands_over: bool,
}

/// A batch that is done.
pub(crate) enum Batch<'s> {
    /// It is not committed, with what it is made of.
    Open(Box<UnitOfWork<'s>>, Vec<Taken>),
    /// The store has answered to its commit.
    Answered(Result<Vec<Publication>, StoreError>),
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
    pub(crate) fn new(post: Post<'s>, clocks: Clocks, house: usize, bug: Option<Bug>) -> Self {
        let key = TableKey::from_file(include_str!("table.key")).expect("a key");
        Self {
            post,
            clocks,
            process: None,
            stopped_until: 0,
            stalled_until: 0,
            cut: Arc::default(),
            slow: Arc::default(),
            failed: Arc::default(),
            able_since: 0,
            replaced_until: 0,
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

    /// Begins to serve a room; `silent` is for how long nobody did, as far as it knows.
    pub(crate) fn open(
        &mut self,
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
            new_players: NEWCOMERS,
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
        self.process = Some(Process {
            store,
            desk: Desk::new(hub, table, clock),
            inbox: Vec::new(),
            batch: None,
            patience: 0,
            hands_over: false,
        });
        Ok(())
    }

    /// Its program starts, and serves at once where the table is its own.
    pub(crate) fn start(&mut self, now: u64, chance: &mut Chance) -> Result<(), StoreError> {
        self.clocks.start(now);
        match &mut self.post {
            Post::Own(store) => {
                let store = *store;
                self.open(store, 0, now, chance)
            }
            Post::Shared(post) => {
                post.start();
                Ok(())
            }
        }
    }

    /// Takes the room that it has seen when it looked last; the result is whether it got it.
    pub(crate) fn take(&mut self, now: u64, chance: &mut Chance) -> Result<bool, StoreError> {
        let Post::Shared(post) = &mut self.post else {
            return Ok(false);
        };
        let Some((seen, store)) = post.take()? else {
            return Ok(false);
        };
        let silent = seen.owner.map_or(0, |_| LEASE);
        self.open(store, silent, now, chance)?;
        Ok(true)
    }

    /// Loads the room anew in the same epoch, as no server may.
    pub(crate) fn reload(&mut self, now: u64, chance: &mut Chance) -> Result<(), StoreError> {
        match self.process.take() {
            Some(process) => self.open(process.store, 0, now, chance),
            None => Ok(()),
        }
    }

    /// Whether its program runs.
    pub(crate) const fn runs(&self) -> bool {
        match &self.post {
            Post::Own(_) => self.process.is_some(),
            Post::Shared(post) => post.runs(),
        }
    }

    /// Whether it serves now, as its players see it.
    pub(crate) const fn serves(&self, now: u64) -> bool {
        self.process.is_some() && self.stopped_until <= now
    }

    /// Whether it reaches the store.
    pub(crate) fn reaches(&self) -> bool {
        !self.cut.load(Ordering::Relaxed)
    }

    /// Its commit takes longer than it waits.
    pub(crate) fn times_out(&self) {
        self.slow.store(true, Ordering::Relaxed);
    }

    /// Whether the store has failed it since this was asked last.
    pub(crate) fn failed(&self) -> bool {
        self.failed.swap(false, Ordering::Relaxed)
    }

    /// Whether it holds a transaction open.
    pub(crate) fn is_in_transaction(&self) -> bool {
        let process = self.process.as_ref();
        process.is_some_and(|process| matches!(process.batch, Some(Batch::Open(..))))
    }

    /// Whether its server waits for a command or for time to pass.
    pub(crate) fn waits(&self) -> bool {
        let process = self.process.as_ref();
        process.is_some_and(|process| process.batch.is_none() && process.patience > 0)
    }

    /// How long its server waits from now on, at most; it is drained where that is `None`.
    pub(crate) fn wait(&mut self) -> Option<u64> {
        let process = self.process.as_mut()?;
        if process.desk.hub().is_closed() || process.hands_over {
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
        let Some(transaction) = process.desk.begin(process.store, clock)? else {
            return Ok(false);
        };
        let taken = std::mem::take(&mut process.inbox);
        let commands = taken.iter().map(|taken| taken.arrived.clone()).collect();
        let more = false;
        let arrivals = Arrivals { commands, more };
        let unit = process.desk.work(transaction, arrivals, wall)?;
        process.batch = Some(Batch::Open(Box::new(unit), taken));
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

    /// Sends the commit of what is done to the store, which answers at once; the result is what
    /// the batch is made of, and whether nobody knows what became of it.
    pub(crate) fn commit(&mut self) -> Option<(Vec<Taken>, bool)> {
        let process = self.process.as_mut()?;
        let (unit, taken) = match process.batch.take()? {
            Batch::Open(unit, taken) => (unit, taken),
            answered @ Batch::Answered(_) => {
                process.batch = Some(answered);
                return None;
            }
        };
        let answer = match unit.commit() {
            Err(_) if self.bug == Some(Bug::ReloadSkipped) => Ok(Vec::new()),
            answer => answer,
        };
        let in_doubt = matches!(answer, Err(StoreError::InDoubt(_)));
        process.batch = Some(Batch::Answered(answer));
        Some((taken, in_doubt))
    }

    /// Learns what the store has answered to the commit: what to publish.
    pub(crate) fn learn(&mut self, now: u64) -> Option<Result<Vec<Publication>, StoreError>> {
        let clock = self.clock(now);
        let process = self.process.as_mut()?;
        let Some(Batch::Answered(answer)) = process.batch.take() else {
            return None;
        };
        process.desk.pass(clock, 0);
        Some(answer)
    }
}
