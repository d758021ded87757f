//! A player for the card table, whose requests are written from `/schema.json` alone: it survives
//! lost connections, and believes nothing. Each message goes through `war::fair` before the
//! player acts on it; journal and log of each game are checked too.
//!
//! ```sh
//! war serve &
//! cargo run --features table --example table_client -- 127.0.0.1:8080 Ann 10 ann.checkpoint
//! ```
//!
//! The file keeps the last checkpoint of the table's log from one run to the next. Compare it with
//! other players': `war log verify http://127.0.0.1:8080/log --with ann.checkpoint`. The exit code
//! is 1 where anything is not verified.

use ed25519_dalek::VerifyingKey;
use serde_json::{Value, json};
use std::io::Read;
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};
use war::fair::{Checks, LogChecks, Unfair};
use war::hex::Hex;
use war::log::{Leaf, Source};
use war::room::Sent;
use war::tokens::{Decision, Kind, commitment};

/// How long nothing may come before the connection counts as lost: longer than an opponent may think.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the table may be gone.
const OUTAGE: Duration = Duration::from_secs(30);

/// A player: what they know, and what they are about to do.
pub(crate) struct Client {
    address: String,
    name: String,
    socket: Option<WebSocket<TcpStream>>,
    /// Drawn here: who has it is this player.
    token: String,
    /// What the player holds against the table.
    pub(crate) checks: Checks,
    log: Option<LogChecks>,
    /// Whether the table has said welcome before.
    returns: bool,
    /// Where the last checkpoint of the log is kept.
    kept: Option<PathBuf>,
    began: Instant,
    /// How many games are over.
    pub(crate) games: u64,
    /// How often the connection was lost.
    pub(crate) lost: u64,
    requests: u64,
    stage: Stage,
    /// What was asked and is not answered: asked again, it has the same `id`.
    pending: Option<Value>,
    /// The seed for the game that is chosen: drawn afresh for each, and never forgotten before
    /// its result is checked.
    seed: Hex<32>,
}

/// Where the player is in a game.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// A game is to be chosen.
    Free,
    /// An opponent is to come.
    Waiting,
    /// The seed is to be opened in the game that this message started.
    Started(Value, Instant),
    /// The cards are to come.
    Seeded,
    /// The cards of this message are to be decided on.
    Dealt(Value, Instant),
    /// The opponent is to decide.
    Decided,
}

/// Why a player stops.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The connection is lost.
    Lost(tungstenite::Error),
    /// What the table says or shows is not verified, for this reason.
    NotVerified(String),
}

impl Client {
    /// A player of this name, for the table at this address; they connect when they play.
    pub(crate) fn new(address: &str, name: &str) -> Self {
        Self {
            address: address.to_owned(),
            name: name.to_owned(),
            socket: None,
            token: draw().to_string(),
            checks: Checks::new(),
            log: None,
            returns: false,
            kept: None,
            began: Instant::now(),
            games: 0,
            lost: 0,
            requests: 0,
            stage: Stage::Free,
            pending: None,
            seed: draw(),
        }
    }

    /// Keeps the last checkpoint of the table's log in this file.
    pub(crate) fn keep(&mut self, file: PathBuf) {
        self.kept = Some(file);
    }

