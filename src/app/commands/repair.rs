use crate::app::context::Context;
use crate::app::exit::{Exit, Failure};
use crate::app::messages::{cannot_create, copy_failed, unreadable};
use crate::app::text::display;
use crate::app::verdict::{Reading, conclude, open, to_the_end};
use crate::host::journal_file::abandon;
use crate::host::standard::is_standard;
use crate::i18n::{Count, text};
use crate::journal::{
    Copying, Dropped, End, Format, Header, JournalFile, Position, ReadError, Reason, RecordError,
    Verdict,
};
use crate::replay::Replay;
use std::path::Path;

/// Ends a journal whose recording was cut off, in a new file; with `salvage` a damaged one, too.
///
/// The file is read twice: it is only copied once it is known how far it is intact.
pub(crate) fn repair(
    path: &Path,
    new: &Path,
    salvage: bool,
    context: &mut Context,
) -> Result<Exit, Failure> {
    // A pipe can't be read twice.
    if !path.is_file() && path.exists() || is_standard(path) {
        let text = text!(RepairNoFile, file = display(path));
        return Err(Failure::usage(text));
    }
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(refuse(path, &error.into(), context)),
    };
    let result = to_the_end(&mut replay, &mut ());
    let events = replay.events();
    let can_be = match &result {
        // Repaired before the end record was given back to a game that is over.
        Ok(end) => end.reason == Reason::CutOff && replay.reason() != Reason::CutOff,
        Err(ReadError::Fault(fault)) => match fault.verdict() {
            Verdict::Incomplete => true,
            // Only the end shows whether the chain holds over events alone.
            Verdict::Damaged if fault.problem == RecordError::EndChain.into() => {
                salvage && !replay.header().format.is_compact()
            }
            Verdict::Damaged | Verdict::Diverged => salvage,
            _ => false,
        },
        Err(ReadError::Io(_)) => false,
    };
    if !can_be || events == 0 {
        return Ok(refuse(path, &Reading::of(&replay, result), context));
    }
    let format = replay.header().format.clone();
    // Only a game recorded to its end is all of the game that it was upgraded from.
    let format = match &result {
        Err(ReadError::Fault(fault))
            if fault.verdict() == Verdict::Incomplete && replay.reason() != Reason::CutOff =>
        {
            format
        }
        _ => format.not_upgraded(),
    };
    let again = Replay::open(open(path, true)?, None);
    let (end, kept) = match again.map(|replay| copy(replay, events, new, format)) {
        Ok(copied) => copied?,
        Err(error) => return Ok(conclude(path, &error.into(), &mut context.terminal)),
    };
    let (file, new) = (display(path), display(new));
    let (events, turns) = (Count(end.events), Count(end.turns.into()));
    let text = match end.reason {
        Reason::CutOff => text!(
            Repaired,
            file = file,
            new = new,
            events = events,
            turns = turns
        ),
        _ => text!(
            RepairedWhole,
            file = file,
            new = new,
            events = events,
            turns = turns
        ),
    };
    context.terminal.tell(&text);
    if salvage {
        tell_dropped(path, kept, context)?;
    }
    Ok(Exit::Success)
}

/// Says what of a file was not kept.
fn tell_dropped(path: &Path, kept: Position, context: &mut Context) -> Result<(), Failure> {
    let dropped = Dropped::behind(kept, open(path, true)?);
    let dropped = dropped.map_err(|error| unreadable(path, &error))?;
    let text = text!(
        RepairDropped,
        bytes = Count(dropped.bytes),
        line = dropped.at.line.to_string(),
        column = dropped.at.column.to_string()
    );
    context.terminal.tell(&text);
    Ok(())
}

/// Copies this many events to a new journal of this format, and ends it; the place is where they
/// end.
fn copy(
    mut replay: Replay<'_>,
    events: u64,
    new: &Path,
    format: Format,
) -> Result<(End, Position), Failure> {
    let file = JournalFile::create(new).map_err(|error| cannot_create(new, &error, false))?;
    let header = replay.header().clone();
    let mut copying = Copying::new(file, &Header { format, ..header });
    // The file was read to here before: what reads otherwise now ends the copy early.
    while replay.events() < events
        && !copying.has_failed()
        && matches!(replay.event(&mut copying), Ok(true))
    {}
    let end = copying.finish(replay.reason(), replay.printed());
    let end = end.map_err(|error| {
        abandon(new);
        copy_failed(new, &error)
    });
    Ok((end?, replay.reached()))
}

/// Prints the verdict, and that there is nothing to repair.
fn refuse(path: &Path, reading: &Reading, context: &mut Context) -> Exit {
    let exit = conclude(path, reading, &mut context.terminal);
    let text = if exit == Exit::Incomplete && !reading.is_whole() {
        text!(RepairNothing, file = display(path))
    } else {
        text!(NotRepaired, file = display(path))
    };
    context.terminal.error(&text);
    match exit {
        Exit::Unsupported => exit,
        exit => exit.worse(Exit::Bad),
    }
}
