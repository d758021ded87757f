//! Who owns which room of a table that several nodes share.
//!
//! A **node** is a server. Each room has one **owner**, a node, in an **epoch**: the number goes up
//! whenever the owner changes, and nothing of an older epoch can be committed any more. An owner
//! shows that it is there by a **beat**, a number that goes up with each batch; who has seen the same
//! beat for a whole **lease** may take the room over.
//!
//! All of this is decided here without clock, store and sockets.

use std::collections::BTreeMap;
use std::fmt;
use war_table::server::People;
use war_table::server::rooms::RoomNumber;

/// How long a node may be unheard of before its rooms are taken over, in milliseconds by the
/// clock of the node that listens.
pub const LEASE: u64 = 3_000;

/// How often a node that serves nothing looks whether it may take a room, in milliseconds.
pub const LOOK: u64 = LEASE / 12;

/// How long a node may be unheard of before it is forgotten, in milliseconds: it makes itself
/// known again when it comes back.
const FORGOTTEN: u64 = 20 * LEASE;

/// What a node knows of the leases of all rooms, by its own clock alone.
#[derive(Debug, Clone)]
pub struct Leases {
    me: NodeAddress,
    rooms: BTreeMap<RoomNumber, Seen<(Epoch, Beat)>>,
    nodes: BTreeMap<NodeAddress, Seen<Beat>>,
}

/// What was seen last, and since when it has been the same.
#[derive(Debug, Clone, Copy)]
struct Seen<T> {
    what: T,
    since: u64,
}

/// What a node does next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The rooms to take, as they were seen: only if they are still so.
    pub take: Vec<RoomRecord>,
    /// A room to hand over, since others have fewer.
    pub hand_over: Option<RoomNumber>,
    /// Nodes that have been silent for so long that nobody needs to know them any more.
    pub forget: Vec<NodeAddress>,
}

impl Leases {
    /// What a node of this address knows at first: nothing.
    #[must_use]
    pub const fn new(me: NodeAddress) -> Self {
        Self {
            me,
            rooms: BTreeMap::new(),
            nodes: BTreeMap::new(),
        }
    }

    /// Looks at all rooms and nodes; `owned` are the rooms that this node serves, and `now` is
    /// what its clock shows, in milliseconds.
    ///
    /// A node takes rooms whose lease has run out, and free ones as long as it has fewer than its
    /// share. Of those that nobody took for a whole lease it takes more.
    pub fn look(&mut self, census: &Census, owned: &BTreeMap<RoomNumber, Epoch>, now: u64) -> Plan {
        self.note(census, now);
        let share = self.share(census, now);
        let mut plan = Plan::default();
        for sight in &census.rooms {
            let is_mine = owned.get(&sight.room) == Some(&sight.epoch);
            let expired = self.rooms[&sight.room].is_over(now);
            let has_room = owned.len() + plan.take.len() < share;
            let free = sight.owner.is_none();
            if !is_mine && (expired || free && has_room) {
                plan.take.push(sight.clone());
            }
        }
        if owned.len() > share {
            plan.hand_over = owned.keys().next_back().copied();
        }
        let silent = |(_, seen): &(&NodeAddress, &Seen<Beat>)| seen.age(now) >= FORGOTTEN;
        plan.forget = self
            .nodes
            .iter()
            .filter(silent)
            .map(|(node, _)| node.clone())
            .collect();
        plan
    }

    /// Notes what has changed.
    fn note(&mut self, census: &Census, now: u64) {
        for sight in &census.rooms {
            let what = (sight.epoch, sight.beat);
            let new = || Seen { what, since: now };
            self.rooms
                .entry(sight.room)
                .or_insert_with(new)
                .see(what, now);
        }
        self.nodes
            .retain(|known, _| census.nodes.iter().any(|node| node.address == *known));
        for node in &census.nodes {
            let what = node.beat;
            let new = || Seen { what, since: now };
            let seen = self.nodes.entry(node.address.clone());
            seen.or_insert_with(new).see(what, now);
        }
    }

    /// How many rooms a node should have at most: as many as the others, rounded up.
    fn share(&self, census: &Census, now: u64) -> usize {
        let others = self.nodes.iter().filter(|(node, _)| **node != self.me);
        let live = others.filter(|(_, seen)| !seen.is_over(now)).count() + 1;
        census.rooms.len().div_ceil(live)
    }
}

impl<T: PartialEq> Seen<T> {
    fn see(&mut self, what: T, now: u64) {
        if self.what != what {
            *self = Self { what, since: now };
        }
    }

    /// For how long it has been the same.
    const fn age(&self, now: u64) -> u64 {
        now.saturating_sub(self.since)
    }

    /// Whether it has been the same for a whole lease.
    const fn is_over(&self, now: u64) -> bool {
        self.age(now) >= LEASE
    }
}

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
pub struct RoomRecord {
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
pub struct NodeRecord {
    /// Where it is reached.
    pub address: NodeAddress,
    /// Its beat.
    pub beat: Beat,
    /// Whom it counted last.
    pub people: People,
}

/// All rooms and nodes of a table, as the store shows them at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// The rooms, by number.
    pub rooms: Vec<RoomRecord>,
    /// The nodes.
    pub nodes: Vec<NodeRecord>,
}

