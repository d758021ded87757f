//! What happens when: chance, the clocks of nodes, what fails from time to time, and the queue of all
//! that is planned.

use crate::options::Options;
use std::collections::BTreeMap;
use war::support::hex::Hex;
use war_table::server::rooms::RoomNumber;
use war_table::server::{Randomness, SeededRandomness};

/// What the wall clock shows when the world begins, in milliseconds since 1970.
const BEGINNING: u64 = 1_700_000_000_000;

/// Something that will happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The next packet of a connection is at its node.
    AtNode(u64),
    /// The next packet of a connection is at its player.
    AtPlayer(u64),
    /// A node learns that a connection is gone.
    GoneAtNode(u64),
    /// A player learns that a connection is gone.
    GoneAtPlayer(u64),
    /// The session of a connection is woken.
    Wake(u64),
    /// The loop of a node's room goes on, in this turn of it.
    Turn(usize, RoomNumber, u64),
    /// A node of several looks around, in this run of its program.
    Round(usize, u64),
    /// It takes a room that it has seen.
    Take(usize, RoomNumber, u64),
    /// It learns where the players of its connections are.
    Sighted(usize, u64),
    /// The way of a connection's requests is woken.
    Route(u64),
    /// The next frame of a link is at the owner of rooms.
    AtOwner(u64),
    /// The next frame of a link is at the node that forwards.
    AtGateway(u64),
    /// The owner of rooms learns that a link is gone.
    GoneAtOwner(u64),
    /// The node that forwards learns that a link is gone.
    GoneAtGateway(u64),
    /// A node starts.
    Start(usize),
    /// A player does something, if they still plan to do so now.
    Act(usize),
    /// Something fails.
    Trouble(Trouble),
    /// What fails for a while works again.
    Over(Trouble),
    /// A commit of a room that nobody knows of is done, or is not.
    Lands(RoomNumber),
    /// The store ends the transaction of a node that was stopped in this turn of its room.
    Idle(usize, RoomNumber, u64),
    /// What takes time is looked at.
    Look,
}

/// What will happen, by its time; at the same time, in the order in which it was planned.
#[derive(Default)]
pub(crate) struct Queue {
    planned: BTreeMap<(u64, u64), What>,
    order: u64,
}

impl Queue {
    /// Plans something for a time in milliseconds.
    pub(crate) fn plan(&mut self, at: u64, what: What) {
        self.order += 1;
        self.planned.insert((at, self.order), what);
    }

    /// What happens next, and when.
    pub(crate) fn next(&mut self) -> Option<(u64, What)> {
        let ((at, _), what) = self.planned.pop_first()?;
        Some((at, what))
    }
}

/// What fails from time to time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// Another program writes into the store for a while.
    Busy,
    /// The disk is slow for a while.
    Slow,
    /// A node is killed.
    Kill(usize),
    /// A node is stopped for a while, and its monotonic clock goes on.
    Stop(usize),
    /// A node's machine is suspended for a while.
    Suspend(usize),
    /// A node's wall clock is set to another time.
    Jump(usize),
    /// A node is drained, and starts again.
    Drain(usize),
    /// A node does not reach the store for a while.
    Cut(usize),
    /// A link between two nodes breaks.
    Break,
    /// A link between two nodes is silent for a while.
    Silence,
}

impl Trouble {
    /// All that happens to the store of a table.
    pub(crate) const STORE: [Self; 2] = [Self::Busy, Self::Slow];

    /// All that happens to the links between nodes.
    pub(crate) const LINKS: [Self; 2] = [Self::Break, Self::Silence];

    /// All that happens to a node alone.
    pub(crate) const fn of(node: usize) -> [Self; 5] {
        [
            Self::Kill(node),
            Self::Stop(node),
            Self::Suspend(node),
            Self::Jump(node),
            Self::Drain(node),
        ]
    }

