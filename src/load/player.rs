//! A player over the network, who believes nothing: every message is checked.

use crate::hex::Hex;
use crate::i18n::{Message, Text};
use crate::room::{AccessToken, Message as Told, Outcome, Refusal, Request, RequestId, Sent};
use crate::tokens::{ClientSeed, Decision, Kind, Name, Secret};
use futures_util::{SinkExt, StreamExt};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);
/// As much of a message as is read at once.
const BUFFER: usize = 4096;

/// What the names of all these players begin with.
pub(crate) const NAME: &str = "Load ";

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trouble {
    /// The table can't be reached.
    NoConnection,
    /// The connection ended.
    Lost,
    /// Nothing came in time.
    NoAnswer,
    /// A message that is none of the protocol.
    NoMessage,
    /// A gap or a repeat in the sequence.
    Sequence,
    /// A balance that is not what the messages make it.
    Balance,
    /// A revealed seed that was not committed to.
    Commitment,
    /// A seed of the player's that is not the one he gave.
    Seed,
    /// Cards that do not follow from the seeds.
    Cards,
    /// A message that nothing called for.
    Unexpected(String),
}

impl Trouble {
    /// The trouble in words.
    pub(crate) fn text(&self) -> Text {
        match self {
            Self::NoConnection => Text::new(Message::LOAD_NO_CONNECTION),
            Self::Lost => Text::new(Message::LOAD_LOST),
            Self::NoAnswer => {
                Text::new(Message::LOAD_NO_ANSWER).with("seconds", PATIENCE.as_secs().to_string())
            }
            Self::NoMessage => Text::new(Message::LOAD_NO_MESSAGE),
            Self::Sequence => Text::new(Message::LOAD_SEQUENCE),
            Self::Balance => Text::new(Message::LOAD_BALANCE),
            Self::Commitment => Text::new(Message::LOAD_COMMITMENT),
            Self::Seed => Text::new(Message::LOAD_SEED),
            Self::Cards => Text::new(Message::LOAD_CARDS),
            Self::Unexpected(message) => {
                Text::new(Message::LOAD_UNEXPECTED).with("message", message.as_str())
            }
        }
    }
}

/// A connected player.
pub(crate) struct Client {
    socket: WebSocketStream<TcpStream>,
    requests: u64,
    /// How long it thinks on average before it decides.
    think: Duration,
    pub(crate) token: AccessToken,
    /// The number of the last message.
    pub(crate) seq: u64,
    /// The tokens, as the results make them.
    pub(crate) balance: i64,
    /// How long each decision took to be acknowledged.
    pub(crate) latencies: Vec<Duration>,
    pub(crate) games: u64,
    /// What the bank took, in games where both folded.
    pub(crate) lost_to_the_bank: i64,
    /// What was won from others than players of this kind, such as the house.
    pub(crate) won_from_strangers: i64,
}

/// A game as its player sees it.
struct Seen {
    game: u64,
    kind: Kind,
    seat: u8,
    commitment: Hex<32>,
    opponent: Name,
    /// The seed that was given.
    value: ClientSeed,
    hands: Vec<Vec<crate::cards::Card>>,
}

impl Client {
    /// Connects, and says `hello`; with a token, as the player who got it.
    pub(crate) async fn connect(
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
        let mut client = Self {
            socket,
            requests: 0,
            think,
            token: AccessToken::new(Hex::new([0; 32])),
            seq: 0,
            balance: 0,
            latencies: Vec::new(),
            games: 0,
            lost_to_the_bank: 0,
            won_from_strangers: 0,
        };
        let id = client.id();
        let name = name.clone();
        client.send(&Request::Hello { id, name, token }).await?;
        let sent = client.receive().await?;
        let Told::Welcome { token, balance, .. } = sent.message else {
            return Err(Trouble::Unexpected(format!("{:?}", sent.message)));
        };
        (client.token, client.balance, client.seq) = (token, balance, sent.seq);
        Ok(client)
    }

    /// Plays games of this kind until the time is over, and the last one to its end.
    pub(crate) async fn play(&mut self, kind: Kind, until: Instant) -> Result<(), Trouble> {
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
        let mut seen: Option<Seen> = None;
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
                (Told::Waiting { .. } | Told::Seeded { .. }, _) => {}
                (Told::Cancelled { .. }, None) => return Ok(false),
                // The game began before the wish to cancel came.
                (Told::Error { code, .. }, _) if cancelling && code == Refusal::NotWaiting => {}
                (
                    Told::Started {
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
                    seen = Some(Seen {
                        game: game_id,
                        kind: game,
                        seat,
                        commitment,
                        opponent,
                        value: value.clone(),
                        hands: Vec::new(),
                    });
                    let id = self.id();
                    self.send(&Request::Seed { id, value }).await?;
                }
                (Told::Dealt { cards, .. } | Told::Redealt { cards, .. }, Some(seen)) => {
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
                (Told::Decided { .. }, Some(_)) => self.latencies.push(decided.elapsed()),
                (result @ Told::Result { .. }, Some(seen)) => {
                    self.check(&result, seen)?;
                    return Ok(true);
                }
                (message, _) => return Err(Trouble::Unexpected(format!("{message:?}"))),
            }
        }
    }

    /// Sees that a result is what the stakes, the seeds and the balance before make it.
    fn check(&mut self, result: &Told, seen: &Seen) -> Result<(), Trouble> {
        let Told::Result {
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
        let secret = Secret::new(reveal.seed);
        if secret.commitment() != seen.commitment {
            return Err(Trouble::Commitment);
        }
        if reveal.client_seeds[usize::from(seen.seat == 2)] != seen.value {
            return Err(Trouble::Seed);
        }
        if reveal.deals as usize != seen.hands.len() {
            return Err(Trouble::Cards);
        }
        for (deal, hand) in (1..).zip(&seen.hands) {
            let seeds = reveal.client_seeds.each_ref();
            let dealt = secret.hands(seen.kind, seen.game, seeds, deal);
            if dealt[usize::from(seen.seat == 2)] != *hand {
                return Err(Trouble::Cards);
            }
        }
        self.games += 1;
        if !seen.opponent.as_str().starts_with(NAME) {
            self.won_from_strangers += delta;
        } else if *outcome == Outcome::BothFolded {
            self.lost_to_the_bank -= delta;
        }
        Ok(())
    }

    /// The next message of the player's sequence, or an answer to this connection.
    async fn next(&mut self) -> Result<Told, Trouble> {
        let sent = self.receive().await?;
        let expected = match sent.message {
            Told::Error { .. } => self.seq,
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
                    return serde_json::from_str(&text).map_err(|_| Trouble::NoMessage);
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                _ => return Err(Trouble::Lost),
            }
        }
    }

    /// Stays connected until the time is over: nothing may be said to a player who does
    /// nothing.
    pub(crate) async fn idle(&mut self, until: Instant) -> Result<(), Trouble> {
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
