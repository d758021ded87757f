//! The stay of a client in a room.

use tokio::sync::mpsc;
use war_table::protocol::Request;
use war_table::server::hub::{ClientId, HubCommand};
use war_table::server::mailbox::{Inbox, Visitor, mailbox};
use war_table::server::room_actor::ActorMessage;

/// How long after a room could not be entered, or was lost, it is tried again, in milliseconds.
pub const RETRY: u64 = 100;

/// A client's stay in a room that this node owns. It lasts until it is left, or the writer of the
/// room ends: nothing more comes into its inbox then.
pub(crate) struct Visit {
    client: ClientId,
    writer: mpsc::Sender<ActorMessage>,
    inbox: Inbox,
}

/// The writer of a room has ended.
#[derive(Debug)]
pub(crate) struct RoomGone;

impl Visit {
    /// Lets a visitor enter the room of this writer, as a client that no other one of this node is
    /// or was, when the node's clock shows `now`.
    pub(crate) async fn begin(
        writer: mpsc::Sender<ActorMessage>,
        client: ClientId,
        visitor: Visitor,
        now: u64,
    ) -> Result<Self, RoomGone> {
        let (mailbox, inbox) = mailbox();
        let visit = Self {
            client,
            writer,
            inbox,
        };
        let handle = visitor.handle(client, mailbox);
        visit.tell(ActorMessage::Connect(handle, now)).await?;
        Ok(visit)
    }

    /// Asks for something that came when the node's clock showed `arrived`.
    pub(crate) async fn ask(&self, request: Request, arrived: u64) -> Result<(), RoomGone> {
        let client = self.client;
        let command = HubCommand::Request { client, request };
        self.submit(command, arrived).await
    }

    /// Leaves the room.
    pub(crate) async fn leave(self, now: u64) {
        let client = self.client;
        // A writer that has ended needs to know nothing any more.
        let _ = self.submit(HubCommand::Disconnect { client }, now).await;
    }

    /// What the room says.
    pub(crate) const fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// What the room has said so far.
    pub(crate) const fn heard(&self) -> &Inbox {
        &self.inbox
    }

    async fn submit(&self, command: HubCommand, arrived: u64) -> Result<(), RoomGone> {
        let permit = None;
        self.tell(ActorMessage::Hub {
            arrived,
            command,
            permit,
        })
        .await
    }

    async fn tell(&self, command: ActorMessage) -> Result<(), RoomGone> {
        self.writer.send(command).await.map_err(|_| RoomGone)
    }
}
