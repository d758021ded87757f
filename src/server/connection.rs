//! A WebSocket connection: reads requests, hands them to the desk, sends what it gets.

use super::allowance::Allowance;
use super::http::Server;
use super::hub::{json, refused};
use super::writer::{Ask, Delivery, Line};
use crate::i18n::{self, Catalogue, Text};
use crate::room::{Message as Told, PlayerId, Refusal, Request, RequestId};
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_tungstenite::tungstenite;

/// How long a client may take before it says `hello`, and to take a message.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long is read on what a client says that is closed.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How often a silent client is asked whether it is still there.
const PING: Duration = Duration::from_secs(20);
/// How long a client may be silent.
const SILENCE: Duration = Duration::from_secs(60);
/// How many requests of a connection may be on their way to be answered.
const TURNS: usize = 16;
/// How many deliveries may wait for a connection: the answers to all its requests, and what
/// others bring; messages beyond that it reads from the store.
const WAITING: usize = 128;
/// How often a client may be too fast before it is closed.
const MOST_TOO_FAST: u32 = 100;

/// Why a connection ends.
enum End {
    /// The client is gone, or does not take what it is sent.
    Gone,
    /// The client closed it.
    Left,
    /// It is closed with this code.
    Close(u16),
}

/// A connection.
pub(super) struct Connection {
    socket: WebSocket,
    server: Arc<Server>,
    line: Line,
    deliveries: mpsc::Receiver<Delivery>,
    player: Option<PlayerId>,
    /// A `hello` is on its way.
    greeting: bool,
    /// A `hello` was handed to the desk, which may know the connection.
    greeted: bool,
    /// As many requests as may be on their way to be answered.
    turns: Arc<Semaphore>,
    /// The last message that was sent; none is until a client that returned asks for
    /// something, so that it can say first what it has.
    cursor: Cursor,
    allowance: Allowance,
    heard: Instant,
}

/// Where in the sequence of its player a connection is.
enum Cursor {
    /// It would go on after this message.
    Held(u64),
    /// This one was sent last.
    At(u64),
}

impl Connection {
    pub(super) fn new(
        socket: WebSocket,
        server: Arc<Server>,
        number: u64,
        catalogue: &'static Catalogue,
    ) -> Self {
        let (sender, deliveries) = mpsc::channel(WAITING);
        let line = Line {
            number,
            catalogue,
            sender,
            latest: Arc::new(AtomicU64::new(0)),
        };
        Self {
            allowance: Allowance::new(server.limits.rate),
            socket,
            server,
            line,
            deliveries,
            player: None,
            greeting: false,
            greeted: false,
            turns: Arc::new(Semaphore::new(TURNS)),
            cursor: Cursor::Held(0),
            heard: Instant::now(),
        }
    }

    /// Serves the connection until it ends.
    pub(super) async fn serve(mut self) {
        let end = self.run().await;
        if self.greeted {
            let line = self.line.number;
            // Where the desk is closed, it needs to know nothing any more.
            let _ = self.server.desk.send(Ask::Leave { line }).await;
        }
        // Whoever does not take it is gone.
        let _ = timeout(PATIENCE, self.farewell(&end)).await;
    }

    /// Closes the connection as the protocol has it.
    async fn farewell(&mut self, end: &End) {
        match end {
            End::Gone => {}
            // To read on is to answer the client's close.
            End::Left => while let Some(Ok(_)) = self.socket.recv().await {},
            End::Close(code) => {
                let frame = CloseFrame {
                    code: *code,
                    reason: Utf8Bytes::default(),
                };
                // Whether it comes through is not known anyway.
                let _ = self.socket.send(Message::Close(Some(frame))).await;
                // What is not read would take the frame away from the client.
                let rest = async { while let Some(Ok(_)) = self.socket.recv().await {} };
                let _ = timeout(LAST_WORDS, rest).await;
            }
        }
    }

