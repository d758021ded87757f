//! Games spread over threads, with their progress, until they are all played or interrupted.

use super::super::exit::Failure;
use super::outputs::Output;
use crate::simulate::{Kernel, Played, Rules, Run, Simulator, Tally, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted twice.
const SECOND_INTERRUPTION: i32 = 130;

/// Set when the user interrupts the program.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Lets an interruption end the games, with the figures so far.
pub(in crate::app) fn catch_interruption() {
    // Where no handler can be set, an interruption ends the program as it always did.
    let _ = ctrlc::set_handler(|| {
        // Who interrupts twice does not want to wait for the games being played.
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(SECOND_INTERRUPTION);
        }
    });
}

/// Whether the user has interrupted the program.
pub(in crate::app) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// How many games a thread takes at a time: few at first, and more as long as they are played
/// quickly.
const FIRST_CHUNK: u64 = 16;
const LARGEST_CHUNK: u64 = 1 << 12;
/// How many times each thread takes games before rows are written and the progress is shown.
const CHUNKS: u64 = 8;
/// How long that may last if more games are to be taken the next time.
const QUICK: Duration = Duration::from_millis(50);

/// How long a command may take before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error, where that is a terminal.
pub(in crate::app) struct Bar {
    shown_on: ProgressBar,
    since: Instant,
    shown: bool,
}

impl Bar {
    pub(in crate::app) fn new(games: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
        let template = "{elapsed_precise} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self {
            shown_on: bar,
            since: Instant::now(),
            shown: !io::stderr().is_terminal(),
        }
    }

    pub(in crate::app) fn more(&mut self, games: u64) {
        self.shown_on.inc(games);
        if !self.shown && self.since.elapsed() > PATIENCE {
            self.shown = true;
            self.shown_on.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown_on.finish_and_clear();
    }
}

/// Does the work on so many threads, of which the calling one is one; on fewer where the system
/// starts no more. The threads have to share out the work among themselves.
pub(in crate::app) fn on_threads(jobs: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            if Builder::new().spawn_scoped(scope, &work).is_err() {
                break;
            }
        }
        work();
    });
}

/// What is to be played.
pub(in crate::app) struct Plan {
    pub(in crate::app) rules: Rules,
    pub(in crate::app) seed: u64,
    pub(in crate::app) games: u64,
    pub(in crate::app) part: Range<u64>,
    pub(in crate::app) kernel: Kernel,
    pub(in crate::app) jobs: usize,
}

impl Plan {
    /// Plays the games, and writes a row for each where there is somewhere to.
    ///
    /// An interruption ends the run after a whole number of its games from the first on.
    pub(in crate::app) fn play(self, mut rows: Option<&mut Output>) -> Result<Run, Failure> {
        let mut simulators: Vec<_> = (0..self.jobs)
            .map(|_| {
                (
                    Simulator::new(self.rules.clone(), self.kernel),
                    Tally::default(),
                )
            })
            .collect();
        let mut bar = Bar::new(self.part.end - self.part.start);
        let mut from = self.part.start;
        let mut chunk = FIRST_CHUNK;
        while from < self.part.end && !interrupted() {
            let round = chunk * CHUNKS * self.jobs as u64;
            let to = self.part.end.min(from.saturating_add(round));
            let began = Instant::now();
            let (chunks, written) =
                self.play_round(&mut simulators, from..to, chunk, rows.is_some());
            if let Some(rows) = &mut rows {
                for text in written {
                    rows.write(&text)?;
                }
            }
            let next = to.min(from + chunks * chunk);
            bar.more(next - from);
            from = next;
            if began.elapsed() < QUICK {
                chunk = LARGEST_CHUNK.min(2 * chunk);
            }
        }
        let mut tally = Tally::default();
        for (_, counted) in &simulators {
            tally.add(counted);
        }
        Ok(Run {
            partial: from < self.part.end,
            part: self.part.start..from,
            rules: self.rules,
            seed: self.seed,
            games: self.games,
            tally,
        })
    }

    /// Plays these games with all threads, each of which takes `size` at a time, until there
    /// are no more or the user interrupts: how many times games were taken, and their rows, if
    /// asked for, in order.
    fn play_round(
        &self,
        simulators: &mut [(Simulator, Tally)],
        games: Range<u64>,
        size: u64,
        with_rows: bool,
    ) -> (u64, Vec<String>) {
        let next = AtomicU64::new(0);
        let written = Mutex::new(Vec::new());
        let jobs = simulators.len();
        let idle = Mutex::new(simulators.iter_mut());
        let work = || {
            let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((simulator, tally)) = taken else {
                return;
            };
            while !interrupted() {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                let start = games.start + chunk * size;
                if start >= games.end {
                    return;
                }
                let end = games.end.min(start + size);
                let mut text = String::new();
                simulator.play(self.seed, start..end, tally, |game, played| {
                    if with_rows {
                        row(&mut text, game, played);
                    }
                });
                if with_rows {
                    let mut written = written.lock().unwrap_or_else(PoisonError::into_inner);
                    written.push((chunk, text));
                }
            }
        };
        on_threads(jobs, work);
        let mut written = written.into_inner().unwrap_or_else(PoisonError::into_inner);
        written.sort_by_key(|(chunk, _)| *chunk);
        let written = written.into_iter().map(|(_, text)| text).collect();
        (next.into_inner(), written)
    }
}

/// The first row of a file with a row for each game.
pub(super) const ROWS: &str = "game,verdict,winner,turns,wars,period\n";

/// Appends the row of a game.
fn row(out: &mut String, game: u64, played: &Played) {
    let (turns, wars) = (played.turns, played.wars);
    let written = match played.verdict {
        Verdict::Won(seat) => writeln!(out, "{game},won,{seat},{turns},{wars},"),
        Verdict::Drawn => writeln!(out, "{game},drawn,,{turns},{wars},"),
        Verdict::Endless { period } => writeln!(out, "{game},endless,,{turns},{wars},{period}"),
        Verdict::Undecided => writeln!(out, "{game},undecided,,{turns},{wars},"),
    };
    written.expect("memory takes every byte");
}
