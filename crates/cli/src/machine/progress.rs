//! Progress bars of commands, on a terminal.

use super::bar::DelayedBar;
use super::input;
use super::signals::{Interruption, is_interrupted};
use indicatif::{HumanCount, ProgressState};
#[cfg(feature = "table")]
use indicatif::{ProgressBar, ProgressDrawTarget};
use std::fmt::Write;
use std::io::{self, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[cfg(feature = "table")]
use std::time::Duration;
use war::i18n::{Catalogue, text};
use war_simulate::Monitor;

/// Reader with a progress bar; fails once the program is interrupted.
pub(crate) struct ProgressReader<R> {
    input: R,
    bar: Arc<DelayedBar>,
}

/// Use of standard output while a journal is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StdoutUse {
    /// No output, which leaves the terminal free for a progress bar.
    Silent,
    /// Output of the game while the journal is read.
    Printing,
}

/// Input of a journal, with a progress bar.
pub(crate) type JournalInput = ProgressReader<Box<dyn Read + Send>>;

impl JournalInput {
    /// Opens a journal, or standard input for `-`.
    pub(crate) fn open(path: &Path, stdout: StdoutUse) -> io::Result<Self> {
        let (file, bytes) = input::open_with_size(path)?;
        Ok(Self::new(file, bytes, stdout))
    }
}

impl<R: Read> ProgressReader<R> {
    /// Wraps a reader of `bytes` bytes, if known. The bar is shown if standard output is silent, or
    /// if it is not a terminal and the size is known: a stream may deliver its data as slowly as a
    /// game is played.
    pub(crate) fn new(input: R, bytes: Option<u64>, stdout: StdoutUse) -> Self {
        let is_silent = stdout == StdoutUse::Silent;
        let is_alone = is_silent || bytes.is_some() && !io::stdout().is_terminal();
        let is_visible = is_alone && io::stderr().is_terminal();
        let bar = Arc::new(byte_bar(bytes, is_visible));
        Self { input, bar }
    }
}

fn byte_bar(bytes: Option<u64>, is_visible: bool) -> DelayedBar {
    let template = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}";
    DelayedBar::new(bytes, DelayedBar::parse_style(template), is_visible)
}

/// Progress bar for several files, which may be read at the same time.
pub(crate) struct SharedProgress(Arc<DelayedBar>);

impl SharedProgress {
    /// Creates a bar for this many bytes in total, if known.
    pub(crate) fn new(bytes: Option<u64>) -> Self {
        Self(Arc::new(byte_bar(bytes, io::stderr().is_terminal())))
    }

    /// Wraps one of the readers.
    pub(crate) fn wrap_reader<R: Read>(&self, input: R) -> ProgressReader<R> {
        let bar = Arc::clone(&self.0);
        ProgressReader { input, bar }
    }

    /// Hides the bar while something is printed.
    pub(crate) fn suspend_bar<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if is_interrupted() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let read = self.input.read(buffer)?;
        self.bar.advance(read as u64);
        Ok(read)
    }
}

/// Progress bar of a copy that can be interrupted.
#[cfg(feature = "table")]
pub(crate) struct CopyProgress(DelayedBar);

#[cfg(feature = "table")]
impl CopyProgress {
    /// Creates a bar in bytes; the length is given later.
    pub(crate) fn new_in_bytes() -> Self {
        Self(byte_bar(None, io::stderr().is_terminal()))
    }

    /// Creates a bar in rows; their number is given later.
    pub(crate) fn new_in_rows() -> Self {
        let template = "{elapsed_precise} {wide_bar} {human_pos}/{human_len}";
        Self(DelayedBar::new(
            None,
            DelayedBar::parse_style(template),
            io::stderr().is_terminal(),
        ))
    }

    /// Shows the number of bytes or rows copied so far, out of `all`. Returns false once the
    /// program is interrupted.
    pub(crate) fn advance_unless_interrupted(&self, bytes: u64, all: u64) -> bool {
        self.0.advance_to(bytes, all);
        !is_interrupted()
    }
}

/// Progress bar of games that can be interrupted.
pub(crate) struct GameProgress<'a> {
    bar: DelayedBar,
    interruption: &'a Interruption,
    fallback_games: AtomicU64,
}

impl<'a> GameProgress<'a> {
    pub(crate) fn new(games: u64, interruption: &'a Interruption, catalogue: &Catalogue) -> Self {
        let text = text!(
            SimProgress,
            played = "{human_pos}",
            games = "{human_len}",
            rate = "{rate}",
            left = "{eta_precise}"
        );
        let template = format!(
            "{{elapsed_precise}} {{wide_bar}} {}",
            catalogue.format_text(&text)
        );
        let style = DelayedBar::parse_style(&template);
        let style = style.map(|style| style.with_key("rate", write_rate));
        Self {
            bar: DelayedBar::new(Some(games), style, io::stderr().is_terminal()),
            interruption,
            fallback_games: AtomicU64::new(0),
        }
    }

    /// Number of games that the general engine played in place of a faster one.
    pub(crate) fn fallback_games(&self) -> u64 {
        self.fallback_games.load(Ordering::Relaxed)
    }
}

impl Monitor for GameProgress<'_> {
    fn should_continue(&self) -> bool {
        !self.interruption.is_requested()
    }

    fn report_games(&self, games: u64) {
        self.bar.advance(games);
    }

    fn report_general_kernel_games(&self, games: u64) {
        self.fallback_games.fetch_add(games, Ordering::Relaxed);
    }
}

/// Writes the number of games per second as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is positive, and far below `u64::MAX`"
)]
fn write_rate(state: &ProgressState, out: &mut dyn Write) {
    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
}

/// Spinner for a task of unknown length, on a terminal.
#[cfg(feature = "table")]
pub(crate) fn start_spinner() -> ProgressBar {
    let bar = if io::stderr().is_terminal() {
        ProgressBar::new_spinner()
    } else {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden())
    };
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
