//! Carriers of messages: connections between players and nodes, links between nodes, and visits of
//! clients to rooms.

use crate::schedule::WorldTime;
use crate::store::MemoryStore;
use std::collections::VecDeque;
use std::time::Duration;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::{PlayerId, Request};
use war_table::server::client::Session;
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::{RoomCount, RoomNumber};
use war_table::time::Monotonic;
use war_table_cluster::gateway::Route;

/// Limit on messages per second from one connection.
const MAX_MESSAGES_PER_SECOND: u32 = 50;

/// Unit sent over a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packet {
    Text(String),
    /// Keep-alive ping of the server, or the player's reply.
    Ping,
}

/// One direction of a connection, which delivers packets in the order they are sent.
#[derive(Debug, Default)]
pub(crate) struct Pipe {
    pub(crate) packets: VecDeque<Packet>,
    /// Arrival time of the last packet.
    last: WorldTime,
    pub(crate) is_open: bool,
}

impl Pipe {
    /// Queues a packet to arrive at `at`, but not before the packet ahead of it. Returns the
    /// arrival time of the new packet.
    pub(crate) fn put(&mut self, packet: Packet, at: WorldTime) -> WorldTime {
        self.packets.push_back(packet);
        self.last = self.last.max(at);
        self.last
    }

    /// Returns the arrival time of the last packet.
    pub(crate) const fn last_arrival(&self) -> WorldTime {
        self.last
    }
}

pub(crate) struct Connection {
    pub(crate) node: usize,
    pub(crate) player_index: usize,
    /// Server side of the connection.
    pub(crate) session: Session,
    /// Route of the client's requests to the rooms, if nodes share the table.
    pub(crate) route: Route,
    /// Time at which the route is next woken.
    pub(crate) route_wake_at: Option<WorldTime>,
    /// Numbers of the visit to the entered room, and of the link that carries the visit.
    pub(crate) visit: Option<(u64, u64)>,
    /// True if the hub of an unshared table knows the client.
    pub(crate) is_registered: bool,
    /// Player named in the `welcome` message.
    pub(crate) player_id: Option<PlayerId>,
    /// True once the node has dropped the connection.
    pub(crate) is_closed: bool,
    pub(crate) to_node: Pipe,
    pub(crate) to_player: Pipe,
    /// Packets that have arrived at the node and are not read yet.
    pub(crate) unread: VecDeque<Packet>,
    /// Number of the last message published to the connection.
    pub(crate) last_published: u64,
    /// Number of the player's last message, as last read from the store.
    pub(crate) last_stored: u64,
}

impl Connection {
    /// Opens a connection to a table with these rooms. `clock` is the time on the node's clock.
    pub(crate) fn new(
        node: usize,
        player_index: usize,
        rooms: RoomCount,
        clock: Monotonic,
    ) -> Self {
        let open = || Pipe {
            is_open: true,
            ..Pipe::default()
        };
        Self {
            node,
            player_index,
            session: Session::new(
                Catalogue::built_in(Lang::En),
                MAX_MESSAGES_PER_SECOND,
                MemoryStore::SECRET,
                clock,
            ),
            route: Route::new(rooms),
            route_wake_at: None,
            visit: None,
            is_registered: false,
            player_id: None,
            is_closed: false,
            to_node: open(),
            to_player: open(),
            unread: VecDeque::new(),
            last_published: 0,
            last_stored: 0,
        }
    }
}

/// Stay of a client in a room, as recorded by the room's owner.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) connection: u64,
    /// Index of the player in the world.
    pub(crate) player_index: usize,
    /// Owner of the room when the visit began.
    pub(crate) node: usize,
    pub(crate) room: RoomNumber,
    /// Link that carries the visit, if nodes share the table.
    pub(crate) link: Option<u64>,
    /// Player of the client, once known.
    pub(crate) player_id: Option<PlayerId>,
    /// True if the room counts the player as present.
    pub(crate) is_present: bool,
}

/// Frame from a gateway to the owner of a room, for one visit.
#[derive(Debug, Clone)]
pub(crate) enum FrameToOwner {
    /// Entry of a client into the room.
    Enter(Visit),
    /// Request of a client, and the time since the request reached the gateway.
    Request(Request, Duration),
    /// Departure of a client from the room.
    Leave,
}

/// Frame from the owner of a room to a gateway, for one connection.
#[derive(Debug, Clone)]
pub(crate) enum FrameToGateway {
    /// Output of the room for this connection.
    Deliver(u64, HubDelivery),
    /// Notice to this connection that the node does not own the room, or no longer owns it.
    NotOwner(u64),
}

/// Manner in which a node or a connection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shutdown {
    /// End after which packets in transit to the player still arrive.
    Graceful,
    /// End in which packets in transit may be lost.
    Abrupt,
}

/// Side of a link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LinkEnd {
    Gateway,
    Owner,
}

/// Connection between a gateway, which has clients, and an owner of rooms. Both may be the same
/// node. Each direction delivers frames in order.
pub(crate) struct Link {
    pub(crate) gateway: usize,
    pub(crate) owner: usize,
    pub(crate) is_open: bool,
    /// True for each side, indexed by [`LinkEnd`], that knows that the link is broken.
    pub(crate) is_loss_known: [bool; 2],
    pub(crate) to_owner: FrameQueue<FrameToOwner>,
    pub(crate) to_gateway: FrameQueue<FrameToGateway>,
}

/// One direction of a link, which delivers frames in the order they are sent.
pub(crate) struct FrameQueue<T> {
    frames: VecDeque<(u64, T)>,
    /// Arrival time of the last frame, or the end of a silence.
    last: WorldTime,
}

impl<T> FrameQueue<T> {
    const fn new() -> Self {
        Self {
            frames: VecDeque::new(),
            last: WorldTime::ZERO,
        }
    }

    /// Queues a frame of a visit to arrive at `at`, but not before the frame ahead of it. Returns
    /// the arrival time of the new frame.
    pub(crate) fn put(&mut self, visit: u64, frame: T, at: WorldTime) -> WorldTime {
        self.frames.push_back((visit, frame));
        self.last = self.last.max(at);
        self.last
    }

    /// Takes the next frame to arrive.
    pub(crate) fn pop(&mut self) -> Option<(u64, T)> {
        self.frames.pop_front()
    }

    /// Holds back all further frames until this time.
    pub(crate) fn delay_until(&mut self, until: WorldTime) {
        self.last = self.last.max(until);
    }

    /// Returns the arrival time of the last frame.
    pub(crate) const fn last_arrival(&self) -> WorldTime {
        self.last
    }
}

impl Link {
    pub(crate) const fn new(gateway: usize, owner: usize) -> Self {
        Self {
            gateway,
            owner,
            is_open: true,
            is_loss_known: [false; 2],
            to_owner: FrameQueue::new(),
            to_gateway: FrameQueue::new(),
        }
    }
}
