//! Limit on the tests that run servers, browsers or databases at the same time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Maximum number of tests that run servers, browsers or databases at a time, on any number of
/// cores.
const LIMIT: usize = 6;

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// Permit to run a test, released when the test's thread ends.
struct Permit;

impl Permit {
    fn take() -> Self {
        let enough = |running: &mut usize| *running >= LIMIT;
        let running = ENDED.wait_while(running(), enough);
        *running.unwrap_or_else(PoisonError::into_inner) += 1;
        Self
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        *running() -= 1;
        ENDED.notify_one();
    }
}

fn running() -> MutexGuard<'static, usize> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

thread_local! {
    static PERMIT: Permit = Permit::take();
}

/// Waits until this test may start servers, browsers or databases.
///
/// Threads started by a test have no name, and share the permit of their test.
pub(crate) fn join() {
    if thread::current().name().is_some() {
        PERMIT.with(|_| ());
    }
}
