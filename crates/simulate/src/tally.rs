use super::game::{Conclusion, GameResult, WarDepthCounts};
use super::kernel::MAX_PLAYERS;
use std::collections::BTreeMap;

/// Counts of many games. All counts are whole numbers, so they don't depend on the order in which
/// games are counted and parts are added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tally {
    /// Number of games won by each seat, seat 1 first.
    pub won: [u64; MAX_PLAYERS],
    /// Number of games drawn.
    pub drawn: u64,
    /// Number of endless games.
    pub endless: u64,
    /// Number of games stopped by the limit of turns without a winner.
    pub undecided: u64,
    /// Finished games by their number of turns.
    pub turns: Histogram,
    /// Wars of finished games by depth.
    pub depths: WarDepthCounts,
    /// Number of wars in a finished game.
    pub wars: Moments,
    /// Number of ties for the highest card in a finished game; a war within a war counts again.
    pub ties: Moments,
    /// Number of ties after which at least two players went on.
    pub played_on: Moments,
    /// Number of comparisons of face-up cards in a finished game: its turns, and the ties played
    /// on.
    pub comparisons: Moments,
    /// Periods of endless games.
    pub periods: PeriodStatistics,
    /// Finished game with the most turns; among several, the one with the lowest number.
    pub longest: Option<ExtremeGame>,
    /// Finished game with the fewest turns; among several, the one with the lowest number.
    pub shortest: Option<ExtremeGame>,
}

/// Longest or shortest game of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExtremeGame {
    /// Number of the game.
    pub game: u64,
    /// Number of turns of the game.
    pub turns: u32,
}

/// Periods of endless games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PeriodStatistics {
    /// Shortest period, or 0 if no game is endless.
    pub min: u32,
    /// Longest period, or 0 if no game is endless.
    pub max: u32,
    /// Moments of all periods.
    pub moments: Moments,
}

impl Tally {
    /// Returns the number of games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.finished_games() + self.endless + self.undecided
    }

    /// Returns the number of games won or drawn.
    #[must_use]
    pub fn finished_games(&self) -> u64 {
        self.won.iter().sum::<u64>() + self.drawn
    }

    /// Counts a game, except for the depths of its wars. A win at a seat beyond [`MAX_PLAYERS`]
    /// counts for no seat.
    #[inline]
    pub fn count(&mut self, game: u64, played: &GameResult) {
        match played.conclusion {
            Conclusion::Won(seat) => {
                if let Some(won) = self.won.get_mut(seat.index()) {
                    *won += 1;
                }
            }
            Conclusion::Drawn => self.drawn += 1,
            Conclusion::Endless { period } => {
                self.endless += 1;
                self.periods.add(PeriodStatistics {
                    min: period,
                    max: period,
                    moments: Moments::from_number(period.into()),
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
        self.comparisons
            .count(u64::from(turns) + u64::from(ties.played_on));
        self.update_extremes(ExtremeGame { game, turns });
    }

    #[inline]
    fn update_extremes(&mut self, extreme: ExtremeGame) {
        let longer = |other: ExtremeGame| (other.turns, extreme.game) < (extreme.turns, other.game);
        if self.longest.is_none_or(longer) {
            self.longest = Some(extreme);
        }
        let shorter =
            |other: ExtremeGame| (extreme.turns, extreme.game) < (other.turns, other.game);
        if self.shortest.is_none_or(shorter) {
            self.shortest = Some(extreme);
        }
    }

    /// Adds the counts of other games.
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
        self.comparisons.add(other.comparisons);
        self.periods.add(other.periods);
        for extreme in [other.longest, other.shortest].into_iter().flatten() {
            self.update_extremes(extreme);
        }
    }
}

impl PeriodStatistics {
    fn add(&mut self, other: Self) {
        self.min = match (self.min, other.min) {
            (0, min) | (min, 0) => min,
            (a, b) => a.min(b),
        };
        self.max = self.max.max(other.max);
        self.moments.add(other.moments);
    }
}

/// Number of games by number of turns.
///
/// Most games are short and are counted in a list; the rare long ones are in a map.
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
    short_games: Vec<u64>,
    long_games: BTreeMap<u32, u64>,
}

/// Limit of the list: games with at least this many turns are counted in the map.
const SHORT_GAMES_LENGTH: usize = 1 << 14;

impl Histogram {
    /// Counts `games` games of `turns` turns.
    #[inline]
    pub fn count(&mut self, turns: u32, games: u64) {
        let index = turns as usize;
        if let Some(count) = self.short_games.get_mut(index) {
            *count = count.saturating_add(games);
        } else if index < SHORT_GAMES_LENGTH {
            self.short_games.resize((index + 1).next_power_of_two(), 0);
            self.short_games[index] += games;
        } else {
            let count = self.long_games.entry(turns).or_default();
            *count = count.saturating_add(games);
        }
    }

    /// Returns the histogram as CSV, with `games` as the name of the second column. Endless and
    /// undecided games have rows at the end, without turns, so that the rows add up to all games.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut histogram = war_simulate::Histogram::default();
    /// histogram.count(7, 2);
    /// let csv = histogram.to_csv("games", 3, 0);
    /// assert_eq!(csv, "turns,games,ending\n7,2,finished\n,3,endless\n");
    /// ```
    #[must_use]
    pub fn to_csv(&self, games: &str, endless: u64, undecided: u64) -> String {
        let rows = self
            .iter()
            .map(|(turns, games)| format!("{turns},{games},finished\n"));
        let others = [(endless, "endless"), (undecided, "undecided")];
        let others = others.into_iter().filter(|(games, _)| *games > 0);
        let others = others.map(|(games, ending)| format!(",{games},{ending}\n"));
        format!("turns,{games},ending\n") + &rows.chain(others).collect::<String>()
    }

    /// Adds the counts of other games.
    pub(super) fn add(&mut self, other: &Self) {
        for (turns, games) in other.iter() {
            self.count(turns, games);
        }
    }

    /// Iterates over numbers of turns, in ascending order, each with its number of games, 1 or
    /// more.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        let short = (0..)
            .zip(&self.short_games)
            .map(|(turns, &games)| (turns, games));
        let long = self
            .long_games
            .iter()
            .map(|(&turns, &games)| (turns, games));
        short.chain(long).filter(|&(_, games)| games > 0)
    }
}

