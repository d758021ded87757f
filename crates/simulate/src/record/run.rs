//! A run as a document, with its figures and the two games that it names, played once more.

use super::document::{Head, MOST, RulesRecord, RunFileError, Whole};
use crate::figures::{Turns, share, share_bounds};
use crate::kernel::Kernel;
use crate::run::Run;
use crate::setup::GameSetup;
use crate::simulator::Simulator;
use crate::tally::{Cycles, Extreme, Mean, Moments, Tally};
use serde::{Deserialize, Serialize};
use war::cards::{GameNumber, Generator};
use war::rules::{Limit, Parameters};

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Record {
    format: String,
    version: u32,
    rules: RulesRecord,
    generator: String,
    seed: Whole,
    /// The number of games in this document.
    games: u64,
    part: Part,
    partial: bool,
    outcomes: Outcomes,
    /// What was counted of no game is `null`.
    shares: Option<Shares>,
    turns: Option<TurnsRecord>,
    wars: Option<Wars>,
    pairs: Option<Counted>,
    cycles: Option<CyclesRecord>,
    longest: Option<u64>,
    shortest: Option<u64>,
    histogram: Vec<(u32, u64)>,
}

/// Which games of a run: from the first, up to the one before the last.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Part {
    from: u64,
    to: u64,
    of: u64,
}

const FORMAT: &str = "war-simulation";
/// Those of version 1 lack what the errors of wars follow from.
const VERSION: u32 = 2;

impl Run {
    /// The run as a JSON document; the same run gives the same bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Dealing, GameSetup, Run, Tally};
    ///
    /// let run = Run {
    ///     rules: GameSetup {
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
        let json = serde_json::to_string_pretty(&Record::new(self));
        json.expect("text and numbers are JSON") + "\n"
    }

    /// The run of a JSON document, whose longest and shortest game are played once more.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] where this version of the program did not write it.
    pub fn from_json(json: &[u8]) -> Result<Self, RunFileError> {
        let head = Head::read(json, FORMAT, VERSION)?;
        if head.generator != generator(0) {
            return Err(RunFileError::Generator(head.generator));
        }
        let record: Record = serde_json::from_slice(json)?;
        let run = record.lift().ok_or(RunFileError::Changed)?;
        // What does not follow from the counts was changed, or counted elsewhere.
        let follows = Record::new(&run) == record && come_again(&run);
        follows.then_some(run).ok_or(RunFileError::Changed)
    }
}

impl Record {
    fn new(run: &Run) -> Self {
        let (tally, players) = (&run.tally, run.rules.players.into());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: RulesRecord::new(&run.rules),
            generator: generator(run.seed),
            seed: Whole(run.seed),
            games: tally.games(),
            part: Part {
                from: run.part.start,
                to: run.part.end,
                of: run.games,
            },
            partial: run.partial,
            outcomes: Outcomes::new(tally, players),
            shares: Shares::new(tally, players),
            turns: Turns::of(&tally.turns).map(TurnsRecord::new),
            wars: Wars::new(tally),
            pairs: Counted::new(tally.pairs, tally.finished()),
            cycles: CyclesRecord::new(tally),
            longest: tally.longest.map(|extreme| extreme.game),
            shortest: tally.shortest.map(|extreme| extreme.game),
            histogram: tally.turns.iter().collect(),
        }
    }

    /// Whether no sum of the figures is above [`MOST`]; it is `None` where one is.
    fn adds_up_to_less(&self) -> Option<()> {
        let outcomes = &self.outcomes;
        let ends = [outcomes.drawn, outcomes.endless, outcomes.undecided];
        let games = outcomes.won.iter().chain(&ends).copied().map(Some);
        let counted = self.histogram.iter().map(|(_, games)| Some(*games));
        let depths = self.wars.iter().flat_map(|wars| &wars.by_depth);
        let ties = (1_u64..).zip(depths);
        let ties = ties.map(|(depth, wars)| wars.checked_mul(depth));
        total(games).and(total(counted)).and(total(ties))?;
        let periods = self.cycles.as_ref().map(CyclesRecord::lift);
        let periods = periods.unwrap_or_default().all.sum;
        (periods <= MOST && self.part.of <= MOST).then_some(())
    }

    /// Whether the longest and the shortest game are games of the part.
    fn extremes_are_possible(&self) -> bool {
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

    /// Whether so many endless games can have these periods.
    fn cycles_are_possible(&self) -> bool {
        let endless = self.outcomes.endless;
        match &self.cycles {
            Some(cycles) => cycles.are_possible(endless),
            None => endless == 0,
        }
    }

    /// Whether these wars and pairs can be those of this tally, to which they were added.
    fn wars_are_possible(tally: &Tally) -> bool {
        let games = tally.finished();
        let sums = [tally.wars, tally.ties, tally.played_on, tally.pairs];
        let turns = tally.turns.iter();
        let turns = turns.map(|(turns, games)| u128::from(turns) * u128::from(games));
        let pairs = turns.sum::<u128>() + u128::from(tally.played_on.sum);
        let wars: u64 = tally.depths.counts().iter().sum();
        sums.into_iter().all(|sum| sum.are_possible(games))
            && (tally.wars.sum, tally.ties.sum) == (wars, tally.depths.ties())
            && tally.played_on.sum <= tally.ties.sum
            && u128::from(tally.pairs.sum) == pairs
    }

    fn lift(&self) -> Option<Run> {
        self.adds_up_to_less()?;
        let mut tally = Tally {
            drawn: self.outcomes.drawn,
            endless: self.outcomes.endless,
            undecided: self.outcomes.undecided,
            cycles: self
                .cycles
                .as_ref()
                .map(CyclesRecord::lift)
                .unwrap_or_default(),
            pairs: self.pairs.as_ref().map(Counted::lift).unwrap_or_default(),
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
            tally.wars = wars.lift();
            tally.ties = wars.ties.lift();
            tally.played_on = wars.played_on.lift();
        }
        let extreme = |game: Option<u64>, turns: Option<u32>| {
            game.zip(turns).map(|(game, turns)| Extreme { game, turns })
        };
        let turns = self.turns.as_ref();
        tally.longest = extreme(self.longest, turns.map(|turns| turns.max));
        tally.shortest = extreme(self.shortest, turns.map(|turns| turns.min));
        let counted: u64 = self.histogram.iter().map(|(_, games)| games).sum();
        let played = self.part.to.checked_sub(self.part.from)?;
        let whole = counted == tally.finished() && played == tally.games();
        let possible = self.extremes_are_possible()
            && self.cycles_are_possible()
            && Self::wars_are_possible(&tally);
        let run = Run {
            rules: self.rules.lift()?,
            seed: self.seed.0,
            games: self.part.of,
            part: self.part.from..self.part.to,
            partial: self.partial,
            tally,
        };
        (whole && possible && run.part.end <= run.games).then_some(run)
    }
}

