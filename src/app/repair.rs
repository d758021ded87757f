use super::check::to_the_end;
use super::exit::{Exit, Failure};
use super::journal_file::JournalFile;
use super::session::{cannot_create, write_failed};
use super::verdict::{conclude, open};
use super::{Context, display};
use crate::i18n::{Message, Text};
use crate::journal::{ReadError, Reason, Verdict, Writer};
use crate::replay::Replay;
use std::path::Path;

/// Ends a journal whose recording was cut off, in a new file.
///
/// The file is read twice: it is only copied once it is known to be intact up to the cut.
pub(super) fn repair(path: &Path, new: &Path, context: &mut Context) -> Result<Exit, Failure> {
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return refuse(path, Err(error), 0, context),
    };
    let result = to_the_end(&mut replay);
    let events = replay.events();
    match &result {
        Err(ReadError::Fault(fault)) if fault.code.verdict() == Some(Verdict::Incomplete) => {}
        _ => return refuse(path, result, events, context),
    }
    if events == 0 || !replay.prints_the_same() {
        return refuse(path, result, events, context);
    }
    let mut replay = match Replay::open(open(path, true)?, None) {
        Ok(replay) => replay,
        Err(error) => return conclude(path, Err(error), 0, &mut context.terminal),
    };
    let file = JournalFile::create(new).map_err(|error| cannot_create(new, &error))?;
    let mut writer = Writer::new(file, replay.header(), false);
    while replay.events() < events {
        match replay.event() {
            Ok(Some(event)) => writer
                .record(&event, replay.table())
                .map_err(|error| write_failed(new, error.turn, &error.source))?,
            Ok(None) => break,
            Err(error) => {
                return conclude(path, Err(error), replay.events(), &mut context.terminal);
            }
        }
    }
    let end = writer.finish(Reason::CutOff, replay.printed());
    let end = end.map_err(|error| write_failed(new, error.turn, &error.source))?;
    let text = Text::new(Message::REPAIRED)
        .with("file", display(path))
        .with("new", display(new))
        .with("events", end.events.to_string())
        .with("turns", end.turns);
    context.terminal.tell(&text);
    Ok(Exit::Success)
}

/// Tells the verdict, and that there is nothing to repair.
fn refuse(
    path: &Path,
    result: Result<crate::journal::End, ReadError>,
    events: u64,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let exit = conclude(path, result, events, &mut context.terminal)?;
    context
        .terminal
        .error(&Text::new(Message::NOT_REPAIRED).with("file", display(path)));
    Ok(exit.worse(Exit::Bad))
}
