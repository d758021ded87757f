use super::visit::Visit;
use std::collections::VecDeque;
use war_table::server::gateway::Errand;
use war_table::server::hub::Outbound;

/// What a node asks of the owner of a room, for one visit.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    /// A client comes.
    Enter(Visit),
    /// It asks for something that came to its node so many milliseconds ago.
    Ask(Errand, u64),
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
