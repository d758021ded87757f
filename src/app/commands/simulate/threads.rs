//! Games spread over threads, with their progress, until they are all played or interrupted.

use crate::app::commands::simulate::outputs::{self, Output};
use crate::app::exit::Failure;
use crate::app::signals::SAME_SIGNAL;
use crate::i18n::{Catalogue, Message, Text};
use crate::simulate::{GameSetup, Kernel, Played, Run, Simulator, Tally, Verdict};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// The exit code of a program that was interrupted twice.
const SECOND_INTERRUPTION: i32 = 130;

/// Set when the user interrupts the program.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// When that was.
static FIRST: OnceLock<Instant> = OnceLock::new();

/// Lets an interruption end the games, with the figures so far; so does a request to end, as a
/// cluster makes it when the time of a job is up.
pub(crate) fn catch_interruption() {
    // Where no handler can be set, an interruption ends the program as it always did.
    let _ = ctrlc::set_handler(|| {
        let first = FIRST.get_or_init(Instant::now);
        let again = INTERRUPTED.swap(true, Ordering::Relaxed);
        // Who interrupts twice does not want to wait for the games being played.
        if again && first.elapsed() > SAME_SIGNAL {
            outputs::remove_unfinished();
            std::process::exit(SECOND_INTERRUPTION);
        }
    });
}

/// Whether the user has interrupted the program.
pub(crate) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// How many games a thread takes at a time: one at first, for it may be long, and more as long
/// as they are played quickly.
const FIRST_CHUNK: u64 = 1;
const LARGEST_CHUNK: u64 = 1 << 12;
/// How many times each thread takes games before rows are written.
const CHUNKS: u64 = 8;
/// The most games of all threads until then: their rows wait in memory.
const LARGEST_ROUND: u64 = 1 << 20;
/// How long that may last if more games are to be taken the next time.
const QUICK: Duration = Duration::from_millis(50);

/// How long a command may take before it shows its progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error, where that is a terminal.
pub(crate) struct Bar {
    shown_on: ProgressBar,
    since: Instant,
    shown: bool,
}

impl Bar {
    pub(crate) fn new(games: u64, catalogue: &Catalogue) -> Self {
        let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::hidden());
        let text = Text::new(Message::SIM_PROGRESS)
            .with("played", "{human_pos}")
            .with("games", "{human_len}")
            .with("rate", "{rate}")
            .with("left", "{eta_precise}");
        let template = format!("{{elapsed_precise}} {{wide_bar}} {}", catalogue.text(&text));
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.with_key("rate", rate));
        }
        Self {
            shown_on: bar,
            since: Instant::now(),
            shown: !io::stderr().is_terminal(),
        }
    }

    pub(crate) fn more(&mut self, games: u64) {
        self.shown_on.inc(games);
        if !self.shown && self.since.elapsed() > PATIENCE {
            self.shown = true;
            self.shown_on.set_draw_target(ProgressDrawTarget::stderr());
        }
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

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown_on.finish_and_clear();
    }
}

