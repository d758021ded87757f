//! Plans and runs of simulated games, played on several threads.

use super::game::{GameResult, HandColumn, append_row};
use super::kernel::Kernel;
use super::parallel::{ChunkResult, MAX_CHUNKS_AHEAD, Monitor, fold_chunks};
use super::setup::GameSetup;
use super::simulator::Simulator;
use super::tally::Tally;
use std::convert::Infallible;
use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use thiserror::Error;
use war::cards::{GameNumber, Rank};
use war::support::digits;

/// Maximum number of games in a chunk.
const MAX_CHUNK: u64 = 1 << 12;
/// Maximum number of games played ahead of the slowest one; their rows wait in memory.
const MAX_GAMES_AHEAD: u64 = 1 << 20;
/// Divisor for chunk sizes: the size of the next chunk is the number of games started so far,
/// divided by this number and by the number of threads. Chunks start small, because games may be
/// long and an interruption costs the chunks being played.
const CHUNK_DIVISOR: u64 = 32;

/// Games to play: their setup, seed and numbers.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use war::cards::Deck;
/// use war::rules::Parameters;
/// use war_simulate::{Dealing, GameSetup, Kernel, RunPlan};
///
/// let plan = RunPlan {
///     setup: GameSetup {
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
pub struct RunPlan {
    /// Rules, players, deck and dealing.
    pub setup: GameSetup,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games in the whole run.
    pub games: u64,
    /// Numbers of the games to play.
    pub part: Range<u64>,
    /// Kernel to play with.
    pub kernel: Kernel,
}

impl RunPlan {
    /// Chooses the kernel that plays these games on this machine, never [`Kernel::Fastest`].
    ///
    /// The kernel may leave single games to the general one; see
    /// [`Monitor::report_general_kernel_games`].
    #[must_use]
    pub fn choose_kernel(&self) -> Kernel {
        Simulator::new(self.setup.clone(), self.kernel).kernel()
    }

    /// Plays the games on `jobs` threads.
    ///
    /// If the monitor stops the run, the result covers the first games of the part, each played to
    /// its end.
    #[must_use]
    pub fn play(&self, jobs: NonZero<usize>, monitor: &dyn Monitor) -> Run {
        let ignore = |(): &mut (), _, _: &GameResult| ();
        let consume = |_: &Run, ()| Ok::<(), Infallible>(());
        match self.play_chunks(self.begin(), jobs, monitor, ignore, consume) {
            Ok(run) => run,
        }
    }

    /// Returns the run without any game played.
    #[must_use]
    pub fn begin(&self) -> Run {
        Run {
            setup: self.setup.clone(),
            seed: self.seed,
            games: self.games,
            part: self.part.start..self.part.start,
            partial: true,
            tally: Tally::default(),
        }
    }

    /// Finds the first difference between this plan and a run that was begun, because of which the
    /// plan can't finish that run.
    ///
    /// # Errors
    ///
    /// [`ResumeError`] if the rules, the seed or the range of games differ.
    pub fn check_begun(&self, run: &Run) -> Result<(), ResumeError> {
        if let Some(option) = run.setup.find_differing_option(&self.setup) {
            return Err(ResumeError::Rules(option));
        }
        if run.seed != self.seed {
            return Err(ResumeError::Seed(run.seed));
        }
        let is_same_range = run.games == self.games
            && run.part.start == self.part.start
            && run.part.end <= self.part.end;
        is_same_range
            .then_some(())
            .ok_or_else(|| ResumeError::Games(run.part.clone(), run.games))
    }

    /// Plays the games that a run lacks, and returns the whole run. The same games are played as if
    /// it had never been interrupted.
    ///
    /// `keep` receives the rows of several games at a time, as [`RunPlan::play_to_csv`] writes them,
    /// with the run up to the last of them; without `columns` there are no rows.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::convert::Infallible;
    /// # use std::num::NonZero;
    /// # use war_simulate::{GameSettings, Kernel, RunPlan};
    /// # let setup = GameSettings::default().to_setup().unwrap();
    /// # let plan = RunPlan { setup, seed: 1, games: 100, part: 0..100, kernel: Kernel::Fastest };
    /// let one = NonZero::<usize>::MIN;
    /// let begun = RunPlan { part: 0..30, ..plan.clone() }.play(one, &());
    /// plan.check_begun(&begun).unwrap();
    /// let mut kept = begun.clone();
    /// let whole = plan.resume(begun, one, &(), None, |run, _| {
    ///     kept = run.clone();
    ///     Ok::<_, Infallible>(())
    /// });
    /// assert_eq!(whole.unwrap(), plan.play(one, &()));
    /// assert_eq!(kept.part, 0..100);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of `keep`, which ends the run.
    pub fn resume<E>(
        &self,
        run: Run,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        columns: Option<&[HandColumn]>,
        mut keep: impl FnMut(&Run, &str) -> Result<(), E>,
    ) -> Result<Run, E> {
        let collect = |rows: &mut String, game, played: &GameResult| {
            if let Some(columns) = columns {
                let hands = self.hands(game, columns);
                append_row(rows, (game, played), columns, &hands);
            }
        };
        self.play_chunks(run, jobs, monitor, collect, |run, rows: String| {
            keep(run, &rows)
        })
    }

