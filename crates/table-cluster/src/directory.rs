//! Where the rooms of a table are, as its node knows by now.

use crate::leases::NodeAddress;
use std::collections::BTreeMap;
use war_table::server::room_actor::RoomSender;
use war_table::server::rooms::RoomNumber;

/// Who owns which room of the table.
#[derive(Clone, Default)]
pub(crate) struct Directory {
    owners: BTreeMap<RoomNumber, Owner>,
    /// Whether the rooms could be looked at lately.
    is_fresh: bool,
}

/// Who owns a room.
#[derive(Clone)]
pub(crate) enum Owner {
    /// This server.
    Here(RoomSender),
    /// Another node.
    There(NodeAddress),
}

impl Directory {
    /// That of a table with these owners; `is_fresh` says whether they could be looked at.
    pub(crate) fn new(
        owners: impl IntoIterator<Item = (RoomNumber, Owner)>,
        is_fresh: bool,
    ) -> Self {
        let owners = owners.into_iter().collect();
        Self { owners, is_fresh }
    }

    /// Who owns a room; `None` where nobody does, or nobody knows.
    pub(crate) fn owner(&self, room: RoomNumber) -> Option<&Owner> {
        self.owners.get(&room)
    }

    /// The rooms of this server, in order.
    pub(crate) fn here(&self) -> impl Iterator<Item = (RoomNumber, &RoomSender)> {
        self.owners.iter().filter_map(|(room, owner)| match owner {
            Owner::Here(commands) => Some((*room, commands)),
            Owner::There(_) => None,
        })
    }

    /// Whether requests find their rooms: the store could be reached lately, and there is somebody
    /// who owns a room.
    pub(crate) fn is_open(&self) -> bool {
        self.is_fresh && !self.owners.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Directory, Owner};
    use crate::leases::NodeAddress;
    use tokio::sync::mpsc;
    use war_table::server::rooms::RoomNumber;

    #[test]
    fn rooms_are_found_here_there_or_nowhere() {
        let (commands, _waiting) = mpsc::channel(1);
        let there = Owner::There(NodeAddress("b".to_owned()));
        let owners = || {
            let here = Owner::Here(commands.clone());
            [(RoomNumber(0), here), (RoomNumber(2), there.clone())]
        };
        let directory = Directory::new(owners(), true);
        assert!(matches!(
            directory.owner(RoomNumber(0)),
            Some(Owner::Here(_))
        ));
        assert!(directory.owner(RoomNumber(1)).is_none());
        assert!(
            matches!(directory.owner(RoomNumber(2)), Some(Owner::There(node)) if node.0 == "b")
        );
        assert_eq!(directory.here().count(), 1);
    }

    #[test]
    fn a_table_is_open_when_a_room_of_it_has_an_owner_and_its_store_works() {
        let (commands, _waiting) = mpsc::channel(1);
        let owners = || [(RoomNumber(0), Owner::Here(commands.clone()))];
        assert!(Directory::new(owners(), true).is_open());
        assert!(!Directory::new(owners(), false).is_open());
        assert!(!Directory::new([], true).is_open());
        assert!(!Directory::default().is_open());
    }
}
