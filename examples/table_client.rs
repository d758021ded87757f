//! A player for the card table, written from `/schema.json` alone: it knows nothing of the
//! server's types, survives lost connections, and checks sequence, balance and commitment.
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
    token: Option<String>,
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
    /// The table's promise for the game that runs.
    commitment: Option<String>,
}

/// Where the player is in a game.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// A game is to be chosen.
    Free,
    /// An opponent is to come.
    Waiting,
    /// A seed may be given.
    Started,
    /// The cards are to come.
    Seeded,
    /// These cards are to be decided on.
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
            token: None,
            seq: 0,
            balance: 0,
            games: 0,
            lost: 0,
            requests: 0,
            stage: Stage::Free,
            pending: None,
            commitment: None,
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
            Stage::Free => json!({"type": "choose", "game": game}),
            // Nobody may know it before the server has committed itself.
            Stage::Started => {
                json!({"type": "seed", "value": format!("{:032x}", rand::random::<u128>())})
            }
            Stage::Dealt(cards) if decide(cards) => json!({"type": "decide", "decision": "play"}),
            Stage::Dealt(_) => json!({"type": "decide", "decision": "fold"}),
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
        let mut hello = json!({"type": "hello", "id": "hello", "name": self.name});
        let returns = self.token.is_some();
        if let Some(token) = &self.token {
            hello["token"] = json!(token);
        }
        self.send(&hello)?;
        let welcome = self.receive()?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        self.token = welcome["token"].as_str().map(str::to_owned);
        if !returns {
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
            // A seed may come too late; nothing else is asked at a wrong time.
            assert_eq!(message["code"], "seeds_closed", "{message}");
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
            "started" => {
                self.commitment = message["commitment"].as_str().map(str::to_owned);
                Stage::Started
            }
            "seeded" => Stage::Seeded,
            // A seed that comes too late: the cards are on their way, or here.
            "error" if stage == Stage::Started => Stage::Seeded,
            "dealt" | "redealt" => Stage::Dealt(message["cards"].clone()),
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
        let seed = message["reveal"]["seed"].as_str().expect("a seed");
        let mut bytes = Vec::new();
        for at in (0..seed.len()).step_by(2) {
            bytes.push(u8::from_str_radix(&seed[at..at + 2], 16).expect("digits"));
        }
        let mut digits = String::new();
        for byte in Sha256::digest(bytes) {
            write!(digits, "{byte:02x}").expect("memory takes every byte");
        }
        assert_eq!(
            Some(digits),
            self.commitment,
            "not the seed that was promised"
        );
        self.games += 1;
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