    /// What it is called.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Busy => "busy store",
            Self::Slow => "slow disk",
            Self::Kill(_) => "kill",
            Self::Stop(_) => "stop",
            Self::Suspend(_) => "suspension",
            Self::Jump(_) => "wall clock set",
            Self::Drain(_) => "drain",
            Self::Cut(_) => "store out of reach",
            Self::Break => "broken link",
            Self::Silence => "silent link",
        }
    }

    /// How often it happens in a minute.
    const fn rate(self, options: &Options) -> f64 {
        match self {
            Self::Busy => options.busy,
            Self::Slow => options.slow,
            Self::Kill(_) => options.kills,
            Self::Stop(_) => options.stops,
            Self::Suspend(_) => options.suspends,
            Self::Jump(_) => options.jumps,
            Self::Drain(_) => options.drains,
            Self::Cut(_) => options.cuts,
            Self::Break => options.breaks,
            Self::Silence => options.silences,
        }
    }

    /// How many milliseconds pass until it happens again, if it ever does.
    pub(crate) fn pause(self, options: &Options, chance: &mut Chance) -> Option<u64> {
        let rate = self.rate(options);
        // A thousandth of an interval is still a time.
        let mean = 60_000.0 / rate;
        let in_range = rate > 0.0 && mean < 1e12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is a positive number in range"
        )]
        in_range.then(|| chance.below(2 * mean as u64) + 1)
    }

    /// How long it lasts.
    pub(crate) fn lasts(chance: &mut Chance) -> u64 {
        match chance.below(10) {
            0..3 => chance.between(50, 900),
            3..7 => chance.between(1_500, 10_000),
            _ => chance.between(20_000, 90_000),
        }
    }
}

/// Where everything comes from that could be otherwise: the same for the same seed and name.
pub(crate) struct Chance(SeededRandomness);

impl Chance {
    /// The chance of this name in the world of this seed.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        let hash = blake3::hash(format!("{seed} {name}").as_bytes());
        let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
        Self(SeededRandomness::new(u64::from_le_bytes(*first)))
    }

    /// The randomness of a hub, which is another one at each start.
    pub(crate) fn randomness(&mut self) -> SeededRandomness {
        SeededRandomness::new(self.number())
    }

    pub(crate) fn number(&mut self) -> u64 {
        u64::from(self.0.number()) << 32 | u64::from(self.0.number())
    }

    /// A number below this one.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.number() % bound.max(1)
    }

    /// A number from one to another, both among them.
    pub(crate) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to.saturating_sub(from) + 1)
    }

    /// Whether something happens that happens this often, from 0 to 1.
    pub(crate) fn happens(&mut self, rate: f64) -> bool {
        f64::from(self.0.number()) < rate * (f64::from(u32::MAX) + 1.0)
    }

    /// One of several.
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        let index = usize::try_from(self.below(of.len() as u64)).ok()?;
        of.get(index)
    }

    /// 32 bytes that nobody can guess.
    pub(crate) fn bytes(&mut self) -> Hex<32> {
        let mut bytes = [0; 32];
        self.0.fill(&mut bytes);
        Hex::new(bytes)
    }
}

/// The clocks of a node, which are not the world's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    /// When the node's program started.
    started: u64,
    /// For how long its machine was suspended since: its monotonic clock stood still.
    pub(crate) asleep: u64,
    /// What the monotonic clock showed when the program started.
    first: u64,
    /// How much faster the monotonic clock goes, in millionths.
    drift: i64,
    /// How much faster the wall clock goes, in millionths.
    pub(crate) drift_wall: i64,
    /// How far the wall clock was set off.
    pub(crate) off: i64,
}

impl Clocks {
    /// The clocks of a node: each shows something else, and goes a little too fast or too slow.
    pub(crate) fn of(node: usize) -> Self {
        let drifts = [100, -80, 40, -20];
        Self {
            first: 1_000_000 * node as u64,
            drift: drifts[node % drifts.len()],
            ..Self::default()
        }
    }

    /// The node's program starts.
    pub(crate) const fn start(&mut self, now: u64) {
        self.started = now;
        self.asleep = 0;
    }

    /// What the monotonic clock shows at a time of the world.
    pub(crate) fn monotonic(&self, now: u64) -> u64 {
        let since = now.saturating_sub(self.started + self.asleep);
        (self.first + since).saturating_add_signed(share(since, self.drift))
    }

    /// What the wall clock shows.
    pub(crate) fn wall(&self, now: u64) -> u64 {
        let ahead = share(now, self.drift_wall);
        (BEGINNING + now).saturating_add_signed(ahead + self.off)
    }
}

/// So many millionths of a time.
fn share(of: u64, millionths: i64) -> i64 {
    let share = i128::from(of) * i128::from(millionths) / 1_000_000;
    i64::try_from(share).unwrap_or_default()
}
