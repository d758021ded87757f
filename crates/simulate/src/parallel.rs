//! Parallel work whose results are returned in order.
//!
//! Only this module of the simulator starts threads. The threads take chunks of work one after
//! another, and the calling thread folds the results in the order of the chunks. So a result is the
//! same for every number of threads, and an interruption leaves the results up to the first
//! unfinished chunk.
#![expect(clippy::disallowed_methods, reason = "only this module starts threads")]

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// Maximum number of chunks that each thread may be ahead of the slowest one; their results wait in
/// memory.
pub const MAX_CHUNKS_AHEAD: usize = 8;

/// Observer of played games, which can stop them.
///
/// `()` observes nothing and lets all games be played.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, Monitor, RunPlan};
///
/// /// Counts games, and stops the run after at least a hundred of them.
/// struct Counter(AtomicU64);
///
/// impl Monitor for Counter {
///     fn should_continue(&self) -> bool {
///         self.0.load(Ordering::Relaxed) < 100
///     }
///
///     fn report_games(&self, games: u64) {
///         self.0.fetch_add(games, Ordering::Relaxed);
///     }
/// }
///
/// let plan = RunPlan {
///     setup: GameSetup {
///         parameters: Parameters::BATAILLE,
///         players: 2,
///         deck: Deck::Small,
///         dealing: Dealing::Shuffled,
///     },
///     seed: 1,
///     games: 1_000_000,
///     part: 0..1_000_000,
///     kernel: Kernel::Fastest,
/// };
/// let run = plan.play(NonZero::<usize>::MIN, &Counter(AtomicU64::new(0)));
/// assert!(run.partial && run.tally.games() >= 100);
/// ```
pub trait Monitor: Sync {
    /// Returns true to continue. Once this method has returned false, it must always return false.
    ///
    /// Every thread calls this method before each chunk of games and in the middle of long games.
    fn should_continue(&self) -> bool {
        true
    }

    /// Reports `games` more counted games. Called only on the thread that started the work.
    fn report_games(&self, games: u64) {
        let _ = games;
    }

    /// Reports that `games` of the counted games were left to the general kernel because they took
    /// too long on the fast one. Called only on the thread that started the work.
    fn report_general_kernel_games(&self, games: u64) {
        let _ = games;
    }
}

impl Monitor for () {}

/// Processes chunks of work on `jobs` threads, and folds the results in the order of the chunks.
///
/// `make_worker` makes a worker for each thread. A worker gets a predicate that returns true while
/// the work goes on, and may leave a chunk unfinished once the predicate returns false. `fold` ends
/// the work by breaking, and the value it breaks with is the result. If the system starts no
/// thread, or `jobs` is 1, the calling thread processes the chunks.
///
/// # Panics
///
/// If `make_worker`, a worker or `fold` panics.
pub fn fold_in_order<Chunk, Output, Break, Worker>(
    jobs: NonZero<usize>,
    monitor: &dyn Monitor,
    chunks: impl Iterator<Item = Chunk>,
    make_worker: impl Fn() -> Worker + Sync,
    mut fold: impl FnMut(Output) -> ControlFlow<Break>,
) -> ControlFlow<Break>
where
    Chunk: Send,
    Output: Send,
    Worker: FnMut(Chunk, &dyn Fn() -> bool) -> Output,
{
    let ended = AtomicBool::new(false);
    let should_continue = || !ended.load(Ordering::Relaxed) && monitor.should_continue();
    let (hand_out, handed_out) = mpsc::channel();
    let (hand_in, handed_in) = mpsc::channel();
    let handed_out = Mutex::new(handed_out);
    let work = |hand_in| process_chunks(&handed_out, &hand_in, make_worker(), &should_continue);
    let work = &work;
    thread::scope(|scope| {
        let start = || {
            let hand_in = hand_in.clone();
            Builder::new().spawn_scoped(scope, move || work(hand_in))
        };
        let wanted = if jobs.get() > 1 { 0..jobs.get() } else { 0..0 };
        let started = wanted.take_while(|_| start().is_ok()).count();
        drop(hand_in);
        if started == 0 {
            let mut work_on = make_worker();
            let mut all = { chunks }
                .map_while(|chunk| should_continue().then(|| work_on(chunk, &should_continue)));
            return all.try_for_each(fold);
        }
        let mut chunks = chunks.enumerate();
        let mut hand_out = Some(hand_out);
        // Dropping the sender ends the threads when no chunk is left.
        let mut hand_out_next = || match (&hand_out, chunks.next()) {
            (Some(hand_out), Some(chunk)) => {
                hand_out.send(chunk).expect("its other end is kept here");
            }
            _ => hand_out = None,
        };
        for _ in 0..MAX_CHUNKS_AHEAD * started {
            hand_out_next();
        }
        let mut in_order = OrderedResults::new(handed_in);
        let folded = in_order.try_for_each(|done| {
            hand_out_next();
            fold(done)
        });
        ended.store(true, Ordering::Relaxed);
        folded
    })
}

