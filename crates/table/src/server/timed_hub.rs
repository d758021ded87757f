use super::hub::{Hub, Now, TimedCommand, UnitOfWork};
use super::store::{Store, StoreError, Transaction};

/// Longest time that a command takes from a socket to the hub, in milliseconds.
///
/// Only after this delay is it certain that no more commands of an earlier time will arrive.
const MAX_TRANSIT_TIME: u64 = 25;

/// A hub with the table's time, which passes only while its store can be written.
///
/// It has no thread, channel, clock or store of its own. [`begin`](Self::begin) and
/// [`run_batch`](Self::run_batch) carry out a batch of commands, and [`UnitOfWork::commit`] then returns the
/// messages to publish. The caller can stop between any two of them, and nothing is published that
/// may be lost.
pub struct TimedHub {
    hub: Hub,
    time: BatchClock,
    /// Latest time by which every request received is known. Never goes back.
    complete_until: u64,
    /// `true` while the store can't be written.
    stalled: bool,
}

/// Commands that arrived, in order, each with the clock's time when it was read.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// The commands.
    pub commands: Vec<TimedCommand>,
    /// `true` if commands that arrived right after the last one may still be queued.
    pub more: bool,
}

impl TimedHub {
    /// Creates a hub that was opened at the table's time `table` when the monotonic clock showed
    /// `clock`, in milliseconds.
    #[must_use]
    pub const fn new(hub: Hub, table: u64, clock: u64) -> Self {
        Self {
            hub,
            time: BatchClock::new(table, clock),
            complete_until: table,
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

    /// Milliseconds from the last step until something is due, unless a command arrives.
    #[must_use]
    pub fn time_to_wait(&self) -> u64 {
        let due = self.hub.next_due().saturating_add(MAX_TRANSIT_TIME);
        due.saturating_sub(self.time.now())
    }

    /// Advances the table's time to the moment when the clock shows `clock`. The step was to take
    /// at most `within` milliseconds.
    ///
    /// No time passes while another program uses the store. If the step took much longer than
    /// `within`, the program was stopped, and only `within` passes.
    pub fn advance(&mut self, clock: u64, within: u64) {
        if self.stalled {
            self.time.skip_stopped_time(clock);
        } else {
            self.time.advance(clock, within);
        }
    }

    /// Begins a batch when the clock shows `clock`.
    ///
    /// Returns `None` while another program writes into the store: commands wait, and time stands
    /// still until a batch begins.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn begin<'a>(
        &mut self,
        store: &'a dyn Store,
        clock: u64,
    ) -> Result<Option<Box<dyn Transaction + 'a>>, StoreError> {
        self.hub.reserve_numbers(store)?;
        let transaction = store.begin()?;
        self.stalled = transaction.is_none();
        self.advance(clock, 0);
        Ok(transaction)
    }

    /// Carries out the arrivals and everything due, while the wall clock shows `wall`.
    ///
    /// The result has yet to be committed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails. As after a failed commit, the hub is then ahead of its
    /// store and must be opened again.
    pub fn run_batch<'a>(
        &mut self,
        transaction: Box<dyn Transaction + 'a>,
        arrivals: Arrivals,
        wall: u64,
    ) -> Result<UnitOfWork<'a>, StoreError> {
        let Arrivals { commands, more } = arrivals;
        let to_table_time = |timed: TimedCommand| TimedCommand {
            at: self.time.table_time_at(timed.at),
            ..timed
        };
        let commands: Vec<_> = commands.into_iter().map(to_table_time).collect();
        let present = self.batch_time(&commands, more, wall);
        self.hub
            .run(UnitOfWork::new(transaction, present), commands)
    }

    /// Latest time by which every request received is known, and the wall clock then.
    fn batch_time(&mut self, commands: &[TimedCommand], more: bool, wall: u64) -> Now {
        self.complete_until = self
            .complete_until
            .max(complete_until(&self.time, commands, more));
        let shown = Now {
            table: self.time.now(),
            wall,
        };
        Now {
            table: self.complete_until,
            wall: shown.wall_at(self.complete_until),
        }
    }
}

/// Latest time by which every request received is known: that of the last command if `more` may
/// wait right behind it.
fn complete_until(time: &BatchClock, commands: &[TimedCommand], more: bool) -> u64 {
    let latest = commands.iter().map(|stamped| stamped.at).max();
    match latest {
        Some(latest) if more => latest,
        _ => time.now().saturating_sub(MAX_TRANSIT_TIME),
    }
}

