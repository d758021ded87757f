use super::hub::{CurrentTime, Hub, TimedCommand, UnitOfWork};
use super::store::{Store, StoreError, Transaction};
use crate::time::{Monotonic, MonotonicClock, TableTime, WallTime};
use std::time::Duration;

/// Longest time that a command takes from a socket to the hub.
///
/// Only after this delay is it certain that no more commands of an earlier time will arrive.
const MAX_TRANSIT_TIME: Duration = Duration::from_millis(25);

/// A hub with the table's time, which passes only while its store can be written.
///
/// A timed hub owns no thread, channel, clock or store. [`begin`](Self::begin) and
/// [`run_batch`](Self::run_batch) carry out a batch of commands, and [`UnitOfWork::commit`] then
/// returns the messages to publish. The caller can stop between any two of these steps, and nothing
/// is published that may be lost.
pub struct TimedHub {
    hub: Hub,
    time: BatchClock,
    /// Latest time by which every request received is known. Never goes back.
    complete_until: TableTime,
    /// `true` while the store can't be written.
    stalled: bool,
}

/// Commands that arrived, in order, each with the clock's time when it was read.
#[derive(Debug, Clone, Default)]
pub struct Arrivals {
    /// The commands.
    pub commands: Vec<TimedCommand<MonotonicClock>>,
    /// `true` if commands that arrived right after the last one may still be queued.
    pub more: bool,
}

impl TimedHub {
    /// Creates a hub that was opened at the table's time `table` when the monotonic clock showed
    /// `clock`.
    #[must_use]
    pub const fn new(hub: Hub, table: TableTime, clock: Monotonic) -> Self {
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

    /// The table's time after the last step, which is a call of [`advance`](Self::advance).
    #[must_use]
    pub const fn now(&self) -> TableTime {
        self.time.now()
    }

    /// Time from the last step until something is due, unless a command arrives.
    #[must_use]
    pub fn time_to_wait(&self) -> Duration {
        let due = self.hub.next_due().saturating_add(MAX_TRANSIT_TIME);
        due.saturating_since(self.time.now())
    }

    /// Advances the table's time by one step, from the last call to the moment when the clock shows
    /// `clock`. The step was planned to take at most `within`.
    ///
    /// No time passes while another program uses the store. If the step took much longer than
    /// `within`, the program was stopped, and only `within` passes.
    pub fn advance(&mut self, clock: Monotonic, within: Duration) {
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
        clock: Monotonic,
    ) -> Result<Option<Box<dyn Transaction + 'a>>, StoreError> {
        self.hub.reserve_numbers(store)?;
        let transaction = store.begin()?;
        self.stalled = transaction.is_none();
        self.advance(clock, Duration::ZERO);
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
        wall: WallTime,
    ) -> Result<UnitOfWork<'a>, StoreError> {
        let Arrivals { commands, more } = arrivals;
        let to_table_time = |timed: TimedCommand<MonotonicClock>| TimedCommand {
            at: self.time.table_time_at(timed.at),
            command: timed.command,
        };
        let commands: Vec<_> = commands.into_iter().map(to_table_time).collect();
        let present = self.batch_time(&commands, more, wall);
        self.hub
            .run(UnitOfWork::new(transaction, present), commands)
    }

    /// Latest time by which every request received is known, and the wall clock then.
    fn batch_time(&mut self, commands: &[TimedCommand], more: bool, wall: WallTime) -> CurrentTime {
        self.complete_until = self
            .complete_until
            .max(complete_until(&self.time, commands, more));
        let shown = CurrentTime {
            table: self.time.now(),
            wall,
        };
        CurrentTime {
            table: self.complete_until,
            wall: shown.wall_time_at(self.complete_until),
        }
    }
}

/// Latest time by which every request received is known: the time of the last command if `more`
/// commands may be queued right behind it, otherwise [`MAX_TRANSIT_TIME`] ago.
fn complete_until(time: &BatchClock, commands: &[TimedCommand], more: bool) -> TableTime {
    let latest = commands.iter().map(|stamped| stamped.at).max();
    match latest {
        Some(latest) if more => latest,
        _ => time.now().saturating_sub(MAX_TRANSIT_TIME),
    }
}

/// Converts a monotonic clock to the table's time, across restarts.
///
/// The table's time stands still while the store can't be written or the program does not run, so
/// that an outage takes no time from anybody.
#[derive(Debug, Clone, Copy)]
struct BatchClock {
    /// Table time after the last step.
    table: TableTime,
    /// Monotonic clock after the last step.
    clock: Monotonic,
    /// Last standstill.
    still: Option<Standstill>,
}

