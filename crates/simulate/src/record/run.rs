//! Runs as JSON documents. Reading a document plays its longest and its shortest game again.

use super::document::{DocumentHead, MAX_NUMBER, RulesRecord, RunFileError, WholeNumber};
use crate::figures::{TurnStatistics, share, share_bounds};
use crate::kernel::Kernel;
use crate::run::Run;
use crate::setup::GameSetup;
use crate::simulator::Simulator;
use crate::tally::{ExtremeGame, Mean, Moments, PeriodStatistics, Tally};
use serde::{Deserialize, Serialize};
use war::cards::{GameNumber, Generator};
use war::rules::{Parameters, TurnLimit};

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct RunRecord {
    format: String,
    version: u32,
    rules: RulesRecord,
    generator: String,
    seed: WholeNumber,
    /// Number of games in this document.
    games: u64,
    part: PartRecord,
    partial: bool,
    outcomes: OutcomesRecord,
    /// Shares of the outcomes; like all figures, `null` if there are no games.
    shares: Option<SharesRecord>,
    turns: Option<TurnsRecord>,
    wars: Option<WarsRecord>,
    pairs: Option<MeanRecord>,
    cycles: Option<CyclesRecord>,
    longest: Option<u64>,
    shortest: Option<u64>,
    histogram: Vec<(u32, u64)>,
}

/// Range of games of a run, from `from` up to, but not including, `to`.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct PartRecord {
    from: u64,
    to: u64,
    of: u64,
}

const FORMAT: &str = "war-simulation";
/// Version of the document. Version 1 lacks the sums from which the errors of wars are derived.
const VERSION: u32 = 2;

impl Run {
    /// Returns the run as a JSON document. The same run gives the same bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Dealing, GameSetup, Run, Tally};
    ///
    /// let run = Run {
    ///     setup: GameSetup {
    ///         parameters: Parameters::BATAILLE,
    ///         players: 2,
    ///         deck: Deck::Small,
    ///         dealing: Dealing::Shuffled,
    ///     },
    ///     seed: 1,
    ///     games: 100,
    ///     part: 0..0,
    ///     partial: true,
    ///     tally: Tally::default(),
    /// };
    /// assert_eq!(Run::from_json(run.to_json().as_bytes()).unwrap(), run);
    /// ```
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "text and numbers are JSON")]
    pub fn to_json(&self) -> String {
        let json = serde_json::to_string_pretty(&RunRecord::new(self));
        json.expect("text and numbers are JSON") + "\n"
    }

    /// Reads the run in a JSON document, and plays its longest and shortest game again.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] unless this version of the program wrote the document.
    pub fn from_json(json: &[u8]) -> Result<Self, RunFileError> {
        let head = DocumentHead::parse(json, FORMAT, VERSION)?;
        if head.generator != generator_name(0) {
            return Err(RunFileError::Generator(head.generator));
        }
        let record: RunRecord = serde_json::from_slice(json)?;
        let run = record.to_run().ok_or(RunFileError::Changed)?;
        // Figures that differ from those derived from the counts were changed, or written by
        // another program.
        let follows = RunRecord::new(&run) == record && has_reproducible_extremes(&run);
        follows.then_some(run).ok_or(RunFileError::Changed)
    }
}

