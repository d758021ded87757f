//! Placement of the rooms of a shared table, with the tasks and threads of a node.

use crate::directory::Directory;
use crate::gateway::{LocationSubscriptions, PlayerLocator, RoomConnector, RoutedClient};
use crate::inbox::OperatorRelay;
use crate::leases::NodeAddress;
use crate::node::Node;
use crate::peers::{
    AnsweringNode, ClearLinks, LinkAcceptor, LinkSecret, OwnedRooms as _, PeerServer, Peers,
    identify_node,
};
use crate::postgres::PostgresTable;
use crate::table::TableStore;
use futures_util::future::{BoxFuture, ready};
use slog::{info, warn};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::sync::watch;
use war_table::operator::{OperatorAnswer, OperatorRequest};
use war_table::server::client::AcceptedClient;
use war_table::server::hub::ClientId;
use war_table::server::placement::{
    AddressTakenError, OpenRoomsError, OpenedRooms, Placement, RoomContext, TableBackend,
};
use war_table::server::room_actor::{HubFactory, RoomSender};
use war_table::server::rooms::RoomNumber;
use war_table::server::{Headcount, NewPlayerLimit};

/// Name of the thread that polls the locations of players.
const LOCATOR_THREAD: &str = "lookout";

/// Builds the backend of a table that several nodes share. `node` is the address at which other
/// nodes reach the listeners.
#[must_use]
pub fn build_shared_backend(
    table: PostgresTable,
    node: NodeAddress,
    listeners: Vec<TcpListener>,
) -> TableBackend {
    TableBackend {
        id: table.id(),
        secret: table.secret(),
        reader: Box::new(table.create_reader()),
        rater: Box::new(table.create_reader()),
        inspector: Box::new(table.create_reader()),
        first_reader: Box::new(table.create_reader()),
        open: Box::new(move |factory, service| open(table, node, listeners, factory, service)),
    }
}

/// Checks the address of the node, registers the node, and sets up its placement, tasks and threads.
fn open(
    table: PostgresTable,
    node: NodeAddress,
    listeners: Vec<TcpListener>,
    factory: HubFactory,
    service: RoomContext,
) -> Result<OpenedRooms, OpenRoomsError> {
    let (open, directory) = watch::channel(Directory::default());
    let secret = LinkSecret::new(*table.secret().reveal());
    let clear_links = ClearLinks::new(table.watch_need_of_clear_links());
    let subscriptions = Arc::new(LocationSubscriptions::default());
    let connector = RoomConnector::new(
        table.rooms(),
        directory.clone(),
        Arc::clone(&subscriptions),
        Peers::new(
            secret,
            clear_links.clone(),
            factory.clock.clone(),
            factory.log.clone(),
        ),
        NewPlayerLimit::new(factory.settings.new_players),
    );
    let connector = Arc::new(connector);
    let server = Arc::new(PeerServer {
        acceptor: LinkAcceptor::new(),
        secret,
        clear_links,
        rooms: Arc::clone(&connector) as _,
        clock: factory.clock.clone(),
        log: factory.log.clone(),
    });
    let locator = PlayerLocator {
        table: Box::new(table.duplicate()),
        subscriptions,
        metrics: Arc::clone(&factory.metrics),
        log: factory.log.clone(),
        closing: service.closing.clone(),
    };
    let relay = OperatorRelay {
        inbox: Mutex::new(Box::new(table.create_inbox())),
        clock: factory.clock.clone(),
        metrics: Arc::clone(&factory.metrics),
        log: factory.log.clone(),
    };
    let rooms = SharedPlacement {
        directory,
        connector,
        next_connection_number: AtomicU64::new(0),
        relay: Arc::new(relay),
    };
    let (relay, rooms) = (Arc::clone(&rooms.relay), Arc::new(rooms));
    let RoomContext {
        runtime,
        draining,
        closing,
    } = service;
    let mut listening: BoxFuture<'static, ()> =
        Box::pin(Arc::clone(&server).listen(listeners, closing.clone()));
    runtime.block_on(async {
        tokio::select! {
            checked = check_address(&node, &server) => checked,
            // The table is closing.
            () = &mut listening => Ok(()),
        }
    })?;
    table.record_beat(&node, Headcount::default())?;
    let relaying = relay.serve(Arc::clone(&rooms) as _, closing);
    let serve = move || Node::new(factory, &table, node, open, runtime).serve(draining);
    Ok(OpenedRooms {
        placement: rooms,
        serve: Box::new(serve),
        tasks: vec![listening, Box::pin(relaying)],
        threads: vec![(LOCATOR_THREAD, Box::new(move || locator.run()))],
    })
}

/// Checks that no other running node of the table answers at the address of this one: the links of
/// other nodes would go there. The address may be out of reach for this node itself.
///
/// # Errors
///
/// [`AddressTakenError`] if another node answers.
async fn check_address(node: &NodeAddress, server: &PeerServer) -> Result<(), AddressTakenError> {
    let id = server.acceptor.node_id();
    info!(server.log, "accepting links of nodes"; "node" => %node, "id" => id);
    match identify_node(node, &server.acceptor, &server.secret).await {
        Ok(AnsweringNode::Itself) => Ok(()),
        Ok(AnsweringNode::Other(id)) => Err(AddressTakenError {
            address: node.to_string(),
            node: id,
        }),
        Err(reason) => {
            warn!(server.log, "can't reach this node at its own address"; "node" => %node, "reason" => reason);
            Ok(())
        }
    }
}

/// Placement of a shared table's rooms at one of its nodes.
struct SharedPlacement {
    directory: watch::Receiver<Directory>,
    connector: Arc<RoomConnector>,
    next_connection_number: AtomicU64,
    relay: Arc<OperatorRelay>,
}

impl Placement for SharedPlacement {
    fn is_shared(&self) -> bool {
        true
    }

    fn local_rooms(&self) -> Vec<(RoomNumber, RoomSender)> {
        let directory = self.directory.borrow();
        let rooms = directory.local_rooms();
        rooms
            .map(|(room, commands)| (room, commands.clone()))
            .collect()
    }

    fn next_connection(&self) -> u64 {
        self.next_connection_number.fetch_add(1, Ordering::Relaxed)
    }

    fn next_client(&self) -> ClientId {
        self.connector.next_client()
    }

    fn serve(&self, caller: AcceptedClient) -> BoxFuture<'static, ()> {
        let client = RoutedClient::new(Arc::clone(&self.connector), caller.visitor);
        Box::pin(caller.serve(client))
    }

    fn forward_operator_request<'a>(
        &'a self,
        ask: &'a OperatorRequest,
        room: Option<RoomNumber>,
    ) -> BoxFuture<'a, Option<OperatorAnswer>> {
        Box::pin(Arc::clone(&self.relay).submit(ask, room))
    }

    /// Returns at once: other nodes take the rooms over and continue their games.
    fn drain(&self) -> BoxFuture<'_, ()> {
        Box::pin(ready(()))
    }
}
