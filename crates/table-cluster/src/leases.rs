//! Decides by leases which node may own which room of a shared table.
//!
//! A **node** is a server. Each room has at most one **owner**, which is a node. The **epoch** of a
//! room is a number that goes up whenever a node takes the room; batches of an older epoch can no
//! longer be committed. An owner proves that it is alive by a **beat**, a number that goes up with
//! each batch. A node that has seen the same beat for a whole **lease** may take the room over.
//!
//! The decisions need no clock, store or sockets.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use war_table::server::Headcount;
use war_table::server::rooms::RoomNumber;
use war_table::time::Monotonic;

/// Time without a beat after which a room may be taken over, measured by the clock of the observing
/// node.
pub const LEASE_DURATION: Duration = Duration::from_secs(3);

/// Interval at which a node polls the store for rooms and nodes: a twelfth of a lease.
pub const LEASE_POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Time without a beat after which a node is removed from the store. The next beat of a removed
/// node registers the node again.
const REMOVE_NODE_AFTER: Duration = LEASE_DURATION.saturating_mul(20);

/// Leases of all rooms, as one node observes them by its own clock.
#[derive(Debug, Clone)]
pub struct Leases {
    me: NodeAddress,
    rooms: BTreeMap<RoomNumber, Observed<(Epoch, Beat)>>,
    nodes: BTreeMap<NodeAddress, Observed<Beat>>,
}

/// Last observed value, and the time since which it has not changed.
#[derive(Debug, Clone, Copy)]
struct Observed<T> {
    value: T,
    since: Monotonic,
}

/// Next actions of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeasePlan {
    /// Rooms to take, each only if it has not changed since it was observed.
    pub take: Vec<RoomRecord>,
    /// Room to hand over because this node has more than its share.
    pub hand_over: Option<RoomNumber>,
    /// Nodes to remove from the store because they have sent no beat for a long time.
    pub remove: Vec<NodeAddress>,
}

impl Leases {
    /// Creates the leases of the node at this address, with nothing observed yet.
    #[must_use]
    pub const fn new(me: NodeAddress) -> Self {
        Self {
            me,
            rooms: BTreeMap::new(),
            nodes: BTreeMap::new(),
        }
    }

    /// Observes all rooms and nodes, and plans the next actions. `owned` holds the rooms that this
    /// node serves, and `now` is the time of this node's clock.
    ///
    /// A node takes rooms with an expired lease, and free rooms while it has fewer rooms than its
    /// share. A room that stays free for a whole lease counts as expired.
    pub fn observe(
        &mut self,
        census: &Census,
        owned: &BTreeMap<RoomNumber, Epoch>,
        now: Monotonic,
    ) -> LeasePlan {
        self.record(census, now);
        let share = self.fair_share(census, now);
        let mut plan = LeasePlan::default();
        for record in &census.rooms {
            let is_mine = owned.get(&record.room) == Some(&record.epoch);
            let expired = self.rooms[&record.room].is_expired(now);
            let has_room = owned.len() + plan.take.len() < share;
            let free = record.owner.is_none();
            if !is_mine && (expired || free && has_room) {
                plan.take.push(record.clone());
            }
        }
        if owned.len() > share {
            plan.hand_over = owned.keys().next_back().copied();
        }
        let silent =
            |(_, seen): &(&NodeAddress, &Observed<Beat>)| seen.age(now) >= REMOVE_NODE_AFTER;
        plan.remove = self
            .nodes
            .iter()
            .filter(silent)
            .map(|(node, _)| node.clone())
            .collect();
        plan
    }

    /// True if the owner of the room has sent a beat within the duration of a lease.
    pub(crate) fn is_live(&self, room: RoomNumber, now: Monotonic) -> bool {
        self.age(room, now) < LEASE_DURATION
    }

    /// Time for which the record of the room has not changed, as far as it was observed.
    pub(crate) fn age(&self, room: RoomNumber, now: Monotonic) -> Duration {
        let seen = self.rooms.get(&room);
        seen.map_or(Duration::ZERO, |seen| seen.age(now))
    }

    fn record(&mut self, census: &Census, now: Monotonic) {
        for record in &census.rooms {
            let value = (record.epoch, record.beat);
            let new = || Observed { value, since: now };
            self.rooms
                .entry(record.room)
                .or_insert_with(new)
                .update(value, now);
        }
        self.nodes
            .retain(|known, _| census.nodes.iter().any(|node| node.address == *known));
        for node in &census.nodes {
            let value = node.beat;
            let new = || Observed { value, since: now };
            let seen = self.nodes.entry(node.address.clone());
            seen.or_insert_with(new).update(value, now);
        }
    }

    /// Largest number of rooms for a node if all live nodes share them equally, rounded up.
    fn fair_share(&self, census: &Census, now: Monotonic) -> usize {
        let others = self.nodes.iter().filter(|(node, _)| **node != self.me);
        let live = others.filter(|(_, seen)| !seen.is_expired(now)).count() + 1;
        census.rooms.len().div_ceil(live)
    }
}

impl<T: PartialEq> Observed<T> {
    fn update(&mut self, value: T, now: Monotonic) {
        if self.value != value {
            *self = Self { value, since: now };
        }
    }

    /// Time for which the value has not changed.
    const fn age(&self, now: Monotonic) -> Duration {
        now.saturating_since(self.since)
    }

    /// True if the value has not changed for a whole lease.
    fn is_expired(&self, now: Monotonic) -> bool {
        self.age(now) >= LEASE_DURATION
    }
}

/// Number of times that a room was taken. No two owners of a room have the same epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Epoch(pub u64);

/// Heartbeat counter of a room's owner or of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Beat(pub u64);

