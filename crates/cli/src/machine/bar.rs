//! The bar on a terminal, which leaves nothing behind.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a command may take before it shows its progress.
const DELAY: Duration = Duration::from_secs(2);

/// The bar that is on the terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A bar on standard error, once it has been waited for.
pub(super) struct Bar {
    bar: ProgressBar,
    started: Instant,
    is_visible: bool,
}

impl Bar {
    /// A bar of so many units, if they are known, that shows this; it stays hidden
    /// where nobody would see it.
    pub(super) fn new(units: Option<u64>, style: Option<ProgressStyle>, is_visible: bool) -> Self {
        let bar = ProgressBar::with_draw_target(units, ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        Self {
            bar,
            started: Instant::now(),
            is_visible,
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
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Counts more units.
    pub(super) fn advance(&self, units: u64) {
        self.bar.inc(units);
        let is_due = self.started.elapsed() > DELAY && self.bar.is_hidden();
        if self.is_visible && is_due {
            *shown() = Some(self.bar.clone());
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Bar {
    /// Shows so many units of all of them.
    #[cfg(feature = "table")]
    pub(super) fn advance_to(&self, units: u64, all: u64) {
        self.bar.set_length(all);
        self.advance(units.saturating_sub(self.bar.position()));
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
