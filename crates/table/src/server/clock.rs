#![expect(
    clippy::disallowed_methods,
    reason = "the clock of the server is this one"
)]

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

    /// Milliseconds since the start.
    #[must_use]
    pub fn now(&self) -> u64 {
        whole_milliseconds(self.started.elapsed())
    }

    /// Time of the wall clock in milliseconds since 1970, or 0 before that year.
    #[must_use]
    pub fn wall(&self) -> u64 {
        let since = (self.wall)().duration_since(UNIX_EPOCH);
        whole_milliseconds(since.unwrap_or_default())
    }

    /// Instant at which the monotonic clock shows a time, at most a hundred years after the start.
    #[must_use]
    pub fn instant(&self, at: u64) -> Instant {
        self.started + Duration::from_millis(at).min(MAX_UPTIME)
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

/// Converts a duration to milliseconds, at most those of 500 million years.
fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn every_time_has_an_instant() {
        let clock = Clock::start();
        assert_eq!(clock.instant(0), clock.started);
        assert!(clock.instant(clock.now() + 60_000) > clock.started);
        assert!(clock.instant(u64::MAX) > clock.instant(clock.now() + 60_000));
    }

    #[test]
    fn a_wall_clock_before_1970_shows_0() {
        let before = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(Clock::with_wall_clock(move || before).wall(), 0);
        let after = UNIX_EPOCH + Duration::from_secs(1);
        assert_eq!(Clock::with_wall_clock(move || after).wall(), 1000);
    }
}
