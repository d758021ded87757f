use super::game::SeenGame;
use super::trouble::{PATIENCE, Trouble};
use crate::room::{AccessToken, Message, Outcome, Refusal, Request, RequestId, Sent};
use crate::tokens::{ClientSeed, Decision, Kind, Name};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// As much of a message as is read at once.
const BUFFER: usize = 4096;

/// What the names of all these players begin with.
pub(super) const NAME: &str = "Load ";

/// A connected player.
pub(super) struct Player {
    socket: WebSocketStream<TcpStream>,
    requests: u64,
    /// How long they think on average before they decide.
    think: Duration,
    /// The token to come back with, once the table has granted one.
    pub(super) token: Option<AccessToken>,
    /// The number of the last message.
    pub(super) seq: u64,
    /// The tokens, as the results make them.
    pub(super) balance: i64,
    /// How long each decision took to be acknowledged.
    pub(super) latencies: Vec<Duration>,
    pub(super) games: u64,
    /// What the bank took, in games where both folded.
    pub(super) lost_to_the_bank: i64,
    /// What was won from others than players of this kind, such as the house.
    pub(super) won_from_strangers: i64,
}

impl Player {
    /// Connects, and says `hello`; with a token, as the player who got it.
    pub(super) async fn connect(
        address: SocketAddr,
        name: &Name,
        token: Option<AccessToken>,
        think: Duration,
    ) -> Result<Self, Trouble> {
        let stream = TcpStream::connect(address);
        let stream = stream.await.map_err(|_| Trouble::NoConnection)?;
        // Without it a message may wait for the one before it to be acknowledged.
        let _ = stream.set_nodelay(true);
        let config = WebSocketConfig::default()
            .read_buffer_size(BUFFER)
            .write_buffer_size(0);
        let url = format!("ws://{address}/ws");
        let opened = tokio_tungstenite::client_async_with_config(url, stream, Some(config)).await;
        let (socket, _) = opened.map_err(|_| Trouble::NoConnection)?;
        let mut player = Self {
            socket,
            requests: 0,
            think,
            token: None,
            seq: 0,
            balance: 0,
            latencies: Vec::new(),
            games: 0,
            lost_to_the_bank: 0,
            won_from_strangers: 0,
        };
        let id = player.id();
        let name = name.clone();
        player.send(&Request::Hello { id, name, token }).await?;
        let sent = player.receive().await?;
        let Message::Welcome { token, balance, .. } = sent.message else {
            return Err(Trouble::Unexpected(format!("{:?}", sent.message)));
        };
        (player.token, player.balance, player.seq) = (Some(token), balance, sent.seq);
        Ok(player)
    }

    /// Plays games of this kind until the time is over, and the last one to its end.
    pub(super) async fn play(&mut self, kind: Kind, until: Instant) -> Result<(), Trouble> {
        while Instant::now() < until {
            let id = self.id();
            self.send(&Request::Choose { id, game: kind }).await?;
            if !self.game(until).await? {
                break;
            }
        }
        Ok(())
    }

