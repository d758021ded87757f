//! `war journal check`: verifies many journals.

use crate::arguments::journal::ResultFormat;
use crate::context::Context;
use crate::failure::ExitStatus;
use crate::machine::input;
use crate::machine::progress::SharedProgress;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::verdict::{JournalReading, game_result, read_journal, report_faults};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use war::journal::ReadError;
use war::replay::Replay;
use war::result::Tally;
use war_simulate::parallel::fold_in_order;

/// Verifies journals on all processors, and prints a line for each in the given order; the worst
/// verdict decides the exit code.
pub(crate) fn check(
    files: &[PathBuf],
    format: Option<ResultFormat>,
    context: &mut Context,
) -> ExitStatus {
    let mut exit = ExitStatus::Success;
    Interruption::catch_for_reading(context.terminal.catalogue);
    let bar = SharedProgress::new(input::total_size(files));
    let processors = available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let jobs = NonZero::new(files.len()).map_or(processors, |files| files.min(processors));
    let files = files.iter().map(PathBuf::as_path);
    let checker = || |path, _: &dyn Fn() -> bool| (path, check_one(path, &bar, format));
    let tell = |(path, (reading, tally)): (&Path, (JournalReading, Tally))| {
        let terminal = &mut context.terminal;
        let (line, one) = bar.suspend_bar(|| report_faults(path, &reading, terminal));
        exit = exit.worse(one);
        if is_interrupted() && reading.is_err() {
            return ControlFlow::Break(());
        }
        bar.suspend_bar(|| match format {
            Some(ResultFormat::Json) => {
                let result = game_result(&reading, path, &tally, terminal.catalogue);
                terminal.print_result(result, Some(path));
            }
            None => terminal.print_line(&line),
        });
        ControlFlow::Continue(())
    };
    // The loop ends early only after an interrupt, which the exit status already reflects.
    let _ = fold_in_order(jobs, &(), files, checker, tell);
    exit
}

/// Verifies a journal, and tallies its events if the result needs them.
fn check_one(
    path: &Path,
    bar: &SharedProgress,
    format: Option<ResultFormat>,
) -> (JournalReading, Tally) {
    let mut tally = Tally::default();
    let input = input::open_with_size(path).map_err(ReadError::from);
    let opened = input.and_then(|(input, _)| Replay::open(bar.wrap_reader(input), None));
    let reading = match format {
        Some(ResultFormat::Json) => read_journal(opened, &mut tally),
        None => read_journal(opened, &mut ()),
    };
    (reading, tally)
}
