use super::setup::GameSetup;
use super::tally::Tally;
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
    #[error("part {1} has other rules than part {0}: `{2}` differs")]
    OtherRules(usize, usize, &'static str),
    /// The second part has another seed than the first.
    #[error("part {1} has another seed than part {0}")]
    OtherSeed(usize, usize),
    /// The second part is of a run with another number of games than the first.
    #[error("part {1} is of another number of games than part {0}")]
    OtherGames(usize, usize),
    /// A part was cut short.
    #[error("part {0} was cut short")]
    Partial(usize),
    /// Two parts have a game in common: this one.
    #[error("parts {0} and {1} overlap: both have game {2}")]
    Overlap(usize, usize, u64),
    /// These games are in no part: from the first, up to the one before the last.
    #[error("games from {0} up to, but not including, {1} are in no part")]
    Missing(u64, u64),
}

impl Run {
    /// The games that a share of the run has: number `index` of `of`, from 1.
    ///
    /// Shares differ in size by one game at most.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::simulate::Run;
    ///
    /// // Three machines share ten games.
    /// let shares = [1, 2, 3].map(|machine| Run::share(10, machine, 3));
    /// assert_eq!(shares, [0..3, 3..6, 6..10]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `index` is 0, or above `of`.
    #[must_use]
    pub fn share(games: u64, index: u64, of: u64) -> Range<u64> {
        assert!((1..=of).contains(&index), "a share of {of}");
        let start = |index: u64| {
            let start = u128::from(games) * u128::from(index) / u128::from(of);
            u64::try_from(start).expect("a share is of the games")
        };
        start(index - 1)..start(index)
    }

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
