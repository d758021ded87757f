//! Games of a run that are to be played, by several threads.

use super::game::Played;
use super::kernel::Kernel;
use super::parts::{Part, play_parts};
use super::rows::{self, Column};
use super::run::Run;
use super::setup::GameSetup;
use super::simulator::Simulator;
use super::tally::Tally;
use crate::parallel::{AHEAD, Watch};
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::Range;
use war::cards::{GameNumber, Rank};

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
/// use war_simulate::{Dealing, GameSetup, Kernel, Plan};
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
    /// The kernel that plays these games here, which is never [`Kernel::Fastest`].
    ///
    /// It may leave single games to one that knows more: [`Watch::left_to_general`].
    #[must_use]
    pub fn playing_kernel(&self) -> Kernel {
        Simulator::new(self.rules.clone(), self.kernel).kernel()
    }

    /// Plays the games with so many threads.
    ///
    /// A watch that does not go on ends the run after a whole number of its games from the
    /// first on.
    #[must_use]
    pub fn play(&self, jobs: NonZero<usize>, watch: &dyn Watch) -> Run {
        let unseen = |(): &mut (), _, _: &Played| ();
        match self.play_chunks(jobs, watch, unseen, |()| Ok::<(), Infallible>(())) {
            Ok(run) => run,
        }
    }

    /// Plays the games as [`Plan::play`] does, and writes a row for each, in their order.
    ///
    /// `write` gets the rows of some games at a time, with these columns more, and without a
    /// heading: see [`heading`](super::heading).
    ///
    /// # Errors
    ///
    /// What `write` says; the run ends there.
    pub fn play_with_rows<E>(
        &self,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        columns: &[Column],
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Run, E> {
        let keep = |rows: &mut String, game, played: &Played| {
            let hands = self.hands(game, columns);
            rows::append(rows, (game, played), columns, &hands);
        };
        self.play_chunks(jobs, watch, keep, |rows: String| write(&rows))
    }

    /// Plays the games as [`Plan::play`] does, and hands out how each of them went, some at a
    /// time, in their order.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::convert::Infallible;
    /// # use std::num::NonZero;
    /// use war_simulate::{ChosenGame, Kernel, Plan};
    ///
    /// let plan = Plan {
    ///     rules: ChosenGame::default().setup().unwrap(),
    ///     seed: 1,
    ///     games: 100,
    ///     part: 0..100,
    ///     kernel: Kernel::Fastest,
    /// };
    /// let mut wars = 0;
    /// let run = plan.play_with_games(NonZero::<usize>::MIN, &(), |games| {
    ///     wars += games.iter().map(|played| u64::from(played.wars)).sum::<u64>();
    ///     Ok::<_, Infallible>(())
    /// });
    /// assert_eq!(run.unwrap().tally.games(), 100);
    /// assert!(wars > 100);
    /// ```
    ///
    /// # Errors
    ///
    /// What `look` says; the run ends there.
    pub fn play_with_games<E>(
        &self,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        mut look: impl FnMut(&[Played]) -> Result<(), E>,
    ) -> Result<Run, E> {
        let keep = |games: &mut Vec<Played>, _, played: &Played| games.push(*played);
        self.play_chunks(jobs, watch, keep, |games: Vec<Played>| look(&games))
    }

    /// Plays the games: `keep` keeps what is wanted of each game, and `hand_out` gets that of some
    /// games at a time, in their order.
    fn play_chunks<Kept: Default + Send, E>(
        &self,
        jobs: NonZero<usize>,
        watch: &dyn Watch,
        keep: impl Fn(&mut Kept, u64, &Played) + Sync,
        mut hand_out: impl FnMut(Kept) -> Result<(), E>,
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
            let keep = &keep;
            move |games: Range<u64>, goes_on: &dyn Fn() -> bool| {
                let taken = games.end - games.start;
                let (mut tally, mut kept) = (Tally::default(), Kept::default());
                let each = |game, played: &Played| keep(&mut kept, game, played);
                let before = simulator.left_to_general();
                let games = simulator.play_while(self.seed, games, &mut tally, each, goes_on);
                let left = simulator.left_to_general() - before;
                Part {
                    sum: (tally, kept, left),
                    games,
                    is_whole: games == taken,
                }
            }
        };
        let add = |part: Part<(Tally, Kept, u64)>| {
            let (tally, kept, left) = part.sum;
            hand_out(kept)?;
            watch.left_to_general(left);
            run.tally.add(&tally);
            run.part.end += part.games;
            Ok(())
        };
        play_parts(jobs, watch, self.chunks(jobs), player, add)?;
        run.partial = run.part.end < self.part.end;
        Ok(run)
    }

    /// The hands that a game begins with, where columns say something of them.
    fn hands(&self, game: u64, columns: &[Column]) -> Vec<Vec<Rank>> {
        let number = GameNumber {
            seed: self.seed,
            game,
        };
        let dealt = (!columns.is_empty()).then(|| self.rules.deal(number));
        dealt.flatten().map(|(hands, _)| hands).unwrap_or_default()
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