impl RunRecord {
    fn new(run: &Run) -> Self {
        let (tally, players) = (&run.tally, run.setup.players.into());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: RulesRecord::new(&run.setup),
            generator: generator_name(run.seed),
            seed: WholeNumber(run.seed),
            games: tally.games(),
            part: PartRecord {
                from: run.part.start,
                to: run.part.end,
                of: run.games,
            },
            partial: run.partial,
            outcomes: OutcomesRecord::new(tally, players),
            shares: SharesRecord::new(tally, players),
            turns: TurnStatistics::from_histogram(&tally.turns).map(TurnsRecord::new),
            wars: WarsRecord::new(tally),
            pairs: MeanRecord::new(tally.comparisons, tally.finished_games()),
            cycles: CyclesRecord::new(tally),
            longest: tally.longest.map(|extreme| extreme.game),
            shortest: tally.shortest.map(|extreme| extreme.game),
            histogram: tally.turns.iter().collect(),
        }
    }

    /// Checks that no sum of the figures exceeds [`MAX_NUMBER`].
    fn check_sums(&self) -> Option<()> {
        let outcomes = &self.outcomes;
        let ends = [outcomes.drawn, outcomes.endless, outcomes.undecided];
        let games = outcomes.won.iter().chain(&ends).copied().map(Some);
        let counted = self.histogram.iter().map(|(_, games)| Some(*games));
        let depths = self.wars.iter().flat_map(|wars| &wars.by_depth);
        let ties = (1_u64..).zip(depths);
        let ties = ties.map(|(depth, wars)| wars.checked_mul(depth));
        checked_total(games)
            .and(checked_total(counted))
            .and(checked_total(ties))?;
        let periods = self.cycles.as_ref().map(CyclesRecord::to_period_statistics);
        let periods = periods.unwrap_or_default().moments.sum;
        (periods <= MAX_NUMBER && self.part.of <= MAX_NUMBER).then_some(())
    }

    /// Returns true if the longest and the shortest game are games of the part.
    fn has_possible_extremes(&self) -> bool {
        let games = self.part.from..self.part.to;
        let inside = |game: Option<u64>| game.is_some_and(|game| games.contains(&game));
        match &self.turns {
            None => self.longest.is_none() && self.shortest.is_none(),
            Some(turns) => {
                let is_same = self.longest == self.shortest;
                inside(self.longest)
                    && inside(self.shortest)
                    && (turns.min == turns.max || !is_same)
            }
        }
    }

    /// Returns true if the recorded number of endless games can have the recorded periods.
    fn has_possible_periods(&self) -> bool {
        let endless = self.outcomes.endless;
        match &self.cycles {
            Some(cycles) => cycles.is_possible(endless),
            None => endless == 0,
        }
    }

    /// Returns true if the wars and pairs of this tally are possible.
    fn has_possible_wars(tally: &Tally) -> bool {
        let games = tally.finished_games();
        let sums = [tally.wars, tally.ties, tally.played_on, tally.comparisons];
        let turns = tally.turns.iter();
        let turns = turns.map(|(turns, games)| u128::from(turns) * u128::from(games));
        let pairs = turns.sum::<u128>() + u128::from(tally.played_on.sum);
        let wars: u64 = tally.depths.counts().iter().sum();
        sums.into_iter().all(|sum| sum.is_possible(games))
            && (tally.wars.sum, tally.ties.sum) == (wars, tally.depths.ties())
            && tally.played_on.sum <= tally.ties.sum
            && u128::from(tally.comparisons.sum) == pairs
    }

    fn to_run(&self) -> Option<Run> {
        self.check_sums()?;
        let mut tally = Tally {
            drawn: self.outcomes.drawn,
            endless: self.outcomes.endless,
            undecided: self.outcomes.undecided,
            periods: self
                .cycles
                .as_ref()
                .map(CyclesRecord::to_period_statistics)
                .unwrap_or_default(),
            comparisons: self
                .pairs
                .as_ref()
                .map(MeanRecord::to_moments)
                .unwrap_or_default(),
            ..Tally::default()
        };
        let won = self.outcomes.won.iter().chain(std::iter::repeat(&0));
        for (sum, won) in tally.won.iter_mut().zip(won) {
            *sum = *won;
        }
        for &(turns, games) in &self.histogram {
            tally.turns.count(turns, games);
        }
        if let Some(wars) = &self.wars {
            for (depth, &wars) in (1..).zip(&wars.by_depth) {
                tally.depths.count_many(depth, wars);
            }
            tally.wars = wars.to_moments();
            tally.ties = wars.ties.to_moments();
            tally.played_on = wars.played_on.to_moments();
        }
        let extreme = |game: Option<u64>, turns: Option<u32>| {
            game.zip(turns)
                .map(|(game, turns)| ExtremeGame { game, turns })
        };
        let turns = self.turns.as_ref();
        tally.longest = extreme(self.longest, turns.map(|turns| turns.max));
        tally.shortest = extreme(self.shortest, turns.map(|turns| turns.min));
        let counted: u64 = self.histogram.iter().map(|(_, games)| games).sum();
        let played = self.part.to.checked_sub(self.part.from)?;
        let whole = counted == tally.finished_games() && played == tally.games();
        let possible = self.has_possible_extremes()
            && self.has_possible_periods()
            && Self::has_possible_wars(&tally);
        let run = Run {
            setup: self.rules.to_setup()?,
            seed: self.seed.0,
            games: self.part.of,
            part: self.part.from..self.part.to,
            partial: self.partial,
            tally,
        };
        (whole && possible && run.part.end <= run.games).then_some(run)
    }
}

