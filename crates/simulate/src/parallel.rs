//! Work on several threads, whose results come back in order.
//!
//! This is the only place of the core with threads. They take chunks of work one after the
//! other, and the calling thread folds what they make of them in the order of the chunks: so a
//! result is the same for every number of threads, and an interruption leaves the results up
//! to the first chunk that was not finished.
#![expect(
    clippy::disallowed_methods,
    reason = "work is spread over threads here, and nowhere else"
)]

use std::collections::BTreeMap;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder};

/// How many chunks each thread may be ahead of the slowest one: their results wait in memory.
pub const AHEAD: usize = 8;

/// What looks on while games are played.
///
/// `()` looks away, and lets them all be played.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, Plan, Watch};
///
/// /// Counts games, and stops the run after a hundred of them or a few more.
/// struct Counter(AtomicU64);
///
/// impl Watch for Counter {
///     fn goes_on(&self) -> bool {
///         self.0.load(Ordering::Relaxed) < 100
///     }
///
///     fn counted(&self, games: u64) {
///         self.0.fetch_add(games, Ordering::Relaxed);
///     }
/// }
///
/// let plan = Plan {
///     rules: GameSetup {
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
pub trait Watch: Sync {
    /// Whether to go on: once this is `false`, it stays so.
    ///
    /// It is asked by every thread, before each chunk of games and in the middle of long games.
    fn goes_on(&self) -> bool {
        true
    }

    /// More games were counted: this many. Only the calling thread calls it.
    fn counted(&self, games: u64) {
        let _ = games;
    }

    /// This many of the games that were counted were left to the kernel that knows every rule,
    /// for they took the one that plays the others too long. Only the calling thread calls it.
    fn left_to_general(&self, games: u64) {
        let _ = games;
    }
}

impl Watch for () {}

/// Does chunks of work with so many threads, and folds the results in the order of the chunks.
///
/// `player` makes for each thread what does a chunk; it gets a predicate that says whether the
/// work goes on, and may leave a chunk unfinished when it does not. `fold` ends the work by
/// breaking; what it breaks with is the result. Where the system starts no thread, or `jobs`
/// is 1, the calling thread does the chunks.
///
/// # Panics
///
/// If `player`, what it makes, or `fold` panics.
pub fn fold_in_order<Chunk, Done, Break, Player>(
    jobs: NonZero<usize>,
    watch: &dyn Watch,
    chunks: impl Iterator<Item = Chunk>,
    player: impl Fn() -> Player + Sync,
    mut fold: impl FnMut(Done) -> ControlFlow<Break>,
) -> ControlFlow<Break>
where
    Chunk: Send,
    Done: Send,
    Player: FnMut(Chunk, &dyn Fn() -> bool) -> Done,
{
    let ended = AtomicBool::new(false);
    let goes_on = || !ended.load(Ordering::Relaxed) && watch.goes_on();
    let (hand_out, handed_out) = mpsc::channel();
    let (hand_in, handed_in) = mpsc::channel();
    let handed_out = Mutex::new(handed_out);
    let work = |hand_in| do_chunks(&handed_out, &hand_in, player(), &goes_on);
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
            let mut play = player();
            let mut all = { chunks }.map_while(|chunk| goes_on().then(|| play(chunk, &goes_on)));
            return all.try_for_each(fold);
        }
        let mut chunks = chunks.enumerate();
        let mut hand_out = Some(hand_out);
        // Threads end when there is nothing left to take.
        let mut hand_out_next = || match (&hand_out, chunks.next()) {
            (Some(hand_out), Some(chunk)) => {
                hand_out.send(chunk).expect("its other end is kept here");
            }
            _ => hand_out = None,
        };
        for _ in 0..AHEAD * started {
            hand_out_next();
        }
        let mut in_order = InOrder::new(handed_in);
        let folded = in_order.try_for_each(|done| {
            hand_out_next();
            fold(done)
        });
        ended.store(true, Ordering::Relaxed);
        folded
    })
}

/// Does chunks until there are no more, or the work does not go on.
fn do_chunks<Chunk, Done>(
    chunks: &Mutex<Receiver<(usize, Chunk)>>,
    hand_in: &Sender<HandedIn<Done>>,
    mut play: impl FnMut(Chunk, &dyn Fn() -> bool) -> Done,
    goes_on: &dyn Fn() -> bool,
) {
    loop {
        let taken = chunks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok((index, chunk)) = taken else {
            return;
        };
        // The calling thread waits for every chunk: it hears of a panic, and of one not done.
        let done = || catch_unwind(AssertUnwindSafe(|| play(chunk, goes_on)));
        let done = goes_on().then(done);
        if hand_in.send((index, done)).is_err() {
            return;
        }
    }
}

/// The number of a chunk, and what became of it: nothing where the work did not go on.
type HandedIn<Done> = (usize, Option<thread::Result<Done>>);

/// Results in the order of their chunks, up to the first chunk that was not done.
struct InOrder<Done> {
    handed_in: Receiver<HandedIn<Done>>,
    waiting: BTreeMap<usize, Option<thread::Result<Done>>>,
    next: usize,
}

