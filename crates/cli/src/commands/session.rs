//! A game that is played: printed, recorded, and written to the audit log.

use crate::arguments::journal::{JournalForm, ResultFormat};
use crate::context::Context;
use crate::failure::{Exit, Failure, cannot_create, write_failed};
use crate::machine::audit_log::AuditLog;
use crate::machine::journal_files::{can_be_synced, create};
use crate::machine::output::Printer;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::{display, english};
use slog::crit;
use std::path::{Path, PathBuf};
use war::i18n::{Count, text};
use war::journal::{Format, Reason};
use war::projections::audit::{self, Audit};
use war::projections::screens::{SEPARATOR, correction_text};
use war::recording::{Opening, Recorder};
use war::result::{GameResult, Tally};

/// A game about to be played, and where it is recorded.
pub(crate) struct Session {
    /// Whether another game of this command was played before: a separator follows it.
    pub(crate) follows: bool,
    pub(crate) opening: Opening,
    pub(crate) to: Destination,
}

/// Where a game goes beside the audit log.
#[derive(Debug, Clone)]
pub(crate) struct Destination {
    /// The journal, a new file, or `-` for standard output.
    pub(crate) journal: Option<PathBuf>,
    /// Whether the journal's name was made, and only its directory chosen.
    pub(crate) in_directory: bool,
    pub(crate) durable: bool,
    /// How the journal is written.
    pub(crate) format: Format,
    /// What is printed in place of the screens.
    pub(crate) result: Option<ResultFormat>,
}

impl Destination {
    /// Where a game goes that has no file of its own; its journal has this name.
    pub(crate) fn one(
        journal: Option<&Path>,
        form: &JournalForm,
        result: Option<ResultFormat>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            journal: journal.map(Path::to_owned),
            in_directory: false,
            durable: form.durable,
            format: form.format(journal.is_some()).map_err(Failure::usage)?,
            result,
        })
    }
}

/// The program, as journals and logs name it.
pub(crate) const ENGINE: &str = concat!("war ", env!("CARGO_PKG_VERSION"));

impl Session {
    /// Plays the game to its end: journal first, then screen, then audit log.
    ///
    /// A game that is recorded ends early where somebody wants the program to end.
    pub(crate) fn play(self, log: &AuditLog, context: &mut Context) -> Result<Exit, Failure> {
        let played = self.play_logged(log, context);
        if let Err(failure) = &played {
            crit!(log.logger(), "error"; "text" => english(&failure.text));
        }
        played
    }

    fn play_logged(self, log: &AuditLog, context: &mut Context) -> Result<Exit, Failure> {
        let terminal = &mut context.terminal;
        let mut tally = Tally::default();
        let mut recorder = Recorder::new(ENGINE, self.opening, terminal.catalogue.lang());
        let header = recorder.header().clone();
        log.begin(&header);
        if self.to.result.is_some() {
            for text in header.corrections.iter().filter_map(correction_text) {
                terminal.warning(&text);
            }
        }
        let to = &self.to;
        if let Some(path) = &to.journal {
            if to.durable && !can_be_synced(path) {
                return Err(Failure::usage(text!(DurableStream)));
            }
            Interruption::of_recordings();
            let file = create(path);
            let file = file.map_err(|error| cannot_create(path, &error, to.in_directory))?;
            recorder = recorder.written_in(to.format.clone(), file, to.durable);
        }
        if self.follows {
            terminal.print(SEPARATOR);
            audit::printed(log.logger(), SEPARATOR);
        }
        recorder = recorder.with(Audit::new(log.logger().clone()));
        recorder = match to.result {
            Some(ResultFormat::Json) => recorder.with(&mut tally),
            None => {
                let lang = terminal.catalogue.lang();
                recorder.with(Printer::new(
                    terminal.out.clone(),
                    0..=u32::MAX,
                    &header,
                    lang,
                ))
            }
        };
        let played = recorder.play_while(|| !is_interrupted());
        let path = to.journal.as_deref();
        let failed = |error| write_failed(path.unwrap_or(Path::new("")), &error);
        let end = played.map_err(failed)?;
        let is_whole = end.reason != Reason::CutOff;
        if !is_whole {
            crit!(log.logger(), "cut off"; "turn" => end.turns);
        }
        if to.result.is_some() {
            let result = GameResult::new(&header, &end, &tally);
            context.terminal.print_result(result, path);
        }
        let Some(path) = path else {
            return Ok(Exit::Success);
        };
        let (file, events) = (display(path), Count(end.events));
        let digest = end.chain.to_string();
        if is_whole {
            let text = text!(Recorded, file = file, events = events, digest = digest);
            context.terminal.note(&text);
            return Ok(Exit::Success);
        }
        let turn = Count(end.turns.into());
        context.terminal.warning(&text!(
            GameInterrupted,
            file = file,
            events = events,
            turn = turn,
            digest = digest
        ));
        Ok(Exit::Incomplete)
    }
}