/// Address at which other nodes reach a node.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeAddress(pub String);

impl fmt::Display for NodeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Row of a room in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomRecord {
    /// Number of the room.
    pub room: RoomNumber,
    /// Owner of the room; `None` if the room is new or was handed over.
    pub owner: Option<NodeAddress>,
    /// Epoch of the room.
    pub epoch: Epoch,
    /// Beat of the owner.
    pub beat: Beat,
}

/// Row of a node in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeRecord {
    /// Address of the node.
    pub address: NodeAddress,
    /// Beat of the node.
    pub beat: Beat,
    /// Headcount last reported by the node.
    pub people: Headcount,
}

/// All rooms and nodes of a table at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Census {
    /// The rooms, ordered by number.
    pub rooms: Vec<RoomRecord>,
    /// The nodes.
    pub nodes: Vec<NodeRecord>,
}

impl Census {
    /// Sum of the people counted by all nodes except this one.
    #[must_use]
    pub fn other_headcount(&self, node: &NodeAddress) -> Headcount {
        let others = self.nodes.iter().filter(|other| other.address != *node);
        others.map(|other| other.people).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        Beat, Census, Epoch, LEASE_DURATION, Leases, NodeAddress, NodeRecord, REMOVE_NODE_AFTER,
        RoomRecord,
    };
    use std::collections::BTreeMap;
    use std::time::Duration;
    use war_table::server::Headcount;
    use war_table::server::rooms::RoomNumber;
    use war_table::time::Monotonic;

    const START: Monotonic = Monotonic::ZERO;
    const MOMENT: Duration = Duration::from_millis(1);

    fn address(name: &str) -> NodeAddress {
        NodeAddress(name.to_owned())
    }

    fn record(room: u16, owner: Option<&str>, epoch: u64, beat: u64) -> RoomRecord {
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
            people: Headcount::default(),
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
    fn a_room_is_taken_after_its_owner_was_silent_for_a_whole_lease() {
        let mut leases = Leases::new(address("b"));
        let nodes = [("a", 1), ("b", 1)];
        let silent = census(&[record(0, Some("a"), 4, 9)], &nodes);
        let nothing = owned(&[]);
        assert!(leases.observe(&silent, &nothing, START).take.is_empty());
        let almost = START.saturating_add(LEASE_DURATION).saturating_sub(MOMENT);
        assert!(leases.observe(&silent, &nothing, almost).take.is_empty());
        let beating = census(&[record(0, Some("a"), 4, 10)], &nodes);
        assert!(leases.observe(&beating, &nothing, almost).take.is_empty());
        let later = almost.saturating_add(LEASE_DURATION);
        assert_eq!(
            leases.observe(&beating, &nothing, later).take,
            beating.rooms
        );
    }

    #[test]
    fn free_rooms_are_shared_equally() {
        let free: Vec<_> = (0..5).map(|room| record(room, None, 0, 0)).collect();
        let census = census(&free, &[("a", 1), ("b", 1)]);
        let mut leases = Leases::new(address("a"));
        let plan = leases.observe(&census, &owned(&[]), START);
        assert_eq!(plan.take, free[..3]);
        // The other node took no room for a whole lease, so the rooms meant for it count as
        // expired.
        let plan = leases.observe(&census, &owned(&[]), START.saturating_add(LEASE_DURATION));
        assert_eq!(plan.take, free);
    }

    #[test]
    fn a_node_with_more_than_its_share_hands_over_one_room_at_a_time() {
        let rooms: Vec<_> = (0..4).map(|room| record(room, Some("a"), 1, 1)).collect();
        let alone = census(&rooms, &[("a", 1)]);
        let mine = owned(&[(0, 1), (1, 1), (2, 1), (3, 1)]);
        let mut leases = Leases::new(address("a"));
        assert_eq!(leases.observe(&alone, &mine, START).hand_over, None);
        let joined = census(&rooms, &[("a", 1), ("b", 1)]);
        let plan = leases.observe(&joined, &mine, Monotonic::from_millis(10));
        assert_eq!(plan.hand_over, Some(RoomNumber(3)));
        let fewer = owned(&[(0, 1), (1, 1)]);
        assert_eq!(
            leases
                .observe(&joined, &fewer, Monotonic::from_millis(20))
                .hand_over,
            None
        );
    }

    #[test]
    fn a_node_that_was_silent_for_long_is_forgotten() {
        let mut leases = Leases::new(address("b"));
        let nothing = owned(&[]);
        for (now, beat) in [
            (START, 1),
            (
                START
                    .saturating_add(REMOVE_NODE_AFTER)
                    .saturating_sub(MOMENT),
                2,
            ),
        ] {
            let both = census(&[], &[("a", 7), ("b", beat)]);
            assert_eq!(leases.observe(&both, &nothing, now).remove, []);
        }
        let later = census(&[], &[("a", 7), ("b", 3)]);
        let plan = leases.observe(&later, &nothing, START.saturating_add(REMOVE_NODE_AFTER));
        assert_eq!(plan.remove, [address("a")]);
    }

    // A server restarted at the same address does not own the rooms of its predecessor, which may
    // still be running.
    #[test]
    fn a_room_in_another_epoch_is_not_owned() {
        let mut leases = Leases::new(address("a"));
        let census = census(&[record(0, Some("a"), 7, 3)], &[("a", 1)]);
        assert!(
            leases
                .observe(&census, &owned(&[(0, 6)]), START)
                .take
                .is_empty()
        );
        let plan = leases.observe(
            &census,
            &owned(&[(0, 6)]),
            START.saturating_add(LEASE_DURATION),
        );
        assert_eq!(plan.take, census.rooms);
    }
}
