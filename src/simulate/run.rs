use super::setup::GameSetup;
use super::tally::Tally;
use std::fmt;
use std::ops::Range;
use thiserror::Error;

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
    /// use war::simulate::Shard;
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
    /// use war::simulate::{Dealing, GameSetup, Kernel, NotJoined, Plan, Run};
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
        let mut order: Vec<_> = (0..parts.len()).collect();
        order.sort_by_key(|&index| (parts[index].part.start, parts[index].part.end));
        let Some(first) = parts.first() else {
            return Err(NotJoined::Missing(0, 0));
        };
        let mut joined = Self {
            part: 0..first.games,
            tally: Tally::default(),
            ..first.clone()
        };
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
        let (mut next, mut before) = (0, 0);
        for index in order {
            let part = &parts[index];
            if part.part.is_empty() {
                continue;
            }
            if part.part.start < next {
                return Err(NotJoined::Overlap(before, index, part.part.start));
            }
            if part.part.start > next {
                return Err(NotJoined::Missing(next, part.part.start));
            }
            (next, before) = (part.part.end, index);
            joined.tally.add(&part.tally);
        }
        if next < first.games {
            return Err(NotJoined::Missing(next, first.games));
        }
        Ok(joined)
    }
}
