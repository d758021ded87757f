//! A player for the card table, written from `/schema.json` alone: it knows nothing of the
//! server's types, survives lost connections, and checks sequence, balance, commitment, and that
//! the game was played with its own seed.
//!
//! ```sh
//! war serve &
//! cargo run --features table --example table_client -- 127.0.0.1:8080 Ann 10
//! ```

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// How long nothing may come before the connection counts as lost.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the table may be gone.
const OUTAGE: Duration = Duration::from_secs(30);

/// A player: what they know, and what they are about to do.
pub(crate) struct Client {
    address: String,
    name: String,
    socket: Option<WebSocket<TcpStream>>,
    /// Drawn here: who has it is this player.
    token: String,
    /// Whether the table has said welcome before.
    returns: bool,
    /// The number of the last message.
    pub(crate) seq: u64,
    /// The tokens, as the messages make them.
    pub(crate) balance: i64,
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
    seed: String,
    /// How the game that runs has started: with the promises of the table and both players.
    started: Value,
}

/// Where the player is in a game.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// A game is to be chosen.
    Free,
    /// An opponent is to come.
    Waiting,
    /// The seed is to be opened.
    Started,
    /// The cards are to come.
    Seeded,
    /// The cards of this message are to be decided on.
    Dealt(Value),
    /// The opponent is to decide.
    Decided,
}

impl Client {
    /// A player of this name, for the table at this address; they connect when they play.
    pub(crate) fn new(address: &str, name: &str) -> Self {
        Self {
            address: address.to_owned(),
            name: name.to_owned(),
            socket: None,
            token: draw(),
            returns: false,
            seq: 0,
            balance: 0,
            games: 0,
            lost: 0,
            requests: 0,
            stage: Stage::Free,
            pending: None,
            seed: draw(),
            started: Value::Null,
        }
    }

    /// Plays a game to its end, however often the connection is lost on the way.
    ///
    /// `decide` is asked with the cards, and says whether to play them.
    pub(crate) fn play(&mut self, game: &str, decide: impl Fn(&Value) -> bool) {
        let games = self.games;
        while self.games == games {
            if self.pending.is_none() {
                self.act(game, &decide);
            }
            match self.next() {
                Ok(message) => self.take(&message),
                Err(_) => self.reconnect(),
            }
        }
    }

    /// Asks for what the stage of the game calls for, if anything.
    fn act(&mut self, game: &str, decide: &dyn Fn(&Value) -> bool) {
        let mut request = match &self.stage {
            Stage::Free => {
                self.seed = draw();
                json!({"type": "choose", "game": game, "seed_hash": hash(&self.seed)})
            }
            // Nobody may know it before all are committed.
            Stage::Started => {
                let game_id = &self.started["game_id"];
                json!({"type": "seed", "game_id": game_id, "value": self.seed})
            }
            Stage::Dealt(dealt) => {
                let decision = if decide(&dealt["cards"]) {
                    "play"
                } else {
                    "fold"
                };
                let (game_id, deal) = (&dealt["game_id"], &dealt["deal"]);
                json!({"type": "decide", "game_id": game_id, "deal": deal, "decision": decision})
            }
            Stage::Waiting | Stage::Seeded | Stage::Decided => return,
        };
        self.requests += 1;
        request["id"] = json!(format!("r{}", self.requests));
        self.pending = Some(request.clone());
        if self.send(&request).is_err() {
            self.reconnect();
        }
    }

