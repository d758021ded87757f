//! Runs of the world and their reports.

use crate::buggy_store::BuggyStore;
use crate::laws::{LawResult, LawViolation, ensure};
use crate::options::Options;
use crate::player::WorldPlayer;
use crate::schedule::WorldEvent;
use crate::schedule::WorldTime;
use crate::store::MemoryStore;
use crate::world::World;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use war::support::hex::Hex;

/// Number of steps between checks of whether to continue.
const STEPS_PER_CHECK: u64 = 1_000;
/// Time limit for players to finish their games once nothing fails.
const WIND_DOWN_LIMIT: Duration = Duration::from_secs(600);

/// Summary of a run in which every law held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunReport {
    /// Number of games settled.
    pub games: u64,
    /// Number of events handled.
    pub steps: u64,
    /// Duration by the world's clock.
    pub time: Duration,
    /// Total time for which rooms were served.
    pub service_time: Duration,
    /// Number of journals replayed.
    pub journals: u64,
    /// Number of seeds and decisions that were not sent in time.
    pub timeouts: u64,
    /// Number of times that a node took a room.
    pub takeovers: u64,
    /// Number of choices made outside the matchmaking room of the game.
    pub misplaced_choices: u64,
    /// Number of games between players who chose each other.
    pub chosen_opponent_games: u64,
    /// Number of players who asked to be forgotten.
    pub forgotten: u64,
    /// Number of requests answered with `unavailable`.
    pub unavailable: u64,
    /// Number of incidents by kind.
    pub incidents: BTreeMap<&'static str, u64>,
    /// Digest of the transcript, equal for equal runs.
    pub digest: Hex<16>,
}

/// Violation of a law, with its place in the run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("step {step}, at {} ms, after {games} games: {violation}", .time.as_millis())]
pub struct RunViolation {
    /// Number of events handled.
    pub step: u64,
    /// Time since the start of the world.
    pub time: Duration,
    /// Number of games settled.
    pub games: u64,
    /// Violated law.
    pub violation: LawViolation,
}

/// Runs the world of a seed while `should_continue` returns true for the number of games settled.
/// Then failures stop and all players finish their games.
///
/// # Errors
///
/// Returns [`RunViolation`] when a law of the table is violated.
pub fn run_world(
    seed: u64,
    options: &Options,
    should_continue: impl FnMut(u64) -> bool,
) -> Result<RunReport, RunViolation> {
    let store = MemoryStore::new();
    let served = BuggyStore::new(Box::new(store.clone()), options.bug);
    let mut world = World::new(seed, options.clone(), &store, &served);
    match world.run(should_continue) {
        Ok(()) => Ok(world.report()),
        Err(violation) => Err(RunViolation {
            step: world.steps,
            time: world.now.saturating_since(WorldTime::ZERO),
            games: world.laws.ledger.games,
            violation,
        }),
    }
}

impl World<'_> {
    fn run(&mut self, mut should_continue: impl FnMut(u64) -> bool) -> LawResult {
        while should_continue(self.laws.ledger.games) {
            for _ in 0..STEPS_PER_CHECK {
                self.step()?;
            }
        }
        self.wind_down();
        let end = self.now + WIND_DOWN_LIMIT;
        while self.now < end && !self.is_finished() {
            self.step()?;
        }
        self.compare_balances()
    }

    /// Stops all failures and brings all players back.
    fn wind_down(&mut self) {
        self.is_winding_down = true;
        self.clear_all_faults();
        self.options.lost = 0.0;
        self.options.vanish = 0.0;
        for index in 0..self.players.len() {
            let player = &mut self.players[index];
            player.is_leaving = true;
            player.away_until = self.now;
            let at = self.now + self.rng.draw_millis_below(1_000);
            self.queue.schedule(at, WorldEvent::PlayerAction(index));
            self.players[index].next_action_at = at;
        }
    }

    fn is_finished(&self) -> bool {
        self.laws.games.running_count() == 0
            && self.players.iter().all(|player| self.is_up_to_date(player))
    }

    /// Returns true if a player is idle and has received every message.
    fn is_up_to_date(&self, player: &WorldPlayer) -> bool {
        let Some(id) = player.id else {
            return false;
        };
        player.is_idle() && player.checks.seq() == self.laws.messages.last_seq(id)
    }

    /// Compares all balances: as counted by the players from messages, by the ledger, and in the
    /// store.
    fn compare_balances(&self) -> LawResult {
        let rows = self.store.snapshot().players;
        for (id, (row, _)) in &rows {
            let due = self.laws.ledger.balance(*id);
            ensure("the ledger adds up", due == Some(row.balance), || {
                format!("{id} has {} instead of {due:?}", row.balance)
            })?;
        }
        for player in &self.players {
            ensure(
                "everybody hears everything",
                self.is_up_to_date(player),
                || format!("{:?} {:?}", player.id, player.checks.seq()),
            )?;
            let due = player.id.and_then(|id| self.laws.ledger.balance(id));
            let has = player.checks.balance();
            ensure("messages add up", due == Some(has), || {
                format!("{:?} has {has} instead of {due:?}", player.id)
            })?;
        }
        Ok(())
    }

    fn report(&self) -> RunReport {
        RunReport {
            games: self.laws.ledger.games,
            steps: self.steps,
            time: self.now.saturating_since(WorldTime::ZERO),
            service_time: self.rooms.iter().map(|room| room.service_time).sum(),
            journals: self.laws.games.journals,
            timeouts: self.laws.games.timeouts,
            takeovers: self.takeovers,
            misplaced_choices: self.laws.matchmaking.misplaced_choices,
            chosen_opponent_games: self.laws.matchmaking.chosen_opponent_games,
            forgotten: self.laws.matchmaking.forgotten_count(),
            unavailable: self.unavailable,
            incidents: self.incident_counts.clone(),
            digest: Hex::from_hash(&self.transcript.finalize()),
        }
    }
}

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            games,
            steps,
            journals,
            timeouts,
            takeovers,
            misplaced_choices,
            chosen_opponent_games,
            forgotten,
            unavailable,
            digest,
            ..
        } = self;
        let (time, served) = (self.time.as_secs(), self.service_time.as_secs());
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
            "{misplaced_choices} chose a game in a room where others of their game do not meet"
        )?;
        writeln!(
            f,
            "{chosen_opponent_games} games were of two who wanted one another"
        )?;
        writeln!(f, "{forgotten} players asked to be forgotten")?;
        writeln!(
            f,
            "{unavailable} requests could not be done when they were sent"
        )?;
        for (failure, times) in &self.incidents {
            writeln!(f, "{failure}: {times}")?;
        }
        write!(f, "transcript {digest}")
    }
}
