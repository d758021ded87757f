//! Where colors are shown.

use anstream::{AutoStream, ColorChoice};
use clap::builder::styling::AnsiColor;
use std::io;

/// Whether what goes to standard output and to standard error is colored.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Colors {
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
}

impl Colors {
    /// Where colors are shown by this choice: by default on terminals, unless `NO_COLOR` or
    /// `CLICOLOR_FORCE` say otherwise.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        choice.write_global();
        Self {
            stdout: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            stderr: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
        }
    }

    /// A text for standard error, in bold and in this color where colors are shown.
    pub(crate) fn stderr(self, text: &str, color: Option<AnsiColor>) -> String {
        match color {
            Some(color) if self.stderr => {
                let style = color.on_default().bold();
                format!("{style}{text}{style:#}")
            }
            _ => text.to_owned(),
        }
    }
}
