//! Sharing of a table by several nodes: they check leases, and take, lose and hand over rooms.

use crate::access::{ClusterMember, TableAccess};
use crate::connection::Shutdown;
use crate::laws::{LawResult, ensure};
use crate::options::Bug;
use crate::schedule::WorldEvent;
use crate::store::CommitOutcome;
use crate::world::World;
use std::sync::atomic::Ordering;
use std::time::Duration;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;
use war_table_cluster::Membership;
use war_table_cluster::leases::LEASE_POLL_INTERVAL;

impl World<'_> {
    /// Returns a node as a member of the cluster; `None` if the table is not shared.
    pub(crate) fn cluster_member(&mut self, index: usize) -> Option<&mut ClusterMember> {
        match &mut self.nodes[index].access {
            TableAccess::Shared(member) => Some(member),
            TableAccess::Standalone(_) => None,
        }
    }

    /// Checks leases, unless the node has restarted since this check was scheduled.
    pub(crate) fn check_leases(&mut self, index: usize, run: u64) -> LawResult {
        let node = &mut self.nodes[index];
        if node.run_number != run {
            return Ok(());
        }
        self.queue.schedule(
            self.now + LEASE_POLL_INTERVAL,
            WorldEvent::LeaseCheck(index, run),
        );
        let (owned, clocks) = (node.owned_rooms(), &node.clocks);
        let looked = match &mut node.access {
            TableAccess::Shared(member) if !member.is_leaving => {
                member.refresh(&owned, clocks, self.now)
            }
            _ => return Ok(()),
        };
        match looked {
            Ok(changes) => {
                for room in changes.take {
                    let after = self
                        .draw_commit_duration()
                        .min(LEASE_POLL_INTERVAL.saturating_sub(Duration::from_millis(1)));
                    let take = WorldEvent::TakeRoom(index, room, run);
                    self.queue.schedule(self.now + after, take);
                }
                if let Some(room) = changes.hand_over {
                    self.request_hand_over(index, room);
                }
            }
            Err(error) => ensure_recoverable(index, &error)?,
        }
        self.look_up_locations(index);
        Ok(())
    }

    /// Asks the server of a room to hand the room over.
    pub(crate) fn request_hand_over(&mut self, index: usize, room: RoomNumber) {
        let Some(server) = self.nodes[index].servers.get_mut(&room) else {
            return;
        };
        server.is_handing_over = true;
        if server.is_waiting() {
            self.schedule_turn(index, room, Duration::ZERO);
        }
    }

    /// Takes a room, if it is unchanged since the last poll.
    pub(crate) fn take_room(&mut self, index: usize, room: RoomNumber, run: u64) -> LawResult {
        let (now, node) = (self.now, &mut self.nodes[index]);
        if node.run_number != run || node.servers.contains_key(&room) {
            return Ok(());
        }
        let taken = node.take_room(room, now, &mut self.rng);
        let served = &mut self.rooms[usize::from(room.0)];
        if matches!(taken, Ok(true)) {
            served.owner = Some(index);
            served.taken_at = now;
            self.takeovers += 1;
            self.reset_presence(room);
            self.add_to_transcript("takes", index as u64, &room.to_string());
        }
        // Taking a room first completes the commit under way.
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        self.check_commits(&in_doubt, room)?;
        self.rooms[usize::from(room.0)].in_doubt = in_doubt;
        match taken {
            Ok(true) => {
                // A leaving node hands over even the rooms it has just taken.
                if self
                    .cluster_member(index)
                    .is_some_and(|member| member.is_leaving)
                {
                    self.request_hand_over(index, room);
                }
                self.wait_for_commands(index, room)
            }
            Ok(false) => Ok(()),
            Err(error) => ensure_recoverable(index, &error),
        }
    }

    /// Handles a failure of the store while serving a shared room.
    pub(crate) fn handle_store_failure(
        &mut self,
        index: usize,
        room: RoomNumber,
        error: &StoreError,
    ) -> LawResult {
        let in_doubt = matches!(error, StoreError::InDoubt(_));
        if in_doubt && self.options.bug == Some(Bug::ReloadInEpoch) {
            return self.reload_room(index, room);
        }
        ensure_recoverable(index, error)?;
        self.stop_serving(index, room)
    }

    /// Stops serving a room. A leaving node leaves the table after its last room.
    fn stop_serving(&mut self, index: usize, room: RoomNumber) -> LawResult {
        self.end_visits_to_room(index, room);
        self.nodes[index].servers.remove(&room);
        let leaves = self
            .cluster_member(index)
            .is_some_and(|member| member.is_leaving);
        if leaves && self.nodes[index].servers.is_empty() {
            return self.leave_table(index);
        }
        Ok(())
    }

    /// Reloads a room in the same epoch, which no real node may do.
    fn reload_room(&mut self, index: usize, room: RoomNumber) -> LawResult {
        self.end_visits_to_room(index, room);
        if let Some(member) = self.cluster_member(index) {
            member.reloaded.store(true, Ordering::Relaxed);
        }
        let (now, node) = (self.now, &mut self.nodes[index]);
        let loaded = node.reload(room, now, &mut self.rng);
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        self.check_commits(&in_doubt, room)?;
        match loaded {
            Ok(()) => self.wait_for_commands(index, room),
            Err(error) => ensure_recoverable(index, &error),
        }
    }

    /// Hands a room over.
    pub(crate) fn hand_over_room(&mut self, index: usize, room: RoomNumber) -> LawResult {
        let closed = self
            .cluster_member(index)
            .map(|member| member.hand_over(room));
        // If the store fails, other nodes wait until the lease ends.
        if let Some(Err(error)) = closed {
            ensure_recoverable(index, &error)?;
        }
        self.check_commits(&[], room)?;
        if self.options.bug == Some(Bug::HandOverUnclosed) {
            if let Some(server) = self.nodes[index].servers.get_mut(&room) {
                server.is_handing_over = false;
            }
            return self.wait_for_commands(index, room);
        }
        self.stop_serving(index, room)
    }

    /// Drains a node, so that other nodes continue its games.
    pub(crate) fn drain_node(&mut self, index: usize) -> LawResult {
        let node = &self.nodes[index];
        if node.stopped_until > self.now || !node.is_running() {
            return Ok(());
        }
        let rooms: Vec<_> = node.servers.keys().copied().collect();
        if let Some(member) = self.cluster_member(index) {
            member.is_leaving = true;
        }
        if rooms.is_empty() {
            return self.leave_table(index);
        }
        for room in rooms {
            self.request_hand_over(index, room);
        }
        Ok(())
    }

    /// Removes a node without rooms from the table.
    fn leave_table(&mut self, index: usize) -> LawResult {
        let left = self
            .cluster_member(index)
            .map_or(Ok(()), ClusterMember::leave);
        if let Err(error) = left {
            ensure_recoverable(index, &error)?;
        }
        self.end_node(index, Shutdown::Graceful);
        Ok(())
    }

    /// Completes or drops a commit in doubt.
    pub(crate) fn resolve_commit(&mut self, room: RoomNumber) -> LawResult {
        let outcome = match self.rng.draw_below(2) {
            0 => CommitOutcome::Applied,
            _ => CommitOutcome::Dropped,
        };
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        if self.store.resolve_commit(room, outcome) {
            self.check_commits(&in_doubt, room)?;
        }
        Ok(())
    }

    /// Schedules the outcome of a commit in doubt.
    pub(crate) fn schedule_commit_outcome(&mut self, room: RoomNumber) {
        let at = self.now + self.rng.draw_millis_between(1, 500);
        self.queue.schedule(at, WorldEvent::CommitOutcome(room));
    }
}

/// Checks that a node can continue after a failure.
fn ensure_recoverable(index: usize, error: &StoreError) -> LawResult {
    ensure("no node gives up", Membership::is_transient(error), || {
        format!("node {index}: {error}")
    })
}