    /// Plays the game that was chosen; `false` where nobody came to play until the end.
    async fn game(&mut self, until: Instant) -> Result<bool, Trouble> {
        let mut seen: Option<SeenGame> = None;
        let mut decided = Instant::now();
        let mut cancelling = false;
        loop {
            let patience = match (&seen, cancelling) {
                (None, false) => until.saturating_duration_since(Instant::now()),
                _ => PATIENCE,
            };
            let message = match timeout(patience, self.next()).await {
                Ok(message) => message?,
                Err(_) if seen.is_none() && !cancelling => {
                    cancelling = true;
                    let id = self.id();
                    self.send(&Request::Cancel { id }).await?;
                    continue;
                }
                Err(_) => return Err(Trouble::NoAnswer),
            };
            match (message, &mut seen) {
                (Message::Waiting { .. } | Message::Seeded { .. } | Message::Clock { .. }, _) => {}
                (Message::Cancelled { .. }, None) => return Ok(false),
                // The game began before the wish to cancel came.
                (Message::Error { code, .. }, _) if cancelling && code == Refusal::NotWaiting => {}
                (
                    Message::Started {
                        game_id,
                        game,
                        seat,
                        commitment,
                        opponent,
                    },
                    None,
                ) => {
                    let value = format!("{:016x}", rand::random::<u64>());
                    let value = ClientSeed::new(&value).expect("a short text");
                    seen = Some(SeenGame {
                        number: game_id,
                        kind: game,
                        seat,
                        commitment,
                        opponent,
                        seed: value.clone(),
                        hands: Vec::new(),
                    });
                    let id = self.id();
                    self.send(&Request::Seed { id, value }).await?;
                }
                (Message::Dealt { cards, .. } | Message::Redealt { cards, .. }, Some(seen)) => {
                    seen.hands.push(cards);
                    let decision = match rand::random::<u8>() {
                        0..80 => Decision::Fold,
                        _ => Decision::Play,
                    };
                    tokio::time::sleep(self.think.mul_f64(2.0 * rand::random::<f64>())).await;
                    let id = self.id();
                    decided = Instant::now();
                    self.send(&Request::Decide { id, decision }).await?;
                }
                (Message::Decided { .. }, Some(_)) => self.latencies.push(decided.elapsed()),
                (result @ Message::Result { .. }, Some(seen)) => {
                    self.check(&result, seen)?;
                    return Ok(true);
                }
                (message, _) => return Err(Trouble::Unexpected(format!("{message:?}"))),
            }
        }
    }

    /// Checks that a result is what the stakes, the seeds and the balance before make it.
    fn check(&mut self, result: &Message, seen: &SeenGame) -> Result<(), Trouble> {
        let Message::Result {
            delta,
            balance,
            reveal,
            outcome,
            ..
        } = result
        else {
            return Ok(());
        };
        self.balance += delta;
        if self.balance != *balance {
            return Err(Trouble::Balance);
        }
        seen.check(reveal)?;
        self.games += 1;
        if !seen.opponent.as_str().starts_with(NAME) {
            self.won_from_strangers += delta;
        } else if *outcome == Outcome::BothFolded {
            self.lost_to_the_bank -= delta;
        }
        Ok(())
    }

    /// The next message of the player's sequence, or an answer to this connection.
    async fn next(&mut self) -> Result<Message, Trouble> {
        let sent = self.receive().await?;
        let expected = match sent.message {
            Message::Error { .. } => self.seq,
            _ => self.seq + 1,
        };
        if sent.seq != expected {
            return Err(Trouble::Sequence);
        }
        self.seq = sent.seq;
        Ok(sent.message)
    }

    async fn receive(&mut self) -> Result<Sent, Trouble> {
        loop {
            let received = timeout(PATIENCE, self.socket.next()).await;
            match received.map_err(|_| Trouble::NoAnswer)? {
                Some(Ok(Frame::Text(text))) => {
                    let sent = serde_json::from_str(&text);
                    return sent.map_err(|_| Trouble::NoMessage).and_then(granted);
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                _ => return Err(Trouble::Lost),
            }
        }
    }

    /// Stays connected until the time is over: nothing may be said to a player who does
    /// nothing.
    pub(super) async fn idle(&mut self, until: Instant) -> Result<(), Trouble> {
        let patience = until.saturating_duration_since(Instant::now());
        match timeout(patience, self.next()).await {
            Ok(message) => Err(Trouble::Unexpected(format!("{:?}", message?))),
            Err(_) => Ok(()),
        }
    }

    async fn send(&mut self, request: &Request) -> Result<(), Trouble> {
        let text = serde_json::to_string(request).expect("requests are plain values");
        let sent = self.socket.send(Frame::Text(text.into()));
        sent.await.map_err(|_| Trouble::Lost)
    }

    fn id(&mut self) -> RequestId {
        self.requests += 1;
        RequestId::new(&format!("r{}", self.requests)).expect("a short text")
    }
}

/// A message, unless it says that too much was asked for.
fn granted(sent: Sent) -> Result<Sent, Trouble> {
    match sent.message {
        Message::Error {
            code: Refusal::TooFast,
            ..
        } => Err(Trouble::TooFast),
        _ => Ok(sent),
    }
}
