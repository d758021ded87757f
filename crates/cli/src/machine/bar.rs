//! The bar on a terminal, which leaves nothing behind.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a command may take before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// The bar that is on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A bar on standard error, once it has been waited for.
pub(super) struct Bar {
    shown_on: ProgressBar,
    since: Instant,
    is_seen: bool,
}

impl Bar {
    /// A bar of so many units, if they are known, that shows this; it stays hidden
    /// where nobody would see it.
    pub(super) fn new(units: Option<u64>, style: Option<ProgressStyle>, is_seen: bool) -> Self {
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

    /// The style of this template.
    ///
    /// The cursor waits at the left: the `^C` of an interruption, written at the right, would
    /// be in the next line, and the one with the bar would stay.
    pub(super) fn style(template: &str) -> Option<ProgressStyle> {
        let style = ProgressStyle::with_template(&format!("{template}{{left}}")).ok()?;
        Some(
            style.with_key("left", |_: &_, out: &mut dyn std::fmt::Write| {
                let _ = out.write_char('\r');
            }),
        )
    }

    /// Takes the bar off the terminal while something else is printed.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.shown_on.suspend(print)
    }

    /// Counts more units.
    pub(super) fn more(&self, units: u64) {
        self.shown_on.inc(units);
        let is_due = self.since.elapsed() > PATIENCE && self.shown_on.is_hidden();
        if self.is_seen && is_due {
            *shown() = Some(self.shown_on.clone());
            self.shown_on.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Bar {
    /// Shows so many units of all of them.
    #[cfg(feature = "table")]
    pub(super) fn reach(&self, units: u64, all: u64) {
        self.shown_on.set_length(all);
        self.more(units.saturating_sub(self.shown_on.position()));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown_on.finish_and_clear();
        *shown() = None;
    }
}

/// Takes the bar off the terminal, for a program that ends at once.
pub(super) fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

fn shown() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