    /// Connects again, hears what was missed, and asks again what was not answered.
    fn reconnect(&mut self) {
        let since = Instant::now();
        self.socket = None;
        while let Err(error) = self.connect() {
            assert!(since.elapsed() < OUTAGE, "the table is gone: {error}");
            self.socket = None;
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn connect(&mut self) -> Result<(), tungstenite::Error> {
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
        let welcome = self.receive()?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        if !std::mem::replace(&mut self.returns, true) {
            self.balance = welcome["balance"].as_i64().expect("a balance");
            self.seq = welcome["seq"].as_u64().expect("a number");
            return self.repeat();
        }
        self.lost += 1;
        self.requests += 1;
        let id = format!("r{}", self.requests);
        self.send(&json!({"type": "resume", "id": id, "after": self.seq}))?;
        // What was missed may hold the answer: only then is it clear what to ask again.
        while self.seq < welcome["seq"].as_u64().expect("a number") {
            let message = self.next()?;
            self.take(&message);
        }
        assert_eq!(
            welcome["balance"], self.balance,
            "the table knows another balance"
        );
        self.repeat()
    }

    fn repeat(&mut self) -> Result<(), tungstenite::Error> {
        match self.pending.clone() {
            Some(request) => self.send(&request),
            None => Ok(()),
        }
    }

    /// The next message of the sequence, with neither a gap nor a repeat.
    fn next(&mut self) -> Result<Value, tungstenite::Error> {
        let message = self.receive()?;
        if message["type"] == "error" {
            // Time may be faster; the result tells what has become of the game.
            let late = [
                "seeds_closed",
                "stale_seed",
                "stale_decision",
                "not_playing",
            ];
            let code = message["code"].as_str().expect("a code");
            assert!(late.contains(&code), "{message}");
            return Ok(message);
        }
        assert_eq!(message["seq"], self.seq + 1, "a gap or a repeat: {message}");
        self.seq += 1;
        Ok(message)
    }

    /// Learns from a message, and does nothing yet.
    fn take(&mut self, message: &Value) {
        let stage = self.stage.clone();
        self.stage = match message["type"].as_str().expect("a type") {
            "waiting" => Stage::Waiting,
            "cancelled" | "draining" => Stage::Free,
            "started" => {
                self.started = message.clone();
                let own = &message["seed_hashes"][self.seat()];
                assert_eq!(*own, hash(&self.seed), "not the seed that was promised");
                Stage::Started
            }
            "seeded" => Stage::Seeded,
            "dealt" | "redealt" => Stage::Dealt(message.clone()),
            "decided" => Stage::Decided,
            "result" => {
                self.result(message);
                Stage::Free
            }
            _ => stage.clone(),
        };
        if self.stage != stage {
            self.pending = None;
        }
    }

    fn result(&mut self, message: &Value) {
        self.balance += message["delta"].as_i64().expect("a delta");
        assert_eq!(message["balance"], self.balance, "{message}");
        let reveal = &message["reveal"];
        let seed = reveal["seed"].as_str().expect("a seed");
        assert_eq!(
            self.started["commitment"],
            hash(seed),
            "not the seed that was promised"
        );
        let forfeited = message["forfeited"].as_array();
        for (seat, opened) in [0, 1]
            .into_iter()
            .zip(reveal["client_seeds"].as_array().expect("two"))
        {
            let is_forfeited = forfeited.is_some_and(|seats| seats.contains(&json!(seat + 1)));
            let Some(opened) = opened.as_str().filter(|_| !is_forfeited) else {
                assert!(is_forfeited, "a seed is missing: {message}");
                continue;
            };
            let promised = &self.started["seed_hashes"][seat];
            assert_eq!(*promised, hash(opened), "not the seed that was promised");
            if seat == self.seat() {
                assert_eq!(opened, self.seed, "not the seed of this player");
            }
        }
        self.games += 1;
    }

    /// The player's seat, counted from 0.
    fn seat(&self) -> usize {
        usize::from(self.started["seat"] == 2)
    }

    fn send(&mut self, request: &Value) -> Result<(), tungstenite::Error> {
        match &mut self.socket {
            Some(socket) => socket.send(Message::text(request.to_string())),
            None => Err(tungstenite::Error::ConnectionClosed),
        }
    }

    fn receive(&mut self) -> Result<Value, tungstenite::Error> {
        let socket = self
            .socket
            .as_mut()
            .ok_or(tungstenite::Error::ConnectionClosed)?;
        loop {
            match socket.read()? {
                Message::Text(text) => return Ok(serde_json::from_str(&text).expect("JSON")),
                Message::Close(_) => return Err(tungstenite::Error::ConnectionClosed),
                _ => {}
            }
        }
    }
}

/// 32 random bytes, as digits.
fn draw() -> String {
    digits(&rand::random::<[u8; 32]>())
}

/// The SHA-256 of bytes that are written as digits, as digits.
fn hash(seed: &str) -> String {
    let mut bytes = Vec::new();
    for at in (0..seed.len()).step_by(2) {
        bytes.push(u8::from_str_radix(&seed[at..at + 2], 16).expect("digits"));
    }
    digits(&Sha256::digest(bytes))
}

fn digits(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in bytes {
        write!(digits, "{byte:02x}").expect("memory takes every byte");
    }
    digits
}

/// Plays some games at a table, and prints the balance.
#[allow(dead_code, reason = "tests play without it")]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut next = |default: &str| arguments.next().unwrap_or_else(|| default.to_owned());
    let mut client = Client::new(&next("127.0.0.1:8080"), &next("Ann"));
    for _ in 0..next("1").parse().expect("a number of games") {
        client.play("single-card-game", |cards| {
            "TJQKA".contains(&cards[0].to_string()[1..2])
        });
        println!("{} games, {} tokens", client.games, client.balance);
    }
}
