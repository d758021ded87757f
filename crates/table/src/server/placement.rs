//! Placement of a table's rooms on nodes: everything that depends on the number of nodes.

use super::client::{AcceptedClient, LocalTransport};
use super::clock::Clock;
use super::hub::{ClientId, HubCommand};
use super::room_actor::{ActorMessage, COMMAND_QUEUE_CAPACITY, HubFactory, RoomSender};
use super::rooms::{RoomNumber, RoomPosition};
use super::store::{Inspector, SqliteStore, Store, StoreError, StoreReader, StoreSecret};
use crate::log::TableId;
use crate::operator::{OperatorAnswer, OperatorRequest};
use futures_util::future::{BoxFuture, ready};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

/// Placement of a table's rooms on nodes, as far as this server knows it.
pub trait Placement: Send + Sync {
    /// Returns whether several nodes share the table.
    fn is_shared(&self) -> bool;

    /// Rooms of this server in order, with the senders of their commands.
    fn local_rooms(&self) -> Vec<(RoomNumber, RoomSender)>;

    /// Sender of commands to a room; `None` if this server does not own it.
    fn room_sender(&self, room: RoomNumber) -> Option<RoomSender> {
        let mut here = self.local_rooms().into_iter();
        here.find_map(|(number, writer)| (number == room).then_some(writer))
    }

    /// Assigns a number to a new connection.
    fn next_connection(&self) -> u64;

    /// Returns a client number that no other client of any room has or had.
    fn next_client(&self) -> ClientId {
        ClientId(self.next_connection())
    }

    /// Serves a client until its connection ends.
    fn serve(&self, caller: AcceptedClient) -> BoxFuture<'static, ()>;

    /// Passes an operator's request to the node that owns this room or, without a room, to a node
    /// that owns any room. Returns `None` if the outcome is unknown.
    fn forward_operator_request<'a>(
        &'a self,
        ask: &'a OperatorRequest,
        room: Option<RoomNumber>,
    ) -> BoxFuture<'a, Option<OperatorAnswer>>;

    /// Ends rooms that no other node can serve, when the server is about to end.
    fn drain(&self) -> BoxFuture<'_, ()>;
}

/// Backend of a server: its readers of the store, and the function that opens its rooms.
pub struct TableBackend {
    /// ID of the table.
    pub id: TableId,
    /// Secret of the store.
    pub secret: StoreSecret,
    /// Reader for the requests of clients.
    pub reader: Box<dyn StoreReader>,
    /// Reader for the ladder, which reads much once a day.
    pub rater: Box<dyn StoreReader>,
    /// Reader for operators, who read much.
    pub inspector: Box<dyn Inspector>,
    /// Reader that is used only while the server starts, and closed afterward: an embedded store
    /// keeps an extra file as long as a reader that has read is open.
    pub first_reader: Box<dyn StoreReader>,
    /// Opens the rooms of this server. Rooms shared with other nodes open later, once this node
    /// owns them.
    pub open: Box<RoomOpener>,
}

/// Opens the rooms of a table.
pub type RoomOpener = dyn FnOnce(HubFactory, RoomContext) -> Result<OpenedRooms, OpenRoomsError>;

/// Error for rooms that can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenRoomsError {
    /// Store that can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Address of this node that leads to another one.
    #[error(transparent)]
    AddressTaken(#[from] AddressTakenError),
}

/// Error for a node's address at which another running node of the table answers.
#[derive(Debug, thiserror::Error)]
#[error("another node of the table answers at `{address}`")]
pub struct AddressTakenError {
    /// The address.
    pub address: String,
    /// ID of the other node; nodes of earlier versions have none.
    pub node: Option<String>,
}

/// Rooms of a table, ready to be served.
pub struct OpenedRooms {
    /// Placement of the rooms.
    pub placement: Arc<dyn Placement>,
    /// Serves the rooms until the server is drained or the store fails permanently. Runs in a
    /// separate thread.
    pub serve: Box<dyn FnOnce() -> Result<(), StoreError> + Send>,
    /// Background tasks, which run until the server closes.
    pub tasks: Vec<BoxFuture<'static, ()>>,
    /// Jobs of background threads, with the names of the threads.
    pub threads: Vec<(&'static str, BackgroundJob)>,
}

/// Job of a background thread.
pub type BackgroundJob = Box<dyn FnOnce() + Send>;

/// Context that a server gives to its rooms.
#[derive(Clone)]
pub struct RoomContext {
    /// Runtime of the server.
    pub runtime: Handle,
    /// Becomes `true` when the server has to end.
    pub draining: watch::Receiver<bool>,
    /// Becomes `true` when all connections have to end.
    pub closing: watch::Receiver<bool>,
}

impl TableBackend {
    /// Backend with a store that no other server uses.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn new_embedded(store: SqliteStore) -> Result<Self, StoreError> {
        Ok(Self {
            id: store.id()?,
            secret: store.secret()?,
            reader: Box::new(store.open_reader()?),
            rater: Box::new(store.open_cleanup_reader()?),
            inspector: Box::new(store.open_reader()?),
            first_reader: Box::new(store.open_reader()?),
            open: Box::new(|opening, service| OneRoom::open(store, opening, service)),
        })
    }
}

/// The only room of a table.
struct OneRoom {
    writer: RoomSender,
    clock: Clock,
    connections: AtomicU64,
}

impl OneRoom {
    /// Number of the room.
    const NUMBER: RoomNumber = RoomNumber(0);

    fn open(
        store: SqliteStore,
        opening: HubFactory,
        service: RoomContext,
    ) -> Result<OpenedRooms, OpenRoomsError> {
        let health = Arc::clone(&opening.health);
        health.record_census(RoomPosition::ONLY_ROOM.rooms.count(), BTreeSet::new());
        let opened = opening.open(Box::new(store))?;
        let (writer, mut waiting) = mpsc::channel(COMMAND_QUEUE_CAPACITY);
        let room = Self {
            writer,
            clock: opening.clock.clone(),
            connections: AtomicU64::new(0),
        };
        Ok(OpenedRooms {
            placement: Arc::new(room),
            serve: Box::new(move || {
                let ended = opened.run(&mut waiting, &service.runtime);
                let now = opening.clock.now();
                ended.inspect_err(|error| {
                    health.record_failure(Self::NUMBER, error, now);
                    health.record_shut_out();
                })
            }),
            tasks: Vec::new(),
            threads: Vec::new(),
        })
    }
}

impl Placement for OneRoom {
    fn is_shared(&self) -> bool {
        false
    }

    fn local_rooms(&self) -> Vec<(RoomNumber, RoomSender)> {
        vec![(Self::NUMBER, self.writer.clone())]
    }

    fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    fn serve(&self, caller: AcceptedClient) -> BoxFuture<'static, ()> {
        let client = ClientId(caller.number);
        let transport = LocalTransport::new(client, caller.visitor, self.writer.clone());
        Box::pin(caller.serve(transport))
    }

    /// Always answers that no node serves the room, since there are no other nodes.
    fn forward_operator_request<'a>(
        &'a self,
        _: &'a OperatorRequest,
        _: Option<RoomNumber>,
    ) -> BoxFuture<'a, Option<OperatorAnswer>> {
        Box::pin(ready(Some(OperatorAnswer::NotServed)))
    }

    /// Starts no more games; the room ends after the last one.
    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let drain = ActorMessage::Hub {
                arrived: self.clock.now(),
                command: HubCommand::Drain,
                permit: None,
            };
            // A missing receiver means that the room has ended.
            let _ = self.writer.send(drain).await;
        })
    }
}
