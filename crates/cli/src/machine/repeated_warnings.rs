//! Limit on equal warnings in the log of a server.
//!
//! Some warnings can be provoked by anybody, as often as they like.

use slog::{Drain, Level, Never, OwnedKVList, Record, b, record};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of warnings from one place in the code that are written in a period.
const MAX_WRITTEN: u64 = 10;

/// Length of a period, which begins with the first warning after the last period.
const PERIOD: Duration = Duration::from_secs(60);

/// Drain that writes the first warnings of each place in the code, counts the others, and writes
/// their number once the period is over and another record arrives.
pub(super) struct RepeatedWarnings<D: Drain<Ok = (), Err = Never>> {
    drain: D,
    counts: Mutex<WarningCounts>,
}

impl<D: Drain<Ok = (), Err = Never>> RepeatedWarnings<D> {
    /// Wraps a drain.
    pub(super) fn new(drain: D) -> Self {
        Self {
            drain,
            counts: Mutex::default(),
        }
    }

    /// Writes the number of warnings that were not written.
    fn write_count(&self, (message, count): &(String, u64)) {
        let values = b!("message" => message, "times" => count);
        let Ok(()) = self.drain.log(
            &record!(Level::Warning, "", &format_args!("repeated"), values),
            &OwnedKVList::from(slog::o!()),
        );
    }
}

impl<D: Drain<Ok = (), Err = Never>> Drain for RepeatedWarnings<D> {
    type Ok = ();
    type Err = Never;

    fn log(&self, record: &Record<'_>, values: &OwnedKVList) -> Result<(), Never> {
        let now = Instant::now();
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        for unwritten in counts.end_periods(now) {
            self.write_count(&unwritten);
        }
        let place = (record.file(), record.line());
        if record.level() != Level::Warning || counts.count(place, || record.msg().to_string(), now)
        {
            self.drain.log(record, values)?;
        }
        Ok(())
    }
}

impl<D: Drain<Ok = (), Err = Never>> Drop for RepeatedWarnings<D> {
    fn drop(&mut self) {
        let counts = self.counts.get_mut();
        let counts = std::mem::take(counts.unwrap_or_else(PoisonError::into_inner));
        for unwritten in counts.into_unwritten() {
            self.write_count(&unwritten);
        }
    }
}

/// Place in the code that writes a warning: file and line.
type CodePlace = (&'static str, u32);

/// Warnings of the running periods, by the place in the code that writes them.
#[derive(Debug, Default)]
struct WarningCounts(BTreeMap<CodePlace, WarningCount>);

/// Warnings of one place in the code in its running period.
#[derive(Debug)]
struct WarningCount {
    since: Instant,
    message: String,
    count: u64,
}

impl WarningCounts {
    /// Counts a warning. Returns true if it is to be written.
    fn count(&mut self, place: CodePlace, message: impl FnOnce() -> String, now: Instant) -> bool {
        let counted = self.0.entry(place).or_insert_with(|| WarningCount {
            since: now,
            message: message(),
            count: 0,
        });
        counted.count += 1;
        counted.count <= MAX_WRITTEN
    }

    /// Ends the periods that are over. Returns the messages and numbers of the warnings that were
    /// not written in them.
    fn end_periods(&mut self, now: Instant) -> Vec<(String, u64)> {
        let (ended, running) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|(_, counted)| now.duration_since(counted.since) >= PERIOD);
        self.0 = running;
        Self(ended).into_unwritten()
    }

    /// Messages and numbers of the warnings that were not written.
    fn into_unwritten(self) -> Vec<(String, u64)> {
        let counted = self.0.into_values();
        let unwritten = counted.filter_map(|counted| {
            let count = counted.count.checked_sub(MAX_WRITTEN)?;
            (count > 0).then_some((counted.message, count))
        });
        unwritten.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_WRITTEN, PERIOD, WarningCounts};
    use std::time::{Duration, Instant};

    #[test]
    fn the_first_warnings_of_each_place_are_written_and_the_others_counted() {
        let start = Instant::now();
        let mut counts = WarningCounts::default();
        let mut written = |line, at| {
            let now = start + at;
            counts.count(("file.rs", line), || format!("line {line}"), now)
        };
        for number in 0..1_000 {
            let at = Duration::from_millis(number);
            assert_eq!(written(1, at), number < MAX_WRITTEN, "{number}");
        }
        assert!(written(2, Duration::from_secs(1)), "another place");
        let moment = Duration::from_millis(1);
        assert_eq!(
            counts.end_periods(start + PERIOD.saturating_sub(moment)),
            []
        );
        let end = start + PERIOD;
        let unwritten = vec![("line 1".to_owned(), 1_000 - MAX_WRITTEN)];
        assert_eq!(counts.end_periods(end), unwritten);
        assert!(
            counts.count(("file.rs", 1), String::new, end),
            "a new period"
        );
        assert_eq!(counts.into_unwritten(), []);
    }
}
