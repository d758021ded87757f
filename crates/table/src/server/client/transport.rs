use super::{CloseCode, ConnectionEnd, Session};
use crate::protocol::Request;
use crate::server::hub::{ClientId, HubCommand, HubDelivery};
use crate::server::mailbox::{
    ClientHandle, Inbox, MAX_REQUESTS_IN_FLIGHT, PendingClient, new_mailbox,
};
use crate::server::room_actor::{ActorMessage, RoomSender};
use crate::time::Monotonic;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Carries a client's requests to the rooms of the table, and the rooms' deliveries to the client's
/// session.
pub trait Transport: Send {
    /// A delivery as received, before it is passed to the session.
    type Delivery: Send;

    /// Waits for the next delivery. Nothing is lost if the future is dropped.
    fn receive(&mut self) -> impl Future<Output = Self::Delivery> + Send;

    /// Handles a delivery that was received.
    fn handle(
        &mut self,
        delivery: Self::Delivery,
        session: &mut Session,
        now: Monotonic,
    ) -> impl Future<Output = ()> + Send;

    /// Continues with waiting requests until a delivery reaches the session.
    ///
    /// Returns `false` once there is nothing left to do.
    fn advance(
        &mut self,
        session: &mut Session,
        now: Monotonic,
    ) -> impl Future<Output = bool> + Send;

    /// Sends a request that was read when the clock showed `arrived`.
    ///
    /// # Errors
    ///
    /// [`ConnectionEnd`] if no room takes requests any more.
    fn send(
        &mut self,
        request: Request,
        arrived: Monotonic,
    ) -> impl Future<Output = Result<(), ConnectionEnd>> + Send;

    /// Leaves the room: the client is gone.
    fn leave(&mut self, now: Monotonic) -> impl Future<Output = ()> + Send;

    /// Number of deliveries that wait to be received.
    fn waiting_count(&self) -> usize;

    /// Number of the last message to the player.
    fn latest(&self) -> u64;

    /// Returns whether another request may be read from the client. Unread requests wait in the
    /// client's socket.
    fn accepts_requests(&self) -> bool;

    /// Time of the next [`wake`](Self::wake), if one is due.
    fn next_wake(&self) -> Option<Monotonic>;

    /// Does everything that is due at `now`.
    fn wake(&mut self, now: Monotonic);
}

/// Transport between a client and one room of this server, used for the whole connection.
pub(in crate::server) struct LocalTransport {
    client: ClientId,
    room: RoomSender,
    /// Handle that is given to the room with the first `hello`.
    handle: Option<ClientHandle>,
    inbox: Inbox,
    /// Limits the requests that are not answered yet.
    permits: Arc<Semaphore>,
}

impl LocalTransport {
    /// Creates the transport of a client, which the room knows by this number.
    pub(in crate::server) fn new(
        client: ClientId,
        visitor: PendingClient,
        room: RoomSender,
    ) -> Self {
        let (mailbox, inbox) = new_mailbox();
        Self {
            client,
            room,
            handle: Some(visitor.into_handle(client, mailbox)),
            inbox,
            permits: Arc::new(Semaphore::new(MAX_REQUESTS_IN_FLIGHT)),
        }
    }

    async fn submit(
        &self,
        command: HubCommand,
        arrived: Monotonic,
        permit: Option<OwnedSemaphorePermit>,
    ) -> Result<(), ConnectionEnd> {
        self.send_to_room(ActorMessage::Hub {
            arrived,
            command,
            permit,
        })
        .await
    }

    async fn send_to_room(&self, message: ActorMessage) -> Result<(), ConnectionEnd> {
        let sent = self.room.send(message).await;
        sent.map_err(|_| ConnectionEnd::Close(CloseCode::Restart))
    }
}

impl Transport for LocalTransport {
    /// Delivery of the room, or `None` once the room has ended or dropped the client.
    type Delivery = Option<HubDelivery>;

    async fn receive(&mut self) -> Self::Delivery {
        self.inbox.receive().await
    }

    async fn handle(&mut self, delivery: Self::Delivery, session: &mut Session, _now: Monotonic) {
        match delivery {
            Some(outbound) => session.deliver(outbound),
            None => session.shut_down(),
        }
    }

    async fn advance(&mut self, _session: &mut Session, _now: Monotonic) -> bool {
        false
    }

    async fn send(&mut self, request: Request, arrived: Monotonic) -> Result<(), ConnectionEnd> {
        let client = self.client;
        // A `hello` is answered before anything else is read from the client, so it needs no
        // permit.
        let permit = if matches!(request, Request::Hello { .. }) {
            if let Some(handle) = self.handle.take() {
                self.send_to_room(ActorMessage::Connect(handle, arrived))
                    .await?;
            }
            None
        } else {
            let permit = Arc::clone(&self.permits).acquire_owned().await;
            Some(permit.map_err(|_| ConnectionEnd::Gone)?)
        };
        let command = HubCommand::Request { client, request };
        self.submit(command, arrived, permit).await
    }

    async fn leave(&mut self, now: Monotonic) {
        if self.handle.is_none() {
            let client = self.client;
            // A room that has ended needs no notice.
            let _ = self
                .submit(HubCommand::Disconnect { client }, now, None)
                .await;
        }
    }

    fn waiting_count(&self) -> usize {
        self.inbox.waiting_count()
    }

    fn latest(&self) -> u64 {
        self.inbox.last_seq()
    }

    /// Always returns true, since a request waits for its permit instead.
    fn accepts_requests(&self) -> bool {
        true
    }

    fn next_wake(&self) -> Option<Monotonic> {
        None
    }

    fn wake(&mut self, _now: Monotonic) {}
}