/// Span of the clock during which the table's time stood still.
#[derive(Debug, Clone, Copy)]
struct Standstill {
    from: Monotonic,
    until: Monotonic,
    at: TableTime,
}

/// Time that a step may take longer than planned. After a longer delay, the program or its store
/// must have been stopped.
const MAX_STEP_DELAY: Duration = Duration::from_secs(1);

impl BatchClock {
    /// Creates a clock that shows `table` when the monotonic clock shows `clock`.
    pub(super) const fn new(table: TableTime, clock: Monotonic) -> Self {
        Self {
            table,
            clock,
            still: None,
        }
    }

    /// The time after the last step.
    pub(super) const fn now(&self) -> TableTime {
        self.table
    }

    /// Advances the time by a step that was planned to take `within`.
    ///
    /// If the step takes much longer, the additional time does not count.
    pub(super) fn advance(&mut self, clock: Monotonic, within: Duration) {
        let passed = clock.saturating_since(self.clock);
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
    fn skip_stopped_time(&mut self, clock: Monotonic) {
        let (from, at) = (self.clock, self.table);
        self.clock = self.clock.max(clock);
        let until = self.clock;
        self.still = match self.still {
            Some(still) if still.until == from => Some(Standstill { until, ..still }),
            _ => Some(Standstill { from, until, at }),
        };
    }

    /// Table time when the clock showed `clock`, which is not after the last step.
    pub(super) fn table_time_at(&self, clock: Monotonic) -> TableTime {
        match self.still {
            Some(still) if clock < still.until => {
                still.at.saturating_sub(still.from.saturating_since(clock))
            }
            _ => self
                .table
                .saturating_sub(self.clock.saturating_since(clock)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BatchClock, complete_until};
    use crate::server::hub::{HubCommand, TimedCommand};
    use crate::time::{Monotonic, TableTime};
    use std::time::Duration;

    fn table(milliseconds: u64) -> TableTime {
        TableTime::from_millis(milliseconds)
    }

    fn clock(milliseconds: u64) -> Monotonic {
        Monotonic::from_millis(milliseconds)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    // A request sent in time may still be on its way at the deadline.
    #[test]
    fn time_passes_only_up_to_the_last_known_command() {
        let time = BatchClock::new(table(10_000), clock(0));
        let came = |at| TimedCommand {
            at: table(at),
            command: HubCommand::Drain,
        };
        let known = |came: &[TimedCommand], more| complete_until(&time, came, more);
        assert_eq!(known(&[], false), table(9_975));
        assert_eq!(known(&[came(9_990)], false), table(9_975));
        assert_eq!(known(&[came(9_400), came(9_500)], true), table(9_500));
    }

    #[test]
    fn time_continues_from_where_it_was() {
        let mut time = BatchClock::new(table(5_000), clock(100));
        time.advance(clock(400), ms(200));
        assert_eq!(time.now(), table(5_300), "a little late is not stopped");
        assert_eq!(time.table_time_at(clock(400)), table(5_300));
        assert_eq!(time.table_time_at(clock(150)), table(5_050));
        assert_eq!(time.table_time_at(clock(0)), table(4_900));
    }

    #[test]
    fn time_stands_still_while_the_store_is_busy() {
        let mut time = BatchClock::new(table(0), clock(0));
        time.advance(clock(1_000), ms(1_000));
        for later in [2_000, 3_000, 60_000] {
            time.skip_stopped_time(clock(later));
            assert_eq!(time.now(), table(1_000));
        }
        time.advance(clock(60_500), ms(1_000));
        assert_eq!(time.now(), table(1_500));
        let arrived = [900, 1_000, 30_000, 59_999, 60_000, 60_200];
        let counted = arrived.map(|arrived| time.table_time_at(clock(arrived)));
        let expected = [900, 1_000, 1_000, 1_000, 1_000, 1_200];
        assert_eq!(counted, expected.map(table));
    }

    #[test]
    fn time_stands_still_while_the_program_is_stopped() {
        let mut time = BatchClock::new(table(0), clock(0));
        time.advance(clock(40_000), ms(800));
        assert_eq!(time.now(), table(800), "it would have woken up then");
        assert_eq!(
            [500, 20_000, 40_000].map(|shown| time.table_time_at(clock(shown))),
            [500, 800, 800].map(table)
        );
        time.advance(clock(41_000), ms(0));
        assert_eq!(time.now(), table(1_800));
        time.advance(clock(43_000), ms(0));
        assert_eq!(time.now(), table(1_800));
    }
}
