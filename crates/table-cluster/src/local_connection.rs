//! Connections of clients to rooms of this node.

use std::time::Duration;
use tokio::sync::mpsc;
use war_table::protocol::Request;
use war_table::server::hub::{ClientId, HubCommand};
use war_table::server::mailbox::{Inbox, PendingClient, new_mailbox};
use war_table::server::room_actor::ActorMessage;
use war_table::time::Monotonic;

/// Delay before the next attempt to enter a room, after a room was lost or could not be entered.
pub const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Connection of a client to a room of this node. The inbox closes when the room ends.
pub(crate) struct LocalConnection {
    client: ClientId,
    commands: mpsc::Sender<ActorMessage>,
    inbox: Inbox,
}

/// Error of a room that has ended or can't be reached.
#[derive(Debug)]
pub(crate) struct RoomUnavailableError;

impl LocalConnection {
    /// Connects a visitor to a room at the node's time `now`, with a client id that was never used
    /// before on this node.
    pub(crate) async fn open(
        commands: mpsc::Sender<ActorMessage>,
        client: ClientId,
        visitor: PendingClient,
        now: Monotonic,
    ) -> Result<Self, RoomUnavailableError> {
        let (mailbox, inbox) = new_mailbox();
        let visit = Self {
            client,
            commands,
            inbox,
        };
        let handle = visitor.into_handle(client, mailbox);
        visit.send(ActorMessage::Connect(handle, now)).await?;
        Ok(visit)
    }

    /// Sends a request that reached this node at the time `arrived`.
    pub(crate) async fn send_request(
        &self,
        request: Request,
        arrived: Monotonic,
    ) -> Result<(), RoomUnavailableError> {
        let client = self.client;
        let command = HubCommand::Request { client, request };
        self.send_command(command, arrived).await
    }

    pub(crate) async fn leave(self, now: Monotonic) {
        let client = self.client;
        // Fails only if the room has ended.
        let _ = self
            .send_command(HubCommand::Disconnect { client }, now)
            .await;
    }

    pub(crate) const fn inbox_mut(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    pub(crate) const fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    async fn send_command(
        &self,
        command: HubCommand,
        arrived: Monotonic,
    ) -> Result<(), RoomUnavailableError> {
        let permit = None;
        self.send(ActorMessage::Hub {
            arrived,
            command,
            permit,
        })
        .await
    }

    async fn send(&self, command: ActorMessage) -> Result<(), RoomUnavailableError> {
        self.commands
            .send(command)
            .await
            .map_err(|_| RoomUnavailableError)
    }
}
