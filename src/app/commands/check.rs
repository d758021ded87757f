use crate::app::context::Context;
use crate::app::exit::Exit;
use crate::app::verdict::{Reading, try_open};
use crate::cli::ResultFormat;
use crate::host::signals::{Interruption, is_interrupted};
use crate::journal::ReadError;
use crate::replay::Replay;
use crate::result::Tally;
use std::path::{Path, PathBuf};

/// Verifies journals one after the other, and prints a line for each; the worst verdict decides
/// the exit code.
pub(crate) fn check(
    files: &[PathBuf],
    format: Option<ResultFormat>,
    context: &mut Context,
) -> Exit {
    let mut exit = Exit::Success;
    Interruption::of_readers(context.terminal.catalogue);
    for path in files {
        let (reading, tally) = check_one(path, format);
        let terminal = &mut context.terminal;
        let (line, one) = reading.tell_faults(path, terminal);
        if is_interrupted() && !reading.is_whole() {
            return exit.worse(one);
        }
        match format {
            Some(ResultFormat::Json) => {
                let result = reading.result_of(path, &tally, terminal.catalogue);
                terminal.print_result(result, Some(path));
            }
            None => terminal.print_line(&line),
        }
        exit = exit.worse(one);
    }
    exit
}

/// Verifies a journal; its events are counted where a result in this format needs it.
fn check_one(path: &Path, format: Option<ResultFormat>) -> (Reading, Tally) {
    let mut tally = Tally::default();
    let input = try_open(path, true).map_err(ReadError::from);
    let opened = input.and_then(|input| Replay::open(input, None));
    let reading = match format {
        Some(ResultFormat::Json) => Reading::to_the_end(opened, &mut tally),
        None => Reading::to_the_end(opened, &mut ()),
    };
    (reading, tally)
}
