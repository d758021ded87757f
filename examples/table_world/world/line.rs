use std::collections::VecDeque;
use war::i18n::{Catalogue, Lang};
use war::room::PlayerId;
use war::server::client::Session;

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
    /// Whether the hub knows it.
    pub(crate) is_known: bool,
    /// Whose it is, as its node has published.
    pub(crate) is_welcome: Option<PlayerId>,
    /// Whether another node has taken the room since.
    pub(crate) is_stale: bool,
    pub(crate) to_node: Pipe,
    pub(crate) to_player: Pipe,
    /// What arrived at the node and is not read yet.
    pub(crate) unread: VecDeque<Packet>,
    /// The number of the last message that was published to it.
    pub(crate) latest: u64,
}

impl Line {
    /// A connection that is opened when the clock of its node shows `clock`.
    pub(crate) fn new(node: usize, player: usize, clock: u64) -> Self {
        let open = || Pipe {
            is_open: true,
            ..Pipe::default()
        };
        Self {
            node,
            player,
            session: Session::new(Catalogue::built_in(Lang::En), RATE, clock),
            is_known: false,
            is_welcome: None,
            is_stale: false,
            to_node: open(),
            to_player: open(),
            unread: VecDeque::new(),
            latest: 0,
        }
    }
}
