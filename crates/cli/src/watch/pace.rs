use std::time::Duration;

/// How fast turns follow each other.
///
/// # Examples
///
/// ```
/// use war_cli::watch::Pace;
///
/// let slow = Pace::ALL[0];
/// assert_eq!((slow.per_second(), slow.pause().as_secs()), (0.5, 2));
/// assert_eq!(Pace::default().per_second(), 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pace(usize);

/// How many turns a second.
const SPEEDS: [f64; 8] = [0.5, 1.0, 2.0, 4.0, 8.0, 20.0, 100.0, 1000.0];

impl Pace {
    /// All there are, the slowest first.
    pub const ALL: [Self; SPEEDS.len()] = {
        let mut all = [Self(0); SPEEDS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = Self(index);
            index += 1;
        }
        all
    };

    /// How many turns a second.
    #[must_use]
    pub fn per_second(self) -> f64 {
        SPEEDS[self.0]
    }

    /// How long a turn is shown.
    #[must_use]
    pub fn pause(self) -> Duration {
        Duration::from_secs_f64(self.per_second().recip())
    }

    /// The next faster one, if there is any.
    pub(super) fn faster(self) -> Self {
        Self((self.0 + 1).min(SPEEDS.len() - 1))
    }

    /// The next slower one, if there is any.
    pub(super) const fn slower(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl Default for Pace {
    /// A turn a second.
    fn default() -> Self {
        Self(1)
    }
}
