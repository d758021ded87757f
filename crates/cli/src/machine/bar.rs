//! Progress bar on standard error that leaves nothing behind.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time before a bar appears.
const DELAY: Duration = Duration::from_secs(2);

/// Bar that is visible now.
static VISIBLE_BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Progress bar that appears once a command has taken a while.
pub(super) struct DelayedBar {
    inner: ProgressBar,
    started: Instant,
    may_appear: bool,
}

impl DelayedBar {
    /// Creates a bar for this many units, if known; the bar stays hidden unless `may_appear`.
    pub(super) fn new(units: Option<u64>, style: Option<ProgressStyle>, may_appear: bool) -> Self {
        let bar = ProgressBar::with_draw_target(units, ProgressDrawTarget::hidden());
        if let Some(style) = style {
            bar.set_style(style);
        }
        Self {
            inner: bar,
            started: Instant::now(),
            may_appear,
        }
    }

    /// Parses a template for the style of a bar.
    ///
    /// The cursor waits at the left margin: at the right, the `^C` of an interrupt would wrap to
    /// the next line, and the bar's line would stay.
    pub(super) fn parse_style(template: &str) -> Option<ProgressStyle> {
        let style = ProgressStyle::with_template(&format!("{template}{{left}}")).ok()?;
        Some(
            style.with_key("left", |_: &_, out: &mut dyn std::fmt::Write| {
                let _ = out.write_char('\r');
            }),
        )
    }

    /// Hides the bar while something else is printed.
    pub(super) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.inner.suspend(print)
    }

    pub(super) fn advance(&self, units: u64) {
        self.inner.inc(units);
        let is_due = self.started.elapsed() > DELAY && self.inner.is_hidden();
        if self.may_appear && is_due {
            *lock_visible_bar() = Some(self.inner.clone());
            self.inner.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl DelayedBar {
    /// Advances to this many of `all` units.
    #[cfg(feature = "table")]
    pub(super) fn advance_to(&self, units: u64, all: u64) {
        self.inner.set_length(all);
        self.advance(units.saturating_sub(self.inner.position()));
    }
}

impl Drop for DelayedBar {
    fn drop(&mut self) {
        self.inner.finish_and_clear();
        *lock_visible_bar() = None;
    }
}

/// Removes the bar, for a program that is about to exit.
pub(super) fn clear() {
    if let Some(bar) = lock_visible_bar().take() {
        bar.finish_and_clear();
    }
}

fn lock_visible_bar() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    VISIBLE_BAR.lock().unwrap_or_else(PoisonError::into_inner)
}