/// Processes chunks until there are no more or the work is stopped.
fn process_chunks<Chunk, Output>(
    chunks: &Mutex<Receiver<(usize, Chunk)>>,
    hand_in: &Sender<NumberedResult<Output>>,
    mut work_on: impl FnMut(Chunk, &dyn Fn() -> bool) -> Output,
    should_continue: &dyn Fn() -> bool,
) {
    loop {
        let taken = chunks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, chunk)) = taken else {
            return;
        };
        // The calling thread waits for every chunk, so it needs a report of a panic and of a
        // skipped chunk too.
        let done = || catch_unwind(AssertUnwindSafe(|| work_on(chunk, should_continue)));
        let done = should_continue().then(done);
        if hand_in.send((index, done)).is_err() {
            return;
        }
    }
}

/// Number of a chunk with its result; `None` if the work was stopped before this chunk.
type NumberedResult<Output> = (usize, Option<thread::Result<Output>>);

/// Results in the order of their chunks, up to the first chunk that was skipped.
struct OrderedResults<Output> {
    receiver: Receiver<NumberedResult<Output>>,
    early: BTreeMap<usize, Option<thread::Result<Output>>>,
    next: usize,
}

impl<Output> OrderedResults<Output> {
    const fn new(receiver: Receiver<NumberedResult<Output>>) -> Self {
        Self {
            receiver,
            early: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<Output> Iterator for OrderedResults<Output> {
    type Item = Output;

    fn next(&mut self) -> Option<Output> {
        loop {
            if let Some(done) = self.early.remove(&self.next) {
                self.next += 1;
                return Some(done?.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            let (index, done) = self.receiver.recv().ok()?;
            self.early.insert(index, done);
        }
    }
}

/// Result of a chunk of games.
pub(super) struct ChunkResult<Output> {
    /// Counts of the games.
    pub(super) output: Output,
    /// Number of games played, starting with the first.
    pub(super) games: u64,
    /// True if all games of the chunk were played.
    pub(super) is_complete: bool,
}

/// Plays chunks of games on `jobs` threads. Passes the results to `add` in the order of the chunks,
/// up to the first incomplete one, and reports the number of games to the monitor.
///
/// `make_worker` makes a worker for each thread, as for [`fold_in_order`].
///
/// # Errors
///
/// Returns the error of `add`, which ends the work.
pub(super) fn fold_chunks<Chunk, Output, Worker, Error>(
    jobs: NonZero<usize>,
    monitor: &dyn Monitor,
    chunks: impl Iterator<Item = Chunk>,
    make_worker: impl Fn() -> Worker + Sync,
    mut add: impl FnMut(ChunkResult<Output>) -> Result<(), Error>,
) -> Result<(), Error>
where
    Chunk: Send,
    Output: Send,
    Worker: FnMut(Chunk, &dyn Fn() -> bool) -> ChunkResult<Output>,
{
    let ended = fold_in_order(
        jobs,
        monitor,
        chunks,
        make_worker,
        |part: ChunkResult<Output>| {
            let (games, is_complete) = (part.games, part.is_complete);
            if let Err(error) = add(part) {
                return ControlFlow::Break(Err(error));
            }
            monitor.report_games(games);
            if is_complete {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Ok(()))
            }
        },
    );
    match ended {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(ended) => ended,
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_CHUNKS_AHEAD, Monitor, fold_in_order};
    use std::num::NonZero;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};

    fn jobs(number: usize) -> NonZero<usize> {
        NonZero::new(number).expect("a thread")
    }

    /// Returns the squares of the numbers below `most`, unless the monitor stops earlier. Later
    /// squares are computed faster.
    fn squares(number: usize, monitor: &dyn Monitor, most: u64) -> Vec<u64> {
        let mut folded = Vec::new();
        let make_worker = || {
            |number: u64, _: &dyn Fn() -> bool| {
                for _ in number..50 {
                    std::thread::yield_now();
                }
                number * number
            }
        };
        let all: ControlFlow<()> =
            fold_in_order(jobs(number), monitor, 0..most, make_worker, |square| {
                folded.push(square);
                monitor.report_games(1);
                ControlFlow::Continue(())
            });
        assert!(all.is_continue());
        folded
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        let expected: Vec<_> = (0..200).map(|number| number * number).collect();
        for jobs in [1, 2, 3, 9] {
            assert_eq!(squares(jobs, &(), 200), expected);
            assert_eq!(squares(jobs, &(), 0), [0; 0]);
            assert_eq!(squares(jobs, &(), 1), [0]);
        }
    }

    /// Monitor that stops the work after this many results.
    struct ResultLimit(AtomicUsize);

    impl Monitor for ResultLimit {
        fn should_continue(&self) -> bool {
            self.0.load(Ordering::Relaxed) > 0
        }

        fn report_games(&self, _: u64) {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        }
    }

    #[test]
    fn an_interruption_keeps_the_first_results() {
        for jobs in [1, 2, 3] {
            let folded = squares(jobs, &ResultLimit(AtomicUsize::new(30)), u64::MAX);
            let expected = (0..).map(|number: u64| number * number);
            let expected: Vec<_> = expected.take(folded.len()).collect();
            assert_eq!(folded, expected);
            assert!((30..=30 + MAX_CHUNKS_AHEAD * jobs).contains(&folded.len()));
        }
    }

    #[test]
    fn a_fold_that_breaks_ends_the_work() {
        for number in [1, 2] {
            let make_worker = || {
                |number: u64, should_continue: &dyn Fn() -> bool| {
                    // Later chunks never finish by themselves.
                    while number > 5 && should_continue() {
                        std::thread::yield_now();
                    }
                    number
                }
            };
            let folded =
                fold_in_order(jobs(number), &(), 0.., make_worker, |number| match number {
                    5 => ControlFlow::Break("five"),
                    _ => ControlFlow::Continue(()),
                });
            assert_eq!(folded, ControlFlow::Break("five"));
        }
    }

    #[test]
    fn a_slow_chunk_limits_how_far_the_others_run_ahead() {
        const JOBS: usize = 3;
        let (begun, changed) = (Mutex::new(0), Condvar::new());
        let make_worker = || {
            |number: usize, _: &dyn Fn() -> bool| {
                let mut begun = begun.lock().expect("a count");
                *begun += 1;
                changed.notify_all();
                // The first chunk waits until all chunks that may run ahead of it have begun.
                while number == 0 && *begun < MAX_CHUNKS_AHEAD * JOBS {
                    begun = changed.wait(begun).expect("a count");
                }
                *begun
            }
        };
        let mut first = None;
        let all: ControlFlow<()> = fold_in_order(jobs(JOBS), &(), 0..1_000, make_worker, |begun| {
            first.get_or_insert(begun);
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        assert_eq!(first, Some(MAX_CHUNKS_AHEAD * JOBS));
    }

    #[test]
    #[should_panic = "chunk 7"]
    fn a_panic_reaches_the_caller() {
        let make_worker = || |number: u32, _: &dyn Fn() -> bool| assert_ne!(number, 7, "chunk 7");
        let _: ControlFlow<()> = fold_in_order(jobs(2), &(), 0..100, make_worker, |()| {
            ControlFlow::Continue(())
        });
    }
}