    /// Plays a game to its end, however often the connection is lost on the way.
    ///
    /// `decide` is asked with the cards, and says whether to play them.
    pub(crate) fn play(&mut self, game: &str, decide: impl Fn(&Value) -> bool) -> Result<(), Stop> {
        let games = self.games;
        while self.games == games {
            if self.pending.is_none() {
                self.act(game, &decide)?;
            }
            match self.next() {
                Ok(message) => self.take(message)?,
                Err(Stop::Lost(_)) => self.reconnect()?,
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Asks for what the stage of the game calls for, if anything.
    fn act(&mut self, game: &str, decide: &dyn Fn(&Value) -> bool) -> Result<(), Stop> {
        let mut request = match &self.stage {
            Stage::Free => {
                self.seed = draw();
                let seed_hash = commitment(&self.seed).to_string();
                let kind = Kind::named(game).expect("a game");
                self.checks.chose(kind, self.seed);
                if let Some(log) = &mut self.log {
                    log.chooses();
                }
                json!({"type": "choose", "game": game, "seed_hash": seed_hash})
            }
            // Nobody may know it before all are committed.
            Stage::Started(started, came) => {
                self.checks.opens(left(started, *came));
                let game_id = &started["game_id"];
                json!({"type": "seed", "game_id": game_id, "value": self.seed.to_string()})
            }
            Stage::Dealt(dealt, came) => {
                let (decision, word) = if decide(&dealt["cards"]) {
                    (Decision::Play, "play")
                } else {
                    (Decision::Fold, "fold")
                };
                self.checks.decides(decision, left(dealt, *came));
                let (game_id, deal) = (&dealt["game_id"], &dealt["deal"]);
                json!({"type": "decide", "game_id": game_id, "deal": deal, "decision": word})
            }
            Stage::Waiting | Stage::Seeded | Stage::Decided => return Ok(()),
        };
        self.requests += 1;
        request["id"] = json!(format!("r{}", self.requests));
        self.pending = Some(request.clone());
        match self.send(&request) {
            Err(Stop::Lost(_)) => self.reconnect(),
            sent => sent,
        }
    }

    /// Connects again, hears what was missed, and asks again what was not answered.
    fn reconnect(&mut self) -> Result<(), Stop> {
        let since = Instant::now();
        self.socket = None;
        while let Err(stop) = self.connect() {
            match stop {
                Stop::Lost(error) => assert!(since.elapsed() < OUTAGE, "it is gone: {error}"),
                Stop::NotVerified(_) => return Err(stop),
            }
            self.socket = None;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn connect(&mut self) -> Result<(), Stop> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{}/ws", self.address);
        let opened = tungstenite::client(url, stream);
        let (socket, _) = opened.map_err(|error| std::io::Error::other(error.to_string()))?;
        self.socket = Some(socket);
        let (name, token) = (&self.name, &self.token);
        let hello =
            json!({"type": "hello", "id": "hello", "name": name, "token": token, "protocol": 2});
        self.send(&hello)?;
        let welcome = self.next()?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        if self.log.is_none() {
            self.open_log()?;
        }
        if std::mem::replace(&mut self.returns, true) {
            self.lost += 1;
            self.requests += 1;
            let id = format!("r{}", self.requests);
            self.send(&json!({"type": "resume", "id": id, "after": self.checks.seq()}))?;
            // What was missed may hold the answer: only then is it clear what to ask again.
            while !self.checks.is_up_to_date() {
                let message = self.next()?;
                self.take(message)?;
            }
        }
        match self.pending.clone() {
            Some(request) => self.send(&request),
            None => Ok(()),
        }
    }

    /// The next message, if it is fair.
    fn next(&mut self) -> Result<Value, Stop> {
        let text = self.receive()?;
        let message: Value = serde_json::from_str(&text).expect("JSON");
        let sent: Sent = serde_json::from_str(&text).expect("a message of the schema");
        self.checks.heard(&sent)?;
        if message["type"] == "error" {
            // Time may be faster; the result tells what has become of the game.
            let late = [
                "seeds_closed",
                "stale_seed",
                "stale_decision",
                "too_late",
                "not_playing",
            ];
            let code = message["code"].as_str().expect("a code");
            assert!(late.contains(&code), "{message}");
        }
        Ok(message)
    }

    /// Learns from a message, and does nothing yet.
    fn take(&mut self, message: Value) -> Result<(), Stop> {
        let now = Instant::now();
        let stage = match message["type"].as_str().expect("a type") {
            "waiting" => Stage::Waiting,
            "cancelled" | "draining" => Stage::Free,
            "started" => {
                if let (Some(log), Some(start)) = (&mut self.log, self.checks.start()) {
                    log.expect(Leaf::Start(start.clone()), millis(self.began));
                }
                Stage::Started(message, now)
            }
            "seeded" => Stage::Seeded,
            "dealt" | "redealt" => Stage::Dealt(message, now),
            "decided" => Stage::Decided,
            "result" => {
                self.games += 1;
                self.check_journal()?;
                Stage::Free
            }
            _ => return Ok(()),
        };
        self.stage = stage;
        self.pending = None;
        Ok(())
    }

    /// Finds the table's log, with what it was at the last visit.
    fn open_log(&mut self) -> Result<(), Stop> {
        let Some((table, key)) = self.checks.table() else {
            return Ok(());
        };
        let key = VerifyingKey::from_bytes(key.bytes()).map_err(|_| Unfair::Key)?;
        let mut log = LogChecks::new(table, key);
        let kept = self.kept.as_ref();
        if let Some(kept) = kept.and_then(|file| std::fs::read_to_string(file).ok()) {
            log.remember(&kept).map_err(not_verified)?;
        }
        self.log = Some(log);
        self.check_log()
    }

    /// Checks that the game that just ended is recorded as it was played.
    fn check_journal(&mut self) -> Result<(), Stop> {
        let finished = self.checks.finished().expect("a game that is over");
        let game = finished.start.game;
        let path = format!("games/{game}/journal.json");
        let mut web = Web(format!("http://{}", self.address));
        let journal = web.fetch(&path, 1 << 20)?;
        let journal = journal.ok_or_else(|| not_verified(format!("game {game} has no journal")))?;
        finished.check_journal(&journal).map_err(not_verified)?;
        if let Some(log) = &mut self.log {
            log.expect(Leaf::End(finished.end()), millis(self.began));
        }
        Ok(())
    }

    /// Reads on in the log, and keeps its checkpoint.
    pub(crate) fn check_log(&mut self) -> Result<(), Stop> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let mut web = Web(format!("http://{}/log", self.address));
        log.read(&mut web, millis(self.began))?
            .map_err(not_verified)?;
        if let (Some(file), Some(checkpoint)) = (&self.kept, log.checkpoint()) {
            std::fs::write(file, checkpoint)?;
        }
        Ok(())
    }

    /// Waits until all games are in the log: it takes some seconds.
    pub(crate) fn finish(&mut self) -> Result<(), Stop> {
        while self.log.as_ref().is_some_and(|log| !log.has_all()) {
            std::thread::sleep(Duration::from_millis(500));
            self.check_log()?;
        }
        Ok(())
    }

    fn send(&mut self, request: &Value) -> Result<(), Stop> {
        let socket = self.socket.as_mut();
        let socket = socket.ok_or(tungstenite::Error::ConnectionClosed)?;
        Ok(socket.send(Message::text(request.to_string()))?)
    }

    fn receive(&mut self) -> Result<String, Stop> {
        let socket = self.socket.as_mut();
        let socket = socket.ok_or(tungstenite::Error::ConnectionClosed)?;
        loop {
            match socket.read()? {
                Message::Text(text) => return Ok(text.as_str().to_owned()),
                Message::Close(_) => return Err(tungstenite::Error::ConnectionClosed.into()),
                _ => {}
            }
        }
    }
}

/// What is served under an address.
struct Web(String);

impl Source for Web {
    type Error = std::io::Error;

    fn fetch(&mut self, path: &str, longest: usize) -> std::io::Result<Option<Vec<u8>>> {
        let since = Instant::now();
        let answer = loop {
            match ureq::get(format!("{}/{path}", self.0)).call() {
                Ok(answer) => break answer,
                Err(ureq::Error::StatusCode(404)) => return Ok(None),
                Err(error) if since.elapsed() > OUTAGE => return Err(error.into_io()),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        };
        let mut bytes = Vec::new();
        let body = answer.into_body().into_reader();
        body.take(longest as u64 + 1).read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }
}

/// 32 random bytes.
fn draw() -> Hex<32> {
    Hex::new(rand::random())
}

/// How many milliseconds are left of what a message gave, which came at this time.
fn left(message: &Value, came: Instant) -> u64 {
    let left = message["left_ms"].as_u64().expect("a time");
    left.saturating_sub(millis(came))
}

fn millis(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_millis()).unwrap_or(u64::MAX)
}

fn not_verified(reason: impl std::fmt::Display) -> Stop {
    Stop::NotVerified(reason.to_string())
}

impl From<Unfair> for Stop {
    fn from(unfair: Unfair) -> Self {
        not_verified(unfair)
    }
}

impl From<tungstenite::Error> for Stop {
    fn from(error: tungstenite::Error) -> Self {
        Self::Lost(error)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Lost(error.into())
    }
}

/// Plays some games at a table, and prints the balance.
#[allow(dead_code, reason = "tests play without it")]
fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let mut client = Client::new(&next("127.0.0.1:8080"), &next("Ann"));
    let games = next("1").parse().expect("a number of games");
    if let Some(file) = arguments.next() {
        client.keep(file.into());
    }
    match play(&mut client, games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(stop) => {
            eprintln!("{stop}");
            ExitCode::FAILURE
        }
    }
}

fn play(client: &mut Client, games: u64) -> Result<(), Stop> {
    for _ in 0..games {
        client.play("single-card-game", |cards| {
            "TJQKA".contains(&cards[0].to_string()[1..2])
        })?;
        println!("{} games, {} tokens", client.games, client.checks.balance());
    }
    client.finish()
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lost(error) => write!(f, "the table is gone: {error}"),
            Self::NotVerified(reason) => write!(f, "NOT VERIFIED: {reason}"),
        }
    }
}
