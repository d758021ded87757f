#![expect(
    clippy::disallowed_methods,
    reason = "the clock of the server is this one"
)]

use crate::time::{Monotonic, WallTime, whole_millis};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Clocks of the server: a monotonic one for all timing, and the wall clock for display and
/// storage.
///
/// The monotonic clock counts from its start and never goes back, even if the wall clock is
/// changed.
#[derive(Clone)]
pub struct Clock {
    started: Instant,
    wall: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

/// Duration longer than any server runs.
const MAX_UPTIME: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Clock {
    /// Starts the clock with the system's wall clock.
    #[must_use]
    pub fn start() -> Self {
        Self::with_wall_clock(SystemTime::now)
    }

    /// Starts the clock with this wall clock.
    #[must_use]
    pub fn with_wall_clock(wall: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            started: Instant::now(),
            wall: Arc::new(wall),
        }
    }

    /// Time since the start.
    #[must_use]
    pub fn now(&self) -> Monotonic {
        Monotonic::from_millis(whole_millis(self.started.elapsed()))
    }

    /// Time of the wall clock, or [`WallTime::ZERO`] before 1970.
    #[must_use]
    pub fn wall_time(&self) -> WallTime {
        let since = (self.wall)().duration_since(UNIX_EPOCH);
        WallTime::from_millis(whole_millis(since.unwrap_or_default()))
    }

    /// Instant at which the monotonic clock shows a time, at most a hundred years after the start.
    #[must_use]
    pub fn to_instant(&self, at: Monotonic) -> Instant {
        self.started + at.saturating_since(Monotonic::ZERO).min(MAX_UPTIME)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let started = &self.started;
        f.debug_struct("Clock")
            .field("started", started)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use crate::time::{Monotonic, WallTime};
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn every_time_has_an_instant() {
        let clock = Clock::start();
        let soon = clock.now().saturating_add(Duration::from_secs(60));
        assert_eq!(clock.to_instant(Monotonic::ZERO), clock.started);
        assert!(clock.to_instant(soon) > clock.started);
        assert!(clock.to_instant(Monotonic::from_millis(u64::MAX)) > clock.to_instant(soon));
    }

    #[test]
    fn a_wall_clock_before_1970_shows_0() {
        let before = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(
            Clock::with_wall_clock(move || before).wall_time(),
            WallTime::ZERO
        );
        let after = UNIX_EPOCH + Duration::from_secs(1);
        let second = WallTime::from_millis(1000);
        assert_eq!(Clock::with_wall_clock(move || after).wall_time(), second);
    }
}
