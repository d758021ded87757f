use super::Write;
use crate::room::{NUMBERS_AT_HAND, PlayerId};
use crate::server::rooms::{Beat, Epoch, NodeAddress, NodeSight, RoomNumber, RoomSight};
use crate::server::store::{Numbered, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many batches are remembered, for the second fence.
const REMEMBERED: usize = 1_000;

/// The rows of all rooms, with what else nodes share.
#[derive(Default)]
pub(super) struct Rows {
    rooms: BTreeMap<RoomNumber, Row>,
    /// The numbers of players and games that were given up to now.
    given: [u64; 2],
    pub(super) nodes: BTreeMap<NodeAddress, NodeSight>,
}

/// The row of a room.
#[derive(Default)]
pub(super) struct Row {
    pub(super) owner: Option<NodeAddress>,
    pub(super) epoch: u64,
    pub(super) beat: u64,
    pub(super) next_seq: u64,
    /// The transaction that holds the row, if there is one.
    pub(super) open: Option<Open>,
    /// How many transactions have begun.
    begun: u64,
    /// The numbers of the last batches that wrote anything.
    batches: BTreeSet<u64>,
}

/// A transaction that has begun.
pub(super) struct Open {
    number: u64,
    /// What it will have committed, if the commit under way is done.
    late: Option<Batch>,
    /// Whom it has claimed: no other transaction can until it ends.
    claims: BTreeSet<PlayerId>,
}

/// What is committed at once.
pub(super) struct Batch {
    pub(super) room: RoomNumber,
    pub(super) epoch: u64,
    pub(super) seq: u64,
    pub(super) writes: Vec<Write>,
}

impl Rows {
    /// The row of a room.
    pub(super) fn of(&mut self, room: RoomNumber) -> &mut Row {
        self.rooms.entry(room).or_default()
    }

    /// Whether a transaction of another room than this one has claimed a player.
    pub(super) fn is_claimed(&self, player: PlayerId, besides: RoomNumber) -> bool {
        let others = self.rooms.iter().filter(|(room, _)| **room != besides);
        let mut open = others.filter_map(|(_, row)| row.open.as_ref());
        open.any(|open| open.claims.contains(&player))
    }

    /// Numbers that were not given yet.
    pub(super) fn block(&mut self, of: Numbered) -> Range<u64> {
        let given = &mut self.given[of as usize];
        let first = *given + 1;
        *given += 2 * NUMBERS_AT_HAND;
        first..*given + 1
    }
}

impl Row {
    /// The room of this number, as it is committed.
    pub(super) fn sight(&self, room: RoomNumber) -> RoomSight {
        RoomSight {
            room,
            owner: self.owner.clone(),
            epoch: Epoch(self.epoch),
            beat: Beat(self.beat),
        }
    }

    /// Lets a transaction hold the row; the result is its number.
    pub(super) fn begin(&mut self) -> u64 {
        self.begun += 1;
        let (number, late) = (self.begun, None);
        self.open = Some(Open {
            number,
            late,
            claims: BTreeSet::new(),
        });
        number
    }

    /// The transaction that holds the row claims a player.
    pub(super) fn claim(&mut self, player: PlayerId) {
        if let Some(open) = &mut self.open {
            open.claims.insert(player);
        }
    }

    /// Whether a transaction still holds the row, and nothing of it is on its way.
    pub(super) fn is_held_by(&self, number: u64) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|open| open.number == number && open.late.is_none())
    }

    /// Lets the commit of the transaction that holds the row be under way.
    pub(super) fn delay(&mut self, batch: Batch) {
        if let Some(open) = &mut self.open {
            open.late = Some(batch);
        }
    }

    /// What is under way, which ends so.
    pub(super) fn take_late(&mut self) -> Option<Batch> {
        let late = self.open.as_mut()?.late.take();
        if late.is_some() {
            self.open = None;
        }
        late
    }

    /// A transaction that does nothing is ended, as a database does after a while.
    pub(super) fn end_idle(&mut self) {
        self.open.take_if(|open| open.late.is_none());
    }

    /// Counts a batch, if its number is a new one.
    pub(super) fn count(&mut self, batch: &Batch) -> Result<(), StoreError> {
        self.open = None;
        if !batch.writes.is_empty() && !self.batches.insert(batch.seq) {
            return Err(StoreError::Twice);
        }
        if self.batches.len() > REMEMBERED {
            self.batches.pop_first();
        }
        self.next_seq = batch.seq + 1;
        self.beat += 1;
        Ok(())
    }
}
