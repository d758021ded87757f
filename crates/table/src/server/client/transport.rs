use super::{CloseCode, End};
use crate::protocol::{Request, RequestId};
use crate::room::Standing;
use crate::server::hub::{ClientId, HubCommand, Outbound};
use crate::server::mailbox::{ClientHandle, Inbox, REQUESTS_IN_FLIGHT, Visitor, mailbox};
use crate::server::room_actor::{ActorMessage, Commands};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The way of a client's requests to the table, and of what the table says back.
pub trait Transport: Send {
    /// What may come.
    type News: Send;

    /// Waits for what comes next. Nothing is lost where this is dropped.
    fn hear(&mut self) -> impl Future<Output = Self::News> + Send;

    /// Takes what came.
    fn take(&mut self, news: Self::News, now: u64) -> impl Future<Output = ()> + Send;

    /// What is to be handed to the session, if there is anything by now.
    fn next(&mut self, now: u64) -> impl Future<Output = Option<Delivery>> + Send;

    /// Asks for something that came when the clock showed this.
    ///
    /// # Errors
    ///
    /// [`End`] where nobody can be asked any more.
    fn ask(
        &mut self,
        request: Request,
        arrived: u64,
    ) -> impl Future<Output = Result<(), End>> + Send;

    /// Says that the client is gone.
    fn leave(&mut self, now: u64) -> impl Future<Output = ()> + Send;

    /// How many deliveries wait.
    fn waiting(&self) -> usize;

    /// The number of the player's last message.
    fn latest(&self) -> u64;

    /// Whether more may be read from the client: what is not read yet waits there, not here.
    fn has_room(&self) -> bool;

    /// When to wake it, if nothing comes before.
    fn next_wake(&self) -> Option<u64>;

    /// Does what is due by now.
    fn wake(&mut self, now: u64);
}

/// What the session of a client is handed.
pub enum Delivery {
    /// What a room says.
    Outbound(Outbound),
    /// That the table can't do now what was asked for by this name.
    Unavailable(RequestId),
    /// That more may have been sent to the player than was handed over.
    More,
    /// That its player may not stay any more.
    Expelled(Standing),
    /// That nothing comes any more.
    Ended,
}

/// The way to a room that is there as long as the connection lasts.
pub(in crate::server) struct Own {
    client: ClientId,
    writer: Commands,
    /// Given to the writer with the first `hello`.
    handle: Option<ClientHandle>,
    inbox: Inbox,
    /// What is to be handed to the session.
    handed: Option<Delivery>,
    /// As many requests as may be on their way to be answered.
    permits: Arc<Semaphore>,
}

impl Own {
    /// That of a visitor who is this client of the server, to the room of this writer.
    pub(in crate::server) fn new(client: ClientId, visitor: Visitor, writer: Commands) -> Self {
        let (mailbox, inbox) = mailbox();
        Self {
            client,
            writer,
            handle: Some(visitor.handle(client, mailbox)),
            inbox,
            handed: None,
            permits: Arc::new(Semaphore::new(REQUESTS_IN_FLIGHT)),
        }
    }

    async fn submit(
        &self,
        command: HubCommand,
        arrived: u64,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), End> {
        self.tell(ActorMessage::Hub {
            arrived,
            command,
            permit,
        })
        .await
    }

    async fn tell(&self, command: ActorMessage) -> Result<(), End> {
        let sent = self.writer.send(command).await;
        sent.map_err(|_| End::Close(CloseCode::Restart))
    }
}

impl Transport for Own {
    type News = Option<Outbound>;

    async fn hear(&mut self) -> Self::News {
        self.inbox.receive().await
    }

    async fn take(&mut self, news: Self::News, _now: u64) {
        self.handed = Some(news.map_or(Delivery::Ended, Delivery::Outbound));
    }

    async fn next(&mut self, _now: u64) -> Option<Delivery> {
        self.handed.take()
    }

    async fn ask(&mut self, request: Request, arrived: u64) -> Result<(), End> {
        let client = self.client;
        // A `hello` is answered before anything else is read: it needs no permit.
        let permit = if matches!(request, Request::Hello { .. }) {
            if let Some(handle) = self.handle.take() {
                self.tell(ActorMessage::Connect(handle, arrived)).await?;
            }
            None
        } else {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            Some(permit.map_err(|_| End::Gone)?)
        };
        let command = HubCommand::Request { client, request };
        self.submit(command, arrived, permit).await
    }

    async fn leave(&mut self, now: u64) {
        if self.handle.is_none() {
            let client = self.client;
            // A writer that has ended needs to know nothing any more.
            let _ = self
                .submit(HubCommand::Disconnect { client }, now, None)
                .await;
        }
    }

    fn waiting(&self) -> usize {
        self.inbox.waiting()
    }

    fn latest(&self) -> u64 {
        self.inbox.latest()
    }

    /// A request waits for its permit.
    fn has_room(&self) -> bool {
        true
    }

    fn next_wake(&self) -> Option<u64> {
        None
    }

    fn wake(&mut self, _now: u64) {}
}
