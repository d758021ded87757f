//! A node with the servers of its rooms, each of which handles one batch at a time.

use crate::access::TableAccess;
use crate::options::{Bug, Options};
use crate::schedule::WorldTime;
use crate::schedule::{Clocks, Rng};
use crate::store::MemoryStore;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use war::signing::TableKey;
use war_table::protocol::{PlayerId, Request};
use war_table::room::Timeouts;
use war_table::server::hub::{
    ClientId, CurrentTime, Hub, HubDelivery, HubSettings, RoomLoad, TimedCommand, UnitOfWork,
};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{Store, StoreError};
use war_table::server::{Arrivals, Identity, Metrics, TimedHub};
use war_table::time::{Monotonic, MonotonicClock, TableTime, WallTime};
use war_table_cluster::leases::{Epoch, LEASE_DURATION};

/// Time limits of games.
pub(crate) const TIMEOUTS: Timeouts = Timeouts {
    decide: Duration::from_secs(30),
    seeds: Duration::from_secs(5),
};
/// Waiting time until a house player steps in.
const HOUSE_AFTER: Duration = Duration::from_millis(1_500);
/// Limit on new players per address and minute, too high to be reached.
const MAX_NEW_PLAYERS: u32 = 1_000_000;

/// Machine on which the server may run.
pub(crate) struct Node<'s> {
    pub(crate) access: TableAccess<'s>,
    pub(crate) clocks: Clocks,
    /// Servers of the rooms that the node owns.
    pub(crate) servers: BTreeMap<RoomNumber, RoomServer<'s>>,
    /// Time until which the program is stopped.
    pub(crate) stopped_until: WorldTime,
    /// True while the node can't reach the store.
    pub(crate) is_cut: Arc<AtomicBool>,
    /// True if the next commit takes longer than the node waits.
    pub(crate) has_slow_commit: Arc<AtomicBool>,
    /// True if a call to the store has failed since the last call of
    /// [`take_failure`](Self::take_failure).
    pub(crate) has_failed: Arc<AtomicBool>,
    /// Time since which the node has been able to serve rooms.
    pub(crate) able_since: WorldTime,
    /// Last time at which the node served a room that another node had taken.
    pub(crate) replaced_until: WorldTime,
    /// Number of starts and ends of the node's program.
    pub(crate) run_number: u64,
    turns: u64,
    identity: Identity,
    house_players: usize,
    full_load: RoomLoad,
    pub(crate) bug: Option<Bug>,
}

impl<'s> Node<'s> {
    pub(crate) fn new(access: TableAccess<'s>, clocks: Clocks, options: &Options) -> Self {
        let key = TableKey::parse_file(include_str!("table.key")).expect("a key");
        Self {
            access,
            clocks,
            servers: BTreeMap::new(),
            stopped_until: WorldTime::ZERO,
            is_cut: Arc::default(),
            has_slow_commit: Arc::default(),
            has_failed: Arc::default(),
            able_since: WorldTime::ZERO,
            replaced_until: WorldTime::ZERO,
            run_number: 0,
            turns: 0,
            identity: Identity {
                engine: "table world",
                table: MemoryStore::ID,
                key: Arc::new(key),
                secret: MemoryStore::SECRET,
            },
            house_players: options.house,
            full_load: options.full_load(),
            bug: options.bug,
        }
    }

    /// Returns the time of the clock that the server reads.
    pub(crate) fn clock_time(&self, now: WorldTime) -> Monotonic {
        match self.bug {
            Some(Bug::WallClock) => Monotonic::from_millis(self.clocks.wall_time(now).as_millis()),
            _ => self.clocks.monotonic_time(now),
        }
    }

    /// Starts to serve a room. `silent` is the time for which the room was not served, as far as
    /// the node knows.
    fn open(
        &mut self,
        (room, epoch): (RoomNumber, Epoch),
        store: &'s dyn Store,
        silent: Duration,
        now: WorldTime,
        rng: &mut Rng,
    ) -> Result<(), StoreError> {
        let (mut table, clock) = (store.time()?, self.clock_time(now));
        if self.bug == Some(Bug::OwnerlessTime) {
            table = table.saturating_add(silent);
        }
        let settings = HubSettings {
            timeouts: TIMEOUTS,
            house_players: self.house_players,
            house_delay: HOUSE_AFTER,
            new_players: MAX_NEW_PLAYERS,
            full_load: self.full_load,
        };
        let wall = self.clocks.wall_time(now);
        let hub = Hub::open(
            store,
            settings,
            Box::new(rng.fork()),
            self.identity.clone(),
            Arc::new(Metrics::new()),
            slog::Logger::root(slog::Discard, slog::o!()),
            CurrentTime { table, wall },
        )?;
        let server = RoomServer::new(store, hub, epoch, (table, clock));
        self.servers.insert(room, server);
        Ok(())
    }

