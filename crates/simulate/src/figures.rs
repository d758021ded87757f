//! Statistics derived from a tally.

use super::tally::{Histogram, Mean};
use std::num::NonZero;

/// Mean or share with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// Estimated mean or share.
    pub value: f64,
    /// Standard error of the value.
    pub error: f64,
}

/// Statistics of the turns of finished games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnStatistics {
    /// Mean number of turns.
    pub mean: f64,
    /// Standard deviation of the turns, with the divisor n - 1; `None` for a single game.
    pub sd: Option<f64>,
    /// Standard error of the mean; `None` for a single game.
    pub mean_error: Option<f64>,
    /// Standard error of the standard deviation; `None` for a single game.
    pub sd_error: Option<f64>,
    /// Lowest number of turns.
    pub min: u32,
    /// Highest number of turns.
    pub max: u32,
    /// 5th percentile: 5 % of the games took at most this many turns.
    pub p5: u32,
    /// Median: half of the games took at most this many turns.
    pub median: u32,
    /// 95th percentile: 95 % of the games took at most this many turns.
    pub p95: u32,
    /// 99th percentile: 99 % of the games took at most this many turns.
    pub p99: u32,
    /// Standard errors of `p5`, `median`, `p95` and `p99`; `None` for a single game.
    pub quantile_errors: Option<[f64; 4]>,
}

impl Mean {
    /// Returns the value with its error, if it has one.
    pub(super) fn estimate(self) -> Option<Estimate> {
        let (value, error) = (self.value, self.error?);
        Some(Estimate { value, error })
    }
}

impl TurnStatistics {
    /// Returns the statistics of a distribution, or `None` if it has no games.
    ///
    /// Sums are exact; each figure is rounded once, in the same way on every machine.
    ///
    /// # Examples
    ///
    /// ```
    /// use war_simulate::{Histogram, TurnStatistics};
    ///
    /// let mut histogram = Histogram::default();
    /// histogram.count(10, 3);
    /// histogram.count(30, 1);
    /// let turns = TurnStatistics::from_histogram(&histogram).unwrap();
    /// assert_eq!((turns.mean, turns.sd), (15.0, Some(10.0)));
    /// assert_eq!((turns.min, turns.median, turns.max), (10, 10, 30));
    /// ```
    #[must_use]
    pub fn from_histogram(histogram: &Histogram) -> Option<Self> {
        let (mut games, mut sum, mut squares) = (0_u128, 0_u128, 0_u128);
        for (turns, count) in histogram.iter() {
            let (turns, count) = (u128::from(turns), u128::from(count));
            games += count;
            sum += turns * count;
            squares += turns * turns * count;
        }
        let mean = Mean::from_sums(games, sum, squares)?;
        let (min, _) = histogram.iter().next()?;
        let max = histogram.iter().last()?.0;
        let quantile = |percent| quantile(histogram, percent, 100).unwrap_or(max);
        let error = |thousandths| Some(quantile_estimate(histogram, thousandths)?.error);
        let quantile_errors = match [50, 500, 950, 990].map(error) {
            [Some(p5), Some(median), Some(p95), Some(p99)] => Some([p5, median, p95, p99]),
            _ => None,
        };
        Some(Self {
            mean: mean.value,
            sd: mean.sd,
            mean_error: mean.error,
            sd_error: mean.sd.map(|sd| sd_error(histogram, mean.value, sd)),
            min,
            max,
            p5: quantile(5),
            median: quantile(50),
            p95: quantile(95),
            p99: quantile(99),
            quantile_errors: quantile_errors.filter(|_| games > 1),
        })
    }
}

/// Returns the standard error of a standard deviation, derived from the fourth powers of the
/// distances to the mean, because the distribution has a long tail.
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
fn sd_error(histogram: &Histogram, mean: f64, sd: f64) -> f64 {
    let (mut games, mut fourths) = (0.0, 0.0);
    for (turns, count) in histogram.iter() {
        let square = (f64::from(turns) - mean) * (f64::from(turns) - mean);
        games += count as f64;
        fourths += square * square * count as f64;
    }
    let square = sd * sd;
    let spread = (fourths / games - square * square).max(0.0);
    // If all games have the same length, nothing suggests that other games have different lengths.
    if sd > 0.0 {
        (spread / games).sqrt() / (2.0 * sd)
    } else {
        0.0
    }
}

