#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::pace::PlayerPace;
use super::report::{ANSWER_TIMEOUT, LoadFailure, PlayerFailure};
use super::results::{PlayerResult, ResultComparison};
use crate::fair::{FairnessChecks, SettledGame};
use crate::protocol::{
    AccessToken, Message, NumberedMessage, Outcome, PlayerId, ProtocolVersion, Refusal, Request,
    RequestId,
};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, commitment};

/// Size of the read buffer of a connection, in bytes.
const BUFFER: usize = 4096;

type Socket = WebSocketStream<TcpStream>;

/// A connected player of the load test.
pub(super) struct LoadPlayer {
    socket: Socket,
    name: Name,
    token: AccessToken,
    pace: PlayerPace,
    requests: u64,
    /// Average time before a decision.
    think: Duration,
    results: Arc<Mutex<ResultComparison>>,
    /// Messages since the last game was chosen.
    transcript: Vec<String>,
    /// The player's checks of the table.
    pub(super) checks: FairnessChecks,
    /// Time until each decision was acknowledged.
    pub(super) latencies: Vec<Duration>,
    /// The player's finished games.
    pub(super) games: Vec<SettledGame>,
    /// Number of moves that reached the table too late.
    pub(super) late_moves: u64,
    /// True if the player stopped at the table's limit of requests in an hour.
    pub(super) is_out_of_requests: bool,
}

impl LoadPlayer {
    /// Connects as a new player, who keeps this pace.
    pub(super) async fn connect(
        address: SocketAddr,
        name: Name,
        think: Duration,
        mut pace: PlayerPace,
    ) -> Result<Self, PlayerFailure> {
        let mut checks = FairnessChecks::new();
        // The signatures are checked with the log, after the games: checks during play would slow
        // down all players.
        checks.defer_signatures();
        let mut player = Self {
            socket: open_socket(address, &mut pace).await?,
            name,
            token: AccessToken::new(Hex::new(rand::random())),
            pace,
            requests: 0,
            think,
            results: Arc::default(),
            transcript: Vec::new(),
            checks,
            latencies: Vec::new(),
            games: Vec::new(),
            late_moves: 0,
            is_out_of_requests: false,
        };
        let greeted = player.say_hello().await;
        player.add_messages(greeted)?;
        Ok(player)
    }

    /// Connects again and receives all missing messages, so that the balance that the table states
    /// is compared with the balance that follows from the messages.
    pub(super) async fn reconnect(&mut self, address: SocketAddr) -> Result<(), PlayerFailure> {
        self.socket = open_socket(address, &mut self.pace).await?;
        let compared = self.receive_missing().await;
        self.add_messages(compared)
    }

    async fn receive_missing(&mut self) -> Result<(), LoadFailure> {
        self.say_hello().await?;
        if !self.checks.is_up_to_date() {
            let after = self.checks.seq();
            let id = self.next_request_id().await;
            self.send(&Request::Resume { id, after }).await?;
        }
        while !self.checks.is_up_to_date() {
            self.next().await?;
        }
        Ok(())
    }

    async fn say_hello(&mut self) -> Result<(), LoadFailure> {
        let hello = Request::Hello {
            id: self.next_request_id().await,
            name: self.name.clone(),
            token: self.token,
            protocol: ProtocolVersion::LATEST,
            watchable: false,
        };
        self.send(&hello).await?;
        match self.next().await? {
            Message::Welcome { .. } => Ok(()),
            message => Err(failure_of_message(&message)),
        }
    }

    /// Adds the messages that show that the table is unfair, if that is the failure.
    fn add_messages<T>(&mut self, result: Result<T, LoadFailure>) -> Result<T, PlayerFailure> {
        result.map_err(|failure| PlayerFailure {
            messages: if failure.is_unfair() {
                std::mem::take(&mut self.transcript)
            } else {
                Vec::new()
            },
            failure,
        })
    }

    /// Compares the results of the player's games with those that the opponents receive.
    pub(super) fn compare_results(&mut self, results: &Arc<Mutex<ResultComparison>>) {
        self.results = Arc::clone(results);
    }

    /// Plays games of this kind until `until`, and then finishes the running game.
    pub(super) async fn play(&mut self, kind: Kind, until: Instant) -> Result<(), PlayerFailure> {
        let played = self.play_games(kind, until).await;
        self.add_messages(played)
    }

    async fn play_games(&mut self, kind: Kind, until: Instant) -> Result<(), LoadFailure> {
        while Instant::now() < until {
            if !self.pace.has_game_left() {
                self.is_out_of_requests = true;
                break;
            }
            let seed = Hex::new(rand::random());
            let choose = Request::Choose {
                id: self.next_request_id().await,
                game: kind,
                seed_hash: Some(commitment(&seed)),
                secret: None,
                with: None,
            };
            self.checks.record_choice(kind, seed);
            self.transcript.clear();
            self.send(&choose).await?;
            if !self.play_game(kind, seed, until).await? {
                break;
            }
        }
        Ok(())
    }