impl Census {
    /// How many people all nodes but this one count.
    #[must_use]
    pub fn elsewhere(&self, node: &NodeAddress) -> People {
        let others = self.nodes.iter().filter(|other| other.address != *node);
        others.map(|other| other.people).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Beat, Census, Epoch, FORGOTTEN, LEASE, Leases, NodeAddress, NodeRecord, RoomRecord,
    };
    use std::collections::BTreeMap;
    use war_table::server::People;
    use war_table::server::rooms::RoomNumber;

    fn address(name: &str) -> NodeAddress {
        NodeAddress(name.to_owned())
    }

    fn sight(room: u16, owner: Option<&str>, epoch: u64, beat: u64) -> RoomRecord {
        RoomRecord {
            room: RoomNumber(room),
            owner: owner.map(address),
            epoch: Epoch(epoch),
            beat: Beat(beat),
        }
    }

    fn census(rooms: &[RoomRecord], nodes: &[(&str, u64)]) -> Census {
        let node = |&(name, beat): &(&str, u64)| NodeRecord {
            address: address(name),
            beat: Beat(beat),
            people: People::default(),
        };
        Census {
            rooms: rooms.to_vec(),
            nodes: nodes.iter().map(node).collect(),
        }
    }

    fn owned(rooms: &[(u16, u64)]) -> BTreeMap<RoomNumber, Epoch> {
        let rooms = rooms.iter();
        rooms
            .map(|&(room, epoch)| (RoomNumber(room), Epoch(epoch)))
            .collect()
    }

    #[test]
    fn a_room_is_taken_when_its_owner_was_silent_for_a_whole_lease() {
        let mut leases = Leases::new(address("b"));
        let nodes = [("a", 1), ("b", 1)];
        let silent = census(&[sight(0, Some("a"), 4, 9)], &nodes);
        let nothing = owned(&[]);
        assert!(leases.look(&silent, &nothing, 100).take.is_empty());
        let almost = 100 + LEASE - 1;
        assert!(leases.look(&silent, &nothing, almost).take.is_empty());
        let beating = census(&[sight(0, Some("a"), 4, 10)], &nodes);
        assert!(leases.look(&beating, &nothing, almost).take.is_empty());
        let later = almost + LEASE;
        assert_eq!(leases.look(&beating, &nothing, later).take, beating.rooms);
    }

    #[test]
    fn free_rooms_are_shared_out() {
        let free: Vec<_> = (0..5).map(|room| sight(room, None, 0, 0)).collect();
        let census = census(&free, &[("a", 1), ("b", 1)]);
        let mut leases = Leases::new(address("a"));
        let plan = leases.look(&census, &owned(&[]), 0);
        assert_eq!(plan.take, free[..3]);
        // The other one took none for a whole lease: its own may be over as well.
        let plan = leases.look(&census, &owned(&[]), LEASE);
        assert_eq!(plan.take, free);
    }

    #[test]
    fn who_has_more_than_their_share_hands_one_over_at_a_time() {
        let rooms: Vec<_> = (0..4).map(|room| sight(room, Some("a"), 1, 1)).collect();
        let alone = census(&rooms, &[("a", 1)]);
        let mine = owned(&[(0, 1), (1, 1), (2, 1), (3, 1)]);
        let mut leases = Leases::new(address("a"));
        assert_eq!(leases.look(&alone, &mine, 0).hand_over, None);
        let joined = census(&rooms, &[("a", 1), ("b", 1)]);
        let plan = leases.look(&joined, &mine, 10);
        assert_eq!(plan.hand_over, Some(RoomNumber(3)));
        let fewer = owned(&[(0, 1), (1, 1)]);
        assert_eq!(leases.look(&joined, &fewer, 20).hand_over, None);
    }

    #[test]
    fn a_node_that_was_silent_for_long_is_forgotten() {
        let mut leases = Leases::new(address("b"));
        let nothing = owned(&[]);
        for (now, beat) in [(0, 1), (FORGOTTEN - 1, 2)] {
            let both = census(&[], &[("a", 7), ("b", beat)]);
            assert_eq!(leases.look(&both, &nothing, now).forget, []);
        }
        let later = census(&[], &[("a", 7), ("b", 3)]);
        let plan = leases.look(&later, &nothing, FORGOTTEN);
        assert_eq!(plan.forget, [address("a")]);
    }

    // A program that was started again at the same address does not own what the one before it
    // did: that one may still be there.
    #[test]
    fn a_room_of_another_epoch_is_not_one_s_own() {
        let mut leases = Leases::new(address("a"));
        let census = census(&[sight(0, Some("a"), 7, 3)], &[("a", 1)]);
        assert!(leases.look(&census, &owned(&[(0, 6)]), 0).take.is_empty());
        let plan = leases.look(&census, &owned(&[(0, 6)]), LEASE);
        assert_eq!(plan.take, census.rooms);
    }
}
