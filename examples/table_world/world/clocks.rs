/// What the wall clock shows when the world begins, in milliseconds since 1970.
const BEGINNING: u64 = 1_700_000_000_000;

/// Of how many milliseconds the monotonic clock makes one more.
const DRIFT: u64 = 10_000;

/// The clocks of a node, which are not the world's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    /// When the node's program started.
    pub(crate) started: u64,
    /// For how long its machine was suspended since: its monotonic clock stood still.
    pub(crate) asleep: u64,
    /// How much faster the wall clock goes, in millionths.
    pub(crate) drift_wall: i64,
    /// How far the wall clock was set off.
    pub(crate) off: i64,
}

impl Clocks {
    /// What the monotonic clock shows at a time of the world; it goes a little too fast.
    pub(crate) const fn monotonic(&self, now: u64) -> u64 {
        let since = now.saturating_sub(self.started + self.asleep);
        since + since / DRIFT
    }

    /// What the wall clock shows.
    pub(crate) fn wall(&self, now: u64) -> u64 {
        let ahead = i128::from(now) * i128::from(self.drift_wall) / 1_000_000;
        let ahead = i64::try_from(ahead).unwrap_or_default();
        (BEGINNING + now).saturating_add_signed(ahead + self.off)
    }
}
