use super::RoomNumber;
use std::fmt;

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
}

/// All rooms and nodes of a table, as the store shows them at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// The rooms, by number.
    pub rooms: Vec<RoomSight>,
    /// The nodes.
    pub nodes: Vec<NodeSight>,
}
