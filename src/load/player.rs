use super::game::SeenGame;
use super::trouble::{PATIENCE, Trouble};
use crate::hex::Hex;
use crate::room::{AccessToken, Message, Outcome, Protocol, Refusal, Request, RequestId, Sent};
use crate::tokens::{Decision, Kind, Name, commitment};
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
    /// The token to come back with.
    pub(super) token: AccessToken,
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
    /// Connects, and says `hello` with a token: as a new player, or as the one who has it.
    pub(super) async fn connect(
        address: SocketAddr,
        name: &Name,
        token: AccessToken,
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
            token,
            seq: 0,
            balance: 0,
            latencies: Vec::new(),
            games: 0,
            lost_to_the_bank: 0,
            won_from_strangers: 0,
        };
        let id = player.id();
        let name = name.clone();
        let hello = Request::Hello {
            id,
            name,
            token,
            protocol: Protocol,
        };
        player.send(&hello).await?;
        let sent = player.receive().await?;
        let Message::Welcome { balance, .. } = sent.message else {
            return Err(Trouble::Unexpected(format!("{:?}", sent.message)));
        };
        (player.balance, player.seq) = (balance, sent.seq);
        Ok(player)
    }

    /// Plays games of this kind until the time is over, and the last one to its end.
    pub(super) async fn play(&mut self, kind: Kind, until: Instant) -> Result<(), Trouble> {
        while Instant::now() < until {
            let seed = Hex::new(rand::random());
            let choose = Request::Choose {
                id: self.id(),
                game: kind,
                seed_hash: commitment(&seed),
            };
            self.send(&choose).await?;
            if !self.game(kind, seed, until).await? {
                break;
            }
        }
        Ok(())
    }

    /// Plays the game that was chosen; `false` where nobody came to play until the end.
    async fn game(&mut self, kind: Kind, own: Hex<32>, until: Instant) -> Result<bool, Trouble> {
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
                    self.send(&Request::Cancel { id, game: kind }).await?;
                    continue;
                }
                Err(_) => return Err(Trouble::NoAnswer),
            };
            match (message, &mut seen) {
                (
                    Message::Waiting { .. }
                    | Message::Seeded { .. }
                    | Message::Clock { .. }
                    | Message::OpponentDecided { .. },
                    _,
                ) => {}
                (Message::Cancelled { .. } | Message::Draining { .. }, None) => return Ok(false),
                // The game began before the wish to cancel came.
                (Message::Error { code, .. }, _) if cancelling && code == Refusal::NotWaiting => {}
                (started @ Message::Started { .. }, None) => {
                    seen = Some(self.open_seed(started, own).await?);
                }
                (dealt @ (Message::Dealt { .. } | Message::Redealt { .. }), Some(seen)) => {
                    decided = self.decide(dealt, seen).await?;
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

    /// Opens the seed in the game that starts.
    async fn open_seed(&mut self, started: Message, own: Hex<32>) -> Result<SeenGame, Trouble> {
        let Message::Started {
            game_id,
            game,
            seat,
            opponent,
            seed_hashes,
            commitment,
            ..
        } = started
        else {
            return Err(Trouble::Unexpected(format!("{started:?}")));
        };
        let seen = SeenGame {
            number: game_id,
            kind: game,
            seat: usize::from(seat == 2),
            commitment,
            seed_hashes,
            opponent,
            seed: own,
            hands: Vec::new(),
        };
        seen.check_start()?;
        let open = Request::Seed {
            id: self.id(),
            game_id,
            value: own,
        };
        self.send(&open).await?;
        Ok(seen)
    }

    /// Decides on new cards after some time; the result is when.
    async fn decide(&mut self, dealt: Message, seen: &mut SeenGame) -> Result<Instant, Trouble> {
        let (Message::Dealt {
            game_id,
            deal,
            cards,
            ..
        }
        | Message::Redealt {
            game_id,
            deal,
            cards,
            ..
        }) = dealt
        else {
            return Err(Trouble::Unexpected(format!("{dealt:?}")));
        };
        seen.hands.push(cards);
        if game_id != seen.number || deal as usize != seen.hands.len() {
            return Err(Trouble::Cards);
        }
        let decision = match rand::random::<u8>() {
            0..80 => Decision::Fold,
            _ => Decision::Play,
        };
        tokio::time::sleep(self.think.mul_f64(2.0 * rand::random::<f64>())).await;
        let decide = Request::Decide {
            id: self.id(),
            game_id,
            deal,
            decision,
        };
        let decided = Instant::now();
        self.send(&decide).await?;
        Ok(decided)
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
        let opponent = seen.opponent.name.as_ref();
        let is_stranger = opponent.is_none_or(|name| !name.as_str().starts_with(NAME));
        if is_stranger {
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
