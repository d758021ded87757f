use std::sync::{Mutex, MutexGuard, PoisonError};
use war_table::server::store::StoreError;

/// Call to a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCall {
    /// Reads the rooms and nodes, or records that a node is alive.
    Poll,
    /// Gives a room to a node, or takes it back.
    Take,
    /// Begins a transaction.
    Begin,
    /// Reads or writes in a transaction.
    ReadWrite,
    /// Commits a transaction.
    Commit,
}

/// Failure of a store in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Error reported by the database. The call has no effect.
    Error,
    /// Loss of the reply to a call that takes effect.
    LostReply,
    /// Lock held by another program: a transaction can't begin yet.
    Busy,
    /// Broken connection. The call has no effect.
    Cut,
    /// Connection broken during a commit. The commit is in doubt until
    /// [`resolve_commit`](super::MemoryStore::resolve_commit) or a new owner of the room decides
    /// its outcome.
    InDoubt,
    /// Missing first fence, the check of the owner's epoch and batch number: any node may begin a
    /// transaction, and the second fence, which rejects a batch number used before, has to stop the
    /// commit. No database fails like this.
    Unfenced,
    /// Weak fence: waits for the commit under way and compares only epochs, and a batch gets the
    /// next free number. No database fails like this; the laws have to detect the fault.
    Reread,
    /// Missing comparisons: a batch gets the next free number, and a room is taken in any state. No
    /// database fails like this; the laws have to detect the fault.
    Blind,
}

/// Outcome of a commit in doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitOutcome {
    /// Commit that takes effect.
    Applied,
    /// Commit that has no effect.
    Dropped,
}

/// Decides for each call whether and how it fails.
pub(super) type FaultPlan = Box<dyn FnMut(StoreCall) -> Option<Fault> + Send>;

/// Current plan of faults.
#[derive(Default)]
pub(super) struct FaultInjector(Mutex<Option<FaultPlan>>);

impl FaultInjector {
    pub(super) fn set(&self, plan: Option<FaultPlan>) {
        *lock(&self.0) = plan;
    }

    /// Returns the fault planned for a call.
    pub(super) fn next_fault(&self, call: StoreCall) -> Option<Fault> {
        lock(&self.0).as_mut().and_then(|plan| plan(call))
    }

    /// Returns the planned error of a call, if any.
    pub(super) fn check(&self, call: StoreCall) -> Result<(), StoreError> {
        self.next_fault(call)
            .map_or(Ok(()), |fault| Err(fault_error(fault)))
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Panics can't leave the data half changed.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the error of a failed call whose effect is known.
pub(super) fn fault_error(fault: Fault) -> StoreError {
    match fault {
        Fault::Cut => StoreError::Unreachable("a planned break".into()),
        _ => StoreError::Database("a planned failure".into()),
    }
}