    /// Starts the program, which serves at once if the table is not shared.
    pub(crate) fn start(&mut self, now: WorldTime, rng: &mut Rng) -> Result<(), StoreError> {
        self.clocks.start(now);
        self.run_number += 1;
        match &mut self.access {
            TableAccess::Standalone(store) => {
                let store = *store;
                self.open((RoomNumber(0), Epoch(0)), store, Duration::ZERO, now, rng)
            }
            TableAccess::Shared(member) => {
                member.start();
                Ok(())
            }
        }
    }

    /// Takes a room found at the last poll. Returns false if another node was faster.
    pub(crate) fn take_room(
        &mut self,
        room: RoomNumber,
        now: WorldTime,
        rng: &mut Rng,
    ) -> Result<bool, StoreError> {
        let TableAccess::Shared(member) = &mut self.access else {
            return Ok(false);
        };
        let Some((seen, store)) = member.take_room(room)? else {
            return Ok(false);
        };
        let silent = seen.owner.map_or(Duration::ZERO, |_| LEASE_DURATION);
        let epoch = Epoch(seen.epoch.0 + 1);
        self.open((room, epoch), store, silent, now, rng)?;
        Ok(true)
    }

    /// Reloads a room in the same epoch, which no real server may do.
    pub(crate) fn reload(
        &mut self,
        room: RoomNumber,
        now: WorldTime,
        rng: &mut Rng,
    ) -> Result<(), StoreError> {
        match self.servers.remove(&room) {
            Some(server) => self.open((room, server.epoch), server.store, Duration::ZERO, now, rng),
            None => Ok(()),
        }
    }

    /// Ends the program.
    pub(crate) fn stop(&mut self) {
        self.servers.clear();
        self.run_number += 1;
        if let TableAccess::Shared(member) = &mut self.access {
            member.stop();
        }
    }

    /// Begins the next turn of a room's loop and returns its number.
    pub(crate) fn begin_turn(&mut self, room: RoomNumber) -> u64 {
        self.turns += 1;
        if let Some(server) = self.servers.get_mut(&room) {
            server.turn = self.turns;
        }
        self.turns
    }

    /// Returns the rooms that the node serves, with their epochs.
    pub(crate) fn owned_rooms(&self) -> BTreeMap<RoomNumber, Epoch> {
        let servers = self.servers.iter();
        servers
            .map(|(room, server)| (*room, server.epoch))
            .collect()
    }

    pub(crate) fn is_running(&self) -> bool {
        match &self.access {
            TableAccess::Standalone(_) => !self.servers.is_empty(),
            TableAccess::Shared(member) => member.is_running(),
        }
    }

    /// Returns true if players can connect.
    pub(crate) fn is_reachable(&self, now: WorldTime) -> bool {
        self.is_running() && self.stopped_until <= now
    }

    pub(crate) fn can_reach_store(&self) -> bool {
        !self.is_cut.load(Ordering::Relaxed)
    }

    /// Returns true if a call to the store has failed since the last call of this method.
    pub(crate) fn take_failure(&self) -> bool {
        self.has_failed.swap(false, Ordering::Relaxed)
    }
}

impl Node<'_> {
    pub(crate) fn server(&self, room: RoomNumber) -> Option<&RoomServer<'_>> {
        self.servers.get(&room)
    }

    /// Plans the maximum time that a room's loop may wait next; `None` if the room is closed or
    /// about to be handed over.
    pub(crate) fn plan_wait(&mut self, room: RoomNumber) -> Option<Duration> {
        self.servers.get_mut(&room)?.plan_wait()
    }

    /// Processes a batch of a room. Returns false if the store was busy.
    pub(crate) fn process_batch(
        &mut self,
        room: RoomNumber,
        now: WorldTime,
    ) -> Result<bool, StoreError> {
        let (clock, wall) = (self.clock_time(now), self.clocks.wall_time(now));
        let server = self.servers.get_mut(&room);
        server.map_or(Ok(false), |server| server.process_batch(clock, wall))
    }

    /// Applies the bug that lets time pass although the store is busy, if it is built in. Returns
    /// true in that case.
    pub(crate) fn apply_busy_time_bug(&mut self, room: RoomNumber, now: WorldTime) -> bool {
        let clock = self.clock_time(now);
        let wrong = self.bug == Some(Bug::BusyTime);
        if let Some(server) = self.servers.get_mut(&room).filter(|_| wrong) {
            server.timed_hub.advance(clock, Duration::from_secs(1));
        }
        wrong
    }

    /// Sends a finished batch to the store. Returns the commands of the batch, and true if the
    /// commit is in doubt.
    pub(crate) fn send_commit(&mut self, room: RoomNumber) -> Option<(Vec<ReceivedCommand>, bool)> {
        let server = self.servers.get_mut(&room)?;
        let (unit, received) = match server.batch.take()? {
            BatchState::Open(unit, received) => (unit, received),
            answered @ BatchState::Answered(_) => {
                server.batch = Some(answered);
                return None;
            }
        };
        self.has_slow_commit.store(
            std::mem::take(&mut server.is_commit_slow),
            Ordering::Relaxed,
        );
        let reply = match unit.commit() {
            Err(_) if self.bug == Some(Bug::ReloadSkipped) => Ok(Vec::new()),
            reply => reply,
        };
        self.has_slow_commit.store(false, Ordering::Relaxed);
        let in_doubt = matches!(reply, Err(StoreError::InDoubt(_)));
        server.batch = Some(BatchState::Answered(reply));
        Some((received, in_doubt))
    }

    /// Takes the store's reply to a commit, with the messages to publish.
    pub(crate) fn take_reply(
        &mut self,
        room: RoomNumber,
        now: WorldTime,
    ) -> Option<Result<Vec<(ClientId, HubDelivery)>, StoreError>> {
        let clock = self.clock_time(now);
        let server = self.servers.get_mut(&room)?;
        let Some(BatchState::Answered(reply)) = server.batch.take() else {
            return None;
        };
        server.timed_hub.advance(clock, Duration::ZERO);
        Some(reply)
    }
}

