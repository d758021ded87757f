use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::text::display;
use crate::app::verdict::{judge, open, to_the_end};
use crate::host::signals::{Interruption, is_interrupted};
use crate::i18n::{Text, text};
use crate::replay::Replay;
use std::path::{Path, PathBuf};

/// Verifies journals one after the other, and prints a line for each; the worst verdict decides
/// the exit code.
pub(crate) fn check(files: &[PathBuf], context: &mut Context) -> Exit {
    let mut exit = Exit::Success;
    Interruption::of_readers(context.terminal.catalogue);
    for path in files {
        let checked = check_one(path, context);
        if let (Err(failure), true) = (&checked, is_interrupted()) {
            return exit.worse(context.terminal.failure(failure));
        }
        let (line, one) = checked.unwrap_or_else(|failure| {
            let exit = context.terminal.failure(&failure);
            (text!(VerdictUnreadable, file = display(path)), exit)
        });
        context.terminal.print_line(&line);
        exit = exit.worse(one);
    }
    exit
}

fn check_one(path: &Path, context: &mut Context) -> Result<(Text, Exit), Failure> {
    let mut events = 0;
    let result = Replay::open(open(path, true)?, None).and_then(|mut replay| {
        let end = to_the_end(&mut replay, &mut ());
        events = replay.events();
        end
    });
    let (line, verdict) = judge(path, result, events, &mut context.terminal)?;
    Ok((line, verdict.into()))
}
