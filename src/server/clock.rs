use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The server's clock: the wall clock as it was at the start, and what has passed since.
///
/// It never goes back, whatever happens to the system's clock while the server runs.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
    /// The wall clock at the start, in milliseconds since 1970.
    wall: u64,
}

/// A time that no server runs for.
const AGES: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

impl Clock {
    /// Starts the clock.
    ///
    /// A system's clock before 1970 shows the first moment of that year.
    #[must_use]
    pub fn start() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.unwrap_or_default();
        Self {
            started: Instant::now(),
            wall: whole_milliseconds(since),
        }
    }

    /// The time in milliseconds since 1970.
    #[must_use]
    pub fn now(&self) -> u64 {
        let passed = whole_milliseconds(self.started.elapsed());
        self.wall.saturating_add(passed)
    }

    /// The moment when this clock shows a time; one before the start is the start, and one
    /// that is ages away is a hundred years after it.
    #[must_use]
    pub fn moment(&self, at: u64) -> Instant {
        let after = Duration::from_millis(at.saturating_sub(self.wall));
        self.started + after.min(AGES)
    }
}

/// The milliseconds of a time, as many as can be counted: those of 500 million years.
fn whole_milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::Clock;

    #[test]
    fn every_time_is_some_moment() {
        let clock = Clock::start();
        assert_eq!(clock.moment(0), clock.started);
        assert!(clock.moment(clock.now() + 60_000) > clock.started);
        assert!(clock.moment(u64::MAX) > clock.moment(clock.now() + 60_000));
    }
}
