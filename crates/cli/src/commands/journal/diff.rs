//! `war journal diff`: finds the first difference between two journals.

use crate::context::Context;
use crate::failure::{ExitStatus, Failure, read_failure};
use crate::machine::input::{self, RereadableInput};
use crate::machine::progress::SharedProgress;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::stdout::Printer;
use crate::machine::terminal::Terminal;
use crate::machine::text::path_text;
use crate::verdict::{JournalReading, judge_unopened_journal, report_verdict};
use std::path::Path;
use war::i18n::{Lang, Text, text};
use war::journal::{
    JournalDifference, JournalPart, Judgement, ReadError, Reader, find_differences,
};
use war::replay::Replay;

/// Prints all differences in the headers, the first difference in the events or ends, and the
/// screens of the turn in which the games diverge.
///
/// Exits with 0 if the journals are equal, and with 1 otherwise.
pub(crate) fn diff(a: &Path, b: &Path, context: &mut Context) -> Result<ExitStatus, Failure> {
    let (lang, terminal) = (context.lang_flag, &mut context.terminal);
    Interruption::catch_for_reading(terminal.catalogue);
    let paths = [a, b];
    let (differences, files) = match compare(paths) {
        Ok(compared) => compared,
        Err((side, Err(unread))) if is_interrupted() => {
            return Err(read_failure(paths[side], &unread.error));
        }
        Err((side, reading)) => return Ok(report_verdict(paths[side], &reading, terminal)),
    };
    let Some(last) = differences.last().map(|last| last.part) else {
        terminal.print_line(&text!(DiffNone));
        return Ok(ExitStatus::Success);
    };
    for difference in &differences {
        terminal.print_line(&difference_text(difference.part));
        for (path, says) in paths.into_iter().zip(&difference.sides) {
            let side = text!(DiffSide, file = path_text(path), says = says.as_str());
            terminal.print_line(&side);
        }
    }
    let JournalPart::Event { turn, .. } = last else {
        terminal.print_line(&text!(DiffSameGame));
        return Ok(ExitStatus::InvalidData);
    };
    for (path, file) in paths.into_iter().zip(files) {
        let title = text!(DiffScreen, file = path_text(path), turn = turn);
        terminal.print_line(&title);
        let is_shown = print_screen(file, turn, lang, terminal);
        if is_interrupted() {
            return Err(Failure::new(ExitStatus::Incomplete, text!(Interrupted)));
        }
        match is_shown {
            Ok(true) => {}
            Ok(false) => terminal.print_line(&text!(DiffNoScreen)),
            Err(ReadError::Io(error)) => return Err(read_failure(path, &error)),
            Err(ReadError::Fault(_)) => terminal.print_line(&text!(DiffNotByRules)),
        }
    }
    Ok(ExitStatus::InvalidData)
}

/// Compares the journals; returns the differences, and the files to read again. The error names the
/// journal that can't be compared, by its index.
fn compare(
    paths: [&Path; 2],
) -> Result<(Vec<JournalDifference>, Vec<RereadableInput>), (usize, JournalReading)> {
    let bar = SharedProgress::new(input::total_size(&paths.map(Path::to_owned)));
    let mut files = Vec::new();
    let mut open = |side: usize| {
        let (file, input) = RereadableInput::open(paths[side]).map_err(ReadError::from)?;
        files.push(file);
        Reader::open(bar.wrap_reader(input))
    };
    let mut open = |side| open(side).map_err(|error| (side, judge_unopened_journal(error)));
    let mut readers = [open(0)?, open(1)?];
    let found = find_differences(&mut readers).map_err(|(side, error)| {
        let events = readers[side].events();
        (side, Judgement::from_result(Err(error), None, events))
    })?;
    Ok((found, files))
}

/// Prints a turn of a game; returns true if there was anything to print.
fn print_screen(
    file: RereadableInput,
    turn: u32,
    lang: Option<Lang>,
    terminal: &Terminal,
) -> Result<bool, ReadError> {
    let mut replay = Replay::open(file.reopen()?, lang)?;
    let lang = lang.unwrap_or(replay.header().lang);
    let mut printer = Printer::new(terminal.out.clone(), turn..=turn, replay.header(), lang);
    let mut is_shown = false;
    while !is_interrupted() && replay.next_event(&mut printer)? && replay.turn() <= turn {
        is_shown |= replay.turn() == turn && !replay.text().is_empty();
    }
    Ok(is_shown)
}

/// Heading of a difference.
fn difference_text(place: JournalPart) -> Text {
    match place {
        JournalPart::Header => text!(DiffHeader),
        JournalPart::Event { seq, turn } => {
            text!(DiffEvent, seq = seq.to_string(), turn = turn)
        }
        JournalPart::End => text!(DiffEnd),
    }
}
