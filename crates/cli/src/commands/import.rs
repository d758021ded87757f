//! `war import`: makes journals of games that another program printed.

use super::games::{ENGINE, report_recording};
use crate::context::Context;
use crate::failure::{
    ExitStatus, Failure, JournalNaming, create_failure, encoding_text, import_failure,
    interrupted_creation_failure, read_failure,
};
use crate::machine::input::{self, STANDARD_INPUT_NAME, is_standard_stream};
use crate::machine::journal_files::remove_partial_journal;
use crate::machine::signals::{Interruption, is_interrupted};
use crate::machine::text::path_text;
use clap::{Subcommand, ValueHint};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use war::cards::Deck;
use war::i18n::{Text, text};
use war::import::{ImportedGame, import_xy};
use war::journal::{End, GameEndReason, JournalFile};
use war::recording::{NewGame, Recorder};
use war::rules::XY;
use war::support::encoding::decode_utf8;

pub(crate) const IMPORT_EXAMPLES: &str = "\
Examples:
  war xy 42 >table.txt                        print a table
  war import xy table.txt                     make its journal, table.json
  war import xy old/*.txt --journal-dir new   import many tables
  war xy 42 | war import xy -                 read it from standard input";

#[derive(Debug, Subcommand)]
pub(crate) enum ImportCommand {
    /// Make journals of printed tables of the X/Y edition, checking every line
    #[command(after_help = IMPORT_EXAMPLES)]
    Xy {
        /// Tables to import, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Directory for the journals, each named like its table but with `.json`
        #[arg(long, value_name = "DIR", default_value = ".", value_hint = ValueHint::DirPath)]
        journal_dir: PathBuf,
    },
}

/// Maximum length of a table, in bytes.
const MAX_TABLE_SIZE: u64 = 1 << 26;

/// Imports printed tables; invalid ones are reported and skipped.
pub(crate) fn import(options: &ImportCommand, context: &mut Context) -> ExitStatus {
    let ImportCommand::Xy { files, journal_dir } = options;
    let mut exit = ExitStatus::Success;
    Interruption::catch_for_reading(context.terminal.catalogue);
    for path in files {
        let one = import_one(path, journal_dir, context);
        let one = one.unwrap_or_else(|failure| failure.report(&mut context.terminal));
        exit = exit.worse(one);
        if is_interrupted() {
            return exit.worse(ExitStatus::Incomplete);
        }
    }
    exit
}

fn import_one(path: &Path, directory: &Path, context: &mut Context) -> Result<ExitStatus, Failure> {
    let read =
        input::read_limited(path, MAX_TABLE_SIZE).map_err(|error| read_failure(path, &error))?;
    let Some(text) = read else {
        let text = text!(ImportTooLong, file = path_text(path));
        return Err(Failure::new(ExitStatus::InvalidData, text));
    };
    let text = decode_utf8(&text)
        .map_err(|error| Failure::new(ExitStatus::InvalidData, encoding_text(path, &error)))?;
    let game = import_xy(text).map_err(|refused| {
        let text = text!(
            ImportRefused,
            file = path_text(path),
            line = refused.line.to_string(),
            reason = Text::from(&refused.problem)
        );
        Failure::new(ExitStatus::InvalidData, text)
    })?;
    let stem = if is_standard_stream(path) {
        OsStr::new(STANDARD_INPUT_NAME)
    } else {
        path.file_stem().expect("what was read is a file")
    };
    let mut name = stem.to_owned();
    name.push(".json");
    let journal = directory.join(name);
    let end = record(game, &journal)?;
    report_recording(&journal, &end, &mut context.terminal);
    Ok(ExitStatus::Success)
}

/// Replays the imported game into a journal.
fn record(game: ImportedGame, journal: &Path) -> Result<End, Failure> {
    let (lang, hands) = (game.lang, game.hands.clone());
    let opening = NewGame::imported(XY, Deck::Thirteen, hands, Box::new(game))?;
    let file = JournalFile::create(journal)
        .map_err(|error| create_failure(journal, &error, JournalNaming::Derived))?;
    let recorder = Recorder::new(ENGINE, opening, lang).write_to(file);
    let end = recorder.play_while(|| !is_interrupted()).map_err(|error| {
        remove_partial_journal(journal);
        import_failure(journal, &error)
    })?;
    if end.reason == GameEndReason::CutOff {
        remove_partial_journal(journal);
        return Err(interrupted_creation_failure(journal));
    }
    Ok(end)
}
