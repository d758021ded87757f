//! Current owners of a table's rooms, as far as this node knows.

use crate::leases::NodeAddress;
use std::collections::BTreeMap;
use war_table::server::room_actor::RoomSender;
use war_table::server::rooms::RoomNumber;

/// Owners of the table's rooms.
#[derive(Clone, Default)]
pub(crate) struct Directory {
    owners: BTreeMap<RoomNumber, Owner>,
}

/// Owner of a room.
#[derive(Clone)]
pub(crate) enum Owner {
    /// This node, with the queue of the room's commands.
    Local(RoomSender),
    /// The node at this address.
    Remote(NodeAddress),
}

impl Directory {
    /// Creates a directory of these owners.
    pub(crate) fn new(owners: impl IntoIterator<Item = (RoomNumber, Owner)>) -> Self {
        let owners = owners.into_iter().collect();
        Self { owners }
    }

    /// Owner of a room; `None` if the room has no owner or the owner is unknown.
    pub(crate) fn owner(&self, room: RoomNumber) -> Option<&Owner> {
        self.owners.get(&room)
    }

    /// Rooms that this node serves, ordered by number.
    pub(crate) fn local_rooms(&self) -> impl Iterator<Item = (RoomNumber, &RoomSender)> {
        self.owners.iter().filter_map(|(room, owner)| match owner {
            Owner::Local(commands) => Some((*room, commands)),
            Owner::Remote(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Directory, Owner};
    use crate::leases::NodeAddress;
    use tokio::sync::mpsc;
    use war_table::server::rooms::RoomNumber;

    #[test]
    fn a_room_is_local_remote_or_unknown() {
        let (commands, _waiting) = mpsc::channel(1);
        let remote = Owner::Remote(NodeAddress("b".to_owned()));
        let owners = || {
            let local = Owner::Local(commands.clone());
            [(RoomNumber(0), local), (RoomNumber(2), remote.clone())]
        };
        let directory = Directory::new(owners());
        assert!(matches!(
            directory.owner(RoomNumber(0)),
            Some(Owner::Local(_))
        ));
        assert!(directory.owner(RoomNumber(1)).is_none());
        assert!(
            matches!(directory.owner(RoomNumber(2)), Some(Owner::Remote(node)) if node.0 == "b")
        );
        assert_eq!(directory.local_rooms().count(), 1);
    }
}
