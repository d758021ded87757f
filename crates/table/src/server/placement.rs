//! Where the rooms of a table live: all of it that depends on how many nodes serve the table.

use super::client::{Caller, LocalTransport};
use super::clock::Clock;
use super::hub::{ClientId, HubCommand};
use super::room_actor::{ActorMessage, Commands, Opening, WAITING_COMMANDS};
use super::rooms::RoomNumber;
use super::store::{Inspector, Reader, SqliteStore, Store, StoreError};
use crate::log::TableId;
use crate::operator::{Answer, Ask};
use futures_util::future::{BoxFuture, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};

/// Where the rooms of a table live, as one of its servers knows by now.
pub trait Placement: Send + Sync {
    /// Whether several nodes share the table.
    fn is_shared(&self) -> bool;

    /// The rooms of this server, in order, and how commands reach their writers.
    fn here(&self) -> Vec<(RoomNumber, Commands)>;

    /// How commands reach the writer of a room; `None` where this server does not own it.
    fn writer(&self, room: RoomNumber) -> Option<Commands> {
        let mut here = self.here().into_iter();
        here.find_map(|(number, writer)| (number == room).then_some(writer))
    }

    /// Whether requests find their rooms.
    fn is_open(&self) -> bool;

    /// The number of the next connection.
    fn next_connection(&self) -> u64;

    /// The number of a client that no other client of a room has or had.
    fn next_client(&self) -> ClientId {
        ClientId(self.next_connection())
    }

    /// Serves a client until its connection ends.
    fn welcome(&self, caller: Caller) -> BoxFuture<'static, ()>;

    /// Asks the node that owns this room, or any room, for something; `None` where nobody knows
    /// whether it was done.
    fn hand_in<'a>(
        &'a self,
        ask: &'a Ask,
        room: Option<RoomNumber>,
    ) -> BoxFuture<'a, Option<Answer>>;

    /// Lets the rooms end that nobody else can serve, once the server is to end.
    fn drain(&self) -> BoxFuture<'_, ()>;
}

/// Where a server keeps its table.
pub struct TableBackend {
    /// The table's number.
    pub id: TableId,
    /// For the connections.
    pub reader: Box<dyn Reader>,
    /// For the ladder, which reads much once a day.
    pub rater: Box<dyn Reader>,
    /// For operators, who read much.
    pub inspector: Box<dyn Inspector>,
    /// For what is read once at the start: a reader that has read keeps a file beside an embedded
    /// store until it is closed.
    pub first_reader: Box<dyn Reader>,
    /// Opens what is this server's own; what is shared is opened when it may be.
    pub open: Box<Open>,
}

/// Opens the rooms of a table.
pub type Open = dyn FnOnce(Opening, Service) -> Result<Opened, StoreError>;

/// The rooms of a table, which are about to be served.
pub struct Opened {
    /// Where they are.
    pub placement: Arc<dyn Placement>,
    /// What serves them, in a thread of its own, until the server is drained or the store fails for
    /// good.
    pub serve: Box<dyn FnOnce() -> Result<(), StoreError> + Send>,
    /// What works beside that until the server is closing.
    pub tasks: Vec<BoxFuture<'static, ()>>,
    /// The same in threads of their own, by their names.
    pub threads: Vec<(&'static str, Work)>,
}

/// What a thread does.
pub type Work = Box<dyn FnOnce() + Send>;

/// What a server says of itself to what serves its rooms.
#[derive(Clone)]
pub struct Service {
    /// Where it runs.
    pub runtime: Handle,
    /// Whether it is to end.
    pub draining: watch::Receiver<bool>,
    /// Becomes true when all connections are to end.
    pub closing: watch::Receiver<bool>,
}

impl TableBackend {
    /// A store that no other server uses.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn own(store: SqliteStore) -> Result<Self, StoreError> {
        Ok(Self {
            id: store.id()?,
            reader: Box::new(store.reader()?),
            rater: Box::new(store.last_reader()?),
            inspector: Box::new(store.reader()?),
            first_reader: Box::new(store.reader()?),
            open: Box::new(|opening, service| OneRoom::open(store, opening, service)),
        })
    }
}

/// The one room of a table that is its server's alone.
struct OneRoom {
    writer: Commands,
    clock: Clock,
    connections: AtomicU64,
}

impl OneRoom {
    /// The room's number.
    const NUMBER: RoomNumber = RoomNumber(0);

    fn open(store: SqliteStore, opening: Opening, service: Service) -> Result<Opened, StoreError> {
        let opened = opening.open(Box::new(store))?;
        let (writer, mut waiting) = mpsc::channel(WAITING_COMMANDS);
        let room = Self {
            writer,
            clock: opening.clock,
            connections: AtomicU64::new(0),
        };
        Ok(Opened {
            placement: Arc::new(room),
            serve: Box::new(move || opened.work(&mut waiting, &service.runtime)),
            tasks: Vec::new(),
            threads: Vec::new(),
        })
    }
}

impl Placement for OneRoom {
    fn is_shared(&self) -> bool {
        false
    }

    fn here(&self) -> Vec<(RoomNumber, Commands)> {
        vec![(Self::NUMBER, self.writer.clone())]
    }

    fn is_open(&self) -> bool {
        true
    }

    fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    fn welcome(&self, caller: Caller) -> BoxFuture<'static, ()> {
        let client = ClientId(caller.number);
        let transport = LocalTransport::new(client, caller.visitor, self.writer.clone());
        Box::pin(caller.serve(transport))
    }

    /// There is no other node.
    fn hand_in<'a>(&'a self, _: &'a Ask, _: Option<RoomNumber>) -> BoxFuture<'a, Option<Answer>> {
        Box::pin(ready(Some(Answer::NotServed)))
    }

    /// No game starts any more, and the room ends with the last one.
    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let drain = ActorMessage::Hub {
                arrived: self.clock.now(),
                command: HubCommand::Drain,
                permit: None,
            };
            // A writer that is not there any more has ended.
            let _ = self.writer.send(drain).await;
        })
    }
}
