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
    /// The database reports an error, and the call has no effect.
    Error,
    /// The call takes effect, but its reply is lost.
    LostReply,
    /// Another program writes, so that a transaction can't begin yet.
    Busy,
    /// The connection breaks, and the call has no effect.
    Cut,
    /// The connection breaks with the commit in doubt, until
    /// [`resolve_commit`](super::MemoryStore::resolve_commit) or a new owner of the room decides
    /// it.
    InDoubt,
    /// The first fence is missing: any node may begin a transaction, and the second fence has to
    /// stop it. No database fails like this.
    Unfenced,
    /// The fence waits for the commit under way and compares epochs only, and a batch gets the next
    /// free number. No database fails like this; the laws have to detect it.
    Reread,
    /// Nothing is compared: a batch gets the next free number, and a room is taken in any state. No
    /// database fails like this; the laws have to detect it.
    Blind,
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
