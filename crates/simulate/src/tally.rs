use super::game::{Conclusion, Depths, Played};
use super::kernel::MOST_PLAYERS;
use std::collections::BTreeMap;

/// What is counted of many games: whole numbers only, so that the order in which games are
/// counted, and parts added, changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// How many games each seat won, seat 1 first.
    pub won: [u64; MOST_PLAYERS],
    /// How many games were drawn.
    pub drawn: u64,
    /// How many games are endless.
    pub endless: u64,
    /// How many games lasted as many turns as they may.
    pub undecided: u64,
    /// How many finished games took how many turns.
    pub turns: Histogram,
    /// The wars of finished games.
    pub depths: Depths,
    /// How many wars a finished game has.
    pub wars: Moments,
    /// How often the highest card is shared in a finished game: a war in a war counts again.
    pub ties: Moments,
    /// How often it is, and two players or more go on.
    pub played_on: Moments,
    /// How often cards face up are compared in a finished game: its turns, and the ties played on.
    pub pairs: Moments,
    /// The periods of endless games.
    pub cycles: Cycles,
    /// The finished game with the most turns; of several, the one with the lowest number.
    pub longest: Option<Extreme>,
    /// The finished game with the fewest turns; of several, the one with the lowest number.
    pub shortest: Option<Extreme>,
}

/// A game that stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extreme {
    /// The number of the game.
    pub game: u64,
    /// Its turns.
    pub turns: u32,
}

/// The periods of endless games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Cycles {
    /// The shortest, or 0 where there is none.
    pub min: u32,
    /// The longest, or 0 where there is none.
    pub max: u32,
    /// All of them.
    pub all: Moments,
}

impl Tally {
    /// The number of games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.finished() + self.endless + self.undecided
    }

    /// The number of games that were won or drawn.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.won.iter().sum::<u64>() + self.drawn
    }

    /// Counts a game, but not the depths of its wars; nor its winner at a seat that no simulated
    /// game has.
    #[inline]
    pub fn count(&mut self, game: u64, played: &Played) {
        match played.verdict {
            Conclusion::Won(seat) => {
                if let Some(won) = self.won.get_mut(seat.index()) {
                    *won += 1;
                }
            }
            Conclusion::Drawn => self.drawn += 1,
            Conclusion::Endless { period } => {
                self.endless += 1;
                self.cycles.add(Cycles {
                    min: period,
                    max: period,
                    all: Moments::of(period.into()),
                });
                return;
            }
            Conclusion::Undecided => {
                self.undecided += 1;
                return;
            }
        }
        let turns = played.turns;
        self.turns.count(turns, 1);
        let ties = played.ties;
        self.wars.count(played.wars.into());
        self.ties.count(ties.all.into());
        self.played_on.count(ties.played_on.into());
        self.pairs
            .count(u64::from(turns) + u64::from(ties.played_on));
        self.see(Extreme { game, turns });
    }

    #[inline]
    fn see(&mut self, extreme: Extreme) {
        let longer = |other: Extreme| (other.turns, extreme.game) < (extreme.turns, other.game);
        if self.longest.is_none_or(longer) {
            self.longest = Some(extreme);
        }
        let shorter = |other: Extreme| (extreme.turns, extreme.game) < (other.turns, other.game);
        if self.shortest.is_none_or(shorter) {
            self.shortest = Some(extreme);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        for (sum, won) in self.won.iter_mut().zip(other.won) {
            *sum += won;
        }
        self.drawn += other.drawn;
        self.endless += other.endless;
        self.undecided += other.undecided;
        self.turns.add(&other.turns);
        self.depths.add(&other.depths);
        self.wars.add(other.wars);
        self.ties.add(other.ties);
        self.played_on.add(other.played_on);
        self.pairs.add(other.pairs);
        self.cycles.add(other.cycles);
        for extreme in [other.longest, other.shortest].into_iter().flatten() {
            self.see(extreme);
        }
    }
}

impl Cycles {
    fn add(&mut self, other: Self) {
        self.min = match (self.min, other.min) {
            (0, min) | (min, 0) => min,
            (a, b) => a.min(b),
        };
        self.max = self.max.max(other.max);
        self.all.add(other.all);
    }
}

/// How many games took how many turns.
///
/// Most games are short, and are counted in a list; the rare long ones in a map.
///
/// # Examples
///
/// ```
/// use war_simulate::Histogram;
///
/// let mut histogram = Histogram::default();
/// histogram.count(20, 1);
/// histogram.count(7, 2);
/// assert_eq!(histogram.iter().collect::<Vec<_>>(), [(7, 2), (20, 1)]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    short: Vec<u64>,
    long: BTreeMap<u32, u64>,
}

