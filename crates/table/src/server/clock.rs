#![expect(
    clippy::disallowed_methods,
    reason = "the clock of the server is this one"
)]

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The server's clocks: one that only goes on, by which everything is timed, and the wall
/// clock, which is only shown and noted down.
///
/// The first one counts from its start and never goes back, whatever happens to the wall
/// clock while the server runs.
#[derive(Clone)]
pub struct Clock {
    started: Instant,
    wall: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

/// A time that no server runs for.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Clock {
    /// Starts the clock, beside the system's wall clock.
    #[must_use]
    pub fn start() -> Self {
        Self::beside(SystemTime::now)
    }

    /// Starts the clock beside this wall clock.
    #[must_use]
    pub fn beside(wall: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        Self {
            started: Instant::now(),
            wall: Arc::new(wall),
        }
    }

    /// How many milliseconds have passed since the start.
    #[must_use]
    pub fn now(&self) -> u64 {
        whole_milliseconds(self.started.elapsed())
    }

    /// What the wall clock shows, in milliseconds since 1970.
    ///
    /// A clock before 1970 shows the first moment of that year.
    #[must_use]
    pub fn wall(&self) -> u64 {
        let since = (self.wall)().duration_since(UNIX_EPOCH);
        whole_milliseconds(since.unwrap_or_default())
    }

    /// The moment when this clock shows a time; one that is ages away is a hundred years
    /// after the start.
    #[must_use]
    pub fn moment(&self, at: u64) -> Instant {
        self.started + Duration::from_millis(at).min(AGES)
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

/// The milliseconds of a time, as many as can be counted: those of 500 million years.
fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn every_time_is_some_moment() {
        let clock = Clock::start();
        assert_eq!(clock.moment(0), clock.started);
        assert!(clock.moment(clock.now() + 60_000) > clock.started);
        assert!(clock.moment(u64::MAX) > clock.moment(clock.now() + 60_000));
    }

    #[test]
    fn a_wall_clock_before_1970_shows_its_first_moment() {
        let before = UNIX_EPOCH - Duration::from_secs(1);
        assert_eq!(Clock::beside(move || before).wall(), 0);
        let after = UNIX_EPOCH + Duration::from_secs(1);
        assert_eq!(Clock::beside(move || after).wall(), 1000);
    }
}
