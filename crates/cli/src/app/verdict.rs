//! Opening journals, and reporting what they turned out to be.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::machine::progress::Input;
use crate::machine::signals::is_interrupted;
use crate::machine::terminal::Terminal;
use crate::machine::text::display;
use crate::wording::{divergence_text, fault_line, verdict_text};
use std::path::Path;
use war::i18n::{Catalogue, Count, Text, text};
use war::journal::{Judgement, ReadError, Unread};
use war::replay::{Observer, Replay};
use war::result::{GameResult, Tally};

/// Opens a journal, or standard input for `-`; `quiet` where nothing else is printed.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Input, Failure> {
    Input::open(path, quiet).map_err(|error| unreadable(path, &error))
}

/// What a journal turned out to be, or how far it could be read.
pub(crate) type Reading = Result<Judgement, Unread>;

/// Reads a journal to its end.
pub(crate) fn read_all(
    opened: Result<Replay<'_>, ReadError>,
    observer: &mut dyn Observer,
) -> Reading {
    match opened {
        Ok(mut replay) => {
            let found = replay.read_to_end(observer);
            replay.judged(found)
        }
        Err(error) => not_opened(error),
    }
}

/// What a journal is that could not even be opened.
pub(crate) fn not_opened(error: ReadError) -> Reading {
    Judgement::of(Err(error), None, 0)
}

/// The result of the game in this file, as far as it is known.
pub(crate) fn result_of(
    reading: &Reading,
    path: &Path,
    tally: &Tally,
    catalogue: &Catalogue,
) -> GameResult {
    match reading {
        Ok(judgement) => GameResult::of(judgement, tally, |fault| {
            catalogue.text(&Text::from(&fault.problem))
        }),
        Err(unread) => {
            let message = catalogue.text(&unreadable(path, &unread.error).text);
            GameResult::unreadable(message, unread.header.as_deref(), unread.events)
        }
    }
}

/// Reports on standard error what is wrong; the result is the line that says what the journal
/// is, and how a command ends that read it.
pub(crate) fn tell_faults(path: &Path, reading: &Reading, terminal: &mut Terminal) -> (Text, Exit) {
    let file = display(path);
    match reading {
        Ok(judgement) => {
            if let Some(fault) = judgement.fault() {
                let line = fault_line(&file, fault, judgement.events(), terminal.catalogue);
                terminal.say(&line);
                if let Some(text) = divergence_text(fault, terminal.catalogue) {
                    terminal.tell(&text);
                }
            }
            let exit = Exit::from(judgement.verdict());
            (verdict_text(&file, judgement), exit)
        }
        Err(unread) => {
            let failure = if is_interrupted() {
                let events = Count(unread.events);
                let text = text!(ReplayInterrupted, file = file.as_str(), events = events);
                Failure::new(Exit::Incomplete, text)
            } else {
                unreadable(path, &unread.error)
            };
            let exit = failure.tell(terminal);
            (text!(VerdictUnreadable, file = file), exit)
        }
    }
}

/// Reports as [`tell_faults`] does; the line also says with which key the journal was signed,
/// where that is known.
pub(crate) fn tell_signed(
    path: &Path,
    reading: &Reading,
    key: Option<&str>,
    terminal: &mut Terminal,
) -> (Text, Exit) {
    let (line, exit) = tell_faults(path, reading, terminal);
    match key {
        Some(key) => (text!(VerdictSigned, line = line, key = key), exit),
        None => (line, exit),
    }
}

/// Prints the verdict on a journal to standard error.
pub(crate) fn conclude(path: &Path, reading: &Reading, terminal: &mut Terminal) -> Exit {
    conclude_signed(path, reading, None, terminal)
}

/// Prints the verdict as [`conclude`] does, and the key that the journal was signed with.
pub(crate) fn conclude_signed(
    path: &Path,
    reading: &Reading,
    key: Option<&str>,
    terminal: &mut Terminal,
) -> Exit {
    let (line, exit) = tell_signed(path, reading, key, terminal);
    if let Ok(judgement) = reading {
        terminal.tell_verdict(judgement.verdict(), &line);
    }
    exit
}
