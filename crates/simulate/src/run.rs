//! The games of a run that are to be played, by several threads, and what they came to.

use super::game::{Column, Played, append};
use super::kernel::Kernel;
use super::parallel::{AHEAD, Part, Watch, play_parts};
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
            append(rows, (game, played), columns, &hands);
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

/// Games of a simulation that were played, or are to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The rules.
    pub rules: GameSetup,
    /// The seed.
    pub seed: u64,
    /// The number of games of the whole run.
    pub games: u64,
    /// Which of them these are.
    pub part: Range<u64>,
    /// Whether the part was cut short.
    pub partial: bool,
    /// What was counted.
    pub tally: Tally,
}

/// Why parts of a run can't be joined. Numbers are those of the parts, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotJoined {
    /// The second part has other rules than the first, by this option.
    #[error("part {1} has different rules from part {0}: `{2}` differs")]
    OtherRules(usize, usize, &'static str),
    /// The second part has another seed than the first.
    #[error("part {1} has a different seed from part {0}")]
    OtherSeed(usize, usize),
    /// The second part is of a run with another number of games than the first.
    #[error("parts {0} and {1} are of runs with different numbers of games")]
    OtherGames(usize, usize),
    /// A part was cut short.
    #[error("part {0} was cut short")]
    Partial(usize),
    /// Two parts have a game in common: this one.
    #[error("parts {0} and {1} overlap: both contain game {2}")]
    Overlap(usize, usize, u64),
    /// These games are in no part: from the first, up to the one before the last.
    #[error("games from {0} up to, but not including, {1} are missing from the parts")]
    Missing(u64, u64),
}

/// A shard of a run: one of several parts that differ in size by one game at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    index: u64,
    /// How many shards there are.
    of: u64,
}

impl Shard {
    /// Shard number `index` of `of`, counted from 1, or `None` where there is no such one.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::Shard;
    ///
    /// // Three machines share ten games.
    /// let shards = [1, 2, 3].map(|machine| Shard::new(machine, 3).unwrap().of_games(10));
    /// assert_eq!(shards, [0..3, 3..6, 6..10]);
    /// assert_eq!(Shard::new(4, 3), None);
    /// ```
    #[must_use]
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&index).then_some(Self { index, of })
    }

    /// The shard that is written like `3/8`, or `None` where the text isn't one.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::Shard;
    ///
    /// assert_eq!(Shard::written("3/8"), Shard::new(3, 8));
    /// assert_eq!(Shard::written("9/8"), None);
    /// ```
    #[must_use]
    pub fn written(text: &str) -> Option<Self> {
        let (index, of) = text.split_once('/')?;
        Self::new(digits::whole(index)?, digits::whole(of)?)
    }

    /// The games that it has of a run of so many.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "no shard starts beyond the games"
    )]
    pub fn of_games(self, games: u64) -> Range<u64> {
        let start = |index: u64| {
            let start = u128::from(games) * u128::from(index) / u128::from(self.of);
            start as u64
        };
        start(self.index - 1)..start(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Run {
    /// Joins the parts of a run to the whole of it.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::num::NonZero;
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Dealing, GameSetup, Kernel, NotJoined, Plan, Run};
    ///
    /// let part = |part| {
    ///     let plan = Plan {
    ///         rules: GameSetup {
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
    /// assert_eq!(Run::joined(&parts), Ok(part(0..100)));
    /// assert_eq!(Run::joined(&parts[..1]), Err(NotJoined::Missing(0, 50)));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotJoined`] where they are not all of it, or not of one run.
    pub fn joined(parts: &[Self]) -> Result<Self, NotJoined> {
        let Some(first) = parts.first() else {
            return Err(NotJoined::Missing(0, 0));
        };
        let mut joined = Self {
            part: 0..first.games,
            tally: Tally::default(),
            ..first.clone()
        };
        check_alike(first, parts)?;
        let ranges: Vec<_> = parts.iter().map(|part| part.part.clone()).collect();
        check_cover(&ranges, first.games)?;
        for part in parts {
            joined.tally.add(&part.tally);
        }
        Ok(joined)
    }

    /// Joins those of some parts of a run that lie side by side: the result is in order, and
    /// between two of its parts there are games that none of them has.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::num::NonZero;
    /// # use war_simulate::{ChosenGame, Kernel, Plan, Run};
    /// # let part = |part| {
    /// #     let rules = ChosenGame::default().setup().unwrap();
    /// #     let plan = Plan { rules, seed: 1, games: 9, part, kernel: Kernel::Fastest };
    /// #     plan.play(NonZero::<usize>::MIN, &())
    /// # };
    /// let joined = Run::joined_side_by_side(&[part(6..9), part(0..2), part(2..4)]);
    /// assert_eq!(joined, Ok(vec![part(0..4), part(6..9)]));
    /// ```
    ///
    /// # Errors
    ///
    /// [`NotJoined`] where they are not of one run, or have a game in common.
    pub fn joined_side_by_side(parts: &[Self]) -> Result<Vec<Self>, NotJoined> {
        let mut joined: Vec<Self> = Vec::new();
        if let Some(first) = parts.first() {
            check_alike(first, parts)?;
        }
        let mut order: Vec<_> = (0..parts.len()).collect();
        order.retain(|&index| !parts[index].part.is_empty());
        order.sort_by_key(|&index| (parts[index].part.start, parts[index].part.end));
        let mut before = 0;
        for index in order {
            let part = &parts[index];
            match joined.last_mut() {
                Some(last) if part.part.start < last.part.end => {
                    return Err(NotJoined::Overlap(before, index, part.part.start));
                }
                Some(last) if part.part.start == last.part.end => {
                    last.part.end = part.part.end;
                    last.tally.add(&part.tally);
                }
                _ => joined.push(part.clone()),
            }
            before = index;
        }
        Ok(joined)
    }
}

/// Checks that these are whole parts of the run that the first is a part of.
fn check_alike(first: &Run, parts: &[Run]) -> Result<(), NotJoined> {
    for (index, part) in parts.iter().enumerate() {
        if let Some(option) = part.rules.difference(&first.rules) {
            return Err(NotJoined::OtherRules(0, index, option));
        }
        if part.seed != first.seed {
            return Err(NotJoined::OtherSeed(0, index));
        }
        if part.games != first.games {
            return Err(NotJoined::OtherGames(0, index));
        }
        if part.partial {
            return Err(NotJoined::Partial(index));
        }
    }
    Ok(())
}

/// Checks that every number below the last is in exactly one of these ranges.
pub(super) fn check_cover(ranges: &[Range<u64>], last: u64) -> Result<(), NotJoined> {
    let mut order: Vec<_> = (0..ranges.len()).collect();
    order.sort_by_key(|&index| (ranges[index].start, ranges[index].end));
    let (mut next, mut before) = (0, 0);
    for index in order {
        let range = &ranges[index];
        if range.is_empty() {
            continue;
        }
        if range.start < next {
            return Err(NotJoined::Overlap(before, index, range.start));
        }
        if range.start > next {
            return Err(NotJoined::Missing(next, range.start));
        }
        (next, before) = (range.end, index);
    }
    if next < last {
        return Err(NotJoined::Missing(next, last));
    }
    Ok(())
}
