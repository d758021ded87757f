#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::pace::{Pacer, PlayerPace};
use super::player::LoadPlayer;
use super::report::{LoadFailure, LoadReport};
use super::results::ResultComparison;
use crate::fair::{FairnessChecks, FairnessViolation, LogChecks, SettledGame};
use crate::log::{Leaf, LogFetcher};
use crate::protocol::TableLimits;
use crate::time::{Monotonic, whole_millis};
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use war::tokens::{Kind, Name};

/// Number of connections opened at a time.
const CONCURRENT_CONNECTS: usize = 200;

/// Parameters of a load test.
#[derive(Debug, Clone, Copy)]
pub struct LoadPlan {
    /// Address of the table.
    pub address: SocketAddr,
    /// Number of players who play.
    pub players: usize,
    /// Number of players who are connected and idle.
    pub idle: usize,
    /// Average time before a decision.
    pub think: Duration,
    /// Duration of play.
    pub time: Duration,
}

/// A phase of the load test, with the number of players or games that it handles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadPhase {
    /// Opening connections.
    Opening(usize),
    /// Playing.
    Playing(usize),
    /// Reconnecting players and comparing balances.
    Comparing(usize),
    /// Finding the games in the table's log.
    Auditing(usize),
}

/// Error for more players than a table admits from one address at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the table admits {admitted} players of one address at once, not {players}")]
pub struct TooManyPlayers {
    /// Number of players of the test.
    pub players: usize,
    /// Number of players that the table admits.
    pub admitted: u32,
}

impl LoadPlan {
    /// Checks that a table with these limits admits all players.
    fn check_admission(&self, limits: &TableLimits) -> Result<(), TooManyPlayers> {
        let players = self.players + self.idle;
        let connections = limits.connections_per_address.unwrap_or(u32::MAX);
        let admitted = limits.new_player_burst().min(connections);
        if usize::try_from(admitted).is_ok_and(|admitted| players > admitted) {
            return Err(TooManyPlayers { players, admitted });
        }
        Ok(())
    }
}

/// Asks for the limits of the table, opens all connections, plays within the limits, reconnects
/// every player to compare balances, and finds their games in the table's log. `progress` is called
/// at the start of each phase.
///
/// # Errors
///
/// [`TooManyPlayers`] if the table does not admit as many players. Nothing was opened then.
pub async fn run_test<S>(
    plan: LoadPlan,
    mut sources: LoadSources<S>,
    progress: impl Fn(LoadPhase),
) -> Result<LoadReport, TooManyPlayers>
where
    S: LogFetcher<Error: Display> + Send + 'static,
{
    let mut findings = LoadReport::default();
    let asked = spawn_blocking(move || {
        let limits = sources.ask_limits();
        (sources, limits)
    });
    let Ok((sources, limits)) = asked.await else {
        return Ok(findings);
    };
    if let Some(limits) = &limits {
        plan.check_admission(limits)?;
    }
    let limits = limits.map(|limits| {
        let address = Arc::new(Pacer::new(
            limits.address_requests_per_second,
            Instant::now(),
        ));
        (limits, address)
    });
    progress(LoadPhase::Opening(plan.players + plan.idle));
    let players = connect_players(&plan, limits.as_ref(), &mut findings).await;
    findings.connected = players.len() as u64;
    let known = players.first().map(|(_, player)| player.checks.clone());
    let address = limits.map(|(_, address)| address);
    let opened = spawn_blocking(move || {
        LogReader::open(sources, address.as_ref(), &known.unwrap_or_default())
    });
    let log = findings.record_if_failed(opened.await).flatten();
    progress(LoadPhase::Playing(plan.players));
    let began = Instant::now();
    let remaining = play(&plan, players, began + plan.time, &mut findings).await;
    findings.playing = began.elapsed();
    progress(LoadPhase::Comparing(remaining.len()));
    compare_balances(plan.address, remaining, &mut findings).await;
    if let Some(mut log) = log {
        let games = std::mem::take(&mut findings.finished);
        progress(LoadPhase::Auditing(games.len() / 2));
        let checked = spawn_blocking(move || log.check(&games)).await;
        findings.record_if_failed(checked);
    }
    Ok(findings)
}