/// Returns the quantile `part / whole` of the turns: the fewest turns not exceeded by this share of
/// the games. `None` if there are no games or `whole` is 0.
///
/// # Examples
///
/// ```
/// use war_simulate::{Histogram, quantile};
///
/// let mut histogram = Histogram::default();
/// (1..=100).for_each(|turns| histogram.count(turns, 1));
/// assert_eq!(quantile(&histogram, 95, 100), Some(95));
/// assert_eq!(quantile(&Histogram::default(), 95, 100), None);
/// ```
#[must_use]
pub fn quantile(histogram: &Histogram, part: u32, whole: u32) -> Option<u32> {
    let games: u64 = histogram.iter().map(|(_, games)| games).sum();
    let whole = NonZero::new(u128::from(whole))?;
    let rank = (u128::from(games) * u128::from(part)).div_ceil(whole.get());
    turns_at_rank(histogram, rank)
}

/// Returns the turns of the game with this rank, from 1, in ascending order of turns.
fn turns_at_rank(histogram: &Histogram, rank: u128) -> Option<u32> {
    let mut below = 0;
    let mut turns = histogram.iter().map(|(turns, games)| {
        below += u128::from(games);
        (turns, below)
    });
    let found = turns.find(|&(_, below)| below >= rank);
    found.map(|(turns, _)| turns)
}

/// Returns the quantile of the turns at this many thousandths. The standard error is half the
/// distance between two other quantiles, whose ranks are one standard deviation below and above the
/// rank of this one.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a rank is between 0 and the number of games"
)]
pub(super) fn quantile_estimate(histogram: &Histogram, thousandths: u32) -> Option<Estimate> {
    let value = quantile(histogram, thousandths, 1_000)?;
    let games: u64 = histogram.iter().map(|(_, games)| games).sum();
    let part = f64::from(thousandths) / 1_000.0;
    let (rank, spread) = (
        games as f64 * part,
        (games as f64 * part * (1.0 - part)).sqrt(),
    );
    let at = |rank: f64| {
        let rank = (rank.ceil() as u64).clamp(1, games);
        turns_at_rank(histogram, rank.into()).map(f64::from)
    };
    let distance = at(rank + spread)? - at(rank - spread)?;
    Some(Estimate {
        value: value.into(),
        // Turns are whole numbers, so no quantile is known more precisely than to half a turn.
        error: (distance / 2.0).max(0.5),
    })
}

/// Returns true if this many games are enough for the standard error of the quantile at `percent`:
/// the ranks one standard deviation below and above it exist.
///
/// # Examples
///
/// ```
/// use war_simulate::has_quantile_error;
///
/// assert!(has_quantile_error(19, 95) && !has_quantile_error(18, 95));
/// assert!(has_quantile_error(2, 50) && !has_quantile_error(1, 50));
/// ```
#[must_use]
pub fn has_quantile_error(games: u64, percent: u32) -> bool {
    let (below, above) = (u64::from(percent), 100_u64.saturating_sub(percent.into()));
    // If p is the share of games below the quantile, the number p n of these games exceeds its
    // standard deviation if p n > 1 - p.
    games.saturating_mul(below) > above && games.saturating_mul(above) >= below
}

/// Returns the share `part / whole` of games, with its standard error.
///
/// # Examples
///
/// ```
/// use war_simulate::share;
///
/// let won = share(50, 100);
/// assert_eq!((won.value, won.error), (0.5, 0.05));
/// ```
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
pub fn share(part: u64, whole: u64) -> Estimate {
    let value = if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    };
    Estimate {
        value,
        error: (value * (1.0 - value) / whole.max(1) as f64).sqrt(),
    }
}

/// Returns the 95 % bounds of the true share if it has no standard error: 0 and 3/n for 0 of n
/// games, 1 - 3/n and 1 for n of n games.
///
/// # Examples
///
/// ```
/// use war_simulate::share_bounds;
///
/// assert_eq!(share_bounds(0, 1_000), Some((0.0, 0.003)));
/// assert_eq!(share_bounds(1_000, 1_000), Some((0.997, 1.0)));
/// assert_eq!(share_bounds(1, 1_000), None);
/// ```
#[must_use]
#[expect(
    clippy::cast_precision_loss,
    reason = "a figure has fewer digits than a float"
)]
pub fn share_bounds(part: u64, whole: u64) -> Option<(f64, f64)> {
    let bound = (3.0 / whole.max(1) as f64).min(1.0);
    match part {
        0 => Some((0.0, bound)),
        _ if part == whole => Some((1.0 - bound, 1.0)),
        _ => None,
    }
}

/// Returns a share with an error for comparisons: if the share is 0 or 1, a third of the distance
/// between its bounds.
pub(super) fn share_estimate(part: u64, whole: u64) -> Estimate {
    let known = share(part, whole);
    let error = share_bounds(part, whole).map_or(known.error, |(low, high)| (high - low) / 3.0);
    Estimate { error, ..known }
}
