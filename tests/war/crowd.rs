//! A limit on the tests that run servers, browsers or databases at the same time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The most such tests at once, on however many cores.
const MOST: usize = 6;

static RUNNING: Mutex<usize> = Mutex::new(0);
static ENDED: Condvar = Condvar::new();

/// A place among the running tests, given back when the thread of the test ends.
struct Permit;

impl Permit {
    fn take() -> Self {
        let enough = |running: &mut usize| *running >= MOST;
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

/// Waits until this test may start a server, a browser or a database; it may then start more of them.
///
/// The threads that a test starts have no name, and share the place of their test.
pub(crate) fn join() {
    if thread::current().name().is_some() {
        PERMIT.with(|_| ());
    }
}