    /// Plays the games as [`RunPlan::play`] does and writes a CSV row for each, in order.
    ///
    /// `write` receives the rows of several games at a time, with these extra columns and without
    /// the header, which [`csv_header`](super::csv_header) returns.
    ///
    /// # Errors
    ///
    /// Returns the error of `write`, which ends the run.
    pub fn play_to_csv<E>(
        &self,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        columns: &[HandColumn],
        mut write: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<Run, E> {
        self.resume(self.begin(), jobs, monitor, Some(columns), |_, rows| {
            write(rows)
        })
    }

    /// Plays the games as [`RunPlan::play`] does and passes their results to `visit`, several games
    /// at a time and in order.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::convert::Infallible;
    /// # use std::num::NonZero;
    /// use war_simulate::{GameSettings, Kernel, RunPlan};
    ///
    /// let plan = RunPlan {
    ///     setup: GameSettings::default().to_setup().unwrap(),
    ///     seed: 1,
    ///     games: 100,
    ///     part: 0..100,
    ///     kernel: Kernel::Fastest,
    /// };
    /// let mut wars = 0;
    /// let run = plan.play_with_visitor(NonZero::<usize>::MIN, &(), |games| {
    ///     wars += games.iter().map(|played| u64::from(played.wars)).sum::<u64>();
    ///     Ok::<_, Infallible>(())
    /// });
    /// assert_eq!(run.unwrap().tally.games(), 100);
    /// assert!(wars > 100);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of `visit`, which ends the run.
    pub fn play_with_visitor<E>(
        &self,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        mut visit: impl FnMut(&[GameResult]) -> Result<(), E>,
    ) -> Result<Run, E> {
        let collect = |games: &mut Vec<GameResult>, _, played: &GameResult| games.push(*played);
        let consume = |_: &Run, games: Vec<GameResult>| visit(&games);
        self.play_chunks(self.begin(), jobs, monitor, collect, consume)
    }

    /// Plays the games that the run lacks. `collect` takes data from each game, and `consume` receives
    /// the data of several games at a time, in order, with the run up to the last of them.
    fn play_chunks<Data: Default + Send, E>(
        &self,
        mut run: Run,
        jobs: NonZero<usize>,
        monitor: &dyn Monitor,
        collect: impl Fn(&mut Data, u64, &GameResult) + Sync,
        mut consume: impl FnMut(&Run, Data) -> Result<(), E>,
    ) -> Result<Run, E> {
        let make_worker = || {
            let mut simulator = Simulator::new(self.setup.clone(), self.kernel);
            let collect = &collect;
            move |games: Range<u64>, should_continue: &dyn Fn() -> bool| {
                let taken = games.end - games.start;
                let (mut tally, mut data) = (Tally::default(), Data::default());
                let each = |game, played: &GameResult| collect(&mut data, game, played);
                let before = simulator.general_kernel_games();
                let games =
                    simulator.play_while(self.seed, games, &mut tally, each, should_continue);
                let general_kernel_games = simulator.general_kernel_games() - before;
                ChunkResult {
                    output: ChunkOutput {
                        tally,
                        data,
                        general_kernel_games,
                    },
                    games,
                    is_complete: games == taken,
                }
            }
        };
        let chunks = self.chunks(run.part.end, jobs);
        let add = |part: ChunkResult<ChunkOutput<Data>>| {
            monitor.report_general_kernel_games(part.output.general_kernel_games);
            run.tally.add(&part.output.tally);
            run.part.end += part.games;
            run.partial = run.part.end < self.part.end;
            consume(&run, part.output.data)
        };
        fold_chunks(jobs, monitor, chunks, make_worker, add)?;
        run.partial = run.part.end < self.part.end;
        Ok(run)
    }

    /// Returns the hands dealt in a game, or none if no column describes them.
    fn hands(&self, game: u64, columns: &[HandColumn]) -> Vec<Vec<Rank>> {
        let number = GameNumber {
            seed: self.seed,
            game,
        };
        let dealt = (!columns.is_empty()).then(|| self.setup.deal(number));
        dealt.flatten().map(|(hands, _)| hands).unwrap_or_default()
    }

    /// Splits the games from number `start` on into chunks for `jobs` threads.
    fn chunks(&self, start: u64, jobs: NonZero<usize>) -> impl Iterator<Item = Range<u64>> + use<> {
        let jobs = jobs.get() as u64;
        let largest = MAX_CHUNK
            .min(MAX_GAMES_AHEAD / (MAX_CHUNKS_AHEAD as u64 * jobs))
            .max(1);
        let end = self.part.end;
        let mut next = start;
        std::iter::from_fn(move || {
            let size = ((next - start) / (CHUNK_DIVISOR * jobs)).clamp(1, largest);
            let games = next..end.min(next.saturating_add(size));
            next = games.end;
            (!games.is_empty()).then_some(games)
        })
    }
}

/// Output of a chunk of games.
struct ChunkOutput<Data> {
    tally: Tally,
    data: Data,
    general_kernel_games: u64,
}

/// Played games of a simulation: all of a run, or a part.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Rules, players, deck and dealing.
    pub setup: GameSetup,
    /// Seed of the run.
    pub seed: u64,
    /// Number of games in the whole run.
    pub games: u64,
    /// Numbers of the games in this part.
    pub part: Range<u64>,
    /// True if the part was cut short.
    pub partial: bool,
    /// Counts of the results.
    pub tally: Tally,
}

