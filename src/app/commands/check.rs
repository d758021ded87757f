use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::verdict::{conclude, open, to_the_end};
use crate::replay::Replay;
use std::path::{Path, PathBuf};

/// Verifies journals one after the other; the worst verdict decides the exit code.
pub(crate) fn check(files: &[PathBuf], context: &mut Context) -> Exit {
    let mut exit = Exit::Success;
    for path in files {
        let checked = check_one(path, context);
        let one = checked.unwrap_or_else(|failure| context.terminal.failure(&failure));
        exit = exit.worse(one);
    }
    exit
}

fn check_one(path: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut events = 0;
    let result = Replay::open(open(path, true)?, None).and_then(|mut replay| {
        let end = to_the_end(&mut replay, &mut ());
        events = replay.events();
        end
    });
    conclude(path, result, events, &mut context.terminal)
}
