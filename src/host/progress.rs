//! Bars on a terminal that show how far a command is.

use crate::host::signals::Interruption;
use crate::i18n::{Catalogue, text};
use crate::simulate::Watch;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

/// How long a command may take before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error, once it has been waited for.
struct Bar {
    shown_on: ProgressBar,
    since: Instant,
    is_seen: bool,
}

impl Bar {
    /// A bar of so many units, if they are known; it stays hidden where nobody would see it.
    fn new(units: Option<u64>, style: Option<ProgressStyle>, is_seen: bool) -> Self {
        let bar = ProgressBar::with_draw_target(units, ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        Self {
            shown_on: bar,
            since: Instant::now(),
            is_seen,
        }
    }

    fn more(&self, units: u64) {
        self.shown_on.inc(units);
        if self.is_seen && self.shown_on.is_hidden() && self.since.elapsed() > PATIENCE {
            self.shown_on.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown_on.finish_and_clear();
    }
}

/// A reader that shows on a terminal how far it is.
pub(crate) struct Progress<R> {
    input: R,
    bar: Bar,
}

impl<R: Read> Progress<R> {
    /// `bytes` is how many there are, where that is known; a `quiet` command has the
    /// terminal for itself.
    pub(crate) fn new(input: R, bytes: Option<u64>, quiet: bool) -> Self {
        let template = "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}";
        let style = ProgressStyle::with_template(template).ok();
        let is_seen = io::stderr().is_terminal() && (quiet || !io::stdout().is_terminal());
        let bar = Bar::new(bytes, style, is_seen);
        Self { input, bar }
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bar.more(read as u64);
        Ok(read)
    }
}

/// Games that go on until somebody interrupts them, with a bar that shows how far they are.
pub(crate) struct Games<'a> {
    bar: Bar,
    interruption: &'a Interruption,
}

impl<'a> Games<'a> {
    /// For this many games.
    pub(crate) fn new(games: u64, interruption: &'a Interruption, catalogue: &Catalogue) -> Self {
        let text = text!(
            SimProgress,
            played = "{human_pos}",
            games = "{human_len}",
            rate = "{rate}",
            left = "{eta_precise}"
        );
        let template = format!("{{elapsed_precise}} {{wide_bar}} {}", catalogue.text(&text));
        let style = ProgressStyle::with_template(&template).ok();
        let style = style.map(|style| style.with_key("rate", rate));
        Self {
            bar: Bar::new(Some(games), style, io::stderr().is_terminal()),
            interruption,
        }
    }
}

impl Watch for Games<'_> {
    fn goes_on(&self) -> bool {
        !self.interruption.is_requested()
    }

    fn counted(&self, games: u64) {
        self.bar.more(games);
    }
}

/// How many games are played in a second, as a whole number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rate is positive, and far below the end of all numbers"
)]
fn rate(state: &ProgressState, out: &mut dyn Write) {
    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
}
