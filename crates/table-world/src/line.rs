use std::collections::VecDeque;
use war::i18n::{Catalogue, Lang};
use war_table::room::PlayerId;
use war_table::server::client::Session;
use war_table::server::gateway::Route;
use war_table::server::rooms::Rooms;

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
