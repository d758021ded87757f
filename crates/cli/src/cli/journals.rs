//! The command line of `war import`, `war replay` and `war journal`.

use super::expectations::Expectations;
use super::export::{EXPORT_EXAMPLES, Export};
use super::journal_form::Additions;
use super::result::{RESULT_HELP, RESULTS_HELP, ResultFormat};
use super::signing::{SIGN_EXAMPLES, Sign, VERIFY_EXAMPLES, Verify};
use clap::{Args, Subcommand, ValueHint};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use war::i18n::{Text, text};
use war::support::digits::whole;

pub(crate) const REPLAY_EXAMPLES: &str = "\
Examples:
  war replay game.json                 print the game as it was printed
  war replay game.json --turn 7        print turn 7 alone
  war replay game.json --quiet         verify it, and print nothing
  war replay game.json --result json   print the result for a program
  war replay game.json --lang pl       print it in Polish
  war replay --follow game.json        watch a game while it is recorded
  cat game.json | war replay -         read standard input";

pub(crate) const JOURNAL_EXAMPLES: &str = "\
Examples:
  war journal check a.json b.json        verify, with a verdict for each file
  war journal show game.json             print its header and a summary
  war journal diff a.json b.json         find the first place where they differ
  war journal repair cut.json new.json   complete a recording that was cut off
  war journal repair --salvage torn.json new.json
                                         keep what is intact of a damaged one
  war journal upgrade a.json a.jsonl     make a journal of version 2
  war journal sign game.json --key war.key
                                         sign it, in game.json.minisig
  war journal export game.json           print a line for each event";

pub(crate) const IMPORT_EXAMPLES: &str = "\
Examples:
  war xy 42 >table.txt                        print a table
  war import xy table.txt                     make its journal, table.json
  war import xy old/*.txt --journal-dir new   import many tables
  war xy 42 | war import xy -                 read it from standard input";

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
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

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// Journal to replay, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print only this turn (0 is the dealing)
    #[arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with_all = ["from", "to"])]
    pub(crate) turn: Option<String>,
    /// First turn to print
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,
    /// Last turn to print
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) to: Option<String>,
    /// Verify, and print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Print a game while it is being recorded: wait for more until the journal ends
    #[arg(long)]
    pub(crate) follow: bool,
    #[command(flatten)]
    pub(crate) expected: Expectations,
    /// Public key of those who signed the journal, the file or the key itself: check the signature
    ///
    /// The signature of FILE is FILE.minisig. Nothing is printed of a journal that was not signed
    /// with this key.
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath, conflicts_with = "follow")]
    pub(crate) public_key: Option<OsString>,
    /// Write an audit log of the replayed game
    #[arg(long)]
    pub(crate) audit: bool,
    #[arg(long, value_name = "FORMAT", ignore_case = true, conflicts_with_all = ["turn", "from", "to", "quiet"], help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

impl Replay {
    /// The turns to print.
    ///
    /// # Errors
    ///
    /// What is wrong with what was typed for them.
    pub(crate) fn turns(&self) -> Result<RangeInclusive<u32>, Text> {
        let turn = |typed: &Option<String>, default: u32| match typed {
            None => Ok(default),
            Some(typed) => whole(typed).ok_or_else(|| text!(BadTurn, value = typed.as_str())),
        };
        let (from, to) = (turn(&self.from, 0)?, turn(&self.to, u32::MAX)?);
        if from > to {
            return Err(text!(BadRange));
        }
        Ok(turn(&self.turn, from)?..=turn(&self.turn, to)?)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Upgrade {
    /// The journal of version 1
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,
    /// The new file
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,
    #[command(flatten)]
    pub(crate) additions: Additions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    /// Verify journals, and print a verdict for each on a line
    Check {
        /// Journals to verify, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print a JSON object for each file instead of the verdict", long_help = RESULTS_HELP)]
        result: Option<ResultFormat>,
    },
    /// Print a journal's header and a summary of its game
    Show {
        /// The journal, or - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the first difference between two journals
    Diff {
        /// One journal, or - for standard input
        #[arg(value_name = "A")]
        a: PathBuf,
        /// The other journal, or - for standard input
        #[arg(value_name = "B")]
        b: PathBuf,
    },
    /// Complete a journal whose recording was cut off, in a new file
    Repair {
        /// The journal that was cut off, or damaged
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The new file
        #[arg(value_name = "NEW")]
        new: PathBuf,
        /// Keep the events before any damage, and say what was dropped
        #[arg(long)]
        salvage: bool,
    },
    /// Make a journal of version 2 from one of version 1, in a new file
    Upgrade(Upgrade),
    /// Sign journals that are VERIFIED, each in a new file beside it
    #[command(after_help = SIGN_EXAMPLES)]
    Sign(Sign),
    /// Verify journals and their signatures, and print a verdict for each on a line
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(Verify),
    /// Make a table of the events of journals, for other tools
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Export),
}
