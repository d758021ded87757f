use super::{Action, CloseCode, End, Frame, SEND_PATIENCE, Session};
use crate::i18n::Catalogue;
use crate::server::flow_control::REQUESTS_IN_FLIGHT;
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::mailbox::{ClientHandle, Inbox, mailbox};
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket};
use std::error::Error;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite;

/// The longest message of a client, in bytes.
pub(in crate::server) const LONGEST_MESSAGE: usize = 4096;
/// The longest message that is read whole, in bytes.
///
/// A connection closed with bytes unread is reset, and the reset takes the close frame away
/// from the client. So a message that is too long is read, as far as that does no harm.
pub(in crate::server) const LONGEST_READ: usize = 4 * LONGEST_MESSAGE;
/// How long a client may take to take a message.
const PATIENCE: Duration = Duration::from_millis(SEND_PATIENCE);
/// How long what a client still says is read when it is closed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A WebSocket connection: does what its session decides.
pub(in crate::server) struct Connection {
    client: ClientId,
    socket: WebSocket,
    shared: Arc<Shared>,
    session: Session,
    inbox: Inbox,
    /// Given to the writer with the first `hello`.
    handle: Option<ClientHandle>,
    /// As many requests as may be on their way to be answered.
    permits: Arc<Semaphore>,
}

impl Connection {
    pub(in crate::server) fn new(
        socket: WebSocket,
        shared: Arc<Shared>,
        client: ClientId,
        catalogue: &'static Catalogue,
    ) -> Self {
        let (mailbox, inbox) = mailbox();
        let handle = ClientHandle {
            id: client,
            catalogue,
            mailbox,
        };
        Self {
            client,
            socket,
            session: Session::new(catalogue, shared.limits.rate, shared.clock.now()),
            shared,
            inbox,
            handle: Some(handle),
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
            // To read on is to answer the client's close.
            End::Left => while let Some(Ok(_)) = self.socket.recv().await {},
            End::Close(code) => {
                let frame = CloseFrame {
                    code: code as u16,
                    reason: Utf8Bytes::default(),
                };
                // Nobody knows whether it comes through.
                let _ = self.socket.send(Message::Close(Some(frame))).await;
                // What is not read would take the frame away from the client.
                let rest = async { while let Some(Ok(_)) = self.socket.recv().await {} };
                let _ = timeout(LAST_WORDS, rest).await;
            }
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
                received = self.socket.recv(), if reads => self.receive(received)?,
            }
            self.act().await?;
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

    fn receive(&mut self, received: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        let message = match received {
            Some(Ok(message)) => message,
            Some(Err(error)) => return Err(unreadable(&error)),
            None => return Err(End::Gone),
        };
        if length(&message) > LONGEST_MESSAGE {
            return Err(End::Close(CloseCode::Size));
        }
        let frame = match &message {
            Message::Text(text) => Frame::Text(text),
            Message::Binary(_) => Frame::Binary,
            Message::Ping(_) | Message::Pong(_) => Frame::Control,
            Message::Close(_) => Frame::Close,
        };
        let now = self.shared.clock.now();
        self.session.receive(frame, now);
        Ok(())
    }

    /// Does all that the session asks for.
    async fn act(&mut self) -> Result<(), End> {
        while let Some(action) = self.session.next_action() {
            match action {
                Action::Send(body) => self.send_text(&body).await?,
                Action::Refuse(body) => {
                    self.shared.metrics.refusal();
                    self.send_text(&body).await?;
                }
                Action::Ping => self.send(Message::Ping(Vec::new().into())).await?,
                Action::Hello(hello) => {
                    let client = self.client;
                    if let Some(handle) = self.handle.take() {
                        self.tell_writer(WriterCommand::Connect(handle)).await?;
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
                    let messages = self.shared.messages(player, after).await;
                    self.session.replay(messages.ok_or(End::Gone)?);
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

    async fn submit(
        &mut self,
        command: HubCommand,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), End> {
        self.tell_writer(WriterCommand::Hub(command, permit)).await
    }

    async fn tell_writer(&mut self, command: WriterCommand) -> Result<(), End> {
        let sent = self.shared.writer.send(command).await;
        sent.map_err(|_| End::Close(CloseCode::Restart))
    }

    async fn send_text(&mut self, body: &str) -> Result<(), End> {
        self.send(Message::Text(body.into())).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(PATIENCE, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }
}

/// How many bytes a message has.
fn length(message: &Message) -> usize {
    match message {
        Message::Text(text) => text.len(),
        Message::Binary(bytes) | Message::Ping(bytes) | Message::Pong(bytes) => bytes.len(),
        Message::Close(_) => 0,
    }
}

/// Sets the alarm, unless it is set to this moment already.
fn set(wake: &mut Pin<&mut Sleep>, moment: Instant) {
    if wake.deadline() != moment || wake.is_elapsed() {
        wake.as_mut().reset(moment);
    }
}

/// How the connection of a client ends that sends what can't be read.
fn unreadable(error: &axum::Error) -> End {
    let error = error.source().and_then(|source| source.downcast_ref());
    match error {
        Some(tungstenite::Error::Capacity(_)) => End::Close(CloseCode::Size),
        Some(tungstenite::Error::Utf8(_)) => End::Close(CloseCode::Invalid),
        Some(tungstenite::Error::Protocol(_)) => End::Close(CloseCode::Protocol),
        _ => End::Gone,
    }
}
