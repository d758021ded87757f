use super::{CloseCode, End};
use crate::server::gateway::{Errand, Handed, Journey, News, Visitor};
use crate::server::hub::{ClientId, HubCommand};
use crate::server::mailbox::{ClientHandle, Inbox, REQUESTS_IN_FLIGHT, mailbox};
use crate::server::shared::Shared;
use crate::server::writer::WriterCommand;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// The way of a client's requests to the table, and of what the table says back.
pub(super) enum Way {
    /// To the one room of a table that is this server's own.
    Own(Own),
    /// Through the rooms of a table that several nodes share.
    Rooms(Box<Journey>),
}

/// The way to a room that is there as long as the connection lasts.
pub(super) struct Own {
    client: ClientId,
    writer: mpsc::Sender<WriterCommand>,
    /// Given to the writer with the first `hello`.
    handle: Option<ClientHandle>,
    inbox: Inbox,
    /// What is to be handed to the session.
    handed: Option<Handed>,
    /// As many requests as may be on their way to be answered.
    permits: Arc<Semaphore>,
}

impl Way {
    /// That of a visitor who is this client of the server; `None` where the table is closed.
    pub(super) fn new(shared: &Shared, client: ClientId, visitor: Visitor) -> Option<Self> {
        if let Some(entrance) = &shared.entrance {
            return Some(Self::Rooms(Box::new(Journey::new(entrance.rooms, visitor))));
        }
        let writer = shared.directory.borrow().here().next()?.clone();
        let (mailbox, inbox) = mailbox();
        Some(Self::Own(Own {
            client,
            writer,
            handle: Some(visitor.handle(client, mailbox)),
            inbox,
            handed: None,
            permits: Arc::new(Semaphore::new(REQUESTS_IN_FLIGHT)),
        }))
    }

    /// Waits for what comes next. Nothing is lost where this is dropped.
    pub(super) async fn hear(&mut self) -> News {
        match self {
            Self::Own(own) => News::Said(own.inbox.receive().await),
            Self::Rooms(journey) => journey.hear().await,
        }
    }

    /// Takes what came.
    pub(super) async fn take(&mut self, news: News, now: u64) {
        match self {
            Self::Own(own) => own.take(news),
            Self::Rooms(journey) => journey.take(news, now).await,
        }
    }

    /// What is to be handed to the session, if there is anything by now.
    pub(super) async fn next(&mut self, shared: &Shared, now: u64) -> Option<Handed> {
        match (self, &shared.entrance) {
            (Self::Own(own), _) => own.handed.take(),
            (Self::Rooms(journey), Some(entrance)) => journey.next(entrance, now).await,
            (Self::Rooms(_), None) => Some(Handed::Ended),
        }
    }

    /// Asks for something that came when the clock showed this.
    pub(super) async fn ask(&mut self, errand: Errand, arrived: u64) -> Result<(), End> {
        match self {
            Self::Own(own) => own.ask(errand, arrived).await,
            Self::Rooms(journey) => {
                journey.ask(errand, arrived);
                Ok(())
            }
        }
    }

    /// Says that the client is gone.
    pub(super) async fn leave(&mut self, now: u64) {
        match self {
            Self::Own(own) => own.leave(now).await,
            Self::Rooms(journey) => journey.leave(now).await,
        }
    }

    /// How many deliveries wait.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Own(own) => own.inbox.len(),
            Self::Rooms(journey) => journey.len(),
        }
    }

    /// The number of the player's last message.
    pub(super) fn latest(&self) -> u64 {
        match self {
            Self::Own(own) => own.inbox.latest(),
            Self::Rooms(journey) => journey.latest(),
        }
    }

    /// Whether more may be read from the client: what is not read yet waits there, not here.
    pub(super) fn has_room(&self) -> bool {
        match self {
            // A request waits for its permit.
            Self::Own(_) => true,
            Self::Rooms(journey) => journey.has_room(),
        }
    }

    /// When to wake it, if nothing comes before.
    pub(super) fn next_wake(&self) -> Option<u64> {
        match self {
            Self::Own(_) => None,
            Self::Rooms(journey) => journey.next_wake(),
        }
    }

    /// Does what is due by now.
    pub(super) fn wake(&mut self, now: u64) {
        if let Self::Rooms(journey) = self {
            journey.wake(now);
        }
    }
}

impl Own {
    fn take(&mut self, news: News) {
        self.handed = match news {
            News::Said(Some(outbound)) => Some(Handed::Outbound(outbound)),
            News::Said(None) => Some(Handed::Ended),
            News::Seen(_) => None,
        };
    }

    async fn ask(&mut self, errand: Errand, arrived: u64) -> Result<(), End> {
        let client = self.client;
        match errand {
            Errand::Hello(hello) => {
                if let Some(handle) = self.handle.take() {
                    self.tell(WriterCommand::Connect(handle, arrived)).await?;
                }
                let command = HubCommand::Hello { client, hello };
                self.submit(command, arrived, None).await
            }
            Errand::Request(request) => {
                let permit = Arc::clone(&self.permits).acquire_owned().await;
                let permit = permit.map_err(|_| End::Gone)?;
                let command = HubCommand::Request { client, request };
                self.submit(command, arrived, Some(permit)).await
            }
        }
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

    async fn submit(
        &self,
        command: HubCommand,
        arrived: u64,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), End> {
        self.tell(WriterCommand::Hub {
            arrived,
            command,
            permit,
        })
        .await
    }

    async fn tell(&self, command: WriterCommand) -> Result<(), End> {
        let sent = self.writer.send(command).await;
        sent.map_err(|_| End::Close(CloseCode::Restart))
    }
}
