//! Games of a run that are to be played, by several threads.

use super::game::Played;
use super::kernel::Kernel;
use super::rows;
use super::run::Run;
use super::setup::GameSetup;
use super::simulator::Simulator;
use super::tally::Tally;
use crate::parallel::{AHEAD, Watch, fold_in_order};
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

/// The most games that a thread takes at a time.
const LARGEST_CHUNK: u64 = 1 << 12;
/// The most games that may be ahead of the slowest one: their rows wait in memory.
const MOST_AHEAD: u64 = 1 << 20;
/// The part of the games handed out so far that a thread takes next. As games may be long, few
/// are taken at first, and an interruption costs a small part of what was played at most.
const PART: u64 = 32;

/// What is to be played.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war::simulate::{Dealing, GameSetup, Kernel, Plan};
///
/// let plan = Plan {
///     rules: GameSetup {
///         parameters: Parameters::BATAILLE,
///         players: 2,
///         deck: Deck::Small,
///         dealing: Dealing::Shuffled,
///     },
///     seed: 1,
///     games: 1_000,
///     part: 0..1_000,
///     kernel: Kernel::Fastest,
/// };
/// let run = plan.play(NonZero::<usize>::MIN, &());
/// assert_eq!(run.tally.games(), 1_000);
/// // The number of threads changes nothing.
/// assert_eq!(plan.play(NonZero::new(3).expect("three"), &()), run);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The rules.
    pub rules: GameSetup,
    /// The seed.
    pub seed: u64,
    /// The number of games of the whole run.
    pub games: u64,
    /// Which of them to play.
    pub part: Range<u64>,
    /// The kernel to play with.
    pub kernel: Kernel,
}

impl Plan {
    /// Plays the games with so many threads.
    ///
    /// A watch that does not go on ends the run after a whole number of its games from the
    /// first on.
    #[must_use]
    pub fn play(&self, jobs: NonZero<usize>, watch: &dyn Watch) -> Run {
        match self.play_chunks(jobs, watch, false, |_| Ok::<(), Infallible>(())) {
            Ok(run) => run,
        }
    }

    /// Plays the games as [`Plan::play`] does, and writes a row for each, in their order.
    ///
    /// `write` gets the rows of some games at a time, without a heading: see
    /// [`ROWS`](super::ROWS).
    ///
    /// # Errors
    ///
    /// What `write` says; the run ends there.
    pub fn play_with_rows<E>(
        &self,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Run, E> {
        self.play_chunks(jobs, watch, true, write)
    }

    fn play_chunks<E>(
        &self,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        with_rows: bool,
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Run, E> {
        let mut run = Run {
            rules: self.rules.clone(),
            seed: self.seed,
            games: self.games,
            part: self.part.start..self.part.start,
            partial: true,
            tally: Tally::default(),
        };
        let player = || {
            let mut simulator = Simulator::new(self.rules.clone(), self.kernel);
            move |games: Range<u64>, goes_on: &dyn Fn() -> bool| {
                let mut chunk = Chunk::new(&games);
                let Chunk { tally, rows, .. } = &mut chunk;
                let each = |game, played: &Played| {
                    if with_rows {
                        rows::append(rows, game, played);
                    }
                };
                let played = simulator.play_while(self.seed, games, tally, each, goes_on);
                chunk.played = played;
                chunk
            }
        };
        let ended = fold_in_order(jobs, watch, self.chunks(jobs), player, |chunk: Chunk| {
            if let Err(error) = write(&chunk.rows) {
                return ControlFlow::Break(Err(error));
            }
            run.tally.add(&chunk.tally);
            run.part.end += chunk.played;
            watch.counted(chunk.played);
            if chunk.is_whole() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(Ok(()))
            }
        });
        if let ControlFlow::Break(ended) = ended {
            ended?;
        }
        run.partial = run.part.end < self.part.end;
        Ok(run)
    }

    /// The games, in chunks for so many threads.
    fn chunks(&self, jobs: NonZero<usize>) -> impl Iterator<Item = Range<u64>> + use<> {
        let jobs = jobs.get() as u64;
        let largest = LARGEST_CHUNK.min(MOST_AHEAD / (AHEAD as u64 * jobs)).max(1);
        let Range { start, end } = self.part;
        let mut next = start;
        std::iter::from_fn(move || {
            let size = ((next - start) / (PART * jobs)).clamp(1, largest);
            let games = next..end.min(next.saturating_add(size));
            next = games.end;
            (!games.is_empty()).then_some(games)
        })
    }
}

/// Games that a thread took at a time, of which it played so many.
struct Chunk {
    games: u64,
    played: u64,
    tally: Tally,
    rows: String,
}

impl Chunk {
    fn new(games: &Range<u64>) -> Self {
        Self {
            games: games.end - games.start,
            played: 0,
            tally: Tally::default(),
            rows: String::new(),
        }
    }

    const fn is_whole(&self) -> bool {
        self.played == self.games
    }
}
