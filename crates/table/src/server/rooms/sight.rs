use super::RoomNumber;
use crate::room::Waiters;
use std::fmt;
use std::iter::Sum;

/// How often a room has changed its owner. Two owners are never of one epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u64);

/// How often an owner, or a node, has shown that it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Beat(pub u64);

/// Where other nodes reach a node: what it says of itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeAddress(pub String);

impl fmt::Display for NodeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A room as its row in the store shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomSight {
    /// Which room.
    pub room: RoomNumber,
    /// Who owns it; nobody where it is new or was handed over.
    pub owner: Option<NodeAddress>,
    /// Its epoch.
    pub epoch: Epoch,
    /// The owner's beat.
    pub beat: Beat,
}

/// A node as its row in the store shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeSight {
    /// Where it is reached.
    pub address: NodeAddress,
    /// Its beat.
    pub beat: Beat,
    /// Whom it counted last.
    pub people: People,
}

/// How many people a node counts: those who are connected to it, and those in the rooms that it
/// serves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct People {
    /// The players who are connected.
    pub here: u64,
    /// The games that run.
    pub running: u64,
    /// The players who wait for anyone.
    pub waiting: Waiters,
}

impl Sum for People {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, more| Self {
            here: sum.here.saturating_add(more.here),
            running: sum.running.saturating_add(more.running),
            waiting: sum.waiting + more.waiting,
        })
    }
}

/// All rooms and nodes of a table, as the store shows them at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// The rooms, by number.
    pub rooms: Vec<RoomSight>,
    /// The nodes.
    pub nodes: Vec<NodeSight>,
}

impl Census {
    /// How many people all nodes but this one count.
    #[must_use]
    pub fn elsewhere(&self, node: &NodeAddress) -> People {
        let others = self.nodes.iter().filter(|other| other.address != *node);
        others.map(|other| other.people).sum()
    }
}
