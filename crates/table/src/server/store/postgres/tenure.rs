use super::heights::Heights;
use super::loading::Running;
use super::session::Session;
use super::statements::Statements;
use crate::server::rooms::RoomNumber;
use crate::server::store::StoreError;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// How often new leaves of the log get their numbers, in milliseconds. A log has to show each leaf
/// within 10 seconds.
const NUMBERING: u64 = 500;

/// A room as its owner holds it in one epoch.
pub(super) struct Tenure {
    pub(super) session: Session,
    pub(super) statements: Statements,
    pub(super) heights: Arc<Heights>,
    pub(super) number: RoomNumber,
    pub(super) epoch: i64,
    /// The number of the next batch.
    pub(super) next_seq: Cell<i64>,
    pub(super) time: Cell<u64>,
    /// When this room last gave new leaves their numbers, if it is the one that does.
    pub(super) numbered: Cell<u64>,
    /// Whether nothing may be committed in this epoch any more: the room is lost, or it is not
    /// known what was committed.
    pub(super) spent: Cell<bool>,
    /// What is known of the games that run.
    pub(super) running: RefCell<Running>,
}

impl Tenure {
    /// The number of this room, as rows have it.
    pub(super) fn id(&self) -> i32 {
        i32::from(self.number.0)
    }

    /// Notes that the batch of this transaction is committed, at this time if it wrote any.
    pub(super) fn committed(&self, time: Option<u64>) -> Result<(), StoreError> {
        self.next_seq.set(self.next_seq.get() + 1);
        if let Some(time) = time {
            self.time.set(time.max(self.time.get()));
        }
        self.heights
            .note(self.number, (self.epoch, self.next_seq.get()))
    }

    /// Whether new leaves get their numbers in a batch of this time: only one room gives them,
    /// and its fence sees to it that only one owner of it does.
    pub(super) fn numbers_leaves(&self, now: u64) -> bool {
        let due = self.number == RoomNumber(0) && now >= self.numbered.get() + NUMBERING;
        if due {
            self.numbered.set(now);
        }
        due
    }

    /// Ends what a transaction left.
    pub(super) fn roll_back(&self) {
        let rolled_back = self.session.client().batch_execute("ROLLBACK");
        if self.session.wait(rolled_back).is_err() {
            self.spent.set(true);
        }
    }
}
