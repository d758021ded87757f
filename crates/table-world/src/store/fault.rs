use std::sync::{Mutex, MutexGuard, PoisonError};
use war_table::server::store::StoreError;

/// What is asked of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCall {
    /// To show which rooms and nodes there are, or to note down that a node is there.
    Look,
    /// To give a room to a node, or to take it back.
    Take,
    /// To begin a transaction.
    Begin,
    /// To read or write in a transaction.
    Use,
    /// To commit a transaction.
    Commit,
}

/// How a store in memory fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database reports an error, and nothing is done.
    Error,
    /// It was done, but the answer is lost.
    LostReply,
    /// Another program writes: a transaction can't begin yet.
    Busy,
    /// The connection breaks, and nothing is done.
    Cut,
    /// The connection breaks, and nobody knows whether the commit will be done: that is decided
    /// by [`settle`](super::MemoryStore::settle), or when somebody takes the room.
    Late,
    /// The first fence is not there: anybody may begin a transaction. No database fails so; the
    /// second fence has to stop it.
    Unfenced,
    /// The fence waits for a commit that is under way, asks for the epoch alone, and a batch gets
    /// the number that is next. No database fails so; a test of the laws has to find it.
    Reread,
    /// Nothing is compared with what is there: a batch gets the number that is next, and a room
    /// is taken however it was seen. No database fails so; a test of the laws has to find it.
    Blind,
}

/// Which call fails, and how.
pub(super) type Plan = Box<dyn FnMut(StoreCall) -> Option<Fault> + Send>;

/// The plan by which calls fail.
#[derive(Default)]
pub(super) struct Faults(Mutex<Option<Plan>>);

impl Faults {
    pub(super) fn set(&self, plan: Option<Plan>) {
        *locked(&self.0) = plan;
    }

    /// Whether a call fails, and how.
    pub(super) fn of(&self, call: StoreCall) -> Option<Fault> {
        locked(&self.0).as_mut().and_then(|plan| plan(call))
    }

    /// Fails where a call that only reads is to fail.
    pub(super) fn check(&self, call: StoreCall) -> Result<(), StoreError> {
        self.of(call).map_or(Ok(()), |fault| Err(failure(fault)))
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is changed in it can't panic half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a call that fails as planned, of which it is known what was done.
pub(super) fn failure(fault: Fault) -> StoreError {
    match fault {
        Fault::Cut => StoreError::Unreachable("a planned break".into()),
        _ => StoreError::Database("a planned failure".into()),
    }
}
