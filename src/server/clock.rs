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

impl Clock {
    /// Starts the clock.
    ///
    /// # Panics
    ///
    /// If the system's clock is not between 1970 and the year 500 million.
    #[must_use]
    pub fn start() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let since = since.expect("the system's clock is after 1970");
        Self {
            started: Instant::now(),
            wall: u64::try_from(since.as_millis()).expect("milliseconds fit for ages"),
        }
    }

    /// The time in milliseconds since 1970.
    ///
    /// # Panics
    ///
    /// If the server runs for longer than 500 million years.
    #[must_use]
    pub fn now(&self) -> u64 {
        let passed = u64::try_from(self.started.elapsed().as_millis());
        self.wall + passed.expect("milliseconds fit for ages")
    }

    /// The moment when this clock shows a time; one before the start is the start.
    #[must_use]
    pub fn moment(&self, at: u64) -> Instant {
        self.started + Duration::from_millis(at.saturating_sub(self.wall))
    }
}
