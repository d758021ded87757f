use super::hub::{Hub, HubCommand, Now, Stamped, UnitOfWork};
use super::store::{Store, StoreError, Transaction};

/// How long something may be on its way from a socket to the desk, in milliseconds: only
/// then is it sure that nothing came in time.
const ON_THE_WAY: u64 = 25;

/// A hub at work: it does what arrives, by a time that only passes while its store can be
/// written.
///
/// It has no thread, no channel, no clock and no store of its own. [`begin`](Self::begin) and
/// [`work`](Self::work) do a batch of commands; [`UnitOfWork::commit`] then gives what to
/// publish. So its caller can stop between any two of them, and nothing is published that may
/// be lost.
pub struct Desk {
    hub: Hub,
    time: TableTime,
    /// The time up to which all that was asked is known: it never goes back, also where the
    /// desk has just begun.
    known: u64,
    /// Whether the store could not be written lately.
    stalled: bool,
}

/// A command, and when it came.
#[derive(Debug, Clone)]
pub struct Arrived {
    /// What the clock showed when the command was read.
    pub clock: u64,
    /// The command.
    pub command: HubCommand,
}

/// The commands that arrived, in order.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// The commands.
    pub commands: Vec<Arrived>,
    /// Whether more may wait that came right after the last one.
    pub more: bool,
}

impl Desk {
    /// A desk for a hub that was opened at the table's time `table`, when the clock showed
    /// `clock`: a number of milliseconds that never goes back.
    #[must_use]
    pub const fn new(hub: Hub, table: u64, clock: u64) -> Self {
        Self {
            hub,
            time: TableTime::new(table, clock),
            known: table,
            stalled: false,
        }
    }

    /// The hub.
    #[must_use]
    pub const fn hub(&self) -> &Hub {
        &self.hub
    }

    /// The table's time at the last step.
    #[must_use]
    pub const fn now(&self) -> u64 {
        self.time.now()
    }

    /// How many milliseconds from the last step on there is nothing to do, unless a command
    /// arrives.
    #[must_use]
    pub fn patience(&self) -> u64 {
        let due = self.hub.next_due().saturating_add(ON_THE_WAY);
        due.saturating_sub(self.time.now())
    }

    /// Passes the time since the last step, now that the clock shows `clock`: the desk waited,
    /// for at most `within` milliseconds, or its batch was committed.
    ///
    /// None passes while the store is in use by another program; and where it took much longer,
    /// the program was stopped, and only as much passes as it should have taken.
    pub fn pass(&mut self, clock: u64, within: u64) {
        if self.stalled {
            self.time.stand_still(clock);
        } else {
            self.time.pass(clock, within);
        }
    }

    /// Begins a batch when the clock shows `clock`.
    ///
    /// The result is `None` while another program writes into the store: all that arrived has to
    /// wait, and time stands still until a batch begins.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn begin<'a>(
        &mut self,
        store: &'a dyn Store,
        clock: u64,
    ) -> Result<Option<Box<dyn Transaction + 'a>>, StoreError> {
        self.hub.stock_up(store)?;
        let transaction = store.begin()?;
        self.stalled = transaction.is_none();
        self.pass(clock, 0);
        Ok(transaction)
    }

    /// Does all that arrived and all that is due, while the wall clock shows `wall`.
    ///
    /// The result is still to be committed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails. As after a failed commit, the hub is ahead of its
    /// store then, and must be opened again.
    pub fn work<'a>(
        &mut self,
        transaction: Box<dyn Transaction + 'a>,
        arrivals: Arrivals,
        wall: u64,
    ) -> Result<UnitOfWork<'a>, StoreError> {
        let Arrivals { commands, more } = arrivals;
        let stamp = |Arrived { clock, command }| Stamped {
            at: self.time.at(clock),
            command,
        };
        let commands: Vec<_> = commands.into_iter().map(stamp).collect();
        let present = self.present(&commands, more, wall);
        self.hub
            .run(UnitOfWork::new(transaction, present), commands)
    }

    /// The time up to which all that was asked is known by now. It never goes back.
    fn present(&mut self, commands: &[Stamped], more: bool, wall: u64) -> Now {
        self.known = self.known.max(known(&self.time, commands, more));
        let shown = Now {
            table: self.time.now(),
            wall,
        };
        Now {
            table: self.known,
            wall: shown.wall_at(self.known),
        }
    }
}

/// The time up to which all that was asked is known, if no more may wait than came.
fn known(time: &TableTime, commands: &[Stamped], more: bool) -> u64 {
    let latest = commands.iter().map(|stamped| stamped.at).max();
    match latest {
        Some(latest) if more => latest,
        _ => time.now().saturating_sub(ON_THE_WAY),
    }
}

/// The time of a table: how many milliseconds it has served, however often it was closed in
/// between.
///
/// It goes on with a clock that only goes on, and stands still while the store can't be
/// written or the program does not run. So an outage takes no time from anybody.
#[derive(Debug, Clone, Copy)]
struct TableTime {
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
    fn stand_still(&mut self, clock: u64) {
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
    use super::{TableTime, known};
    use crate::server::hub::{HubCommand, Stamped};

    // What came in time may still be on its way when time is up.
    #[test]
    fn time_passes_only_as_far_as_all_that_came_is_known() {
        let time = TableTime::new(10_000, 0);
        let came = |at| Stamped {
            at,
            command: HubCommand::Drain,
        };
        let known = |came: &[Stamped], more| known(&time, came, more);
        assert_eq!(known(&[], false), 9_975);
        assert_eq!(known(&[came(9_990)], false), 9_975);
        assert_eq!(known(&[came(9_400), came(9_500)], true), 9_500);
    }

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
