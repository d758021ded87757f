//! What carries messages: connections between players and nodes, links between nodes, and visits of
//! clients in rooms.

use std::collections::VecDeque;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::{PlayerId, Request};
use war_table::server::client::Session;
use war_table::server::hub::Outbound;
use war_table::server::rooms::{RoomNumber, Rooms};
use war_table_cluster::gateway::Route;

/// The most messages of a connection in a second.
const RATE: u32 = 50;

/// What goes over a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Packet {
    /// A message.
    Text(String),
    /// The server asks whether somebody is there, or the player answers that.
    Ping,
}

/// One direction of a connection: what is sent first arrives first.
#[derive(Debug, Default)]
pub(crate) struct Pipe {
    pub(crate) packets: VecDeque<Packet>,
    /// When the last one arrives.
    last: u64,
    /// Whether the other end takes what arrives.
    pub(crate) is_open: bool,
}

impl Pipe {
    /// Puts a packet into the pipe that would arrive at this time alone; the result is when it
    /// does.
    pub(crate) fn put(&mut self, packet: Packet, at: u64) -> u64 {
        self.packets.push_back(packet);
        self.last = self.last.max(at);
        self.last
    }

    /// When the last packet in it arrives.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }
}

/// A connection between a player and a node.
pub(crate) struct Line {
    pub(crate) node: usize,
    pub(crate) player: usize,
    /// What the server does with it.
    pub(crate) session: Session,
    /// The way of its requests, where nodes share the table.
    pub(crate) route: Route,
    /// When that is woken next, if that is planned.
    pub(crate) route_wakes: Option<u64>,
    /// The visit of the room that it has entered, and the link over which that is.
    pub(crate) visit: Option<(u64, u64)>,
    /// Whether the hub of a table of its own knows it.
    pub(crate) is_known: bool,
    /// Whose it is, as its session was told.
    pub(crate) is_welcome: Option<PlayerId>,
    /// Whether its node has it no more.
    pub(crate) is_over: bool,
    pub(crate) to_node: Pipe,
    pub(crate) to_player: Pipe,
    /// What arrived at the node and is not read yet.
    pub(crate) unread: VecDeque<Packet>,
    /// The number of the last message that was published to it.
    pub(crate) latest: u64,
    /// The number of its player's last message, as the store showed it last.
    pub(crate) sighted: u64,
}

impl Line {
    /// A connection to a table of so many rooms that is opened when the clock of its node shows
    /// `clock`.
    pub(crate) fn new(node: usize, player: usize, rooms: Rooms, clock: u64) -> Self {
        let open = || Pipe {
            is_open: true,
            ..Pipe::default()
        };
        Self {
            node,
            player,
            session: Session::new(Catalogue::built_in(Lang::En), RATE, clock),
            route: Route::new(rooms),
            route_wakes: None,
            visit: None,
            is_known: false,
            is_welcome: None,
            is_over: false,
            to_node: open(),
            to_player: open(),
            unread: VecDeque::new(),
            latest: 0,
            sighted: 0,
        }
    }
}

/// A client's stay in a room, as the owner of the room knows it.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    /// The connection.
    pub(crate) line: u64,
    /// Which player opened it, by their place in the world.
    pub(crate) visitor: usize,
    /// The node that owns the room, or did.
    pub(crate) node: usize,
    pub(crate) room: RoomNumber,
    /// Over which link it is, where nodes share the table.
    pub(crate) link: Option<u64>,
    /// Its player, once that is known.
    pub(crate) player: Option<PlayerId>,
    /// Whether the room counts its player as somebody who is there.
    pub(crate) is_here: bool,
}

/// What a node asks of the owner of a room, for one visit.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    /// A client comes.
    Enter(Visit),
    /// It asks for something that came to its node so many milliseconds ago.
    Ask(Request, u64),
    /// It leaves.
    Leave,
}

/// What the owner says.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// What the room has published, for this connection.
    Says(u64, Outbound),
    /// The room is not, or not any more, this node's: this connection has lost it.
    Gone(u64),
}

/// A connection between the node that has clients and the one that owns rooms, which may be the
/// same: frames of visits, each way in order.
pub(crate) struct Link {
    pub(crate) gateway: usize,
    pub(crate) owner: usize,
    /// Whether anything still arrives.
    pub(crate) is_open: bool,
    /// Whether the owner of rooms knows that it is gone, and whether the other end does.
    pub(crate) known: [bool; 2],
    pub(crate) calls: Way<Call>,
    pub(crate) replies: Way<Reply>,
}

/// One direction of a link.
pub(crate) struct Way<T> {
    frames: VecDeque<(u64, T)>,
    /// When the last one arrives, or how long it is silent.
    last: u64,
}

impl<T> Way<T> {
    const fn new() -> Self {
        Self {
            frames: VecDeque::new(),
            last: 0,
        }
    }

    /// Sends a frame of a visit, which would arrive at this time alone; the result is when it
    /// does.
    pub(crate) fn put(&mut self, visit: u64, frame: T, at: u64) -> u64 {
        self.frames.push_back((visit, frame));
        self.last = self.last.max(at);
        self.last
    }

    /// The frame that arrives next.
    pub(crate) fn next(&mut self) -> Option<(u64, T)> {
        self.frames.pop_front()
    }

    /// Nothing more arrives before this time.
    pub(crate) fn is_silent(&mut self, until: u64) {
        self.last = self.last.max(until);
    }

    /// When the last one arrives.
    pub(crate) const fn last(&self) -> u64 {
        self.last
    }
}

impl Link {
    pub(crate) const fn new(gateway: usize, owner: usize) -> Self {
        Self {
            gateway,
            owner,
            is_open: true,
            known: [false; 2],
            calls: Way::new(),
            replies: Way::new(),
        }
    }
}
