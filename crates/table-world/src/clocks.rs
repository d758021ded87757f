/// What the wall clock shows when the world begins, in milliseconds since 1970.
const BEGINNING: u64 = 1_700_000_000_000;

/// The clocks of a node, which are not the world's.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clocks {
    /// When the node's program started.
    started: u64,
    /// For how long its machine was suspended since: its monotonic clock stood still.
    pub(crate) asleep: u64,
    /// What the monotonic clock showed when the program started.
    first: u64,
    /// How much faster the monotonic clock goes, in millionths.
    drift: i64,
    /// How much faster the wall clock goes, in millionths.
    pub(crate) drift_wall: i64,
    /// How far the wall clock was set off.
    pub(crate) off: i64,
}

impl Clocks {
    /// The clocks of a node: each shows something else, and goes a little too fast or too slow.
    pub(crate) fn of(node: usize) -> Self {
        let drifts = [100, -80, 40, -20];
        Self {
            first: 1_000_000 * node as u64,
            drift: drifts[node % drifts.len()],
            ..Self::default()
        }
    }

    /// The node's program starts.
    pub(crate) const fn start(&mut self, now: u64) {
        self.started = now;
        self.asleep = 0;
    }

    /// What the monotonic clock shows at a time of the world.
    pub(crate) fn monotonic(&self, now: u64) -> u64 {
        let since = now.saturating_sub(self.started + self.asleep);
        (self.first + since).saturating_add_signed(share(since, self.drift))
    }

    /// What the wall clock shows.
    pub(crate) fn wall(&self, now: u64) -> u64 {
        let ahead = share(now, self.drift_wall);
        (BEGINNING + now).saturating_add_signed(ahead + self.off)
    }
}

/// So many millionths of a time.
fn share(of: u64, millionths: i64) -> i64 {
    let share = i128::from(of) * i128::from(millionths) / 1_000_000;
    i64::try_from(share).unwrap_or_default()
}
