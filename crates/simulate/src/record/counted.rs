//! The figures of a run in its document: what was counted, and what follows from it.

use super::whole::Whole;
use crate::figures::{Turns, share, share_bounds};
use crate::tally::{Cycles, Mean, Moments, Tally};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Outcomes {
    pub(super) won: Vec<u64>,
    pub(super) drawn: u64,
    pub(super) endless: u64,
    pub(super) undecided: u64,
}

/// The outcomes as shares of the games.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Shares {
    won: Vec<Share>,
    drawn: Share,
    endless: Share,
    undecided: Share,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Share {
    value: f64,
    /// `null` of none of the games, and of all.
    se: Option<f64>,
    /// What bounds the share there, with a probability of 95 %.
    at_least: Option<f64>,
    at_most: Option<f64>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct TurnsRecord {
    mean: f64,
    pub(super) sd: Option<f64>,
    pub(super) se: Option<f64>,
    sd_se: Option<f64>,
    pub(super) min: u32,
    pub(super) max: u32,
    p5: u32,
    median: u32,
    p95: u32,
    p99: u32,
    p5_se: Option<f64>,
    median_se: Option<f64>,
    p95_se: Option<f64>,
    p99_se: Option<f64>,
}

/// What each game has a number of.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Counted {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: Whole,
    squares: Whole<u128>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Wars {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: Whole,
    squares: Whole<u128>,
    pub(super) by_depth: Vec<u64>,
    /// A war in a war counts again.
    pub(super) ties: Counted,
    pub(super) played_on: Counted,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct CyclesRecord {
    min: u32,
    max: u32,
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: Whole,
    squares: Whole<u128>,
}

impl Outcomes {
    pub(super) fn new(tally: &Tally, players: usize) -> Self {
        Self {
            won: tally.won[..players].to_vec(),
            drawn: tally.drawn,
            endless: tally.endless,
            undecided: tally.undecided,
        }
    }
}

impl Shares {
    /// The shares, if there are games.
    pub(super) fn new(tally: &Tally, players: usize) -> Option<Self> {
        let games = tally.games();
        let share = |part| Share::new(part, games);
        (games > 0).then(|| Self {
            won: tally.won[..players].iter().copied().map(share).collect(),
            drawn: share(tally.drawn),
            endless: share(tally.endless),
            undecided: share(tally.undecided),
        })
    }
}

impl Share {
    fn new(part: u64, games: u64) -> Self {
        let share = share(part, games);
        let (at_least, at_most) = share_bounds(part, games).unzip();
        Self {
            value: share.value,
            se: at_least.is_none().then_some(share.error),
            at_least,
            at_most,
        }
    }
}

impl TurnsRecord {
    pub(super) fn new(turns: Turns) -> Self {
        let errors = turns.quantile_errors;
        let error = |quantile: usize| errors.map(|errors| errors[quantile]);
        Self {
            mean: turns.mean,
            sd: turns.sd,
            se: turns.se,
            sd_se: turns.sd_error,
            min: turns.min,
            max: turns.max,
            p5: turns.p5,
            median: turns.median,
            p95: turns.p95,
            p99: turns.p99,
            p5_se: error(0),
            median_se: error(1),
            p95_se: error(2),
            p99_se: error(3),
        }
    }
}

impl Counted {
    /// The figures of so many games, if there are any.
    pub(super) fn new(moments: Moments, games: u64) -> Option<Self> {
        let Mean { value, sd, error } = moments.mean(games)?;
        Some(Self {
            mean: value,
            sd,
            se: error,
            sum: Whole(moments.sum),
            squares: Whole(moments.squares),
        })
    }

    pub(super) const fn lift(&self) -> Moments {
        Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        }
    }
}

impl Wars {
    /// The wars of finished games, if there are any.
    pub(super) fn new(tally: &Tally) -> Option<Self> {
        let games = tally.finished();
        let wars = Counted::new(tally.wars, games)?;
        Some(Self {
            mean: wars.mean,
            sd: wars.sd,
            se: wars.se,
            sum: wars.sum,
            squares: wars.squares,
            by_depth: tally.depths.counts().to_vec(),
            ties: Counted::new(tally.ties, games)?,
            played_on: Counted::new(tally.played_on, games)?,
        })
    }

    pub(super) const fn lift(&self) -> Moments {
        Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        }
    }
}

impl CyclesRecord {
    /// The periods of endless games, if there are any.
    pub(super) fn new(tally: &Tally) -> Option<Self> {
        let periods = Counted::new(tally.cycles.all, tally.endless)?;
        Some(Self {
            min: tally.cycles.min,
            max: tally.cycles.max,
            mean: periods.mean,
            sd: periods.sd,
            se: periods.se,
            sum: periods.sum,
            squares: periods.squares,
        })
    }

    pub(super) const fn lift(&self) -> Cycles {
        let all = Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        };
        Cycles {
            min: self.min,
            max: self.max,
            all,
        }
    }

    /// Whether so many endless games can have these periods.
    pub(super) fn are_possible(&self, endless: u64) -> bool {
        let (min, max) = (u128::from(self.min), u128::from(self.max));
        let Some(others) = endless.checked_sub(1).map(u128::from) else {
            return false;
        };
        let sums = max + others * min..=min + others * max;
        let possible = self.lift().all.are_possible(endless);
        possible && (1..=max).contains(&min) && sums.contains(&self.sum.0.into())
    }
}