/// Sum and sum of squares of whole numbers, one from each game.
///
/// The mean and its error follow from these sums, whatever the order of adding.
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
    /// Sum of the numbers.
    pub sum: u64,
    /// Sum of the squares.
    pub squares: u128,
}

/// Mean with its standard deviation and standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// Value of the mean.
    pub value: f64,
    /// Standard deviation of the numbers, with the divisor n - 1; `None` for a single game.
    pub sd: Option<f64>,
    /// Standard error of the mean; `None` for a single game.
    pub error: Option<f64>,
}

impl Moments {
    /// Returns the moments of a single number.
    #[must_use]
    pub(super) fn from_number(number: u64) -> Self {
        Self {
            sum: number,
            squares: u128::from(number) * u128::from(number),
        }
    }

    /// Adds a number.
    #[inline]
    pub fn count(&mut self, number: u64) {
        self.add(Self::from_number(number));
    }

    /// Adds the numbers of other games.
    #[inline]
    pub(super) fn add(&mut self, other: Self) {
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    /// Returns the mean of `games` numbers, or `None` if there are none.
    #[must_use]
    pub fn mean(self, games: u64) -> Option<Mean> {
        Mean::from_sums(games.into(), self.sum.into(), self.squares)
    }

    /// Returns true if `games` whole numbers can have these sums.
    pub(super) fn is_possible(self, games: u64) -> bool {
        let sum = u128::from(self.sum);
        let all = sum.saturating_mul(sum);
        // A whole number is at most its square. The sum of squares is greatest if one number is the
        // whole sum, and least if all numbers are equal.
        let most = self.squares <= all;
        sum <= self.squares && most && all <= self.squares.saturating_mul(games.into())
    }
}

impl Mean {
    /// Returns the mean of `count` numbers with this sum and sum of squares, or `None` if `count`
    /// is 0. Each figure is rounded once.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a figure has fewer digits than a float"
    )]
    pub(super) fn from_sums(count: u128, sum: u128, squares: u128) -> Option<Self> {
        if count == 0 {
            return None;
        }
        let variance = (count > 1).then(|| {
            let spread = count.checked_mul(squares).zip(sum.checked_mul(sum));
            let spread = match spread {
                Some((all, mean)) => all.saturating_sub(mean) as f64,
                // Only a forged document has counts large enough to overflow.
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
