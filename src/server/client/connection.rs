use super::socket::{LONGEST_MESSAGE, unreadable};
use super::{Action, CloseCode, End, Frame, SEND_PATIENCE, Session, Socket};
use crate::i18n::Catalogue;
use crate::room::PlayerId;
use crate::server::flow_control::REQUESTS_IN_FLIGHT;
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::limits::Address;
use crate::server::mailbox::{ClientHandle, Inbox, mailbox};
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, Message};

/// How long a client may take to take a message.
const PATIENCE: Duration = Duration::from_millis(SEND_PATIENCE);
/// What messages of the store are reckoned to have, in bytes, before they are read.
const RECKONED: i64 = 32 * 1024;
/// The longest time that messages of the store are waited for, in milliseconds.
const LONGEST_WAIT: u64 = 10_000;

/// A WebSocket connection: does what its session decides.
pub(in crate::server) struct Connection {
    client: ClientId,
    /// Where it comes from.
    address: Address,
    socket: Socket<TokioIo<Upgraded>>,
    shared: Arc<Shared>,
    session: Session,
    inbox: Inbox,
    /// How commands reach the writer that serves this connection as long as it lasts.
    writer: mpsc::Sender<WriterCommand>,
    /// Given to the writer with the first `hello`.
    handle: Option<ClientHandle>,
    /// When what the client last said came.
    arrived: u64,
    /// As many requests as may be on their way to be answered.
    permits: Arc<Semaphore>,
}

impl Connection {
    pub(in crate::server) fn new(
        socket: Socket<TokioIo<Upgraded>>,
        shared: Arc<Shared>,
        writer: mpsc::Sender<WriterCommand>,
        (client, address): (ClientId, Address),
        catalogue: &'static Catalogue,
    ) -> Self {
        let (mailbox, inbox) = mailbox();
        let handle = ClientHandle {
            id: client,
            address,
            catalogue,
            mailbox,
        };
        Self {
            client,
            address,
            socket,
            session: Session::new(catalogue, shared.limits.rate, shared.clock.now()),
            shared,
            inbox,
            writer,
            handle: Some(handle),
            arrived: 0,
            permits: Arc::new(Semaphore::new(REQUESTS_IN_FLIGHT)),
        }
    }

    /// Serves the connection until it ends.
    pub(in crate::server) async fn serve(mut self) {
        let end = match self.run().await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        if self.handle.is_none() {
            let client = self.client;
            self.arrived = self.shared.clock.now();
            // A writer that has ended needs to know nothing any more.
            let _ = self.submit(HubCommand::Disconnect { client }, None).await;
        }
        // A client that does not take it is gone.
        let _ = timeout(PATIENCE, self.farewell(end)).await;
    }

    /// Closes the connection as the protocol has it.
    async fn farewell(&mut self, end: End) {
        match end {
            End::Gone => {}
            End::Left => self.socket.leave().await,
            End::Close(code) => self.socket.close(code).await,
        }
    }

    async fn run(&mut self) -> Result<std::convert::Infallible, End> {
        let mut closing = self.shared.closing.clone();
        let mut wake = pin!(sleep_until(self.next_wake()));
        loop {
            set(&mut wake, self.next_wake());
            let reads = self.session.reads(self.inbox.len());
            tokio::select! {
                // What the hub says goes first, also when the server closes.
                biased;
                delivery = self.inbox.receive() => self.deliver(delivery),
                _ = closing.changed() => self.session.shut_down(),
                () = &mut wake => self.session.wake(self.shared.clock.now()),
                received = self.socket.receive(), if reads => self.receive(received)?,
            }
            self.act().await?;
            // What waits is sent together with this.
            if self.inbox.len() == 0 {
                self.flush().await?;
            }
        }
    }

    fn next_wake(&self) -> Instant {
        self.shared.clock.moment(self.session.next_wake()).into()
    }

    fn deliver(&mut self, delivery: Option<Outbound>) {
        match delivery {
            Some(outbound) => self.session.deliver(outbound),
            None => self.session.shut_down(),
        }
    }

    fn receive(
        &mut self,
        received: Option<Result<Message, tungstenite::Error>>,
    ) -> Result<(), End> {
        let message = match received {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(unreadable(&error).map_or(End::Gone, End::Close)),
            None => return Err(End::Gone),
        };
        if message.len() > LONGEST_MESSAGE && !message.is_close() {
            return Err(End::Close(CloseCode::Size));
        }
        let now = self.shared.clock.now();
        self.arrived = now;
        // A frame that continues a message costs as much to read as one that is a message.
        for _ in 0..self.socket.take_continuations() {
            self.session.receive(Frame::Control, now);
        }
        let frame = match &message {
            Message::Text(text) if self.shared.crowds.request(self.address, now).is_err() => {
                Frame::Crowded(text)
            }
            Message::Text(text) => Frame::Text(text),
            Message::Binary(_) => Frame::Binary,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Frame::Control,
            Message::Close(_) => Frame::Close,
        };
        self.session.receive(frame, now);
        Ok(())
    }

