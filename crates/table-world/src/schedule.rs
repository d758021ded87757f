//! Randomness, clocks of nodes, incidents, and the queue of events.

use crate::options::Options;
use std::collections::BTreeMap;
use std::time::Duration;
use war::support::hex::Hex;
use war_table::server::rooms::RoomNumber;
use war_table::server::{Randomness, SeededRandomness};
use war_table::time::{Monotonic, Time, WallTime, whole_millis};

/// Wall-clock time at the start of the world.
const WORLD_START: WallTime = WallTime::from_millis(1_700_000_000_000);

/// Time of the simulated world since its start.
pub(crate) type WorldTime = Time<WorldClock>;

/// Clock of the simulated world, which no node can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WorldClock {}

/// Event to be handled at some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorldEvent {
    /// Arrival of the next packet of a connection at the node.
    PacketAtNode(u64),
    /// Arrival of the next packet of a connection at the player.
    PacketAtPlayer(u64),
    /// The node's discovery that a connection is lost.
    ConnectionLostAtNode(u64),
    /// The player's discovery that a connection is lost.
    ConnectionLostAtPlayer(u64),
    /// Wake-up of the session of a connection.
    WakeSession(u64),
    /// Start of this turn of a room's loop at a node.
    RoomTurn(usize, RoomNumber, u64),
    /// Check of leases by a node, if this run of its program still lasts.
    LeaseCheck(usize, u64),
    /// Attempt of a node to take a room found at its last poll, in this run of the node's program.
    TakeRoom(usize, RoomNumber, u64),
    /// Arrival at a node of the player locations that the node has looked up.
    LocationsFound(usize, u64),
    /// Wake-up of the route of a connection.
    WakeRoute(u64),
    /// Arrival of the next frame of a link at the owner of rooms.
    FrameAtOwner(u64),
    /// Arrival of the next frame of a link at the gateway.
    FrameAtGateway(u64),
    /// The owner's discovery that a link is broken.
    LinkLostAtOwner(u64),
    /// The gateway's discovery that a link is broken.
    LinkLostAtGateway(u64),
    /// Start of a node.
    StartNode(usize),
    /// Action of a player, unless the player's plans have changed.
    PlayerAction(usize),
    IncidentStart(Incident),
    IncidentEnd(Incident),
    /// Decision on whether a commit in doubt takes effect.
    CommitOutcome(RoomNumber),
    /// Timeout of the idle transaction that a node, stopped in this turn of a room's loop, has left
    /// open in the store.
    IdleTimeout(usize, RoomNumber, u64),
    /// Check of the laws with deadlines.
    DeadlineCheck,
}

/// Queue of events by time. Events of the same time keep the order in which they were scheduled.
#[derive(Default)]
pub(crate) struct EventQueue {
    planned: BTreeMap<(WorldTime, u64), WorldEvent>,
    order: u64,
}

impl EventQueue {
    /// Schedules an event for a time.
    pub(crate) fn schedule(&mut self, at: WorldTime, event: WorldEvent) {
        self.order += 1;
        self.planned.insert((at, self.order), event);
    }

    /// Takes the next event with its time.
    pub(crate) fn pop(&mut self) -> Option<(WorldTime, WorldEvent)> {
        let ((at, _), event) = self.planned.pop_first()?;
        Some((at, event))
    }
}

/// Failure from outside the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Incident {
    /// Temporary write lock on the store, held by another program.
    BusyStore,
    /// Temporarily slow disk.
    SlowDisk,
    /// Kill of a node's program.
    Kill(usize),
    /// Temporary stop of a node's program. The monotonic clock runs on.
    Stop(usize),
    /// Temporary suspension of a node's machine. The monotonic clock stands still.
    Suspend(usize),
    /// Jump of a node's wall clock to another time.
    ClockJump(usize),
    /// Drain and restart of a node.
    Drain(usize),
    /// Temporary loss of a node's access to the store.
    StoreCut(usize),
    /// Break of a link between two nodes.
    LinkBreak,
    /// Temporary silence of a link between two nodes.
    LinkSilence,
}

impl Incident {
    /// All incidents of the store.
    pub(crate) const STORE_INCIDENTS: [Self; 2] = [Self::BusyStore, Self::SlowDisk];

    /// All incidents of links between nodes.
    pub(crate) const LINK_INCIDENTS: [Self; 2] = [Self::LinkBreak, Self::LinkSilence];

    /// Returns all incidents of one node, except cuts from the store.
    pub(crate) const fn node_incidents(node: usize) -> [Self; 5] {
        [
            Self::Kill(node),
            Self::Stop(node),
            Self::Suspend(node),
            Self::ClockJump(node),
            Self::Drain(node),
        ]
    }

