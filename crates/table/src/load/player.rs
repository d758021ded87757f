#![expect(clippy::disallowed_methods, reason = "the load is played in real time")]

use super::report::{ANSWER_TIMEOUT, LoadFailure};
use crate::fair::{FairnessChecks, SettledGame};
use crate::protocol::{
    AccessToken, Message, NumberedMessage, Opponent, Outcome, ProtocolVersion, Refusal, Request,
    RequestId,
};
use crate::time::whole_millis;
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use war::support::hex::Hex;
use war::tokens::{Decision, Kind, Name, commitment};

/// Size of the read buffer of a connection, in bytes.
const BUFFER: usize = 4096;

/// Prefix of the names of all load players.
pub(super) const NAME_PREFIX: &str = "Load ";

/// A connected player of the load test.
pub(super) struct LoadPlayer {
    socket: WebSocketStream<TcpStream>,
    requests: u64,
    /// Average time before a decision.
    think: Duration,
    /// The token for reconnecting.
    pub(super) token: AccessToken,
    /// The player's checks of the table.
    pub(super) checks: FairnessChecks,
    /// Time until each decision was acknowledged.
    pub(super) latencies: Vec<Duration>,
    /// The player's finished games.
    pub(super) games: Vec<SettledGame>,
    /// Tokens lost to the bank in games that both players folded.
    pub(super) lost_to_the_bank: i64,
    /// Tokens won from opponents other than load players, such as the house.
    pub(super) won_from_strangers: i64,
}

impl LoadPlayer {
    /// Connects and sends `hello` with a token: as a new player, or as a returning one with their
    /// checks so far.
    pub(super) async fn connect(
        address: SocketAddr,
        name: &Name,
        token: AccessToken,
        checks: FairnessChecks,
        think: Duration,
    ) -> Result<Self, LoadFailure> {
        let stream = TcpStream::connect(address);
        let stream = stream.await.map_err(|_| LoadFailure::NoConnection)?;
        // With Nagle's algorithm, a message may wait until the previous one is acknowledged.
        let _ = stream.set_nodelay(true);
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(0);
        let url = format!("ws://{address}/ws");
        let opened = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await;
        let (socket, _) = opened.map_err(|_| LoadFailure::NoConnection)?;
        let mut player = Self {
            socket,
            requests: 0,
            think,
            token,
            checks,
            latencies: Vec::new(),
            games: Vec::new(),
            lost_to_the_bank: 0,
            won_from_strangers: 0,
        };
        let id = player.next_request_id();
        let name = name.clone();
        let hello = Request::Hello {
            id,
            name,
            token,
            protocol: ProtocolVersion,
            watchable: false,
        };
        player.send(&hello).await?;
        match player.next().await? {
            Message::Welcome { .. } => Ok(player),
            message => Err(unexpected_message(&message)),
        }
    }

