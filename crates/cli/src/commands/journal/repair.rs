//! `war journal repair`: completes interrupted recordings in a new file.

use crate::context::Context;
use crate::failure::{
    ExitStatus, Failure, JournalNaming, copy_failure, create_failure, interrupted_creation_failure,
    read_failure,
};
use crate::machine::input::is_standard_stream;
use crate::machine::journal_files::remove_partial_journal;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::path_text;
use crate::verdict::{JournalReading, judge_unopened_journal, open_journal, report_verdict};
use std::path::Path;
use war::i18n::{Count, text};
use war::journal::{End, GameEndReason, JournalFile, Position, ReadError, TrailingBytes};
use war::repair::{CopyError, Repair, RepairError};
use war::replay::Replay;

/// Completes a journal whose recording was cut off, in a new file; with `salvage` also a damaged
/// journal.
///
/// The file is read twice: the intact part is only known at the end of the first reading.
pub(crate) fn repair(
    path: &Path,
    new: &Path,
    salvage: bool,
    context: &mut Context,
) -> Result<ExitStatus, Failure> {
    // A pipe can't be read twice.
    if !path.is_file() && path.exists() || is_standard_stream(path) {
        let text = text!(RepairNoFile, file = path_text(path));
        return Err(Failure::usage(text));
    }
    Interruption::catch_for_reading(context.terminal.catalogue);
    let mut replay = match Replay::open(open_journal(path)?, None) {
        Ok(replay) => replay,
        Err(error) => return Ok(refuse(path, &judge_unopened_journal(error), context)),
    };
    let repair = if salvage {
        Repair::prepare_salvage(&mut replay)
    } else {
        Repair::prepare(&mut replay)
    };
    let repair = match repair {
        Ok(repair) => repair,
        Err(refused) => {
            let result = match refused {
                RepairError::AlreadyComplete(end) => Ok(end),
                RepairError::Faulty(error) => Err(error),
            };
            return Ok(refuse(path, &replay.judge(result), context));
        }
    };
    let (end, kept) = match Replay::open(open_journal(path)?, None) {
        Ok(again) => copy(repair, again, path, new)?,
        Err(error) => {
            return Ok(report_verdict(
                path,
                &judge_unopened_journal(error),
                &mut context.terminal,
            ));
        }
    };
    let (file, new) = (path_text(path), path_text(new));
    let (events, turns) = (Count(end.events), Count(end.turns.into()));
    let text = match end.reason {
        GameEndReason::CutOff => text!(
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
    context.terminal.report(&text);
    if salvage {
        report_dropped(path, kept, context)?;
    }
    Ok(ExitStatus::Success)
}

/// Reports the part of the file that was dropped.
fn report_dropped(path: &Path, kept: Position, context: &mut Context) -> Result<(), Failure> {
    let dropped = TrailingBytes::measure(kept, open_journal(path)?);
    let dropped = dropped.map_err(|error| read_failure(path, &error))?;
    let text = text!(
        RepairDropped,
        bytes = Count(dropped.bytes),
        line = dropped.at.line.to_string(),
        column = dropped.at.column.to_string()
    );
    context.terminal.report(&text);
    Ok(())
}

/// Copies the intact part to a new file; also returns the old file's position after that part.
fn copy(
    repair: Repair,
    again: Replay<'_>,
    old: &Path,
    new: &Path,
) -> Result<(End, Position), Failure> {
    let file = JournalFile::create(new)
        .map_err(|error| create_failure(new, &error, JournalNaming::Given))?;
    let copied = repair.copy(again, file);
    // After an interrupt, the copy may have ended early.
    if is_interrupted() {
        remove_partial_journal(new);
        return Err(interrupted_creation_failure(new));
    }
    copied.map_err(|error| {
        remove_partial_journal(new);
        match error {
            CopyError::Unreadable(ReadError::Io(error)) => read_failure(old, &error),
            CopyError::Unreadable(ReadError::Fault(_)) | CopyError::Changed => {
                let text = text!(UpgradeChanged, file = path_text(old));
                Failure::new(ExitStatus::InputOutput, text)
            }
            CopyError::Unwritable(error) => copy_failure(new, &error),
        }
    })
}

/// Prints the verdict, and the error that the journal needs no repair or can't be repaired.
fn refuse(path: &Path, reading: &JournalReading, context: &mut Context) -> ExitStatus {
    let exit = report_verdict(path, reading, &mut context.terminal);
    if reading.is_err() {
        return exit;
    }
    let has_fault = matches!(reading, Ok(judgement) if judgement.fault().is_some());
    let text = if exit == ExitStatus::Incomplete && has_fault {
        text!(RepairNothing, file = path_text(path))
    } else {
        text!(NotRepaired, file = path_text(path))
    };
    context.terminal.report_error(&text);
    match exit {
        ExitStatus::Unsupported => exit,
        exit => exit.worse(ExitStatus::InvalidData),
    }
}
