//! Standard output and standard error in the user's language, with colors.

use super::interruptible_writer::InterruptibleWriter;
use super::signals::is_interrupted;
use super::stdout::StandardOutput;
use super::text::{hide_secret, io_text};
use anstream::{AutoStream, ColorChoice};
use clap::builder::StyledStr;
use clap::builder::styling::AnsiColor;
use std::io::{self, Stderr, Write};
use std::path::Path;
use war::i18n::{Catalogue, Text, text};
use war::journal::Verdict;
use war::result::GameResult;
use war::support::sanitize::{escape_unprintable, join_lines};

/// Standard output and standard error, in the user's language.
///
/// Once a reader closes the pipe, further output is dropped silently.
pub(crate) struct Terminal {
    pub(crate) catalogue: &'static Catalogue,
    pub(crate) out: StandardOutput,
    stderr: InterruptibleWriter<Stderr>,
    colors: Colors,
}

/// Outcome of all writes to standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CloseOutcome {
    /// Complete output, or a pipe that its reader closed.
    Complete,
    /// Output cut short by an interrupt.
    Interrupted,
    /// Failed write.
    Failed,
}

impl Terminal {
    pub(crate) fn new(catalogue: &'static Catalogue, colors: Colors) -> Self {
        Self {
            catalogue,
            out: StandardOutput::new(),
            stderr: InterruptibleWriter::new(io::stderr()),
            colors,
        }
    }

    pub(crate) fn print(&mut self, text: &str) {
        self.out.print(text);
    }

    pub(crate) fn print_line(&mut self, text: &Text) {
        let mut line = self.catalogue.format_text(text);
        line.push('\n');
        self.print(&line);
    }

    /// Prints the result of a game as JSON; `journal` is the file of its journal.
    pub(crate) fn print_result(&mut self, result: GameResult, journal: Option<&Path>) {
        let journal = journal.map(|path| path.to_string_lossy().into_owned());
        self.print(&result.to_json(journal));
        self.print("\n");
    }

    /// Prints a help text, in colors if they are enabled.
    pub(crate) fn print_help(&mut self, help: &StyledStr) {
        if self.colors.stdout {
            self.out.print_as_is(&help.ansi().to_string());
        } else {
            self.print(&help.to_string());
        }
    }

    #[cfg(feature = "watch")]
    pub(crate) const fn is_colored(&self) -> bool {
        self.colors.stdout
    }

    pub(crate) fn flush(&mut self) {
        self.out.flush();
    }

    /// Flushes standard output; returns the outcome of all its writes.
    pub(crate) fn close(mut self) -> CloseOutcome {
        self.out.flush();
        match self.out.take_failure() {
            Some(_) if is_interrupted() => CloseOutcome::Interrupted,
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let text = text!(OutputFailed, reason = io_text(&error));
                self.report_error(&text);
                CloseOutcome::Failed
            }
            _ => CloseOutcome::Complete,
        }
    }

    /// Prints a line to standard error, after flushing standard output.
    pub(crate) fn report(&mut self, text: &Text) {
        self.report_line(&self.catalogue.format_text(text));
    }

    /// Prints a line to standard error, with control characters made visible.
    pub(crate) fn report_line(&mut self, line: &str) {
        self.report_colored(line, 0, None);
    }

    /// Prints a line to standard error; its first `bytes` bytes are colored.
    fn report_colored(&mut self, line: &str, bytes: usize, color: Option<AnsiColor>) {
        self.out.flush();
        let (start, rest) = line.split_at(bytes);
        let start = self.colors.paint_for_stderr(start, color);
        // If standard error is gone, nobody is left to read the line.
        let line = format!("{start}{}\n", escape_unprintable(rest));
        let _ = self.stderr.write_all(line.as_bytes());
    }

    /// Prints a line that begins with a journal's verdict to standard error, with the verdict
    /// colored.
    pub(crate) fn report_verdict(&mut self, verdict: Verdict, text: &Text) {
        let color = match verdict {
            Verdict::Verified => AnsiColor::Green,
            Verdict::Incomplete | Verdict::Unsupported => AnsiColor::Yellow,
            Verdict::Damaged | Verdict::Diverged | Verdict::Unexpected => AnsiColor::Red,
        };
        let line = self.catalogue.format_text(text);
        self.report_colored(&line, verdict.name().len(), Some(color));
    }

    /// Prints a labelled line to standard error, and a hint if there is one.
    ///
    /// Removes secrets, and also line breaks in names and typed values, which would look like the
    /// end of the line.
    fn report_labelled(&mut self, label: impl Fn(Text) -> Text, text: &Text, color: AnsiColor) {
        let text = text.map_words(|word| join_lines(&hide_secret(word)));
        self.report_labelled_line(&label(text.clone()), color);
        if let Some(hint) = self.catalogue.format_hint(&text) {
            self.report_labelled_line(&text!(Hint, text = hint), AnsiColor::Green);
        }
    }

    pub(crate) fn report_hint(&mut self, text: &Text) {
        self.report_labelled_line(&text!(Hint, text = text.clone()), AnsiColor::Green);
    }

    fn report_labelled_line(&mut self, text: &Text, color: AnsiColor) {
        let line = self.catalogue.format_text(text);
        let label = line.find(':').map_or(0, |at| at + 1);
        self.report_colored(&line, label, Some(color));
    }

    pub(crate) fn report_note(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Note, text = text), text, AnsiColor::Cyan);
    }

    pub(crate) fn report_warning(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Warning, text = text), text, AnsiColor::Yellow);
    }

    pub(crate) fn report_error(&mut self, text: &Text) {
        self.report_labelled(|text| text!(Error, text = text), text, AnsiColor::Red);
    }
}

/// Streams that are colored.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Colors {
    pub(crate) stdout: bool,
    pub(crate) stderr: bool,
}

impl Colors {
    /// Applies a choice: by default, terminals are colored, unless `NO_COLOR` or `CLICOLOR_FORCE`
    /// overrides that.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        choice.write_global();
        Self {
            stdout: AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            stderr: AutoStream::choice(&io::stderr()) != ColorChoice::Never,
        }
    }

    /// Formats a text for standard error, in bold and in this color if that stream is colored.
    pub(crate) fn paint_for_stderr(self, text: &str, color: Option<AnsiColor>) -> String {
        match color {
            Some(color) if self.stderr => {
                let style = color.on_default().bold();
                format!("{style}{text}{style:#}")
            }
            _ => text.to_owned(),
        }
    }
}