/// Does the work on so many threads, of which the calling one is one; on fewer where the system
/// starts no more. The threads have to share out the work among themselves.
pub(crate) fn on_threads(jobs: usize, work: impl Fn() + Sync) {
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
pub(crate) struct Plan {
    pub(crate) rules: GameSetup,
    pub(crate) seed: u64,
    pub(crate) games: u64,
    pub(crate) part: Range<u64>,
    pub(crate) kernel: Kernel,
    pub(crate) jobs: usize,
}

impl Plan {
    /// Plays the games, and writes a row for each where there is somewhere to.
    ///
    /// An interruption ends the run after a whole number of its games from the first on.
    pub(crate) fn play(
        self,
        mut rows: Option<&mut Output>,
        catalogue: &Catalogue,
    ) -> Result<Run, Failure> {
        let worker = |_| Worker::new(Simulator::new(self.rules.clone(), self.kernel));
        let mut workers: Vec<_> = (0..self.jobs).map(worker).collect();
        let bar = Mutex::new(Bar::new(self.part.end - self.part.start, catalogue));
        let mut from = self.part.start;
        let mut size = FIRST_CHUNK;
        while from < self.part.end && !interrupted() {
            let round = size * CHUNKS * self.jobs as u64;
            let to = self.part.end.min(from.saturating_add(round));
            let began = Instant::now();
            self.play_round(&mut workers, from..to, size, (rows.is_some(), &bar));
            let next = keep_those_without_a_gap(&mut workers, from);
            if let Some(rows) = &mut rows {
                for text in rows_in_order(&mut workers) {
                    rows.write(&text)?;
                }
            }
            from = next;
            let larger = LARGEST_ROUND / (CHUNKS * self.jobs as u64);
            if began.elapsed() < QUICK {
                size = LARGEST_CHUNK.min(larger).min(2 * size);
            }
        }
        let mut tally = Tally::default();
        for mut worker in workers {
            worker.count();
            tally.add(&worker.tally);
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
    /// are no more or the user interrupts.
    fn play_round(
        &self,
        workers: &mut [Worker],
        games: Range<u64>,
        size: u64,
        (with_rows, bar): (bool, &Mutex<Bar>),
    ) {
        let next = AtomicU64::new(games.start);
        let jobs = workers.len();
        let idle = Mutex::new(workers.iter_mut());
        let goes_on = || !interrupted();
        let work = || {
            let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(worker) = taken else {
                return;
            };
            worker.count();
            while goes_on() {
                let start = next.fetch_add(size, Ordering::Relaxed);
                if start >= games.end {
                    return;
                }
                let all = start..games.end.min(start + size);
                let (mut tally, mut rows) = (Tally::default(), String::new());
                let each = |game, played: &Played| {
                    if with_rows {
                        row(&mut rows, game, played);
                    }
                };
                let simulator = &mut worker.simulator;
                let played = simulator.play_while(self.seed, all, &mut tally, each, &goes_on);
                worker.chunks.push(Chunk {
                    games: start..start + played,
                    tally,
                    rows,
                });
                let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
                bar.more(played);
            }
        };
        on_threads(jobs, work);
    }
}

/// What a thread works with, and what it has done.
struct Worker {
    simulator: Simulator,
    /// The games of former rounds.
    tally: Tally,
    /// The games of this round.
    chunks: Vec<Chunk>,
}

/// Games that a thread took at a time, up to the one that was interrupted.
struct Chunk {
    games: Range<u64>,
    tally: Tally,
    rows: String,
}

impl Worker {
    fn new(simulator: Simulator) -> Self {
        Self {
            simulator,
            tally: Tally::default(),
            chunks: Vec::new(),
        }
    }

    /// Counts the games of the round.
    fn count(&mut self) {
        for chunk in self.chunks.drain(..) {
            self.tally.add(&chunk.tally);
        }
    }
}

/// Drops the games of a round that lie behind one that was not played to its end: the number
/// of that one.
fn keep_those_without_a_gap(workers: &mut [Worker], from: u64) -> u64 {
    let chunks = workers.iter().flat_map(|worker| &worker.chunks);
    let mut played: Vec<_> = chunks.map(|chunk| chunk.games.clone()).collect();
    played.sort_by_key(|games| games.start);
    let mut next = from;
    for games in played.into_iter().filter(|games| !games.is_empty()) {
        if games.start == next {
            next = games.end;
        }
    }
    for worker in workers {
        worker.chunks.retain(|chunk| chunk.games.end <= next);
    }
    next
}

/// Takes the rows of a round, in the order of their games.
fn rows_in_order(workers: &mut [Worker]) -> Vec<String> {
    let chunks = workers.iter_mut().flat_map(|worker| &mut worker.chunks);
    let taken = chunks.map(|chunk| (chunk.games.start, std::mem::take(&mut chunk.rows)));
    let mut taken: Vec<_> = taken.collect();
    taken.sort_by_key(|(start, _)| *start);
    taken.into_iter().map(|(_, rows)| rows).collect()
}

/// The first row of a file with a row for each game.
pub(crate) const ROWS: &str = "game,verdict,winner,turns,wars,period\n";

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