    /// Plays a chosen game. Returns `false` if no opponent came in time.
    async fn play_game(
        &mut self,
        kind: Kind,
        seed: Hex<32>,
        until: Instant,
    ) -> Result<bool, LoadFailure> {
        let mut opponent = None;
        let mut decided_at = Instant::now();
        let mut cancelling = false;
        loop {
            let patience = match (&opponent, cancelling) {
                (None, false) => until.saturating_duration_since(Instant::now()),
                _ => ANSWER_TIMEOUT,
            };
            let message = match timeout(patience, self.next()).await {
                Ok(message) => message?,
                Err(_) if opponent.is_none() && !cancelling => {
                    cancelling = true;
                    let id = self.next_request_id().await;
                    self.send(&Request::Cancel { id, game: kind }).await?;
                    continue;
                }
                Err(_) => return Err(LoadFailure::NoAnswer),
            };
            match message {
                Message::Waiting { .. }
                | Message::Seeded { .. }
                | Message::Clock { .. }
                | Message::OpponentDecided { .. } => {}
                Message::Cancelled { .. } | Message::Draining { .. } if opponent.is_none() => {
                    return Ok(false);
                }
                // The game started before the request to cancel arrived.
                Message::Error { code, .. } if cancelling && code == Refusal::NotWaiting => {}
                Message::Error { code, .. } if is_late_move(code) => self.late_moves += 1,
                Message::Error {
                    code: Refusal::Draining,
                    ..
                } => return Ok(false),
                message if is_from_elsewhere(&message) => {}
                Message::Started {
                    game_id,
                    opponent: found,
                    left_ms,
                    ..
                } => {
                    let started_at = Instant::now();
                    opponent = Some(found);
                    let id = self.next_request_id().await;
                    let value = seed;
                    self.checks.record_seed(time_left(left_ms, started_at));
                    self.send(&Request::Seed { id, game_id, value }).await?;
                }
                dealt @ (Message::Dealt { .. } | Message::Redealt { .. }) => {
                    decided_at = self.decide(&dealt).await?;
                }
                Message::Decided { .. } => self.latencies.push(decided_at.elapsed()),
                Message::Result {
                    game_id,
                    delta,
                    outcome,
                    ..
                } => {
                    self.games.extend(self.checks.last_finished_game().cloned());
                    let opponent = opponent.map(|opponent| opponent.player);
                    self.compare_result(game_id, opponent, outcome, delta)?;
                    return Ok(true);
                }
                message => return Err(failure_of_message(&message)),
            }
        }
    }

    /// Decides on new cards after some time, and returns the time of the decision.
    async fn decide(&mut self, dealt: &Message) -> Result<Instant, LoadFailure> {
        let (Message::Dealt {
            game_id,
            deal,
            left_ms,
            ..
        }
        | Message::Redealt {
            game_id,
            deal,
            left_ms,
            ..
        }) = *dealt
        else {
            return Err(failure_of_message(dealt));
        };
        let dealt_at = Instant::now();
        let decision = match rand::random::<u8>() {
            0..80 => Decision::Fold,
            _ => Decision::Play,
        };
        tokio::time::sleep(self.think.mul_f64(2.0 * rand::random::<f64>())).await;
        let decide = Request::Decide {
            id: self.next_request_id().await,
            game_id,
            deal,
            decision,
        };
        let decided_at = Instant::now();
        self.checks
            .record_decision(decision, time_left(left_ms, dealt_at));
        self.send(&decide).await?;
        Ok(decided_at)
    }

    /// Compares a result with the one that the opponent received.
    fn compare_result(
        &mut self,
        game: u64,
        opponent: Option<PlayerId>,
        outcome: Outcome,
        delta: i64,
    ) -> Result<(), LoadFailure> {
        let (Some(opponent), Some(message)) = (opponent, self.transcript.last()) else {
            return Ok(());
        };
        let result = PlayerResult {
            outcome,
            delta,
            message: message.clone(),
        };
        let results = self.results.lock();
        // The results are consistent even after a panic.
        let mut results = results.unwrap_or_else(PoisonError::into_inner);
        let compared = results.add(game, opponent, result.clone());
        compared.map_err(|other| {
            self.transcript = vec![other, result.message];
            LoadFailure::ResultsDiffer
        })
    }

    /// Receives and checks the next message.
    async fn next(&mut self) -> Result<Message, LoadFailure> {
        let until = Instant::now() + ANSWER_TIMEOUT;
        let message = self.receive_before(until).await?;
        message.ok_or(LoadFailure::NoAnswer)
    }

    /// Receives and checks the next message; `None` if there is none by then.
    async fn receive_before(&mut self, until: Instant) -> Result<Option<Message>, LoadFailure> {
        loop {
            let patience = until.saturating_duration_since(Instant::now());
            let Ok(received) = timeout(patience, self.socket.next()).await else {
                return Ok(None);
            };
            match received {
                Some(Ok(Frame::Text(text))) => {
                    self.transcript.push(text.as_str().to_owned());
                    let sent: NumberedMessage =
                        serde_json::from_str(&text).map_err(|_| LoadFailure::InvalidMessage)?;
                    self.checks.receive(&sent)?;
                    return Ok(Some(sent.message));
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(Frame::Binary(_) | Frame::Frame(_))) => {
                    return Err(LoadFailure::InvalidMessage);
                }
                Some(Ok(Frame::Close(Some(close)))) => {
                    let reason = format!("{} {}", close.code, close.reason);
                    return Err(LoadFailure::ConnectionLost(reason.trim_end().to_owned()));
                }
                Some(Err(error)) => return Err(LoadFailure::ConnectionLost(error.to_string())),
                Some(Ok(Frame::Close(None))) | None => {
                    return Err(LoadFailure::ConnectionLost(
                        "closed by the table".to_owned(),
                    ));
                }
            }
        }
    }