/// Games shorter than this are counted in the list.
const SHORT: usize = 1 << 14;

impl Histogram {
    /// Counts this many games of so many turns.
    #[inline]
    pub fn count(&mut self, turns: u32, games: u64) {
        let index = turns as usize;
        if let Some(count) = self.short.get_mut(index) {
            *count = count.saturating_add(games);
        } else if index < SHORT {
            self.short.resize((index + 1).next_power_of_two(), 0);
            self.short[index] += games;
        } else {
            let count = self.long.entry(turns).or_default();
            *count = count.saturating_add(games);
        }
    }

    /// The histogram as CSV, with this name for the column of games.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut histogram = war_simulate::Histogram::default();
    /// histogram.count(7, 2);
    /// assert_eq!(histogram.to_csv("games"), "turns,games\n7,2\n");
    /// ```
    #[must_use]
    pub fn to_csv(&self, games: &str) -> String {
        let rows = self
            .iter()
            .map(|(turns, games)| format!("{turns},{games}\n"));
        format!("turns,{games}\n") + &rows.collect::<String>()
    }

    /// Adds what was counted elsewhere.
    pub(super) fn add(&mut self, other: &Self) {
        for (turns, games) in other.iter() {
            self.count(turns, games);
        }
    }

    /// Turns with their games, in ascending order; games are 1 or more.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        let short = (0..).zip(&self.short).map(|(turns, &games)| (turns, games));
        let long = self.long.iter().map(|(&turns, &games)| (turns, games));
        short.chain(long).filter(|&(_, games)| games > 0)
    }
}

/// The sum of whole numbers, one of each of some games, and the sum of their squares: what their
/// mean and its error follow from, whatever the order in which they are added.
///
/// # Examples
///
/// ```
/// use war_simulate::Moments;
///
/// let mut wars = Moments::default();
/// [1, 2, 3, 2].into_iter().for_each(|count| wars.count(count));
/// let mean = wars.mean(4).unwrap();
/// assert_eq!(mean.value, 2.0);
/// assert!((mean.error.unwrap() - (1.0_f64 / 6.0).sqrt()).abs() < 1e-15);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Moments {
    /// The sum.
    pub sum: u64,
    /// The sum of the squares.
    pub squares: u128,
}

/// A mean, with what is known of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The value.
    pub value: f64,
    /// The standard deviation of a game, from n - 1; `None` of one game, which says nothing.
    pub sd: Option<f64>,
    /// The standard error of the mean; `None` of one game.
    pub error: Option<f64>,
}

impl Moments {
    /// Those of one number.
    #[must_use]
    pub(super) fn of(number: u64) -> Self {
        Self {
            sum: number,
            squares: u128::from(number) * u128::from(number),
        }
    }

    /// Adds a number.
    #[inline]
    pub fn count(&mut self, number: u64) {
        self.add(Self::of(number));
    }

    /// Adds what was counted elsewhere.
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// The mean of so many numbers, if there are any.
    #[must_use]
    pub fn mean(self, games: u64) -> Option<Mean> {
        Mean::of(games.into(), self.sum.into(), self.squares)
    }

    /// Whether so many numbers can have these sums.
    pub(super) fn are_possible(self, games: u64) -> bool {
        let sum = u128::from(self.sum);
        let all = sum.saturating_mul(sum);
        // Whole numbers are no more than their squares, which are most where one number has all
        // of the sum, and least where all are the same.
        let most = self.squares <= all;
        sum <= self.squares && most && all <= self.squares.saturating_mul(games.into())
    }
}

impl Mean {
    /// The mean of so many numbers with this sum and these squares, if there are any. What is
    /// rounded is rounded once.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub(super) fn of(count: u128, sum: u128, squares: u128) -> Option<Self> {
        if count == 0 {
            return None;
        }
        let variance = (count > 1).then(|| {
            let spread = count.checked_mul(squares).zip(sum.checked_mul(sum));
            let spread = match spread {
                Some((all, mean)) => all.saturating_sub(mean) as f64,
                // Only in a part that was made up are there as many turns.
                None => (count as f64 * squares as f64 - (sum as f64).powi(2)).max(0.0),
            };
            spread / (count as f64 * (count - 1) as f64)
        });
        Some(Self {
            value: sum as f64 / count as f64,
            sd: variance.map(f64::sqrt),
            error: variance.map(|variance| (variance / count as f64).sqrt()),
        })
    }
}
