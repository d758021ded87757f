use super::stop::StopReason;
use super::web::MAX_OUTAGE;
use serde_json::{Value, json};
use std::net::TcpStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, commitment};
use war_table::fair::{FairnessChecks, LogChecks};
use war_table::log::Leaf;
use war_table::protocol::{NumberedMessage, OpponentFilter, RequestId};
use war_table::time::{Monotonic, whole_millis};

/// Time without messages after which the connection counts as lost: longer than an opponent may
/// think.
const PATIENCE: Duration = Duration::from_secs(60);

/// A player, with their state and their next step.
pub(crate) struct Client {
    pub(super) address: String,
    name: String,
    socket: Option<WebSocket<TcpStream>>,
    /// Access token, generated now or kept from an earlier run. Anyone who has the token is this
    /// player.
    token: String,
    /// `true` if others may watch the player's games.
    watchable: bool,
    /// Checks of everything that the table sends.
    pub(crate) checks: FairnessChecks,
    pub(super) log: Option<LogChecks>,
    /// `true` once the table has welcomed the player.
    returns: bool,
    /// File with the last checkpoint of the log.
    pub(super) kept: Option<PathBuf>,
    pub(super) began: Instant,
    /// Number of finished games.
    pub(crate) games: u64,
    /// Number of lost connections.
    pub(crate) lost: u64,
    /// Random number in the ids of this run's requests: a returning player must not reuse the ids
    /// of earlier runs.
    run: u64,
    requests: u64,
    stage: Stage,
    /// Unanswered request, which is sent again under the same `id` after a lost connection.
    pending: Option<Value>,
    /// Seed for the chosen game: generated for each game, and kept until the result is checked.
    seed: Hex<32>,
}

/// Progress of a player in a game.
#[derive(Debug, Clone, PartialEq)]
enum Stage {
    /// Free to choose a game.
    Free,
    /// Waiting for an opponent.
    Waiting,
    /// About to open the seed, after this `started` message, which came at this time.
    Started(Value, Instant),
    /// Waiting for the cards.
    Seeded,
    /// About to decide on the cards in this message, which came at this time.
    Dealt(Value, Instant),
    /// Waiting for the opponent's decision.
    Decided,
}

impl Client {
    /// Creates a player with this name for the table at this address. The first request opens the
    /// connection.
    pub(crate) fn new(address: &str, name: &str) -> Self {
        Self {
            address: address.to_owned(),
            name: name.to_owned(),
            socket: None,
            token: draw().to_string(),
            watchable: false,
            checks: FairnessChecks::new(),
            log: None,
            returns: false,
            kept: None,
            began: Instant::now(),
            games: 0,
            lost: 0,
            run: rand::random(),
            requests: 0,
            stage: Stage::Free,
            pending: None,
            seed: draw(),
        }
    }

    /// Resumes as the player who has this token.
    pub(crate) fn resume_as(&mut self, token: &str) {
        token.clone_into(&mut self.token);
        self.checks = FairnessChecks::for_returning_player();
    }

    /// Lets other devices play with the same token.
    pub(crate) const fn allow_other_devices(&mut self) {
        self.checks.allow_other_devices();
    }

    /// Token of the player.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Allows others to watch the player's games.
    pub(crate) const fn allow_watching(&mut self) {
        self.watchable = true;
    }

    /// Sets the file that keeps the last checkpoint of the table's log.
    pub(crate) fn set_checkpoint_file(&mut self, file: PathBuf) {
        self.kept = Some(file);
    }

    /// Plays a game to its end, however often the connection is lost on the way.
    ///
    /// `decide` gets the cards, and returns whether to play them.
    pub(crate) fn play(
        &mut self,
        game: &str,
        decide: impl Fn(&Value) -> bool,
    ) -> Result<(), StopReason> {
        self.play_to_end(game, None, &decide)
    }

    /// Plays a game with a particular opponent.
    pub(crate) fn play_with(
        &mut self,
        game: &str,
        whom: OpponentFilter,
        decide: impl Fn(&Value) -> bool,
    ) -> Result<(), StopReason> {
        self.play_to_end(game, Some(whom), &decide)
    }