/// Opens the connections, [`CONCURRENT_CONNECTS`] at a time, and returns the players by number.
async fn connect_players(
    plan: &LoadPlan,
    limits: Option<&(TableLimits, Arc<Pacer>)>,
    findings: &mut LoadReport,
) -> Vec<(usize, LoadPlayer)> {
    let opening = Arc::new(Semaphore::new(CONCURRENT_CONNECTS));
    let (address, think) = (plan.address, plan.think);
    let mut tasks = JoinSet::new();
    for index in 0..plan.players + plan.idle {
        let opening = Arc::clone(&opening);
        let pace = limits.map(|(limits, address)| PlayerPace::new(limits, address));
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let pace = pace.unwrap_or_default();
            let player = LoadPlayer::connect(address, name(index), think, pace).await;
            player.map(|player| (index, player))
        });
    }
    let mut players = Vec::new();
    while let Some(Ok(opened)) = tasks.join_next().await {
        match opened {
            Ok(player) => players.push(player),
            Err(failed) => findings.record_failure(failed),
        }
    }
    // Neighbours play the same game. Without this order, players whose neighbours were refused
    // might have no opponent.
    players.sort_by_key(|(index, _)| *index);
    players
}

/// Lets all players play or stay idle until `until`. Returns the players without failures.
async fn play(
    plan: &LoadPlan,
    players: Vec<(usize, LoadPlayer)>,
    until: Instant,
    findings: &mut LoadReport,
) -> Vec<LoadPlayer> {
    let ids = players
        .iter()
        .filter_map(|(_, player)| player.checks.player());
    let results = Arc::new(Mutex::new(ResultComparison::new(ids)));
    let mut tasks = JoinSet::new();
    for (index, mut player) in players {
        let plays = index < plan.players;
        player.compare_results(&results);
        tasks.spawn(async move {
            let done = if plays {
                player.play(Kind::ALL[index / 2 % 2], until).await
            } else {
                player.stay_idle(until).await
            };
            (player, done)
        });
    }
    let mut remaining = Vec::new();
    let mut waited = Duration::ZERO;
    while let Some(Ok((mut player, done))) = tasks.join_next().await {
        findings.player_games += player.games.len() as u64;
        if player.checks.table_and_key().is_some() {
            findings.finished.append(&mut player.games);
        }
        findings.latencies.extend(&player.latencies);
        findings.late_moves += player.late_moves;
        findings.out_of_requests += u64::from(player.is_out_of_requests);
        waited += player.waited();
        match done {
            Ok(()) => remaining.push(player),
            Err(failed) => findings.record_failure(failed),
        }
    }
    let players = u32::try_from(plan.players).unwrap_or(u32::MAX);
    findings.waiting = waited / players.max(1);
    let results = results.lock().unwrap_or_else(PoisonError::into_inner);
    findings.results_compared = results.compared();
    remaining
}

/// Reconnects each player, and checks that the table states the balance that follows from the
/// player's messages.
async fn compare_balances(
    address: SocketAddr,
    players: Vec<LoadPlayer>,
    findings: &mut LoadReport,
) {
    let opening = Arc::new(Semaphore::new(CONCURRENT_CONNECTS));
    let mut tasks = JoinSet::new();
    for mut player in players {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            player.reconnect(address).await
        });
    }
    while let Some(Ok(compared)) = tasks.join_next().await {
        match compared {
            Ok(()) => findings.balances_compared += 1,
            Err(failed) => findings.record_failure(failed),
        }
    }
}

fn name(index: usize) -> Name {
    Name::new(&format!("Load {}", index + 1)).expect("a short name")
}

/// Sources of a table's log and journals.
pub struct LoadSources<S> {
    /// The log.
    pub log: S,
    /// The table's files: such as `limits.json`, and the journals of games.
    pub table: S,
}

impl<S: LogFetcher> LoadSources<S> {
    /// Reads the limits of the table; `None` if it does not publish them.
    fn ask_limits(&mut self) -> Option<TableLimits> {
        let text = self.table.fetch("limits.json", MAX_LIMITS_LENGTH).ok()??;
        serde_json::from_slice(&text).ok()
    }
}