/// Reason why parts of a run can't be joined. Parts are numbered from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum JoinError {
    /// Two parts with different rules: this option differs.
    #[error("part {1} has different rules from part {0}: `{2}` differs")]
    DifferentRules(usize, usize, &'static str),
    /// Two parts with different seeds.
    #[error("part {1} has a different seed from part {0}")]
    DifferentSeed(usize, usize),
    /// Two parts of runs with different numbers of games.
    #[error("parts {0} and {1} are of runs with different numbers of games")]
    DifferentGameCount(usize, usize),
    /// Part of an enumeration that was cut short.
    #[error("part {0} was cut short")]
    Partial(usize),
    /// Two parts that both contain this game.
    #[error("parts {0} and {1} overlap: both contain game {2}")]
    Overlap(usize, usize, u64),
    /// Games that no part contains, from the first number up to, but not including, the second.
    #[error("games from {0} up to, but not including, {1} are missing from the parts")]
    Missing(u64, u64),
}

/// Reason why a plan can't finish a run that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ResumeError {
    /// Different rules: this option differs.
    #[error("the run has different rules: `{0}` differs")]
    Rules(&'static str),
    /// Different seed: the run has this one.
    #[error("the run has a different seed: {0}")]
    Seed(u64),
    /// Different games: the run has these, of this number of games.
    #[error("the run has different games: from {} up to, but not including, {} of {}", .0.start, .0.end, .1)]
    Games(Range<u64>, u64),
}

/// Shard of a run: one of several parts whose sizes differ by at most one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Number of the shard, counted from 1.
    index: u64,
    /// Number of shards of the run.
    count: u64,
}

impl Shard {
    /// Returns shard `index` of `count`, counted from 1, or `None` if it doesn't exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::Shard;
    ///
    /// // Three machines share ten games.
    /// let shards = [1, 2, 3].map(|machine| Shard::new(machine, 3).unwrap().game_range(10));
    /// assert_eq!(shards, [0..3, 3..6, 6..10]);
    /// assert_eq!(Shard::new(4, 3), None);
    /// ```
    #[must_use]
    pub fn new(index: u64, count: u64) -> Option<Self> {
        (1..=count)
            .contains(&index)
            .then_some(Self { index, count })
    }

