//! A node of several that share a table: where its rooms are, and what serves them.

use crate::directory::Directory;
use crate::gateway::{Entrance, Followed, PlayerLocator, RoutedClient};
use crate::inbox::Orders;
use crate::leases::NodeAddress;
use crate::node::Node;
use crate::peers::{Host, LinkSecret, OwnedRooms as _, Peers};
use crate::postgres::PostgresTable;
use crate::table::TableStore;
use futures_util::future::{BoxFuture, ready};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;
use war_table::operator::{OperatorAnswer, OperatorRequest};
use war_table::server::client::Caller;
use war_table::server::hub::ClientId;
use war_table::server::placement::{Opened, Placement, Service, TableBackend};
use war_table::server::room_actor::{HubFactory, RoomSender};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;
use war_table::server::{Newcomers, People};

/// The name of the thread that looks where players are.
const LOOKOUT: &str = "lookout";

/// A store that other nodes use as well; `node` is where they reach this one, at these listeners.
#[must_use]
pub fn home(table: PostgresTable, node: String, listeners: Vec<TcpListener>) -> TableBackend {
    TableBackend {
        id: table.id(),
        reader: Box::new(table.reader()),
        rater: Box::new(table.reader()),
        inspector: Box::new(table.reader()),
        first_reader: Box::new(table.reader()),
        open: Box::new(move |opening, service| {
            open(table, NodeAddress(node), listeners, opening, service)
        }),
    }
}

/// Makes a node known to the others, and looks what it can serve once it works.
fn open(
    table: PostgresTable,
    node: NodeAddress,
    listeners: Vec<TcpListener>,
    opening: HubFactory,
    service: Service,
) -> Result<Opened, StoreError> {
    table.beat(&node, People::default())?;
    let (open, directory) = watch::channel(Directory::default());
    let secret = LinkSecret::new(*table.secret());
    let followed = Arc::new(Followed::default());
    let entrance = Entrance::new(
        table.rooms(),
        directory.clone(),
        Arc::clone(&followed),
        Peers::new(secret, opening.clock.clone(), opening.log.clone()),
        Newcomers::new(opening.settings.new_players),
    );
    let entrance = Arc::new(entrance);
    let host = Host {
        secret,
        rooms: Arc::clone(&entrance) as _,
        clock: opening.clock.clone(),
        log: opening.log.clone(),
    };
    let lookout = PlayerLocator {
        table: Box::new(table.another()),
        followed,
        metrics: Arc::clone(&opening.metrics),
        log: opening.log.clone(),
        closing: service.closing.clone(),
    };
    let orders = Orders {
        inbox: Mutex::new(Box::new(table.inbox())),
        clock: opening.clock.clone(),
        metrics: Arc::clone(&opening.metrics),
        log: opening.log.clone(),
    };
    let rooms = SharedRooms {
        directory,
        entrance,
        connections: AtomicU64::new(0),
        orders: Arc::new(orders),
    };
    let (orders, rooms) = (Arc::clone(&rooms.orders), Arc::new(rooms));
    let Service {
        runtime,
        draining,
        closing,
    } = service;
    let hosted = Arc::new(host).listen(listeners, closing.clone());
    let ordered = orders.serve(Arc::clone(&rooms) as _, closing);
    let serve = move || Node::new(opening, &table, node, open, runtime).serve(draining);
    Ok(Opened {
        placement: rooms,
        serve: Box::new(serve),
        tasks: vec![Box::pin(hosted), Box::pin(ordered)],
        threads: vec![(LOOKOUT, Box::new(move || lookout.work()))],
    })
}

/// The rooms of a table that several nodes share, as one of them knows them.
struct SharedRooms {
    directory: watch::Receiver<Directory>,
    entrance: Arc<Entrance>,
    connections: AtomicU64,
    orders: Arc<Orders>,
}

impl Placement for SharedRooms {
    fn is_shared(&self) -> bool {
        true
    }

    fn here(&self) -> Vec<(RoomNumber, RoomSender)> {
        let directory = self.directory.borrow();
        let here = directory.here();
        here.map(|(room, writer)| (room, writer.clone())).collect()
    }

    fn is_open(&self) -> bool {
        self.directory.borrow().is_open()
    }

    fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    fn next_client(&self) -> ClientId {
        self.entrance.next_client()
    }

    fn welcome(&self, caller: Caller) -> BoxFuture<'static, ()> {
        let way = RoutedClient::new(Arc::clone(&self.entrance), caller.visitor);
        Box::pin(caller.serve(way))
    }

    fn hand_in<'a>(
        &'a self,
        ask: &'a OperatorRequest,
        room: Option<RoomNumber>,
    ) -> BoxFuture<'a, Option<OperatorAnswer>> {
        Box::pin(Arc::clone(&self.orders).hand_in(ask, room))
    }

    /// The rooms are handed over, where their games go on.
    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(ready(()))
    }
}
