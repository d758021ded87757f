//! The command line of `war log`.

use super::result::ResultFormat;
use clap::{Args, Subcommand, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

pub(super) const LOG_EXAMPLES: &str = "\
Examples:
  war log verify https://war.example/log          verify the log of a table
  war log verify https://war.example/log --with checkpoint.txt
                                                  and that nothing you saw is gone
  war log verify copy --key table.pub             verify a copy in a directory";

/// What the long help says of `--result`.
const RESULT_HELP: &str = "\
Print the result as JSON instead of the verdict

Standard output is then one line, a JSON object with these fields:

  format, version    \"war-log-result\", 1
  log                address or directory of the log
  table, size, root  number of the table, leaves and root, as the checkpoint says if it
                     was signed with the key; else null
  key, fingerprint   number of the key, and its SHA-256
  with               leaves of the earlier checkpoint; null without one
  leaves             leaves that were read and are in the tree
  games, ended       games that began in them, and how many of those ended
  verdict            \"VERIFIED\", \"DAMAGED\", \"DIVERGED\", \"UNEXPECTED\" or \"UNSUPPORTED\"
  code, leaf         code of the worst fault, such as \"WL301\", and the leaf it is about;
                     else null
  message            the worst fault in words; null without one
  faults             number of faults";

#[derive(Debug, Subcommand)]
pub(crate) enum Log {
    /// Verify the log of a card table: nothing was changed, nothing was dropped
    #[command(after_help = LOG_EXAMPLES)]
    Verify(VerifyLog),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyLog {
    /// Address of the log, or a directory with a copy of it
    #[arg(value_name = "URL|DIR", value_hint = ValueHint::DirPath)]
    pub(crate) log: PathBuf,
    /// Checkpoint that you saved earlier: the log must contain everything it stands for
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Option<PathBuf>,
    /// Public key of the table, a file or the key itself [default: the one in the log]
    #[arg(long, value_name = "KEY", value_hint = ValueHint::FilePath)]
    pub(crate) key: Option<OsString>,
    #[arg(long, value_name = "FORMAT", ignore_case = true, help = "Print the result as JSON instead of the verdict", long_help = RESULT_HELP)]
    pub(crate) result: Option<ResultFormat>,
}
