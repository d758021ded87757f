use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{cannot_create, repair_failed};
use crate::app::text::display;
use crate::app::verdict::{conclude, open, to_the_end};
use crate::engine::Projection;
use crate::host::journal_file::abandon;
use crate::host::standard::is_standard;
use crate::i18n::{Count, text};
use crate::journal::{
    End, JournalFile, Journaled, ReadError, Reason, Verdict, WriteFailed, Writer,
};
use crate::replay::Replay;
use std::path::Path;

/// Ends a journal whose recording was cut off, in a new file.
///
/// The file is read twice: it is only copied once it is known to be intact up to the cut.
pub(crate) fn repair(path: &Path, new: &Path, context: &mut Context) -> Result<Exit, Failure> {
    // A pipe can't be read twice.
    if !path.is_file() && path.exists() || is_standard(path) {
        let text = text!(RepairNoFile, file = display(path));
        return Err(Failure::usage(text));
    }
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return refuse(path, Err(error), 0, context),
    };
    let result = to_the_end(&mut replay, &mut ());
    let events = replay.events();
    let cut = |fault: &crate::journal::Fault| fault.verdict() == Verdict::Incomplete;
    if !matches!(&result, Err(ReadError::Fault(fault)) if cut(fault)) || events == 0 {
        return refuse(path, result, events, context);
    }
    if !replay.prints_the_same() {
        let text = text!(RepairRenderer, file = display(path));
        return Err(Failure::new(Exit::Unsupported, text));
    }
    let again = Replay::open(open(path, true)?, None);
    let end = match again.map(|replay| copy(replay, events, new)) {
        Ok(end) => end?,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let text = text!(
        Repaired,
        file = display(path),
        new = display(new),
        events = Count(end.events),
        turns = Count(end.turns.into())
    );
    context.terminal.tell(&text);
    Ok(Exit::Success)
}

/// Copies this many events to a new journal, and ends it.
fn copy(mut replay: Replay<'_>, events: u64, new: &Path) -> Result<End, Failure> {
    let file = JournalFile::create(new).map_err(|error| cannot_create(new, &error, false))?;
    let failed = |error: WriteFailed| {
        abandon(new);
        repair_failed(new, &error)
    };
    let mut copying = Copying {
        writer: Writer::new(file, replay.header(), false),
        failed: None,
    };
    // The file was read to here before: what reads otherwise now ends the copy early.
    while replay.events() < events && matches!(replay.event(&mut copying), Ok(true)) {
        if let Some(error) = copying.failed {
            return Err(failed(error));
        }
    }
    copying
        .writer
        .finish(Reason::CutOff, replay.printed())
        .map_err(failed)
}

/// Records a game that is replayed, up to the first failure.
struct Copying {
    writer: Writer<JournalFile>,
    failed: Option<WriteFailed>,
}

impl<S: Journaled> Projection<S> for Copying {
    fn project(&mut self, event: &S::Event, state: &S, _: &mut String) {
        self.failed = self.writer.record(event, state).err();
    }
}

/// Prints the verdict, and that there is nothing to repair.
fn refuse(
    path: &Path,
    result: Result<End, ReadError>,
    events: u64,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let cut = matches!(&result, Err(ReadError::Fault(fault))
        if fault.verdict() == Verdict::Incomplete);
    let exit = conclude(path, result, events, &mut context.terminal)?;
    let text = if cut {
        text!(RepairNothing, file = display(path))
    } else {
        text!(NotRepaired, file = display(path))
    };
    context.terminal.error(&text);
    Ok(exit.worse(Exit::Bad))
}