/// Returns the name of the generator that deals the games of a seed.
fn generator_name(seed: u64) -> String {
    let number = GameNumber { seed, game: 0 };
    Generator::Xoshiro256PlusPlus { number }.name().to_owned()
}

/// Returns the sum of the counts, unless it exceeds [`MAX_NUMBER`].
fn checked_total(mut counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    counts.try_fold(0_u64, |sum, count| {
        sum.checked_add(count?).filter(|&sum| sum <= MAX_NUMBER)
    })
}

/// Returns true if the longest and the shortest game of a run take the recorded turns when they are
/// played again: another seed or other rules would give other games.
fn has_reproducible_extremes(run: &Run) -> bool {
    let (Some(longest), Some(shortest)) = (run.tally.longest, run.tally.shortest) else {
        return run.tally.finished_games() == 0;
    };
    let rules = GameSetup {
        parameters: with_limit_after(run.setup.parameters, longest.turns),
        ..run.setup.clone()
    };
    let mut simulator = Simulator::new(rules, Kernel::General);
    let mut is_reproduced = |extreme: ExtremeGame| {
        let mut tally = Tally::default();
        let games = extreme.game..extreme.game + 1;
        simulator.play(run.seed, games, &mut tally, |_, _| ());
        tally.longest == Some(extreme)
    };
    is_reproduced(longest) && is_reproduced(shortest)
}