    /// Stays connected and idle until `until`. An idle player must receive no messages, except
    /// those that others cause.
    pub(super) async fn stay_idle(&mut self, until: Instant) -> Result<(), PlayerFailure> {
        let idled = self.receive_nothing(until).await;
        self.add_messages(idled)
    }

    async fn receive_nothing(&mut self, until: Instant) -> Result<(), LoadFailure> {
        while let Some(message) = self.receive_before(until).await? {
            if !is_from_elsewhere(&message) {
                return Err(failure_of_message(&message));
            }
        }
        Ok(())
    }

    async fn send(&mut self, request: &Request) -> Result<(), LoadFailure> {
        if !matches!(request, Request::Hello { .. } | Request::Resume { .. }) {
            self.pace.count_request();
        }
        let text = serde_json::to_string(request).expect("requests are plain values");
        let sent = self.socket.send(Frame::Text(text.into()));
        sent.await
            .map_err(|error| LoadFailure::ConnectionLost(error.to_string()))
    }

    /// Waits until the limits of the table allow one more request, and returns its ID.
    async fn next_request_id(&mut self) -> RequestId {
        self.pace.wait().await;
        self.requests += 1;
        RequestId::new(&format!("r{}", self.requests)).expect("a short text")
    }

    /// Time spent waiting for the limits of the table.
    pub(super) const fn waited(&self) -> Duration {
        self.pace.waited
    }
}

/// Opens a WebSocket, once the limits of the table allow it.
async fn open_socket(address: SocketAddr, pace: &mut PlayerPace) -> Result<Socket, LoadFailure> {
    pace.wait().await;
    let stream = TcpStream::connect(address);
    let stream = stream
        .await
        .map_err(|error| LoadFailure::NoConnection(error.to_string()))?;
    // With Nagle's algorithm, a message may wait until the previous one is acknowledged.
    let _ = stream.set_nodelay(true);
    let config = WebSocketConfig::default()
        .read_buffer_size(BUFFER)
        .write_buffer_size(0);
    let url = format!("ws://{address}/ws");
    let opened = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await;
    match opened {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::Error::Http(answer))
            if answer.status() == StatusCode::TOO_MANY_REQUESTS =>
        {
            Err(LoadFailure::TooFast)
        }
        Err(error) => Err(LoadFailure::NoConnection(error.to_string())),
    }
}

/// Time left of a deadline that was this many milliseconds away at `since`.
fn time_left(left_ms: u64, since: Instant) -> Duration {
    Duration::from_millis(left_ms).saturating_sub(since.elapsed())
}

/// Returns true if a move was refused because it came too late, such as after a long time to think.
const fn is_late_move(code: Refusal) -> bool {
    matches!(
        code,
        Refusal::NotPlaying
            | Refusal::StaleSeed
            | Refusal::SeedsClosed
            | Refusal::StaleDecision
            | Refusal::TooLate
            | Refusal::DecidedAlready
    )
}

/// Returns true for a message that an operator or another player causes at any time.
const fn is_from_elsewhere(message: &Message) -> bool {
    matches!(
        message,
        Message::Adjusted { .. }
            | Message::Draining { .. }
            | Message::RematchWanted { .. }
            | Message::RematchWithdrawn { .. }
    )
}

/// Failure shown by a message in place of the expected one.
fn failure_of_message(message: &Message) -> LoadFailure {
    match message {
        Message::Error {
            code: Refusal::TooFast,
            ..
        } => LoadFailure::TooFast,
        Message::Error { code, .. } => LoadFailure::Refused(code.to_string()),
        message => LoadFailure::Unexpected(format!("{message:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::{LoadFailure, PlayerPace, open_socket};
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn failure_at(address: std::net::SocketAddr) -> LoadFailure {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_all().build().expect("a runtime");
        let opened = runtime.block_on(open_socket(address, &mut PlayerPace::default()));
        opened.expect_err("no table is there")
    }

    #[test]
    fn a_failed_connection_says_why() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let answering = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _ = stream.read(&mut [0; 4096]);
            let answer = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n";
            stream.write_all(answer).expect("a client");
        });
        let refused = failure_at(address);
        answering.join().expect("an answer");
        assert!(
            matches!(&refused, LoadFailure::NoConnection(reason) if reason.contains("403")),
            "{refused}"
        );
        // The listener is gone.
        let closed = failure_at(address);
        assert!(
            matches!(&closed, LoadFailure::NoConnection(reason) if reason.contains("refused")),
            "{closed}"
        );
    }
}