    /// Parses a shard such as `3/8`; returns `None` if the text isn't a shard.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::Shard;
    ///
    /// assert_eq!(Shard::parse("3/8"), Shard::new(3, 8));
    /// assert_eq!(Shard::parse("9/8"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        Self::new(
            digits::parse_whole_number(index)?,
            digits::parse_whole_number(count)?,
        )
    }

    /// Returns the numbers of the shard's games in a run of `games`.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no shard starts beyond the games"
    )]
    pub fn game_range(self, games: u64) -> Range<u64> {
        let start = |index: u64| {
            let start = u128::from(games) * u128::from(index) / u128::from(self.count);
            start as u64
        };
        start(self.index - 1)..start(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Run {
    /// Joins the parts of a run into the whole run.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::num::NonZero;
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Dealing, GameSetup, JoinError, Kernel, RunPlan, Run};
    ///
    /// let part = |part| {
    ///     let plan = RunPlan {
    ///         setup: GameSetup {
    ///             parameters: Parameters::BATAILLE,
    ///             players: 2,
    ///             deck: Deck::Small,
    ///             dealing: Dealing::Shuffled,
    ///         },
    ///         seed: 1,
    ///         games: 100,
    ///         part,
    ///         kernel: Kernel::Fastest,
    ///     };
    ///     plan.play(NonZero::<usize>::MIN, &())
    /// };
    /// let parts = [part(50..100), part(0..50)];
    /// assert_eq!(Run::join(&parts), Ok(part(0..100)));
    /// assert_eq!(Run::join(&parts[..1]), Err(JoinError::Missing(0, 50)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`JoinError`] if games are missing, if parts overlap, or if they belong to different runs. A
    /// part that was cut short has the games up to its end.
    pub fn join(parts: &[Self]) -> Result<Self, JoinError> {
        let Some(first) = parts.first() else {
            return Err(JoinError::Missing(0, 0));
        };
        let mut joined = Self {
            part: 0..first.games,
            partial: false,
            tally: Tally::default(),
            ..first.clone()
        };
        check_same_run(first, parts)?;
        let ranges: Vec<_> = parts.iter().map(|part| part.part.clone()).collect();
        check_coverage(&ranges, first.games)?;
        for part in parts {
            joined.tally.add(&part.tally);
        }
        Ok(joined)
    }

    /// Joins adjacent parts of a run. Returns the joined parts in order; games are missing between
    /// any two of them.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::num::NonZero;
    /// # use war_simulate::{GameSettings, Kernel, RunPlan, Run};
    /// # let part = |part| {
    /// #     let rules = GameSettings::default().to_setup().unwrap();
    /// #     let plan = RunPlan { setup: rules, seed: 1, games: 9, part, kernel: Kernel::Fastest };
    /// #     plan.play(NonZero::<usize>::MIN, &())
    /// # };
    /// let joined = Run::join_adjacent(&[part(6..9), part(0..2), part(2..4)]);
    /// assert_eq!(joined, Ok(vec![part(0..4), part(6..9)]));
    /// ```
    ///
    /// # Errors
    ///
    /// [`JoinError`] if parts overlap, or if they belong to different runs.
    pub fn join_adjacent(parts: &[Self]) -> Result<Vec<Self>, JoinError> {
        let mut joined: Vec<Self> = Vec::new();
        if let Some(first) = parts.first() {
            check_same_run(first, parts)?;
        }
        let mut order: Vec<_> = (0..parts.len()).collect();
        order.retain(|&index| !parts[index].part.is_empty());
        order.sort_by_key(|&index| (parts[index].part.start, parts[index].part.end));
        let mut before = 0;
        for index in order {
            let part = &parts[index];
            match joined.last_mut() {
                Some(last) if part.part.start < last.part.end => {
                    return Err(JoinError::Overlap(before, index, part.part.start));
                }
                Some(last) if part.part.start == last.part.end => {
                    last.part.end = part.part.end;
                    last.partial = part.partial;
                    last.tally.add(&part.tally);
                }
                _ => joined.push(part.clone()),
            }
            before = index;
        }
        Ok(joined)
    }
}

/// Checks that all parts belong to the same run as `first`.
fn check_same_run(first: &Run, parts: &[Run]) -> Result<(), JoinError> {
    for (index, part) in parts.iter().enumerate() {
        if let Some(option) = part.setup.find_differing_option(&first.setup) {
            return Err(JoinError::DifferentRules(0, index, option));
        }
        if part.seed != first.seed {
            return Err(JoinError::DifferentSeed(0, index));
        }
        if part.games != first.games {
            return Err(JoinError::DifferentGameCount(0, index));
        }
    }
    Ok(())
}

/// Checks that every number below `end` is in exactly one of the ranges.
pub(super) fn check_coverage(ranges: &[Range<u64>], end: u64) -> Result<(), JoinError> {
    let mut order: Vec<_> = (0..ranges.len()).collect();
    order.sort_by_key(|&index| (ranges[index].start, ranges[index].end));
    let (mut next, mut before) = (0, 0);
    for index in order {
        let range = &ranges[index];
        if range.is_empty() {
            continue;
        }
        if range.start < next {
            return Err(JoinError::Overlap(before, index, range.start));
        }
        if range.start > next {
            return Err(JoinError::Missing(next, range.start));
        }
        (next, before) = (range.end, index);
    }
    if next < end {
        return Err(JoinError::Missing(next, end));
    }
    Ok(())
}
