use super::kept::Kept;
use super::{Fault, StoreCall, Write};
use crate::server::store::StoreError;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What all clones of a store in memory are.
#[derive(Default)]
pub(super) struct Shared {
    kept: Mutex<Kept>,
    plan: Mutex<Option<Plan>>,
    /// What was committed lately, where that is watched.
    watched: Mutex<Option<Vec<Write>>>,
}

/// Which call fails, and how.
pub(super) type Plan = Box<dyn FnMut(StoreCall) -> Option<Fault> + Send>;

impl Shared {
    pub(super) fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.kept)
    }

    pub(super) fn set_plan(&self, plan: Option<Plan>) {
        *locked(&self.plan) = plan;
    }

    /// Whether a call fails, and how.
    pub(super) fn fault(&self, call: StoreCall) -> Option<Fault> {
        locked(&self.plan).as_mut().and_then(|plan| plan(call))
    }

    pub(super) fn watch(&self) {
        *locked(&self.watched) = Some(Vec::new());
    }

    pub(super) fn watched(&self) -> Vec<Write> {
        let mut watched = locked(&self.watched);
        watched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Keeps what was written.
    pub(super) fn keep(&self, writes: Vec<Write>) {
        if let Some(watched) = &mut *locked(&self.watched) {
            watched.extend(writes.iter().cloned());
        }
        let mut kept = self.kept();
        for write in writes {
            kept.apply(write);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is changed in it can't panic half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The error of a call that fails as planned.
pub(super) fn failure() -> StoreError {
    StoreError::Database("a planned failure".into())
}