impl<Done> InOrder<Done> {
    const fn new(handed_in: Receiver<HandedIn<Done>>) -> Self {
        Self {
            handed_in,
            waiting: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<Done> Iterator for InOrder<Done> {
    type Item = Done;

    fn next(&mut self) -> Option<Done> {
        loop {
            if let Some(done) = self.waiting.remove(&self.next) {
                self.next += 1;
                return Some(done?.unwrap_or_else(|panic| resume_unwind(panic)));
            }
            let (index, done) = self.handed_in.recv().ok()?;
            self.waiting.insert(index, done);
        }
    }
}

/// What a thread made of the games that it took at a time.
pub(super) struct Part<Sum> {
    /// What was counted of them.
    pub(super) sum: Sum,
    /// How many were played, from the first on.
    pub(super) games: u64,
    /// Whether these were all of them.
    pub(super) is_whole: bool,
}

/// Plays chunks of games with so many threads, and hands out the parts in the order of the
/// chunks, up to the first that is not whole, and tells the watch how many games they have.
///
/// `player` makes for each thread what plays a chunk; it gets a predicate that says whether the
/// work goes on, and may leave a chunk unfinished when it does not.
///
/// # Errors
///
/// What `add` says; the work ends there.
pub(super) fn play_parts<Chunk, Sum, Player, Error>(
    jobs: NonZero<usize>,
    watch: &dyn Watch,
    chunks: impl Iterator<Item = Chunk>,
    player: impl Fn() -> Player + Sync,
    mut add: impl FnMut(Part<Sum>) -> Result<(), Error>,
) -> Result<(), Error>
where
    Chunk: Send,
    Sum: Send,
    Player: FnMut(Chunk, &dyn Fn() -> bool) -> Part<Sum>,
{
    let ended = fold_in_order(jobs, watch, chunks, player, |part: Part<Sum>| {
        let (games, is_whole) = (part.games, part.is_whole);
        if let Err(error) = add(part) {
            return ControlFlow::Break(Err(error));
        }
        watch.counted(games);
        if is_whole {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(Ok(()))
        }
    });
    match ended {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(ended) => ended,
    }
}

#[cfg(test)]
mod tests {
    use super::{AHEAD, Watch, fold_in_order};
    use std::num::NonZero;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Condvar, Mutex};

    fn jobs(number: usize) -> NonZero<usize> {
        NonZero::new(number).expect("a thread")
    }

    /// Squares of numbers, the later the quicker, up to what the watch allows.
    fn squares(number: usize, watch: &dyn Watch, most: u64) -> Vec<u64> {
        let mut folded = Vec::new();
        let player = || {
            |number: u64, _: &dyn Fn() -> bool| {
                for _ in number..50 {
                    std::thread::yield_now();
                }
                number * number
            }
        };
        let all: ControlFlow<()> = fold_in_order(jobs(number), watch, 0..most, player, |square| {
            folded.push(square);
            watch.counted(1);
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

    /// Lets so many results be folded.
    struct UpTo(AtomicUsize);

    impl Watch for UpTo {
        fn goes_on(&self) -> bool {
            self.0.load(Ordering::Relaxed) > 0
        }

        fn counted(&self, _: u64) {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(1), Ordering::Relaxed);
        }
    }

    #[test]
    fn an_interruption_leaves_results_from_the_first_on() {
        for jobs in [1, 2, 3] {
            let folded = squares(jobs, &UpTo(AtomicUsize::new(30)), u64::MAX);
            let expected = (0..).map(|number: u64| number * number);
            let expected: Vec<_> = expected.take(folded.len()).collect();
            assert_eq!(folded, expected);
            assert!((30..=30 + AHEAD * jobs).contains(&folded.len()));
        }
    }

    #[test]
    fn a_fold_that_breaks_ends_the_work() {
        for number in [1, 2] {
            let player = || {
                |number: u64, goes_on: &dyn Fn() -> bool| {
                    // The chunks behind are never finished by themselves.
                    while number > 5 && goes_on() {
                        std::thread::yield_now();
                    }
                    number
                }
            };
            let folded = fold_in_order(jobs(number), &(), 0.., player, |number| match number {
                5 => ControlFlow::Break("five"),
                _ => ControlFlow::Continue(()),
            });
            assert_eq!(folded, ControlFlow::Break("five"));
        }
    }

    #[test]
    fn a_slow_chunk_does_not_let_the_others_run_ahead_without_bound() {
        const JOBS: usize = 3;
        let (begun, changed) = (Mutex::new(0), Condvar::new());
        let player = || {
            |number: usize, _: &dyn Fn() -> bool| {
                let mut begun = begun.lock().expect("a count");
                *begun += 1;
                changed.notify_all();
                // The first waits for all that may be done while nothing is folded.
                while number == 0 && *begun < AHEAD * JOBS {
                    begun = changed.wait(begun).expect("a count");
                }
                *begun
            }
        };
        let mut first = None;
        let all: ControlFlow<()> = fold_in_order(jobs(JOBS), &(), 0..1_000, player, |begun| {
            first.get_or_insert(begun);
            ControlFlow::Continue(())
        });
        assert!(all.is_continue());
        assert_eq!(first, Some(AHEAD * JOBS));
    }

    #[test]
    #[should_panic = "chunk 7"]
    fn a_panic_is_the_callers() {
        let player = || |number: u32, _: &dyn Fn() -> bool| assert_ne!(number, 7, "chunk 7");
        let _: ControlFlow<()> =
            fold_in_order(jobs(2), &(), 0..100, player, |()| ControlFlow::Continue(()));
    }
}
