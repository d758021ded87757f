//! Lets a world happen, and tells what it came to.

use crate::laws::{Broken, Lawful, law};
use crate::options::Options;
use crate::player::Player;
use crate::post::Tampered;
use crate::schedule::What;
use crate::store::MemoryStore;
use crate::world::World;
use std::collections::BTreeMap;
use std::fmt;
use war::support::hex::Hex;

/// How many things happen until it is asked whether to go on.
const STEPS_AT_ONCE: u64 = 1_000;
/// How long everybody may take to end their games once nothing fails, in milliseconds.
const LAST_GAMES: u64 = 600_000;

/// What a world came to in which every law held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// How many games were settled.
    pub games: u64,
    /// How many things happened.
    pub steps: u64,
    /// How long it took by the world's clock, in milliseconds.
    pub time: u64,
    /// For how long its rooms were served, in all.
    pub served: u64,
    /// How many journals were replayed.
    pub journals: u64,
    /// How many seeds and decisions time took.
    pub timeouts: u64,
    /// How often a node took a room.
    pub takeovers: u64,
    /// How many chose a game in a room where others of their game do not meet.
    pub apart: u64,
    /// How many games were of two who wanted to play with one another.
    pub wanted: u64,
    /// How many players asked to be forgotten.
    pub forgotten: u64,
    /// How often what was asked for could not be done then.
    pub unavailable: u64,
    /// What failed how often.
    pub failures: BTreeMap<&'static str, u64>,
    /// The digest of all that happened.
    pub digest: Hex<16>,
}

/// A law that was found broken, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {step}, at {time} ms, after {games} games: {broken}")]
pub struct Failure {
    /// How many things had happened.
    pub step: u64,
    /// The world's time.
    pub time: u64,
    /// How many games were settled.
    pub games: u64,
    /// The law.
    pub broken: Broken,
}

/// Lets the world of a seed happen as long as `goes_on`, which is given how many games were
/// settled; then nothing fails any more, and everybody ends their games.
///
/// # Errors
///
/// Where a law of the table doesn't hold.
pub fn play(
    seed: u64,
    options: &Options,
    goes_on: impl FnMut(u64) -> bool,
) -> Result<Report, Failure> {
    let store = MemoryStore::new();
    let served = Tampered::new(Box::new(store.clone()), options.bug);
    let mut world = World::new(seed, options.clone(), &store, &served);
    match world.live(goes_on) {
        Ok(()) => Ok(world.report()),
        Err(broken) => Err(Failure {
            step: world.steps,
            time: world.now,
            games: world.laws.ledger.games,
            broken,
        }),
    }
}

impl World<'_> {
    fn live(&mut self, mut goes_on: impl FnMut(u64) -> bool) -> Lawful {
        while goes_on(self.laws.ledger.games) {
            for _ in 0..STEPS_AT_ONCE {
                self.step()?;
            }
        }
        self.calm_down();
        let end = self.now + LAST_GAMES;
        while self.now < end && !self.is_over_for_all() {
            self.step()?;
        }
        self.settle_accounts()
    }

    /// Lets nothing fail any more, and everybody come back.
    fn calm_down(&mut self) {
        self.calm = true;
        self.recover();
        self.options.lost = 0.0;
        self.options.vanish = 0.0;
        for index in 0..self.players.len() {
            let player = &mut self.players[index];
            player.leaves = true;
            player.away_until = self.now;
            let at = self.now + self.chance.below(1_000);
            self.queue.plan(at, What::Act(index));
            self.players[index].acts_at = at;
        }
    }

    fn is_over_for_all(&self) -> bool {
        self.laws.games.running() == 0 && self.players.iter().all(|player| self.has_all(player))
    }

    /// Whether a player waits for nothing and has heard everything.
    fn has_all(&self, player: &Player) -> bool {
        let Some(id) = player.id else {
            return false;
        };
        player.is_done() && player.checks.seq() == self.laws.messages.last(id)
    }

    /// Compares what everybody has: the players by their messages, the ledger by its entries, and
    /// the store.
    fn settle_accounts(&self) -> Lawful {
        let rows = self.store.committed().players;
        for (id, (row, _)) in &rows {
            let due = self.laws.ledger.balance(*id);
            law("the ledger adds up", due == Some(row.balance), || {
                format!("{id} has {} instead of {due:?}", row.balance)
            })?;
        }
        for player in &self.players {
            law("everybody hears everything", self.has_all(player), || {
                format!("{:?} {:?}", player.id, player.checks.seq())
            })?;
            let due = player.id.and_then(|id| self.laws.ledger.balance(id));
            let has = player.checks.balance();
            law("messages add up", due == Some(has), || {
                format!("{:?} has {has} instead of {due:?}", player.id)
            })?;
        }
        Ok(())
    }

    fn report(&self) -> Report {
        Report {
            games: self.laws.ledger.games,
            steps: self.steps,
            time: self.now,
            served: self.rooms.iter().map(|room| room.for_ms).sum(),
            journals: self.laws.games.journals,
            timeouts: self.laws.games.timeouts,
            takeovers: self.takeovers,
            apart: self.laws.waiting.apart,
            wanted: self.laws.waiting.wanted,
            forgotten: self.laws.waiting.forgotten(),
            unavailable: self.unavailable,
            failures: self.failures.clone(),
            digest: Hex::truncated(&self.transcript.finalize()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            games,
            steps,
            journals,
            timeouts,
            takeovers,
            apart,
            wanted,
            forgotten,
            unavailable,
            digest,
            ..
        } = self;
        let (time, served) = (self.time / 1_000, self.served / 1_000);
        writeln!(
            f,
            "{games} games, {journals} journals replayed, {steps} steps"
        )?;
        writeln!(
            f,
            "{time} s passed, rooms were served for {served} s in all"
        )?;
        writeln!(f, "{timeouts} seeds and decisions were not sent in time")?;
        writeln!(f, "rooms were taken {takeovers} times")?;
        writeln!(
            f,
            "{apart} chose a game in a room where others of their game do not meet"
        )?;
        writeln!(f, "{wanted} games were of two who wanted one another")?;
        writeln!(f, "{forgotten} players asked to be forgotten")?;
        writeln!(
            f,
            "{unavailable} requests could not be done when they were sent"
        )?;
        for (failure, times) in &self.failures {
            writeln!(f, "{failure}: {times}")?;
        }
        write!(f, "transcript {digest}")
    }
}
