//! The command line of `war import`, `war replay` and `war journal`.

use super::result::{RESULT_HELP, ResultFormat};
use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(crate) const REPLAY_EXAMPLES: &str = "\
Examples:
  war replay game.json                 print the game as it was printed
  war replay game.json --turn 7        print turn 7 alone
  war replay game.json --quiet         only verify
  war replay game.json --result json   print the result for a program
  war replay game.json --lang pl       print it in Polish
  cat game.json | war replay -         read standard input";

pub(crate) const JOURNAL_EXAMPLES: &str = "\
Examples:
  war journal check a.json b.json        verify, a verdict for each file
  war journal show game.json             header and summary
  war journal diff a.json b.json         the first place where two games part
  war journal repair cut.json new.json   end a journal that was cut off";

pub(crate) const IMPORT_EXAMPLES: &str = "\
Examples:
  war xy 42 >table.txt                        print a table
  war import xy table.txt                     make its journal, table.json
  war import xy old/*.txt --journal-dir new   many tables, journals elsewhere
  war xy 42 | war import xy -                 standard input: makes stdin.json";

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Tables of the X/Y edition, every line of them checked
    #[command(after_help = IMPORT_EXAMPLES)]
    Xy {
        /// The tables, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        /// Where the journals go, each under its table's name with `.json`
        #[arg(long, value_name = "DIR", default_value = ".")]
        journal_dir: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The journal, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print this turn alone (0 is the dealing)
    #[arg(long, value_name = "N", conflicts_with_all = ["from", "to"])]
    pub(crate) turn: Option<String>,
    /// Print from this turn on
    #[arg(long, value_name = "N")]
    pub(crate) from: Option<String>,
    /// Print up to this turn
    #[arg(long, value_name = "N")]
    pub(crate) to: Option<String>,
    /// Print nothing, only verify
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Check that the final digest of the journal is this one, in any letter case
    #[arg(long, value_name = "HEX")]
    pub(crate) expect_digest: Option<String>,
    /// Write an audit log of the replayed game
    #[arg(long)]
    pub(crate) audit: bool,
    #[arg(long, value_name = "FORMAT", ignore_case = true, conflicts_with_all = ["turn", "from", "to", "quiet"], help = "Print the result as JSON instead of the screens", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Journal {
    /// Verify journals, and print one line for each: its verdict
    Check {
        /// The journals, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Print what a journal's header says, and how its game went
    Show {
        /// The journal, or - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Print the first difference of two journals
    Diff {
        /// One journal, or - for standard input
        #[arg(value_name = "A")]
        a: PathBuf,
        /// The other journal, or - for standard input
        #[arg(value_name = "B")]
        b: PathBuf,
    },
    /// End a journal whose recording was cut off, in a new file
    Repair {
        /// The journal that was cut off
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The new file
        #[arg(value_name = "NEW")]
        new: PathBuf,
    },
}
