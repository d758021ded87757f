use super::trouble::Trouble;
use std::collections::BTreeMap;
use war_table::server::rooms::RoomNumber;

/// Something that will happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum What {
    /// The next packet of a connection is at its node.
    AtNode(u64),
    /// The next packet of a connection is at its player.
    AtPlayer(u64),
    /// A node learns that a connection is gone.
    GoneAtNode(u64),
    /// A player learns that a connection is gone.
    GoneAtPlayer(u64),
    /// The session of a connection is woken.
    Wake(u64),
    /// The loop of a node's room goes on, in this turn of it.
    Turn(usize, RoomNumber, u64),
    /// A node of several looks around, in this run of its program.
    Round(usize, u64),
    /// It takes a room that it has seen.
    Take(usize, RoomNumber, u64),
    /// It learns where the players of its connections are.
    Sighted(usize, u64),
    /// The way of a connection's requests is woken.
    Route(u64),
    /// The next frame of a link is at the owner of rooms.
    AtOwner(u64),
    /// The next frame of a link is at the node that forwards.
    AtGateway(u64),
    /// The owner of rooms learns that a link is gone.
    GoneAtOwner(u64),
    /// The node that forwards learns that a link is gone.
    GoneAtGateway(u64),
    /// A node starts.
    Start(usize),
    /// A player does something, if they still plan to do so now.
    Act(usize),
    /// Something fails.
    Trouble(Trouble),
    /// What fails for a while works again.
    Over(Trouble),
    /// A commit of a room that nobody knows of is done, or is not.
    Lands(RoomNumber),
    /// The store ends the transaction of a node that was stopped in this turn of its room.
    Idle(usize, RoomNumber, u64),
    /// What takes time is looked at.
    Look,
}

/// What will happen, by its time; at the same time, in the order in which it was planned.
#[derive(Default)]
pub(crate) struct Queue {
    planned: BTreeMap<(u64, u64), What>,
    order: u64,
}

impl Queue {
    /// Plans something for a time in milliseconds.
    pub(crate) fn plan(&mut self, at: u64, what: What) {
        self.order += 1;
        self.planned.insert((at, self.order), what);
    }

    /// What happens next, and when.
    pub(crate) fn next(&mut self) -> Option<(u64, What)> {
        let ((at, _), what) = self.planned.pop_first()?;
        Some((at, what))
    }
}
