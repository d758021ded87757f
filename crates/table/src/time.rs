//! Points in time on the clocks of a table, in whole milliseconds.
//!
//! A [`Time`] of one clock can't be compared with a [`Time`] of another. Differences are
//! [`Duration`]s.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Add;
use std::time::Duration;

/// Point in time on the clock `C`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Time<C> {
    milliseconds: u64,
    clock: PhantomData<C>,
}

/// Time that a table has served, over all its runs. It stands still while the table is down, and
/// never goes back. All deadlines are in this time.
pub type TableTime = Time<TableClock>;

/// Time of the wall clock, since the beginning of 1970 in UTC. The wall clock may be set.
pub type WallTime = Time<WallClock>;

/// Time of a server's clock since its start. It never goes back.
pub type Monotonic = Time<MonotonicClock>;

/// Clock of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableClock {}

/// Monotonic clock of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MonotonicClock {}

/// Wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WallClock {}

impl<C: Copy> Time<C> {
    /// Start of the clock.
    pub const ZERO: Self = Self::from_millis(0);

    /// Creates a time from milliseconds since the start of the clock.
    #[must_use]
    pub const fn from_millis(milliseconds: u64) -> Self {
        Self {
            milliseconds,
            clock: PhantomData,
        }
    }

    /// Milliseconds since the start of the clock.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.milliseconds
    }

    /// This time plus a duration; the last possible time on overflow.
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        Self::from_millis(self.milliseconds.saturating_add(whole_millis(duration)))
    }

    /// This time minus a duration; the start of the clock on overflow.
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        Self::from_millis(self.milliseconds.saturating_sub(whole_millis(duration)))
    }

    /// Duration since an earlier time; zero if `earlier` is later than this time.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.milliseconds.saturating_sub(earlier.milliseconds))
    }
}

/// A time plus a duration; the last possible time on overflow.
impl<C: Copy> Add<Duration> for Time<C> {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        self.saturating_add(duration)
    }
}

impl WallTime {
    /// Duration between two times, in either order.
    #[must_use]
    pub const fn abs_diff(self, other: Self) -> Duration {
        Duration::from_millis(self.milliseconds.abs_diff(other.milliseconds))
    }
}

/// The start of the clock.
impl<C: Copy> Default for Time<C> {
    fn default() -> Self {
        Self::ZERO
    }
}

/// Shows only the milliseconds.
impl<C> fmt::Debug for Time<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.milliseconds, f)
    }
}

/// Whole milliseconds of a duration; [`u64::MAX`] if there are more.
#[must_use]
pub fn whole_millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// Serde form of a duration in whole milliseconds, for `#[serde(with)]`.
pub(crate) mod duration_millis {
    use super::whole_millis;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::time::Duration;

    pub(crate) fn serialize<S: Serializer>(
        duration: &Duration,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        whole_millis(*duration).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}