/// Server of a room.
pub(crate) struct RoomServer<'s> {
    store: &'s dyn Store,
    timed_hub: TimedHub,
    pub(crate) epoch: Epoch,
    /// Number of the only turn that is still valid. Unique within the node.
    pub(crate) turn: u64,
    /// Commands that wait for the hub.
    pub(crate) inbox: Vec<ReceivedCommand>,
    pub(crate) batch: Option<BatchState<'s>>,
    /// Maximum time that the loop may wait.
    max_wait: Duration,
    /// True if the room is to be handed over.
    pub(crate) is_handing_over: bool,
    /// Time until which the time of the room stands still, because of a slow commit or a wait for a
    /// claim.
    pub(crate) stalled_until: WorldTime,
    /// Time since which the room has been waiting for another room's claim on a player.
    pub(crate) waiting_since: Option<WorldTime>,
    /// True if the next commit takes longer than the node waits.
    pub(crate) is_commit_slow: bool,
}

/// State of a finished batch.
pub(crate) enum BatchState<'s> {
    /// Batch that is not committed yet, with its commands.
    Open(Box<UnitOfWork<'s>>, Vec<ReceivedCommand>),
    /// Reply of the store to the commit.
    Answered(Result<Vec<(ClientId, HubDelivery)>, StoreError>),
}

/// Command with its arrival time.
#[derive(Clone)]
pub(crate) struct ReceivedCommand {
    pub(crate) timed: TimedCommand<MonotonicClock>,
    /// Arrival by the world's time.
    pub(crate) at: WorldTime,
    /// Request of the command, with its player.
    pub(crate) request: Option<(PlayerId, Request)>,
}

impl<'s> RoomServer<'s> {
    /// Creates the server of a hub opened at table time `table`, while the clock showed `clock`.
    const fn new(
        store: &'s dyn Store,
        hub: Hub,
        epoch: Epoch,
        (table, clock): (TableTime, Monotonic),
    ) -> Self {
        Self {
            store,
            timed_hub: TimedHub::new(hub, table, clock),
            epoch,
            turn: 0,
            inbox: Vec::new(),
            batch: None,
            max_wait: Duration::ZERO,
            is_handing_over: false,
            stalled_until: WorldTime::ZERO,
            waiting_since: None,
            is_commit_slow: false,
        }
    }

    pub(crate) const fn is_in_transaction(&self) -> bool {
        matches!(self.batch, Some(BatchState::Open(..)))
    }

    /// Returns true if the loop waits for a command or a deadline.
    pub(crate) const fn is_waiting(&self) -> bool {
        self.batch.is_none() && !self.max_wait.is_zero()
    }

    /// Returns the maximum time that the loop may wait next, or `None` if the room is closed or
    /// about to be handed over.
    fn plan_wait(&mut self) -> Option<Duration> {
        if self.timed_hub.hub().is_closed() || self.is_handing_over {
            return None;
        }
        let busy = !self.inbox.is_empty();
        self.max_wait = if busy {
            Duration::ZERO
        } else {
            self.timed_hub.time_to_wait()
        };
        Some(self.max_wait)
    }

    /// Processes a batch. Returns false if the store was busy.
    fn process_batch(&mut self, clock: Monotonic, wall: WallTime) -> Result<bool, StoreError> {
        let patience = std::mem::take(&mut self.max_wait);
        self.timed_hub.advance(clock, patience);
        let Some(transaction) = self.timed_hub.begin(self.store, clock)? else {
            return Ok(false);
        };
        let received = std::mem::take(&mut self.inbox);
        let commands = received
            .iter()
            .map(|received| received.timed.clone())
            .collect();
        let more = false;
        let arrivals = Arrivals { commands, more };
        let unit = self.timed_hub.run_batch(transaction, arrivals, wall)?;
        self.batch = Some(BatchState::Open(Box::new(unit), received));
        Ok(true)
    }
}
