#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::player::{LoadPlayer, NAME_PREFIX};
use super::report::{LoadFailure, LoadReport};
use crate::fair::{FairnessChecks, FairnessViolation, LogChecks, SettledGame};
use crate::log::{Leaf, LogFetcher};
use crate::protocol::AccessToken;
use crate::time::{Monotonic, whole_millis};
use ed25519_dalek::VerifyingKey;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};
use war::support::hex::Hex;
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

/// Runs a load test: opens all connections, plays, reconnects every player to compare balances, and
/// looks for the games in the table's log. `progress` is called at the start of each phase.
pub async fn run_test<S>(
    plan: LoadPlan,
    sources: LoadSources<S>,
    progress: impl Fn(LoadPhase),
) -> LoadReport
where
    S: LogFetcher<Error: Display> + Send + 'static,
{
    let mut findings = LoadReport::default();
    progress(LoadPhase::Opening(plan.players + plan.idle));
    let players = connect_players(&plan, &mut findings).await;
    findings.connected = players.len() as u64;
    let known = players.first().map(|player| player.checks.clone());
    let opened = spawn_blocking(move || LogReader::open(sources, &known.unwrap_or_default()));
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
    findings
}

/// Opens the connections, [`CONCURRENT_CONNECTS`] at a time.
async fn connect_players(plan: &LoadPlan, findings: &mut LoadReport) -> Vec<LoadPlayer> {
    let opening = Arc::new(Semaphore::new(CONCURRENT_CONNECTS));
    let (address, think) = (plan.address, plan.think);
    let mut tasks = JoinSet::new();
    for index in 0..plan.players + plan.idle {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let token = AccessToken::new(Hex::new(rand::random()));
            let mut checks = FairnessChecks::new();
            // The signatures are checked with the log, after the games: checks during play would
            // slow down all players.
            checks.defer_signatures();
            LoadPlayer::connect(address, &name(index), token, checks, think).await
        });
    }
    let mut players = Vec::new();
    while let Some(Ok(opened)) = tasks.join_next().await {
        match opened {
            Ok(player) => players.push(player),
            Err(failure) => findings.record_failure(failure),
        }
    }
    players
}

/// Lets all players play or stay idle until `until`. Returns the players without failures, each
/// with their index.
async fn play(
    plan: &LoadPlan,
    players: Vec<LoadPlayer>,
    until: Instant,
    findings: &mut LoadReport,
) -> Vec<(usize, LoadPlayer)> {
    let mut tasks = JoinSet::new();
    for (index, mut player) in players.into_iter().enumerate() {
        let plays = index < plan.players;
        tasks.spawn(async move {
            let done = if plays {
                player.play(Kind::ALL[index / 2 % 2], until).await
            } else {
                player.stay_idle(until).await
            };
            (index, player, done)
        });
    }
    let mut remaining = Vec::new();
    while let Some(Ok((index, mut player, done))) = tasks.join_next().await {
        findings.player_games += player.games.len() as u64;
        if player.checks.table_and_key().is_some() {
            findings.finished.append(&mut player.games);
        }
        findings.latencies.extend(&player.latencies);
        match done {
            Ok(()) => remaining.push((index, player)),
            Err(failure) => findings.record_failure(failure),
        }
    }
    remaining
}

/// Reconnects each player, and checks that the table states the balance that follows from the
/// player's messages.
async fn compare_balances(
    address: SocketAddr,
    players: Vec<(usize, LoadPlayer)>,
    findings: &mut LoadReport,
) {
    let opening = Arc::new(Semaphore::new(CONCURRENT_CONNECTS));
    let mut tasks = JoinSet::new();
    for (index, player) in players {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let (token, checks) = (player.token, player.checks.clone());
            let totals = Totals {
                balance: checks.balance(),
                lost_to_the_bank: player.lost_to_the_bank,
                won_from_strangers: player.won_from_strangers,
            };
            drop(player);
            let name = name(index);
            let returned =
                LoadPlayer::connect(address, &name, token, checks, Duration::ZERO).await?;
            if returned.checks.is_up_to_date() {
                Ok(totals)
            } else {
                Err(LoadFailure::from(FairnessViolation::Sequence))
            }
        });
    }
    while let Some(Ok(compared)) = tasks.join_next().await {
        match compared {
            Ok(totals) => {
                findings.players_compared += 1;
                findings.balances += totals.balance;
                findings.lost_to_the_bank += totals.lost_to_the_bank;
                findings.won_from_strangers += totals.won_from_strangers;
            }
            Err(failure) => findings.record_failure(failure),
        }
    }
}

/// Token counts of a player after the games.
struct Totals {
    balance: i64,
    lost_to_the_bank: i64,
    won_from_strangers: i64,
}

fn name(index: usize) -> Name {
    Name::new(&format!("{NAME_PREFIX}{}", index + 1)).expect("a short name")
}

/// Sources of a table's log and journals.
pub struct LoadSources<S> {
    /// The log.
    pub log: S,
    /// The table's files: the journal of game 7 is `games/7/journal.json`.
    pub table: S,
}

/// Maximum number of games whose journals are read.
const MAX_JOURNALS: usize = 20;

/// Maximum length of a journal, in bytes.
const MAX_JOURNAL_LENGTH: usize = 1 << 20;

/// Pause before the log is read again.
const LOG_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Reader of the table's log, before and after the games.
struct LogReader<S> {
    sources: LoadSources<S>,
    checks: LogChecks,
    key: VerifyingKey,
    since: Instant,
}

impl<S: LogFetcher<Error: Display>> LogReader<S> {
    /// Reads the log before the first game; `None` if the table has no log.
    fn open(sources: LoadSources<S>, known: &FairnessChecks) -> Result<Option<Self>, LoadFailure> {
        let Some((table, key)) = known.table_and_key() else {
            return Ok(None);
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| FairnessViolation::Key)?;
        let mut reader = Self {
            sources,
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
        let path = format!("games/{}/journal.json", finished.start.game);
        let journal = self.sources.table.fetch(&path, MAX_JOURNAL_LENGTH);
        let journal = journal.map_err(read_failure)?.unwrap_or_default();
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
