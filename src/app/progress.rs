use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

/// How long reading may take before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A reader that shows on a terminal how far it is.
pub(crate) struct Progress<R> {
    input: R,
    bar: ProgressBar,
    /// When reading began, until the progress is shown; `None` where it never will be.
    silent_since: Option<Instant>,
}

impl<R: Read> Progress<R> {
    /// `bytes` is how many there are, where that is known; a `quiet` command has the
    /// terminal for itself.
    pub(crate) fn new(input: R, bytes: Option<u64>, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(
            "{elapsed_precise} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}",
        ) {
            bar.set_style(style);
        }
        let seen = io::stderr().is_terminal() && (quiet || !io::stdout().is_terminal());
        Self {
            input,
            bar,
            silent_since: seen.then(Instant::now),
        }
    }
}

impl<R: Read> Read for Progress<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bar.inc(read as u64);
        if self
            .silent_since
            .is_some_and(|since| since.elapsed() > PATIENCE)
        {
            self.silent_since = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        Ok(read)
    }
}

impl<R> Drop for Progress<R> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