    /// Does all that the session asks for.
    async fn act(&mut self) -> Result<(), End> {
        while let Some(action) = self.session.next_action() {
            if !matches!(
                action,
                Action::Send(_) | Action::Refuse(..) | Action::CatchUp
            ) {
                self.flush().await?;
            }
            match action {
                Action::Send(body) => self.send_text(&body).await?,
                Action::Refuse(refusal, body) => {
                    self.shared.metrics.refusal(refusal);
                    self.send_text(&body).await?;
                }
                Action::Ping => self.send(Message::Ping(Vec::new().into())).await?,
                Action::Hello(hello) => {
                    let client = self.client;
                    if let Some(handle) = self.handle.take() {
                        self.tell_writer(WriterCommand::Connect(handle, self.arrived))
                            .await?;
                    }
                    self.submit(HubCommand::Hello { client, hello }, None)
                        .await?;
                }
                Action::Request(request) => {
                    let client = self.client;
                    let permit = Arc::clone(&self.permits).acquire_owned().await;
                    let permit = permit.map_err(|_| End::Gone)?;
                    let command = HubCommand::Request { client, request };
                    self.submit(command, Some(permit)).await?;
                }
                Action::Read { player, after } => {
                    let messages = self.read(player, after).await?;
                    self.session.replay(messages);
                }
                Action::CatchUp => {
                    if self.inbox.len() == 0 {
                        let now = self.shared.clock.now();
                        self.session.catch_up(self.inbox.latest(), now);
                    }
                }
                Action::End(end) => return Err(end),
            }
        }
        Ok(())
    }

    /// Reads messages of the store, when it is the turn of this address.
    async fn read(&mut self, player: PlayerId, after: u64) -> Result<Vec<(u64, String)>, End> {
        let crowds = &self.shared.crowds;
        let now = self.shared.clock.now();
        let wait = crowds.replay(self.address, RECKONED, now);
        if wait > LONGEST_WAIT {
            crowds.replay(self.address, -RECKONED, now);
            return Err(End::Close(CloseCode::Policy));
        }
        let mut closing = self.shared.closing.clone();
        tokio::select! {
            () = sleep(Duration::from_millis(wait)) => {}
            _ = closing.changed() => return Err(End::Close(CloseCode::Restart)),
        }
        let messages = self.shared.messages(player, after).await;
        let messages = messages.ok_or(End::Gone)?;
        let length: usize = messages.iter().map(|(_, body)| body.len()).sum();
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let now = self.shared.clock.now();
        crowds.replay(self.address, length - RECKONED, now);
        Ok(messages)
    }

    async fn submit(
        &mut self,
        command: HubCommand,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), End> {
        let arrived = self.arrived;
        let asked = WriterCommand::Hub {
            arrived,
            command,
            permit,
        };
        self.tell_writer(asked).await
    }

    async fn tell_writer(&mut self, command: WriterCommand) -> Result<(), End> {
        let sent = self.writer.send(command).await;
        sent.map_err(|_| End::Close(CloseCode::Restart))
    }

    async fn send_text(&mut self, body: &str) -> Result<(), End> {
        self.send(Message::Text(body.into())).await
    }

    /// Sends a message with those that follow it at once, or with [`Self::flush`].
    async fn send(&mut self, message: Message) -> Result<(), End> {
        taken(&timeout(PATIENCE, self.socket.feed(message)).await)
    }

    /// Sends what was not sent yet.
    async fn flush(&mut self) -> Result<(), End> {
        taken(&timeout(PATIENCE, self.socket.flush()).await)
    }
}

/// Whether a client took what it was sent, in time.
fn taken<T>(sent: &Result<Result<(), tungstenite::Error>, T>) -> Result<(), End> {
    match sent {
        Ok(Ok(())) => Ok(()),
        _ => Err(End::Gone),
    }
}

/// Sets the alarm, unless it is set to this moment already.
fn set(wake: &mut Pin<&mut Sleep>, moment: Instant) {
    if wake.deadline() != moment || wake.is_elapsed() {
        wake.as_mut().reset(moment);
    }
}
