#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::findings::{Findings, Trouble};
use super::player::{NAME, Player};
use crate::fair::{Checks, Finished, LogChecks, Unfair};
use crate::log::{Leaf, Source};
use crate::protocol::AccessToken;
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

/// How many connections are opened at a time.
const OPENING: usize = 200;

/// How much load to make.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Where the table listens.
    pub address: SocketAddr,
    /// How many players play.
    pub players: usize,
    /// How many players are connected and do nothing.
    pub idle: usize,
    /// How long a player thinks on average before deciding.
    pub think: Duration,
    /// How long they play.
    pub time: Duration,
}

/// What happens next, and with how many players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Connections are opened.
    Opening(usize),
    /// Players play.
    Playing(usize),
    /// Players come back, and compare what they had.
    Comparing(usize),
    /// Their games are looked for in the table's log.
    Auditing(usize),
}

/// Opens all connections, plays, comes back as every player to compare, and looks for their games
/// in the table's log; `progress` hears of each phase as it begins.
pub async fn run<S>(plan: Plan, sources: Sources<S>, progress: impl Fn(Phase)) -> Findings
where
    S: Source<Error: Display> + Send + 'static,
{
    let mut findings = Findings::default();
    progress(Phase::Opening(plan.players + plan.idle));
    let players = open(&plan, &mut findings).await;
    findings.connected = players.len() as u64;
    let known = players.first().map(|player| player.checks.clone());
    let opened = spawn_blocking(move || LogReader::open(sources, &known.unwrap_or_default()));
    let log = findings.keep(opened.await).flatten();
    progress(Phase::Playing(plan.players));
    let began = Instant::now();
    let left = play(&plan, players, began + plan.time, &mut findings).await;
    findings.playing = began.elapsed();
    progress(Phase::Comparing(left.len()));
    compare(plan.address, left, &mut findings).await;
    if let Some(mut log) = log {
        let games = std::mem::take(&mut findings.finished);
        progress(Phase::Auditing(games.len() / 2));
        let checked = spawn_blocking(move || log.check(&games)).await;
        findings.keep(checked);
    }
    findings
}

/// Opens the connections, some at a time.
async fn open(plan: &Plan, findings: &mut Findings) -> Vec<Player> {
    let opening = Arc::new(Semaphore::new(OPENING));
    let (address, think) = (plan.address, plan.think);
    let mut tasks = JoinSet::new();
    for index in 0..plan.players + plan.idle {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let token = AccessToken::new(Hex::new(rand::random()));
            let mut checks = Checks::new();
            // They are checked with the log, after the games: here they would slow down all.
            checks.defer_signatures();
            Player::connect(address, &name(index), token, checks, think).await
        });
    }
    let mut players = Vec::new();
    while let Some(Ok(opened)) = tasks.join_next().await {
        match opened {
            Ok(player) => players.push(player),
            Err(trouble) => findings.trouble(trouble),
        }
    }
    players
}

/// Lets all play until the time is over; the result is who met no trouble, by number.
async fn play(
    plan: &Plan,
    players: Vec<Player>,
    until: Instant,
    findings: &mut Findings,
) -> Vec<(usize, Player)> {
    let mut tasks = JoinSet::new();
    for (index, mut player) in players.into_iter().enumerate() {
        let plays = index < plan.players;
        tasks.spawn(async move {
            let done = if plays {
                player.play(Kind::ALL[index / 2 % 2], until).await
            } else {
                player.idle(until).await
            };
            (index, player, done)
        });
    }
    let mut left = Vec::new();
    while let Some(Ok((index, mut player, done))) = tasks.join_next().await {
        findings.sides += player.games.len() as u64;
        if player.checks.table().is_some() {
            findings.finished.append(&mut player.games);
        }
        findings.latencies.extend(&player.latencies);
        match done {
            Ok(()) => left.push((index, player)),
            Err(trouble) => findings.trouble(trouble),
        }
    }
    left
}