    /// Plays games of this kind until `until`, and then finishes the running game.
    pub(super) async fn play(&mut self, kind: Kind, until: Instant) -> Result<(), LoadFailure> {
        while Instant::now() < until {
            let seed = Hex::new(rand::random());
            let choose = Request::Choose {
                id: self.next_request_id(),
                game: kind,
                seed_hash: commitment(&seed),
                with: None,
            };
            self.checks.record_choice(kind, seed);
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
                    let id = self.next_request_id();
                    self.send(&Request::Cancel { id, game: kind }).await?;
                    continue;
                }
                Err(_) => return Err(LoadFailure::NoAnswer),
            };
            match message {
                Message::Waiting { .. }
                | Message::Seeded { .. }
                | Message::Clock { .. }
                | Message::Adjusted { .. }
                | Message::OpponentDecided { .. } => {}
                Message::Cancelled { .. } | Message::Draining { .. } if opponent.is_none() => {
                    return Ok(false);
                }
                // The game started before the request to cancel arrived.
                Message::Error { code, .. } if cancelling && code == Refusal::NotWaiting => {}
                Message::Started {
                    game_id,
                    opponent: found,
                    left_ms,
                    ..
                } => {
                    opponent = Some(found);
                    let id = self.next_request_id();
                    let value = seed;
                    self.checks.record_seed(Duration::from_millis(left_ms));
                    self.send(&Request::Seed { id, game_id, value }).await?;
                }
                dealt @ (Message::Dealt { .. } | Message::Redealt { .. }) => {
                    decided_at = self.decide(&dealt).await?;
                }
                Message::Decided { .. } => self.latencies.push(decided_at.elapsed()),
                Message::Result { delta, outcome, .. } => {
                    self.record(delta, outcome, opponent.as_ref());
                    return Ok(true);
                }
                message => return Err(unexpected_message(&message)),
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
            return Err(unexpected_message(dealt));
        };
        let dealt_at = Instant::now();
        let decision = match rand::random::<u8>() {
            0..80 => Decision::Fold,
            _ => Decision::Play,
        };
        tokio::time::sleep(self.think.mul_f64(2.0 * rand::random::<f64>())).await;
        let decide = Request::Decide {
            id: self.next_request_id(),
            game_id,
            deal,
            decision,
        };
        let decided_at = Instant::now();
        let left = left_ms.saturating_sub(whole_millis(dealt_at.elapsed()));
        self.checks
            .record_decision(decision, Duration::from_millis(left));
        self.send(&decide).await?;
        Ok(decided_at)
    }

    /// Records a finished game.
    fn record(&mut self, delta: i64, outcome: Outcome, opponent: Option<&Opponent>) {
        self.games.extend(self.checks.last_finished_game().cloned());
        let name = opponent.and_then(|opponent| opponent.name.as_ref());
        let is_stranger = name.is_none_or(|name| !name.as_str().starts_with(NAME_PREFIX));
        if is_stranger {
            self.won_from_strangers += delta;
        } else if outcome == Outcome::BothFolded {
            self.lost_to_the_bank -= delta;
        }
    }

    /// Receives and checks the next message.
    async fn next(&mut self) -> Result<Message, LoadFailure> {
        let sent = self.receive().await?;
        self.checks.receive(&sent)?;
        Ok(sent.message)
    }

    async fn receive(&mut self) -> Result<NumberedMessage, LoadFailure> {
        loop {
            let received = timeout(ANSWER_TIMEOUT, self.socket.next()).await;
            match received.map_err(|_| LoadFailure::NoAnswer)? {
                Some(Ok(Frame::Text(text))) => {
                    let sent = serde_json::from_str(&text);
                    return sent
                        .map_err(|_| LoadFailure::InvalidMessage)
                        .and_then(check_rate_limit);
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                _ => return Err(LoadFailure::ConnectionLost),
            }
        }
    }

    /// Stays connected and idle until `until`. An idle player must receive no messages.
    pub(super) async fn stay_idle(&mut self, until: Instant) -> Result<(), LoadFailure> {
        let patience = until.saturating_duration_since(Instant::now());
        match timeout(patience, self.next()).await {
            Ok(message) => Err(unexpected_message(&message?)),
            Err(_) => Ok(()),
        }
    }

    async fn send(&mut self, request: &Request) -> Result<(), LoadFailure> {
        let text = serde_json::to_string(request).expect("requests are plain values");
        let sent = self.socket.send(Frame::Text(text.into()));
        sent.await.map_err(|_| LoadFailure::ConnectionLost)
    }

    fn next_request_id(&mut self) -> RequestId {
        self.requests += 1;
        RequestId::new(&format!("r{}", self.requests)).expect("a short text")
    }
}

/// Turns the refusal of too many requests into an error.
fn check_rate_limit(sent: NumberedMessage) -> Result<NumberedMessage, LoadFailure> {
    match sent.message {
        Message::Error {
            code: Refusal::TooFast,
            ..
        } => Err(LoadFailure::TooFast),
        _ => Ok(sent),
    }
}

fn unexpected_message(message: &Message) -> LoadFailure {
    LoadFailure::Unexpected(format!("{message:?}"))
}