/// Converts a monotonic clock to the table's time: milliseconds of service, across restarts.
///
/// The table's time stands still while the store can't be written or the program does not run, so
/// that an outage takes no time from anybody.
#[derive(Debug, Clone, Copy)]
struct BatchClock {
    /// Table time at the last step.
    table: u64,
    /// Clock at the last step.
    clock: u64,
    /// Last standstill.
    still: Option<Standstill>,
}

/// Span of the clock during which the table's time stood still.
#[derive(Debug, Clone, Copy)]
struct Standstill {
    from: u64,
    until: u64,
    /// Table time.
    at: u64,
}

/// Milliseconds that a step may take longer than planned. Beyond that, the program or its store was
/// stopped.
const MAX_STEP_DELAY: u64 = 1000;

impl BatchClock {
    /// Time that continues from `table` while the clock shows `clock`.
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

    /// Advances the time by a step that was planned to take `within` milliseconds.
    ///
    /// A long delay beyond that does not count.
    pub(super) fn advance(&mut self, clock: u64, within: u64) {
        let passed = clock.saturating_sub(self.clock);
        if passed <= within.saturating_add(MAX_STEP_DELAY) {
            self.table = self.table.saturating_add(passed);
            self.clock = self.clock.max(clock);
        } else {
            self.table = self.table.saturating_add(within);
            self.clock = self.clock.saturating_add(within);
            self.skip_stopped_time(clock);
        }
    }

    /// Advances the clock over a step during which the table's time stood still.
    fn skip_stopped_time(&mut self, clock: u64) {
        let (from, at) = (self.clock, self.table);
        self.clock = self.clock.max(clock);
        let until = self.clock;
        self.still = match self.still {
            Some(still) if still.until == from => Some(Standstill { until, ..still }),
            _ => Some(Standstill { from, until, at }),
        };
    }

    /// Table time when the clock showed `clock`, which is not after the last step.
    pub(super) fn table_time_at(&self, clock: u64) -> u64 {
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
    use super::{BatchClock, complete_until};
    use crate::server::hub::{HubCommand, TimedCommand};

    // A request sent in time may still be on its way at the deadline.
    #[test]
    fn time_passes_only_up_to_the_last_known_command() {
        let time = BatchClock::new(10_000, 0);
        let came = |at| TimedCommand {
            at,
            command: HubCommand::Drain,
        };
        let known = |came: &[TimedCommand], more| complete_until(&time, came, more);
        assert_eq!(known(&[], false), 9_975);
        assert_eq!(known(&[came(9_990)], false), 9_975);
        assert_eq!(known(&[came(9_400), came(9_500)], true), 9_500);
    }

    #[test]
    fn time_continues_from_where_it_was() {
        let mut time = BatchClock::new(5_000, 100);
        time.advance(400, 200);
        assert_eq!(time.now(), 5_300, "a little late is not stopped");
        assert_eq!(time.table_time_at(400), 5_300);
        assert_eq!(time.table_time_at(150), 5_050);
        assert_eq!(time.table_time_at(0), 4_900);
    }

    #[test]
    fn time_stands_still_while_the_store_is_busy() {
        let mut time = BatchClock::new(0, 0);
        time.advance(1_000, 1_000);
        for clock in [2_000, 3_000, 60_000] {
            time.skip_stopped_time(clock);
            assert_eq!(time.now(), 1_000);
        }
        time.advance(60_500, 1_000);
        assert_eq!(time.now(), 1_500);
        let arrived = [900, 1_000, 30_000, 59_999, 60_000, 60_200];
        let counted = arrived.map(|clock| time.table_time_at(clock));
        assert_eq!(counted, [900, 1_000, 1_000, 1_000, 1_000, 1_200]);
    }

    #[test]
    fn time_stands_still_while_the_program_is_stopped() {
        let mut time = BatchClock::new(0, 0);
        time.advance(40_000, 800);
        assert_eq!(time.now(), 800, "it would have woken up then");
        assert_eq!(
            [500, 20_000, 40_000].map(|clock| time.table_time_at(clock)),
            [500, 800, 800]
        );
        time.advance(41_000, 0);
        assert_eq!(time.now(), 1_800);
        time.advance(43_000, 0);
        assert_eq!(time.now(), 1_800);
    }
}