    fn play_to_end(
        &mut self,
        game: &str,
        whom: Option<OpponentFilter>,
        decide: &dyn Fn(&Value) -> bool,
    ) -> Result<(), StopReason> {
        let games = self.games;
        while self.games == games {
            if self.pending.is_none() {
                self.act(game, whom, decide)?;
            }
            match self.next() {
                Ok(message) => self.take(message)?,
                Err(StopReason::Lost(_)) => self.reconnect()?,
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// Sends the request that the progress of the game calls for, if any.
    fn act(
        &mut self,
        game: &str,
        whom: Option<OpponentFilter>,
        decide: &dyn Fn(&Value) -> bool,
    ) -> Result<(), StopReason> {
        let id = self.next_id();
        let mut request = match &self.stage {
            Stage::Free => {
                self.seed = draw();
                self.checks
                    .record_choice_id(RequestId::new(&id).expect("a short text"));
                let seed_hash = commitment(&self.seed).to_string();
                let kind = Kind::from_name(game).expect("a game");
                let mut choice = json!({"type": "choose", "game": game, "seed_hash": seed_hash});
                match whom {
                    None => self.checks.record_choice(kind, self.seed),
                    Some(whom) => {
                        self.checks.record_choice_of_opponent(kind, self.seed, whom);
                        choice["with"] = named(whom);
                    }
                }
                if let Some(log) = &mut self.log {
                    log.mark_size_at_choice();
                }
                choice
            }
            // The seed is sent only now: nobody may know it before both players are committed.
            Stage::Started(started, came) => {
                self.checks.record_seed(left(started, *came));
                let game_id = &started["game_id"];
                json!({"type": "seed", "game_id": game_id, "value": self.seed.to_string()})
            }
            Stage::Dealt(dealt, came) => {
                let (decision, word) = if decide(&dealt["cards"]) {
                    (Decision::Play, "play")
                } else {
                    (Decision::Fold, "fold")
                };
                self.checks.record_decision(decision, left(dealt, *came));
                let (game_id, deal) = (&dealt["game_id"], &dealt["deal"]);
                json!({"type": "decide", "game_id": game_id, "deal": deal, "decision": word})
            }
            Stage::Waiting | Stage::Seeded | Stage::Decided => return Ok(()),
        };
        request["id"] = json!(id);
        self.pending = Some(request.clone());
        match self.send(&request) {
            Err(StopReason::Lost(_)) => self.reconnect(),
            sent => sent,
        }
    }

    /// Sends a query: people at the table, finished games, statistics, the ladder, or games to
    /// watch. Returns the answer.
    pub(crate) fn ask(&mut self, mut request: Value) -> Result<Value, StopReason> {
        request["id"] = json!(self.next_id());
        loop {
            match self.send(&request).and_then(|()| self.answer(&request)) {
                Err(StopReason::Lost(_)) => self.reconnect()?,
                answered => return answered,
            }
        }
    }

    /// Asks the table to forget the player, whose token is refused afterwards.
    pub(crate) fn forget(mut self) -> Result<(), StopReason> {
        match self.ask(json!({"type": "forget"})) {
            // The answer was lost.
            Err(StopReason::Refused(code)) if code == "forgotten" => Ok(()),
            answered => answered.map(drop),
        }
    }

    /// Waits for the answer to a request. The table sends the answer only on the connection on
    /// which the request came.
    fn answer(&mut self, request: &Value) -> Result<Value, StopReason> {
        loop {
            let message = self.next()?;
            if message["in_reply_to"] == request["id"] {
                return Ok(message);
            }
            self.take(message)?;
        }
    }

    fn next_id(&mut self) -> String {
        self.requests += 1;
        format!("{:x}-{}", self.run, self.requests)
    }

    /// Reconnects, receives missed messages, and repeats the unanswered request.
    fn reconnect(&mut self) -> Result<(), StopReason> {
        let since = Instant::now();
        self.socket = None;
        while let Err(stop) = self.connect() {
            match stop {
                StopReason::Lost(error) => {
                    assert!(since.elapsed() < MAX_OUTAGE, "it is gone: {error}");
                }
                StopReason::Refused(_) | StopReason::NotVerified(_) => return Err(stop),
            }
            self.socket = None;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn connect(&mut self) -> Result<(), StopReason> {
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        let url = format!("ws://{}/ws", self.address);
        let opened = tungstenite::client(url, stream);
        let (socket, _) = opened.map_err(|error| std::io::Error::other(error.to_string()))?;
        self.socket = Some(socket);
        let (name, token, watchable) = (&self.name, &self.token, self.watchable);
        let hello = json!({"type": "hello", "id": "hello", "name": name, "token": token,
            "protocol": 4, "watchable": watchable});
        self.send(&hello)?;
        let welcome = self.next()?;
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        if self.log.is_none() {
            self.open_log()?;
        }
        if std::mem::replace(&mut self.returns, true) {
            self.lost += 1;
            let id = self.next_id();
            self.send(&json!({"type": "resume", "id": id, "after": self.checks.seq()}))?;
            // A missed message may answer the pending request, so the request is repeated only
            // after all missed messages have arrived.
            while !self.checks.is_up_to_date() {
                let message = self.next()?;
                self.take(message)?;
            }
        }
        // A table that knows the player takes the name and the switch from this request alone.
        if welcome["name"] != self.name || welcome["watchable"] != self.watchable {
            let id = self.next_id();
            let (name, watchable) = (&self.name, self.watchable);
            self.send(
                &json!({"type": "settings", "id": id, "name": name, "watchable": watchable}),
            )?;
        }
        match self.pending.clone() {
            Some(request) => self.send(&request),
            None => Ok(()),
        }
    }

    /// Receives and checks the next message.
    fn next(&mut self) -> Result<Value, StopReason> {
        let text = self.receive()?;
        let message: Value = serde_json::from_str(&text).expect("JSON");
        let sent: NumberedMessage = serde_json::from_str(&text).expect("a message of the schema");
        self.checks.receive(&sent)?;
        if message["type"] == "error" {
            // A request that arrives after time has run out is refused with one of these codes. The
            // result then shows how the game ended.
            let late = [
                "seeds_closed",
                "stale_seed",
                "stale_decision",
                "too_late",
                "not_playing",
            ];
            let code = message["code"].as_str().expect("a code");
            if !late.contains(&code) {
                self.pending = None;
                return Err(StopReason::Refused(code.to_owned()));
            }
        }
        Ok(message)
    }

    /// Updates the state from a message.
    fn take(&mut self, message: Value) -> Result<(), StopReason> {
        if self.is_of_other_device(&message) {
            return Ok(());
        }
        let now = Instant::now();
        let stage = match message["type"].as_str().expect("a type") {
            "waiting" => Stage::Waiting,
            "cancelled" | "draining" => Stage::Free,
            "started" => {
                if let (Some(log), Some(start)) = (&mut self.log, self.checks.game_start()) {
                    log.expect_leaf(Leaf::Start(start.clone()), time_since(self.began));
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

    /// Returns true if a message is about a game or a wait of another device with the same token.
    fn is_of_other_device(&self, message: &Value) -> bool {
        if message["type"] == "waiting" {
            let pending = self.pending.as_ref();
            return pending.is_some_and(|pending| pending["id"] != message["in_reply_to"]);
        }
        let finished = self.checks.last_finished_game().map(|game| &game.start);
        let mut own = self.checks.game_start().into_iter().chain(finished);
        let game = message["game_id"].as_u64();
        game.is_some_and(|game| own.all(|start| start.game != game))
    }

    fn send(&mut self, request: &Value) -> Result<(), StopReason> {
        let socket = self.socket.as_mut();
        let socket = socket.ok_or(tungstenite::Error::ConnectionClosed)?;
        Ok(socket.send(Message::text(request.to_string()))?)
    }

    fn receive(&mut self) -> Result<String, StopReason> {
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

/// Generates 32 random bytes.
fn draw() -> Hex<32> {
    Hex::new(rand::random())
}

/// Time left now, given the `left_ms` of a message that arrived at `came`.
fn left(message: &Value, came: Instant) -> Duration {
    let left = message["left_ms"].as_u64().expect("a time");
    Duration::from_millis(left.saturating_sub(whole_millis(came.elapsed())))
}

/// Time on a clock that shows zero at `start`.
pub(super) fn time_since(start: Instant) -> Monotonic {
    Monotonic::from_millis(whole_millis(start.elapsed()))
}

/// Choice of an opponent, for the request `choose`.
fn named(whom: OpponentFilter) -> Value {
    match whom {
        OpponentFilter::House => json!("house"),
        OpponentFilter::Invitation(code) => json!({"invitation": code.to_string()}),
        OpponentFilter::Accept(code) => json!({"accept": code.to_string()}),
        OpponentFilter::Rematch(game) => json!({"rematch": game}),
        OpponentFilter::Friend(link) => json!({"friend": link.to_string()}),
    }
}