    /// Returns the name shown in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BusyStore => "busy store",
            Self::SlowDisk => "slow disk",
            Self::Kill(_) => "kill",
            Self::Stop(_) => "stop",
            Self::Suspend(_) => "suspension",
            Self::ClockJump(_) => "wall clock set",
            Self::Drain(_) => "drain",
            Self::StoreCut(_) => "store out of reach",
            Self::LinkBreak => "broken link",
            Self::LinkSilence => "silent link",
        }
    }

    /// Returns the average number of incidents per minute.
    const fn rate(self, options: &Options) -> f64 {
        match self {
            Self::BusyStore => options.busy,
            Self::SlowDisk => options.slow,
            Self::Kill(_) => options.kills,
            Self::Stop(_) => options.stops,
            Self::Suspend(_) => options.suspends,
            Self::ClockJump(_) => options.jumps,
            Self::Drain(_) => options.drains,
            Self::StoreCut(_) => options.cuts,
            Self::LinkBreak => options.breaks,
            Self::LinkSilence => options.silences,
        }
    }

    /// Draws the time until the next incident, or `None` if the rate is zero.
    pub(crate) fn draw_pause(self, options: &Options, rng: &mut Rng) -> Option<Duration> {
        let rate = self.rate(options);
        // A mean interval below a millisecond still results in a pause of one millisecond.
        let mean = 60_000.0 / rate;
        let in_range = rate > 0.0 && mean < 1e12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a positive number in range"
        )]
        in_range.then(|| Duration::from_millis(rng.draw_below(2 * mean as u64) + 1))
    }

    /// Draws the duration of an incident.
    pub(crate) fn draw_duration(rng: &mut Rng) -> Duration {
        match rng.draw_below(10) {
            0..3 => rng.draw_millis_between(50, 900),
            3..7 => rng.draw_millis_between(1_500, 10_000),
            _ => rng.draw_millis_between(20_000, 90_000),
        }
    }
}

/// Source of randomness, determined by seed and name.
pub(crate) struct Rng(SeededRandomness);

impl Rng {
    /// Creates the source with this name, for the world with this seed.
    pub(crate) fn from_seed(seed: u64, name: &str) -> Self {
        let hash = blake3::hash(format!("{seed} {name}").as_bytes());
        let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
        Self(SeededRandomness::new(u64::from_le_bytes(*first)))
    }

    /// Creates the randomness of a hub, different at each start.
    pub(crate) fn fork(&mut self) -> SeededRandomness {
        SeededRandomness::new(self.draw_number())
    }

    pub(crate) fn draw_number(&mut self) -> u64 {
        u64::from(self.0.number()) << 32 | u64::from(self.0.number())
    }

    /// Draws a number below `bound`.
    pub(crate) fn draw_below(&mut self, bound: u64) -> u64 {
        self.draw_number() % bound.max(1)
    }

    /// Draws a number from `from` to `to`, both included.
    pub(crate) fn draw_between(&mut self, from: u64, to: u64) -> u64 {
        from + self.draw_below(to.saturating_sub(from) + 1)
    }

    /// Draws a duration in whole milliseconds from `from` to `to`, both included.
    pub(crate) fn draw_millis_between(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.draw_between(from, to))
    }

    /// Draws a duration in whole milliseconds below `bound`.
    pub(crate) fn draw_millis_below(&mut self, bound: u64) -> Duration {
        Duration::from_millis(self.draw_below(bound))
    }

    /// Draws a delay of at least a millisecond and at most `max`, in whole milliseconds.
    pub(crate) fn draw_delay(&mut self, max: Duration) -> Duration {
        self.draw_millis_between(1, whole_millis(max))
    }

    /// Returns true with this probability, from 0 to 1.
    pub(crate) fn draw_bool(&mut self, probability: f64) -> bool {
        f64::from(self.0.number()) < probability * (f64::from(u32::MAX) + 1.0)
    }

    /// Picks an item, or `None` from an empty slice.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.draw_below(of.len() as u64)).ok()?;
        of.get(index)
    }

    /// Draws 32 bytes.
    pub(crate) fn draw_bytes(&mut self) -> Hex<32> {
        let mut bytes = [0; 32];
        self.0.fill(&mut bytes);
        Hex::new(bytes)
    }
}

/// Clocks of a node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    /// World time at which the node's program started.
    started: WorldTime,
    /// Total suspension of the machine since the program started, while the monotonic clock stood
    /// still.
    pub(crate) suspended: Duration,
    /// Reading of the monotonic clock when the program started.
    monotonic_start: Monotonic,
    /// Error of the monotonic clock's rate, in parts per million.
    monotonic_drift: i64,
    /// Error of the wall clock's rate, in parts per million.
    pub(crate) wall_drift: i64,
    /// Milliseconds by which the wall clock was set ahead.
    pub(crate) wall_offset: i64,
}

impl Clocks {
    /// Creates the clocks of a node, each with its own start and rate.
    pub(crate) fn new(node: usize) -> Self {
        let drifts = [100, -80, 40, -20];
        Self {
            monotonic_start: Monotonic::from_millis(1_000_000 * node as u64),
            monotonic_drift: drifts[node % drifts.len()],
            ..Self::default()
        }
    }

    /// Notes the start of the node's program.
    pub(crate) const fn start(&mut self, now: WorldTime) {
        self.started = now;
        self.suspended = Duration::ZERO;
    }

    /// Returns the reading of the monotonic clock at a time of the world.
    pub(crate) fn monotonic_time(&self, now: WorldTime) -> Monotonic {
        let since = now.saturating_since(self.started + self.suspended);
        let drift = parts_per_million(since, self.monotonic_drift);
        let shown = (self.monotonic_start + since).as_millis();
        Monotonic::from_millis(shown.saturating_add_signed(drift))
    }

    /// Returns the reading of the wall clock at a time of the world.
    pub(crate) fn wall_time(&self, now: WorldTime) -> WallTime {
        let since = now.saturating_since(WorldTime::ZERO);
        let ahead = parts_per_million(since, self.wall_drift);
        let shown = (WORLD_START + since).as_millis();
        WallTime::from_millis(shown.saturating_add_signed(ahead + self.wall_offset))
    }
}

/// Returns these millionths of a duration, in milliseconds.
fn parts_per_million(time: Duration, millionths: i64) -> i64 {
    let share = i128::from(whole_millis(time)) * i128::from(millionths) / 1_000_000;
    i64::try_from(share).unwrap_or_default()
}