/// The name of the generator that deals the games of a seed.
fn generator(seed: u64) -> String {
    let number = GameNumber { seed, game: 0 };
    Generator::Xoshiro256PlusPlus { number }.name().to_owned()
}

/// The sum of these, where it is not above [`MOST`].
fn total(mut counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    counts.try_fold(0_u64, |sum, count| {
        sum.checked_add(count?).filter(|&sum| sum <= MOST)
    })
}

/// Whether the longest and the shortest game of a run take as many turns as it says when they are
/// played once more: another seed or other rules would give other games.
fn come_again(run: &Run) -> bool {
    let (Some(longest), Some(shortest)) = (run.tally.longest, run.tally.shortest) else {
        return run.tally.finished() == 0;
    };
    let rules = GameSetup {
        parameters: up_to(run.rules.parameters, longest.turns),
        ..run.rules.clone()
    };
    let mut simulator = Simulator::new(rules, Kernel::General);
    let mut comes_again = |extreme: Extreme| {
        let mut tally = Tally::default();
        let games = extreme.game..extreme.game + 1;
        simulator.play(run.seed, games, &mut tally, |_, _| ());
        tally.longest == Some(extreme)
    };
    comes_again(longest) && comes_again(shortest)
}

/// The parameters under which a game of at most so many turns ends as ever, and no other one lasts
/// much longer.
fn up_to(parameters: Parameters, turns: u32) -> Parameters {
    match parameters.limit {
        // Such a limit names a winner.
        Some(Limit::TurnsPerCard(_)) => parameters,
        _ => parameters.with_limit(turns.saturating_add(1)),
    }
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Outcomes {
    won: Vec<u64>,
    drawn: u64,
    endless: u64,
    undecided: u64,
}

/// The outcomes as shares of the games.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Shares {
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

/// What each game has a number of.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Counted {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: Whole,
    squares: Whole<u128>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Wars {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    sum: Whole,
    squares: Whole<u128>,
    by_depth: Vec<u64>,
    /// A war in a war counts again.
    ties: Counted,
    played_on: Counted,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct CyclesRecord {
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
    fn are_possible(&self, endless: u64) -> bool {
        let (min, max) = (u128::from(self.min), u128::from(self.max));
        let Some(others) = endless.checked_sub(1).map(u128::from) else {
            return false;
        };
        let sums = max + others * min..=min + others * max;
        let possible = self.lift().all.are_possible(endless);
        possible && (1..=max).contains(&min) && sums.contains(&self.sum.0.into())
    }
}