/// Comes back as each player: the table must know the balance that their messages made.
async fn compare(address: SocketAddr, players: Vec<(usize, Player)>, findings: &mut Findings) {
    let opening = Arc::new(Semaphore::new(OPENING));
    let mut tasks = JoinSet::new();
    for (index, player) in players {
        let opening = Arc::clone(&opening);
        tasks.spawn(async move {
            let _permit = opening.acquire().await;
            let (token, checks) = (player.token, player.checks.clone());
            let balance = checks.balance();
            let (bank, strangers) = (player.lost_to_the_bank, player.won_from_strangers);
            drop(player);
            let name = name(index);
            let again = Player::connect(address, &name, token, checks, Duration::ZERO).await?;
            if again.checks.is_up_to_date() {
                Ok((balance, bank, strangers))
            } else {
                Err(Trouble::from(Unfair::Sequence))
            }
        });
    }
    while let Some(Ok(compared)) = tasks.join_next().await {
        match compared {
            Ok((balance, bank, strangers)) => {
                findings.compared += 1;
                findings.balances += balance;
                findings.lost_to_the_bank += bank;
                findings.won_from_strangers += strangers;
            }
            Err(trouble) => findings.trouble(trouble),
        }
    }
}

fn name(index: usize) -> Name {
    Name::new(&format!("{NAME}{}", index + 1)).expect("a short name")
}

/// Where a table's log and its journals are read from.
pub struct Sources<S> {
    /// The log.
    pub log: S,
    /// What the table serves: a journal is `games/7/journal.json`.
    pub table: S,
}

/// Of how many games the journals are read.
const JOURNALS: usize = 20;

/// The longest journal that is read.
const LONGEST_JOURNAL: usize = 1 << 20;

/// How long to wait before the log is read again.
const PAUSE: Duration = Duration::from_millis(500);

/// A reader of the table's log, while players play.
struct LogReader<S> {
    sources: Sources<S>,
    checks: LogChecks,
    key: VerifyingKey,
    since: Instant,
}

impl<S: Source<Error: Display>> LogReader<S> {
    /// Reads the log as it is before the first game; `None` where the table has none.
    fn open(sources: Sources<S>, known: &Checks) -> Result<Option<Self>, Trouble> {
        let Some((table, key)) = known.table() else {
            return Ok(None);
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| Unfair::Key)?;
        let mut reader = Self {
            sources,
            checks: LogChecks::new(table, key),
            key,
            since: Instant::now(),
        };
        reader.read()?;
        reader.checks.chooses();
        Ok(Some(reader))
    }

    /// Checks that the table has signed these games and that they are in the log, and the journals
    /// of some of them.
    pub(super) fn check(&mut self, games: &[Finished]) -> Result<(), Trouble> {
        self.check_signatures(games)?;
        let now = self.now();
        for game in games {
            self.checks.expect(Leaf::Start(game.start.clone()), now);
            self.checks.expect(Leaf::End(game.end()), now);
        }
        for game in games.iter().take(JOURNALS) {
            self.check_journal(game)?;
        }
        self.read()?;
        while !self.checks.has_all() {
            std::thread::sleep(PAUSE);
            self.read()?;
        }
        Ok(())
    }

    /// Checks what was signed, once where both players were told the same.
    fn check_signatures(&self, games: &[Finished]) -> Result<(), Trouble> {
        let mut checked = BTreeMap::new();
        for game in games {
            let told = (&game.start, game.signed);
            if checked.insert(game.start.game, told) != Some(told) {
                game.signed.check(&game.start, &self.key)?;
            }
        }
        Ok(())
    }

    fn check_journal(&mut self, finished: &Finished) -> Result<(), Trouble> {
        let path = format!("games/{}/journal.json", finished.start.game);
        let journal = self.sources.table.fetch(&path, LONGEST_JOURNAL);
        let journal = journal.map_err(unread)?.unwrap_or_default();
        finished.check_journal(&journal)?;
        Ok(())
    }

    fn read(&mut self) -> Result<(), Trouble> {
        let now = self.now();
        let read = self.checks.read(&mut self.sources.log, now);
        Ok(read.map_err(unread)??)
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

fn unread(error: impl Display) -> Trouble {
    Trouble::Unread(error.to_string())
}
