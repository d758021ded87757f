/// The time of a table: how many milliseconds it has served, however often it was closed in
/// between.
///
/// It goes on with a clock that only goes on, and stands still while the store can't be
/// written or the program does not run. So an outage takes no time from anybody.
#[derive(Debug, Clone, Copy)]
pub(super) struct TableTime {
    /// The table's time at the last step.
    table: u64,
    /// What the clock showed then.
    clock: u64,
    /// When time stood still last.
    still: Option<Standstill>,
}

/// From when to when on the clock time stood still, and where.
#[derive(Debug, Clone, Copy)]
struct Standstill {
    from: u64,
    until: u64,
    at: u64,
}

/// How long a step may take longer than it should, in milliseconds: beyond that the program
/// or its store was stopped.
const SLACK: u64 = 1000;

impl TableTime {
    /// The time of a table that goes on from `table` while the clock shows `clock`.
    pub(super) const fn new(table: u64, clock: u64) -> Self {
        Self {
            table,
            clock,
            still: None,
        }
    }

    /// The time at the last step.
    pub(super) const fn now(&self) -> u64 {
        self.table
    }

    /// Passes a step that should have ended within this many milliseconds; what it took too
    /// long does not count, where that is much.
    pub(super) fn pass(&mut self, clock: u64, within: u64) {
        let passed = clock.saturating_sub(self.clock);
        if passed <= within.saturating_add(SLACK) {
            self.table = self.table.saturating_add(passed);
            self.clock = self.clock.max(clock);
        } else {
            self.table = self.table.saturating_add(within);
            self.clock = self.clock.saturating_add(within);
            self.stand_still(clock);
        }
    }

    /// Passes a step during which time stood still.
    pub(super) fn stand_still(&mut self, clock: u64) {
        let (from, at) = (self.clock, self.table);
        self.clock = self.clock.max(clock);
        let until = self.clock;
        self.still = match self.still {
            Some(still) if still.until == from => Some(Standstill { until, ..still }),
            _ => Some(Standstill { from, until, at }),
        };
    }

    /// The table's time when the clock showed this, which was at the last step or before.
    pub(super) fn at(&self, clock: u64) -> u64 {
        match self.still {
            Some(still) if clock < still.until => {
                still.at.saturating_sub(still.from.saturating_sub(clock))
            }
            _ => self.table.saturating_sub(self.clock.saturating_sub(clock)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TableTime;

    #[test]
    fn time_goes_on_from_where_it_was() {
        let mut time = TableTime::new(5_000, 100);
        time.pass(400, 200);
        assert_eq!(time.now(), 5_300, "a little late is not stopped");
        assert_eq!(time.at(400), 5_300);
        assert_eq!(time.at(150), 5_050);
        assert_eq!(time.at(0), 4_900);
    }

    #[test]
    fn time_stands_still_while_the_store_can_t_be_written() {
        let mut time = TableTime::new(0, 0);
        time.pass(1_000, 1_000);
        for clock in [2_000, 3_000, 60_000] {
            time.stand_still(clock);
            assert_eq!(time.now(), 1_000);
        }
        time.pass(60_500, 1_000);
        assert_eq!(time.now(), 1_500);
        let arrived = [900, 1_000, 30_000, 59_999, 60_000, 60_200];
        let counted = arrived.map(|clock| time.at(clock));
        assert_eq!(counted, [900, 1_000, 1_000, 1_000, 1_000, 1_200]);
    }

    #[test]
    fn time_stands_still_while_the_program_is_stopped() {
        let mut time = TableTime::new(0, 0);
        time.pass(40_000, 800);
        assert_eq!(time.now(), 800, "it would have woken up then");
        assert_eq!(
            [500, 20_000, 40_000].map(|clock| time.at(clock)),
            [500, 800, 800]
        );
        time.pass(41_000, 0);
        assert_eq!(time.now(), 1_800);
        time.pass(43_000, 0);
        assert_eq!(time.now(), 1_800);
    }
}
