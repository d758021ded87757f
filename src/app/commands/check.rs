use crate::app::context::Context;
use crate::app::exit::Exit;
use crate::app::verdict::{Reading, to_the_end, try_open};
use crate::cli::ResultFormat;
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
    for path in files {
        let (reading, tally) = check_one(path, format);
        let terminal = &mut context.terminal;
        let (line, one) = reading.tell_faults(path, terminal);
        match format {
            Some(ResultFormat::Json) => {
                let result = reading.result(path, &tally, terminal.catalogue);
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
    let input = match try_open(path, true) {
        Ok(input) => input,
        Err(error) => return (ReadError::from(error).into(), tally),
    };
    let reading = match Replay::open(input, None) {
        Ok(mut replay) => {
            let end = match format {
                Some(ResultFormat::Json) => to_the_end(&mut replay, &mut tally),
                None => to_the_end(&mut replay, &mut ()),
            };
            Reading::of(&replay, end)
        }
        Err(error) => error.into(),
    };
    (reading, tally)
}
