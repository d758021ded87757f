//! Opening journals, and reporting what they turned out to be.

use crate::app::exit::{Exit, Failure};
use crate::app::messages::unreadable;
use crate::app::terminal::Terminal;
use crate::app::text::display;
use crate::host::progress::Progress;
use crate::host::signals::is_interrupted;
use crate::host::standard;
use crate::i18n::{Catalogue, Count, Text, text};
use crate::journal::ReadError;
use crate::result::{GameResult, Tally};
use crate::wording::{divergence_text, fault_line};
use std::io::{self, Read};
use std::path::Path;

pub(crate) use crate::wording::{Reading, to_the_end};

/// What a journal is read from.
pub(crate) type Input = Progress<Box<dyn Read + Send>>;

/// Opens a journal, or standard input for `-`; `quiet` where nothing else is printed.
pub(crate) fn open(path: &Path, quiet: bool) -> Result<Input, Failure> {
    try_open(path, quiet).map_err(|error| unreadable(path, &error))
}

/// Opens a journal as [`open`] does.
pub(crate) fn try_open(path: &Path, quiet: bool) -> io::Result<Input> {
    let (file, bytes) = standard::open_measured(path)?;
    Ok(Progress::new(file, bytes, quiet))
}

impl Reading {
    /// The result of the game in this file, as far as it is known.
    pub(crate) fn result_of(
        &self,
        path: &Path,
        tally: &Tally,
        catalogue: &Catalogue,
    ) -> GameResult {
        self.result(tally, catalogue, |error| unreadable(path, error).text)
    }

    /// Reports on standard error what is wrong; the result is the line that says what the
    /// journal is, and how a command ends that read it.
    pub(crate) fn tell_faults(&self, path: &Path, terminal: &mut Terminal) -> (Text, Exit) {
        if let Some(fault) = self.fault() {
            terminal.say(&fault_line(&display(path), fault, terminal.catalogue));
            if let Some(text) = divergence_text(fault, terminal.catalogue) {
                terminal.tell(&text);
            }
        }
        let exit = match self {
            Self::Faulty {
                error: ReadError::Io(_),
                events,
                ..
            } if is_interrupted() => {
                let (file, events) = (display(path), Count(*events));
                let text = text!(ReplayInterrupted, file = file, events = events);
                terminal.failure(&Failure::new(Exit::Incomplete, text))
            }
            Self::Faulty {
                error: ReadError::Io(error),
                ..
            } => terminal.failure(&unreadable(path, error)),
            _ => self.verdict().map_or(Exit::InputOutput, Exit::from),
        };
        (self.line(&display(path)), exit)
    }
}

/// Prints the verdict on a journal to standard error.
pub(crate) fn conclude(path: &Path, reading: &Reading, terminal: &mut Terminal) -> Exit {
    let (line, exit) = reading.tell_faults(path, terminal);
    if let Some(verdict) = reading.verdict() {
        terminal.tell_verdict(verdict, &line);
    }
    exit
}
