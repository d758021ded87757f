//! Standard output and standard error, in the words of a language, and where colors are shown.

use super::interruptible::InterruptibleWriter;
use super::output::StandardOutput;
use super::signals::is_interrupted;
use super::text::io_text;
use anstream::{AutoStream, ColorChoice};
use clap::builder::StyledStr;
use clap::builder::styling::AnsiColor;
use std::io::{self, Stderr, Write};
use std::path::Path;
use war::i18n::{Catalogue, Text, text};
use war::journal::Verdict;
use war::result::GameResult;
use war::support::visible::{joined, visible};

/// Standard output and standard error, in the player's language.
///
/// When a reader closes the pipe, what follows is dropped in silence.
pub(crate) struct Terminal {
    pub(crate) catalogue: &'static Catalogue,
    pub(crate) out: StandardOutput,
    errors: InterruptibleWriter<Stderr>,
    colors: Colors,
}

/// How standard output took all that was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseOutcome {
    /// Whole, or nobody wanted to read on.
    Complete,
    /// Not to the end, as somebody interrupted.
    Interrupted,
    /// It failed.
    Failed,
}

impl Terminal {
    pub(crate) fn new(catalogue: &'static Catalogue, colors: Colors) -> Self {
        Self {
            catalogue,
            out: StandardOutput::new(),
            errors: InterruptibleWriter::new(io::stderr()),
            colors,
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.out.print(text);
    }

    pub(crate) fn print_line(&mut self, text: &Text) {
        let mut line = self.catalogue.text(text);
        line.push('\n');
        self.print(&line);
    }

    /// Prints the result of a game, recorded in this file.
    pub(crate) fn print_result(&mut self, result: GameResult, journal: Option<&Path>) {
        let journal = journal.map(|path| path.to_string_lossy().into_owned());
        self.print(&result.to_json(journal));
        self.print("\n");
    }

    /// Prints a help text, colored where colors are shown.
    pub(crate) fn print_styled(&mut self, help: &StyledStr) {
        if self.colors.stdout {
            self.out.print_as_is(&help.ansi().to_string());
        } else {
            self.print(&help.to_string());
        }
    }

    /// Whether standard output has colors.
    #[cfg(feature = "watch")]
    pub(crate) const fn is_colored(&self) -> bool {
        self.colors.stdout
    }

    /// Sends out what is printed so far.
    pub(crate) fn flush(&mut self) {
        self.out.flush();
    }

    /// Sends out what is printed so far, and returns how that went.
    pub(crate) fn close(mut self) -> CloseOutcome {
        self.out.flush();
        match self.out.take_failure() {
            Some(_) if is_interrupted() => CloseOutcome::Interrupted,
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let text = text!(OutputFailed, reason = io_text(&error));
                self.error(&text);
                CloseOutcome::Failed
            }
            _ => CloseOutcome::Complete,
        }
    }

    /// A line on standard error, after all that is printed so far.
    pub(crate) fn report(&mut self, text: &Text) {
        self.report_line(&self.catalogue.text(text));
    }

    /// A line on standard error that is ready; control characters are made visible.
    pub(crate) fn report_line(&mut self, line: &str) {
        self.report_colored(line, 0, None);
    }

    /// A line on standard error with these colors, if any, for so many bytes at its start.
    fn report_colored(&mut self, line: &str, bytes: usize, color: Option<AnsiColor>) {
        self.out.flush();
        let (start, rest) = line.split_at(bytes);
        let start = self.colors.stderr(start, color);
        // Where standard error is gone, nobody is left to read it.
        let line = format!("{start}{}\n", visible(rest));
        let _ = self.errors.write_all(line.as_bytes());
    }

    /// A line on standard error whose first word is the verdict on a journal.
    pub(crate) fn report_verdict(&mut self, verdict: Verdict, text: &Text) {
        let color = match verdict {
            Verdict::Verified => AnsiColor::Green,
            Verdict::Incomplete | Verdict::Unsupported => AnsiColor::Yellow,
            Verdict::Damaged | Verdict::Diverged | Verdict::Unexpected => AnsiColor::Red,
        };
        let line = self.catalogue.text(text);
        self.report_colored(&line, verdict.word().len(), Some(color));
    }

    /// A line on standard error that begins with what kind of line it is, and one with advice.
    ///
    /// A line end in a name or a typed value would look like the end of it.
    fn report_labelled(&mut self, label: impl Fn(Text) -> Text, text: &Text, color: AnsiColor) {
        let text = text.with_words(joined);
        self.report_labelled_line(&label(text.clone()), color);
        if let Some(hint) = self.catalogue.hint(&text) {
            self.report_labelled_line(&text!(Hint, text = hint), AnsiColor::Green);
        }
    }

    fn report_labelled_line(&mut self, text: &Text, color: AnsiColor) {
        let line = self.catalogue.text(text);
        let label = line.find(':').map_or(0, |at| at + 1);
        self.report_colored(&line, label, Some(color));
    }

    pub(crate) fn note(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Note, text = text), text, AnsiColor::Cyan);
    }

    pub(crate) fn warning(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Warning, text = text), text, AnsiColor::Yellow);
    }

    pub(crate) fn error(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Error, text = text), text, AnsiColor::Red);
    }
}

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
