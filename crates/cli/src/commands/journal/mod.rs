//! `war journal`: commands for recorded games.

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod repair;
pub(crate) mod show;
pub(crate) mod sign;
pub(crate) mod upgrade;

use crate::arguments::journal::{CHECK_RESULT_HELP, ResultFormat};
use clap::Subcommand;
use export::{EXPORT_EXAMPLES, ExportArgs};
use sign::{SIGN_EXAMPLES, SignArgs, VERIFY_EXAMPLES, VerifyArgs};
use std::path::PathBuf;
use upgrade::UpgradeArgs;

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

#[derive(Debug, Subcommand)]
pub(crate) enum JournalCommand {
    /// Verify journals, and print a verdict for each on a line
    Check {
        /// Journals to verify, or - for standard input
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
        #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print a JSON object for each file instead of the verdict", long_help = CHECK_RESULT_HELP)]
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
    Upgrade(UpgradeArgs),
    /// Sign journals that are VERIFIED, each in a new file beside it
    #[command(after_help = SIGN_EXAMPLES)]
    Sign(SignArgs),
    /// Verify journals and their signatures, and print a verdict for each on a line
    #[command(after_help = VERIFY_EXAMPLES)]
    Verify(VerifyArgs),
    /// Make a table of the events of journals, for other tools
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportArgs),
}
