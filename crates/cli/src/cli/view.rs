//! The command line of `war view`.

use clap::{Args, ValueHint};
use std::path::PathBuf;

pub(super) const VIEW_EXAMPLES: &str = "\
Examples:
  war view game.json                   open the game in the browser
  war view game.json -o game.html      write the page, to keep it or to send it
  war view game.json --lang pl         make it in Polish
  war 4 small --journal - 2>/dev/null | war view -
                                       watch a game that is not kept

The journal is verified first, and the verdict goes to standard error. A page is
made only if the journal is VERIFIED or INCOMPLETE. It opens from disk, needs no
network, and carries the journal; one above 2 MB is written beside it.";

#[derive(Debug, Args)]
pub(crate) struct View {
    /// Journal to show, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// File for the page, or - for standard output [default: a temporary file, which is opened in
    /// the browser]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
}