    async fn run(&mut self) -> End {
        let mut closing = self.server.closing.clone();
        let mut pings = interval(PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let hello = tokio::time::sleep(PATIENCE);
        tokio::pin!(hello);
        loop {
            let ready = self.deliveries.len() < TURNS && !self.greeting;
            let done = tokio::select! {
                // What is to be told goes first, also when the server closes.
                biased;
                Some(delivery) = self.deliveries.recv() => self.deliver(delivery).await,
                _ = closing.changed() => Err(End::Close(close_code::RESTART)),
                () = &mut hello, if self.player.is_none() => Err(End::Close(close_code::POLICY)),
                _ = pings.tick() => self.ping().await,
                // What is not read yet waits at the client, not here.
                received = self.socket.recv(), if ready => match received {
                    Some(Ok(message)) => self.received(message).await,
                    Some(Err(error)) => Err(unreadable(&error)),
                    None => Err(End::Gone),
                },
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn received(&mut self, message: Message) -> Result<(), End> {
        self.heard = Instant::now();
        let allowed = self.allowance.take(self.heard);
        if self.allowance.too_fast > MOST_TOO_FAST {
            return Err(End::Close(close_code::POLICY));
        }
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                let reason = self
                    .line
                    .catalogue
                    .text(&Text::new(i18n::Message::NO_OBJECT));
                return self.refuse(Refusal::BadMessage, None, &reason).await;
            }
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
            Message::Close(_) => return Err(End::Left),
        };
        match Request::parse(&text) {
            Ok(request) if !allowed => {
                let id = request.id().clone();
                self.refuse(Refusal::TooFast, Some(id), "").await
            }
            Ok(request) => self.requested(request).await,
            Err(bad) => {
                let reason = self.line.catalogue.text(&bad.reason);
                self.refuse(Refusal::BadMessage, bad.id, &reason).await
            }
        }
    }

    async fn requested(&mut self, request: Request) -> Result<(), End> {
        let id = request.id().clone();
        let line = self.line.clone();
        let ask = match (request, self.player) {
            (Request::Hello { id, name, token }, None) if !self.greeting => {
                (self.greeting, self.greeted) = (true, true);
                Ask::Arrive {
                    line,
                    id,
                    name,
                    token,
                }
            }
            (Request::Hello { .. }, _) => {
                return self.refuse(Refusal::HelloAgain, Some(id), "").await;
            }
            (_, None) => return self.refuse(Refusal::HelloFirst, Some(id), "").await,
            (Request::Resume { after, .. }, Some(_)) => return self.resume(after, id).await,
            (request, Some(player)) => {
                self.release();
                let turns = Arc::clone(&self.turns);
                let turn = turns.acquire_owned().await.map_err(|_| End::Gone)?;
                Ask::Do {
                    line,
                    player,
                    request,
                    turn,
                }
            }
        };
        self.server
            .desk
            .send(ask)
            .await
            .map_err(|_| End::Close(close_code::RESTART))
    }

    /// Goes on after the message that the client says it has.
    async fn resume(&mut self, after: u64, id: RequestId) -> Result<(), End> {
        if after > self.line.latest.load(Ordering::Acquire) {
            return self.refuse(Refusal::BadAfter, Some(id), "").await;
        }
        self.cursor = Cursor::At(after);
        self.catch_up().await
    }

    /// Lets the messages come that were held back.
    fn release(&mut self) {
        if let Cursor::Held(seq) = self.cursor {
            self.cursor = Cursor::At(seq);
        }
    }

    async fn deliver(&mut self, delivery: Delivery) -> Result<(), End> {
        match delivery {
            Delivery::Welcome {
                player,
                seq,
                returns,
                body,
            } => {
                (self.player, self.greeting) = (Some(player), false);
                self.cursor = if returns {
                    Cursor::Held(seq)
                } else {
                    Cursor::At(seq)
                };
                self.send(Message::Text(body.into())).await?;
            }
            Delivery::Push(seq, body) => match self.cursor {
                Cursor::At(last) if seq == last + 1 => {
                    self.cursor = Cursor::At(seq);
                    let body: &str = &body;
                    self.send(Message::Text(body.into())).await?;
                }
                _ => {}
            },
            Delivery::Answer(body) => {
                // A `hello` that is refused may be said again.
                self.greeting = false;
                self.send(Message::Text(body.into())).await?;
            }
        }
        if self.deliveries.is_empty() {
            self.catch_up().await?;
        }
        Ok(())
    }

    /// Sends from the store what was not handed over.
    async fn catch_up(&mut self) -> Result<(), End> {
        while let (Cursor::At(last), Some(player)) = (&self.cursor, self.player)
            && self.line.latest.load(Ordering::Acquire) > *last
        {
            let messages = self.server.messages(player, *last).await.ok_or(End::Gone)?;
            if messages.is_empty() {
                return Ok(());
            }
            for (seq, body) in messages {
                self.send(Message::Text(body.into())).await?;
                self.cursor = Cursor::At(seq);
                // Whoever takes what he asked for is there, even if he says nothing.
                self.heard = Instant::now();
            }
        }
        Ok(())
    }

    async fn refuse(
        &mut self,
        refusal: Refusal,
        id: Option<RequestId>,
        reason: &str,
    ) -> Result<(), End> {
        let seq = match self.cursor {
            Cursor::Held(seq) | Cursor::At(seq) => seq,
        };
        self.server.metrics.refusal();
        let told: Told = refused(&self.line, refusal, id, reason);
        self.send(Message::Text(json(seq, told).into())).await
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard.elapsed() > SILENCE {
            return Err(End::Gone);
        }
        self.send(Message::Ping(Vec::new().into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }
}

/// What a client is told that sends what can't be read.
fn unreadable(error: &axum::Error) -> End {
    let error = error.source().and_then(|source| source.downcast_ref());
    match error {
        Some(tungstenite::Error::Capacity(_)) => End::Close(close_code::SIZE),
        Some(tungstenite::Error::Utf8(_)) => End::Close(close_code::INVALID),
        Some(tungstenite::Error::Protocol(_)) => End::Close(close_code::PROTOCOL),
        _ => End::Gone,
    }
}
