//! How several nodes share the table: they look around, take rooms, hand them over, and lose them.

use crate::laws::{Lawful, law};
use crate::options::Bug;
use crate::post::{Post, SharedPost};
use crate::schedule::What;
use crate::world::World;
use std::sync::atomic::Ordering;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;
use war_table_cluster::Membership;
use war_table_cluster::leases::POLL_INTERVAL;

impl World<'_> {
    /// What a node has of a table that it shares.
    pub(crate) fn shared(&mut self, index: usize) -> Option<&mut SharedPost> {
        match &mut self.nodes[index].post {
            Post::Shared(post) => Some(post),
            Post::Own(_) => None,
        }
    }

    /// A node looks around, in this run of its program.
    pub(crate) fn round(&mut self, index: usize, run: u64) -> Lawful {
        let node = &mut self.nodes[index];
        if node.run != run {
            return Ok(());
        }
        self.queue
            .plan(self.now + POLL_INTERVAL, What::Round(index, run));
        let (owned, clocks) = (node.owned(), &node.clocks);
        let looked = match &mut node.post {
            Post::Shared(post) if !post.leaves => post.look(&owned, clocks, self.now),
            _ => return Ok(()),
        };
        match looked {
            Ok(round) => {
                for room in round.takes {
                    let after = self.commit_takes().min(POLL_INTERVAL - 1);
                    let take = What::Take(index, room, run);
                    self.queue.plan(self.now + after, take);
                }
                if let Some(room) = round.hands_over {
                    self.is_to_hand_over(index, room);
                }
            }
            Err(error) => goes_on_after(index, &error)?,
        }
        self.asks_where(index);
        Ok(())
    }

    /// A room of a node is to go to another one.
    pub(crate) fn is_to_hand_over(&mut self, index: usize, room: RoomNumber) {
        let Some(process) = self.nodes[index].processes.get_mut(&room) else {
            return;
        };
        process.hands_over = true;
        if process.waits() {
            self.again(index, room, 0);
        }
    }

    /// A node takes a room, if that is still as it was seen.
    pub(crate) fn take(&mut self, index: usize, room: RoomNumber, run: u64) -> Lawful {
        let (now, node) = (self.now, &mut self.nodes[index]);
        if node.run != run || node.processes.contains_key(&room) {
            return Ok(());
        }
        let taken = node.take(room, now, &mut self.chance);
        let served = &mut self.rooms[usize::from(room.0)];
        if matches!(taken, Ok(true)) {
            served.owner = Some(index);
            served.taken_at = now;
            self.takeovers += 1;
            self.counts_anew(room);
            self.note("takes", index as u64, &room.to_string());
        }
        // What was under way is done before the room is taken.
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        self.learn(&in_doubt, room)?;
        self.rooms[usize::from(room.0)].in_doubt = in_doubt;
        match taken {
            Ok(true) => {
                // What a node took while it was told to end goes the way of its other rooms.
                if self.shared(index).is_some_and(|post| post.leaves) {
                    self.is_to_hand_over(index, room);
                }
                self.rest(index, room)
            }
            Ok(false) => Ok(()),
            Err(error) => goes_on_after(index, &error),
        }
    }

    /// A node that served a room has failed.
    pub(crate) fn loses(&mut self, index: usize, room: RoomNumber, error: &StoreError) -> Lawful {
        let in_doubt = matches!(error, StoreError::InDoubt(_));
        if in_doubt && self.options.bug == Some(Bug::ReloadInEpoch) {
            return self.reload(index, room);
        }
        goes_on_after(index, error)?;
        self.serves_no_more(index, room)
    }

    /// A node serves a room no more, and leaves the table after its last one where it is to.
    fn serves_no_more(&mut self, index: usize, room: RoomNumber) -> Lawful {
        self.closes_room(index, room);
        self.nodes[index].processes.remove(&room);
        let leaves = self.shared(index).is_some_and(|post| post.leaves);
        if leaves && self.nodes[index].processes.is_empty() {
            return self.leaves_table(index);
        }
        Ok(())
    }

    /// Goes on in the same epoch, as no node may.
    fn reload(&mut self, index: usize, room: RoomNumber) -> Lawful {
        self.closes_room(index, room);
        if let Some(post) = self.shared(index) {
            post.reloaded.store(true, Ordering::Relaxed);
        }
        let (now, node) = (self.now, &mut self.nodes[index]);
        let loaded = node.reload(room, now, &mut self.chance);
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        self.learn(&in_doubt, room)?;
        match loaded {
            Ok(()) => self.rest(index, room),
            Err(error) => goes_on_after(index, &error),
        }
    }

    /// A node hands a room over.
    pub(crate) fn hands_over(&mut self, index: usize, room: RoomNumber) -> Lawful {
        let closed = self.shared(index).map(|post| post.hand_over(room));
        // Where the store fails, others wait until its lease is over.
        if let Some(Err(error)) = closed {
            goes_on_after(index, &error)?;
        }
        self.learn(&[], room)?;
        if self.options.bug == Some(Bug::HandOverUnclosed) {
            if let Some(process) = self.nodes[index].processes.get_mut(&room) {
                process.hands_over = false;
            }
            return self.rest(index, room);
        }
        self.serves_no_more(index, room)
    }

    /// Drains a node of several: others go on with the games.
    pub(crate) fn drain(&mut self, index: usize) -> Lawful {
        let node = &self.nodes[index];
        if node.stopped_until > self.now || !node.runs() {
            return Ok(());
        }
        let rooms: Vec<_> = node.processes.keys().copied().collect();
        if let Some(post) = self.shared(index) {
            post.leaves = true;
        }
        if rooms.is_empty() {
            return self.leaves_table(index);
        }
        for room in rooms {
            self.is_to_hand_over(index, room);
        }
        Ok(())
    }

    /// A node leaves in order.
    fn leaves_table(&mut self, index: usize) -> Lawful {
        let left = self.shared(index).map_or(Ok(()), SharedPost::leave);
        if let Err(error) = left {
            goes_on_after(index, &error)?;
        }
        self.ends(index, false);
        Ok(())
    }

    /// A commit that was under way is done, or is not.
    pub(crate) fn lands(&mut self, room: RoomNumber) -> Lawful {
        let done = self.chance.below(2) == 0;
        let served = &mut self.rooms[usize::from(room.0)];
        let in_doubt = std::mem::take(&mut served.in_doubt);
        if self.store.settle(room, done) {
            self.learn(&in_doubt, room)?;
        }
        Ok(())
    }

    /// Plans what becomes of a commit that nobody knows of.
    pub(crate) fn plan_landing(&mut self, room: RoomNumber) {
        let at = self.now + 1 + self.chance.below(500);
        self.queue.plan(at, What::Lands(room));
    }
}

/// A node looks again after a failure, unless that is for good.
fn goes_on_after(index: usize, error: &StoreError) -> Lawful {
    law("no node gives up", Membership::is_transient(error), || {
        format!("node {index}: {error}")
    })
}