/// Returns the parameters with a limit just above `turns`, so that a changed document can't make a
/// replayed game take long.
fn with_limit_after(parameters: Parameters, turns: u32) -> Parameters {
    match parameters.limit {
        // This limit names a winner, so it must stay.
        Some(TurnLimit::TurnsPerCard(_)) => parameters,
        _ => parameters.with_turn_limit(turns.saturating_add(1)),
    }
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct OutcomesRecord {
    won: Vec<u64>,
    drawn: u64,
    endless: u64,
    undecided: u64,
}

/// Outcomes as shares of the games.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct SharesRecord {
    won: Vec<ShareRecord>,
    drawn: ShareRecord,
    endless: ShareRecord,
    undecided: ShareRecord,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct ShareRecord {
    value: f64,
    /// Standard error of the share; `null` if the share is 0 or 1.
    se: Option<f64>,
    /// 95 % bounds of a share that is 0 or 1.
    at_least: Option<f64>,
    at_most: Option<f64>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct TurnsRecord {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sd_se: Option<f64>,
    min: u32,
    max: u32,
    p5: u32,
    median: u32,
    p95: u32,
    p99: u32,
    p5_se: Option<f64>,
    median_se: Option<f64>,
    p95_se: Option<f64>,
    p99_se: Option<f64>,
}

/// Mean of a number that each game has, with its moments.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct MeanRecord {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: WholeNumber,
    squares: WholeNumber<u128>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct WarsRecord {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: WholeNumber,
    squares: WholeNumber<u128>,
    by_depth: Vec<u64>,
    /// Ties; a war within a war counts again.
    ties: MeanRecord,
    played_on: MeanRecord,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct CyclesRecord {
    min: u32,
    max: u32,
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: WholeNumber,
    squares: WholeNumber<u128>,
}

impl OutcomesRecord {
    pub(super) fn new(tally: &Tally, players: usize) -> Self {
        Self {
            won: tally.won[..players].to_vec(),
            drawn: tally.drawn,
            endless: tally.endless,
            undecided: tally.undecided,
        }
    }
}

impl SharesRecord {
    /// Returns the shares, if there are games.
    pub(super) fn new(tally: &Tally, players: usize) -> Option<Self> {
        let games = tally.games();
        let share = |part| ShareRecord::new(part, games);
        (games > 0).then(|| Self {
            won: tally.won[..players].iter().copied().map(share).collect(),
            drawn: share(tally.drawn),
            endless: share(tally.endless),
            undecided: share(tally.undecided),
        })
    }
}

impl ShareRecord {
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
    pub(super) fn new(turns: TurnStatistics) -> Self {
        let errors = turns.quantile_errors;
        let error = |quantile: usize| errors.map(|errors| errors[quantile]);
        Self {
            mean: turns.mean,
            sd: turns.sd,
            se: turns.mean_error,
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

impl MeanRecord {
    /// Returns the mean of this many games with its moments, or `None` if there are no games.
    pub(super) fn new(moments: Moments, games: u64) -> Option<Self> {
        let Mean { value, sd, error } = moments.mean(games)?;
        Some(Self {
            mean: value,
            sd,
            se: error,
            sum: WholeNumber(moments.sum),
            squares: WholeNumber(moments.squares),
        })
    }

    pub(super) const fn to_moments(&self) -> Moments {
        Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        }
    }
}

impl WarsRecord {
    /// Returns the wars of finished games, if there are any.
    pub(super) fn new(tally: &Tally) -> Option<Self> {
        let games = tally.finished_games();
        let wars = MeanRecord::new(tally.wars, games)?;
        Some(Self {
            mean: wars.mean,
            sd: wars.sd,
            se: wars.se,
            sum: wars.sum,
            squares: wars.squares,
            by_depth: tally.depths.counts().to_vec(),
            ties: MeanRecord::new(tally.ties, games)?,
            played_on: MeanRecord::new(tally.played_on, games)?,
        })
    }

    pub(super) const fn to_moments(&self) -> Moments {
        Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        }
    }
}

impl CyclesRecord {
    /// Returns the periods of endless games, if there are any.
    pub(super) fn new(tally: &Tally) -> Option<Self> {
        let periods = MeanRecord::new(tally.periods.moments, tally.endless)?;
        Some(Self {
            min: tally.periods.min,
            max: tally.periods.max,
            mean: periods.mean,
            sd: periods.sd,
            se: periods.se,
            sum: periods.sum,
            squares: periods.squares,
        })
    }

    pub(super) const fn to_period_statistics(&self) -> PeriodStatistics {
        let moments = Moments {
            sum: self.sum.0,
            squares: self.squares.0,
        };
        PeriodStatistics {
            min: self.min,
            max: self.max,
            moments,
        }
    }

    /// Returns true if this many endless games can have these periods.
    fn is_possible(&self, endless: u64) -> bool {
        let (min, max) = (u128::from(self.min), u128::from(self.max));
        let Some(others) = endless.checked_sub(1).map(u128::from) else {
            return false;
        };
        let sums = max + others * min..=min + others * max;
        let possible = self.to_period_statistics().moments.is_possible(endless);
        possible && (1..=max).contains(&min) && sums.contains(&self.sum.0.into())
    }
}
