//! The command line of `war stats`, and what a drawing may be called.

use clap::Args;
use std::path::{Path, PathBuf};
use war::i18n::{Text, text};
use war::support::visible::on_one_line;

pub(super) const STATS_EXAMPLES: &str = "\
Examples:
  war stats game.json                  print its figures, and a chart of everyone's cards
  war stats game.json --svg game.svg   draw the chart, too
  cat game.json | war stats -          read standard input

The journal is verified first, as `war replay` does. Nothing is printed of one
that is DAMAGED or DIVERGED; of one that is INCOMPLETE, what is intact.";

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// Journal of the game, or - for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Draw the chart in this SVG file (- for standard output, in place of the figures)
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) svg: Option<PathBuf>,
}

/// Checks that a drawing does not get the name of another kind of picture.
///
/// # Errors
///
/// What is wrong with its name.
pub(crate) fn check_drawing(file: Option<&Path>) -> Result<(), Text> {
    const OTHERS: [&str; 6] = ["png", "jpg", "jpeg", "gif", "webp", "pdf"];
    let Some(path) = file else {
        return Ok(());
    };
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    if OTHERS.contains(&extension.to_lowercase().as_str()) {
        let file = on_one_line(&path.display().to_string());
        return Err(text!(SimNoSvg, file = file));
    }
    Ok(())
}