/// Maximum length of the limits, in bytes.
const MAX_LIMITS_LENGTH: usize = 4096;

/// Source that is read within the limits of the table.
struct PacedSource<S> {
    source: S,
    pacer: Option<Arc<Pacer>>,
}

impl<S: LogFetcher> LogFetcher for PacedSource<S> {
    type Error = S::Error;

    fn fetch(&mut self, path: &str, max_length: usize) -> Result<Option<Vec<u8>>, S::Error> {
        if let Some(pacer) = &self.pacer {
            std::thread::sleep(pacer.reserve(Instant::now()));
        }
        self.source.fetch(path, max_length)
    }
}

/// Maximum number of games whose journals are read.
const MAX_JOURNALS: usize = 20;

/// Maximum length of a journal, in bytes.
const MAX_JOURNAL_LENGTH: usize = 1 << 20;

/// Pause before the log is read again.
const LOG_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Reader of the table's log, before and after the games.
struct LogReader<S> {
    sources: LoadSources<PacedSource<S>>,
    checks: LogChecks,
    key: VerifyingKey,
    since: Instant,
}

impl<S: LogFetcher<Error: Display>> LogReader<S> {
    /// Reads the log before the first game; `None` if the table has no log.
    fn open(
        sources: LoadSources<S>,
        pacer: Option<&Arc<Pacer>>,
        known: &FairnessChecks,
    ) -> Result<Option<Self>, LoadFailure> {
        let Some((table, key)) = known.table_and_key() else {
            return Ok(None);
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| FairnessViolation::Key)?;
        let within_limits = |source| PacedSource {
            source,
            pacer: pacer.map(Arc::clone),
        };
        let mut reader = Self {
            sources: LoadSources {
                log: within_limits(sources.log),
                table: within_limits(sources.table),
            },
            checks: LogChecks::new(table, key),
            key,
            since: Instant::now(),
        };
        reader.read()?;
        reader.checks.mark_size_at_choice();
        Ok(Some(reader))
    }

    /// Checks that the table has signed these games and has them in its log, and checks the
    /// journals of the first [`MAX_JOURNALS`] games.
    pub(super) fn check(&mut self, games: &[SettledGame]) -> Result<(), LoadFailure> {
        self.check_signatures(games)?;
        let now = self.now();
        for game in games {
            self.checks
                .expect_leaf(Leaf::Start(game.start.clone()), now);
            self.checks.expect_leaf(Leaf::End(game.game_end()), now);
        }
        for game in games.iter().take(MAX_JOURNALS) {
            self.check_journal(game)?;
        }
        self.read()?;
        while !self.checks.has_found_all() {
            std::thread::sleep(LOG_POLL_INTERVAL);
            self.read()?;
        }
        Ok(())
    }

    /// Checks the signatures of game starts: only once per game if both players received the same
    /// start and signature.
    fn check_signatures(&self, games: &[SettledGame]) -> Result<(), LoadFailure> {
        let mut checked = BTreeMap::new();
        for game in games {
            let signed = (&game.start, game.signature);
            if checked.insert(game.start.game, signed) != Some(signed) {
                game.signature.check(&game.start, &self.key)?;
            }
        }
        Ok(())
    }

    fn check_journal(&mut self, finished: &SettledGame) -> Result<(), LoadFailure> {
        let path = finished.journal_path();
        let journal = self.sources.table.fetch(&path, MAX_JOURNAL_LENGTH);
        let journal = journal.map_err(read_failure)?;
        let journal = journal.ok_or(LoadFailure::NoJournal(finished.start.game))?;
        finished.check_journal(&journal)?;
        Ok(())
    }

    fn read(&mut self) -> Result<(), LoadFailure> {
        let now = self.now();
        let read = self.checks.read(&mut self.sources.log, now);
        Ok(read.map_err(read_failure)??)
    }

    fn now(&self) -> Monotonic {
        Monotonic::from_millis(whole_millis(self.since.elapsed()))
    }
}

fn read_failure(error: impl Display) -> LoadFailure {
    LoadFailure::ReadFailed(error.to_string())
}
