//! A simulation as a JSON document: for other programs, and to join the parts of a run.

mod rules;

use super::figures::Turns;
use super::run::Run;
use super::tally::{Cycles, Extreme, Tally};
use crate::cards::{GameNumber, Generator};
use rules::RulesRecord;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The most that is read of anything: whole numbers up to here are exact in every reader of
/// JSON, and sums of some of them can be counted.
const MOST: u64 = 1 << 53;

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Record {
    format: String,
    version: u32,
    rules: RulesRecord,
    generator: String,
    seed: u64,
    /// The number of games in this document.
    games: u64,
    part: Part,
    partial: bool,
    outcomes: Outcomes,
    turns: Option<TurnsRecord>,
    wars: Wars,
    cycles: CyclesRecord,
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

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Outcomes {
    won: Vec<u64>,
    drawn: u64,
    endless: u64,
    undecided: u64,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct TurnsRecord {
    mean: f64,
    sd: Option<f64>,
    se: Option<f64>,
    min: u32,
    max: u32,
    p5: u32,
    median: u32,
    p95: u32,
    p99: u32,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Wars {
    mean: f64,
    by_depth: Vec<u64>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct CyclesRecord {
    min: u32,
    max: u32,
    mean: f64,
    sum: u64,
}

/// The part of a document that says which kind it is.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
    generator: String,
}

/// Why a document is not a run.
#[derive(Debug, Error)]
pub enum RunFileError {
    /// It is not a document of a run, or not a whole one.
    #[error("not a document of a run")]
    Syntax(#[from] serde_json::Error),
    /// It is one of another program, or was changed after it was written.
    #[error("not a run, or changed after it was written")]
    Changed,
    /// It has this version, which the program does not know.
    #[error("a run of version {0}, which is not supported")]
    Version(u32),
    /// Its games were dealt by this generator, which is not the program's.
    #[error("games dealt by the unknown generator `{0}`")]
    Generator(String),
}

const FORMAT: &str = "war-simulation";
const VERSION: u32 = 1;

impl Run {
    /// The run as a JSON document; the same run gives the same bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war::simulate::{Dealing, GameSetup, Run, Tally};
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

    /// The run of a JSON document.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] where this version of the program did not write it.
    pub fn from_json(json: &[u8]) -> Result<Self, RunFileError> {
        let head: Head = serde_json::from_slice(json)?;
        if head.format != FORMAT {
            return Err(RunFileError::Changed);
        }
        if head.version != VERSION {
            return Err(RunFileError::Version(head.version));
        }
        if head.generator != generator(0) {
            return Err(RunFileError::Generator(head.generator));
        }
        let mut record: Record = serde_json::from_slice(json)?;
        // Of one game 0 was written, which claims to be certain.
        if let Some(turns) = &mut record.turns
            && (record.histogram.len(), turns.sd, turns.se) == (1, Some(0.0), Some(0.0))
            && record.histogram[0].1 == 1
        {
            (turns.sd, turns.se) = (None, None);
        }
        let run = record.lift().ok_or(RunFileError::Changed)?;
        // What does not follow from the counts was changed, or counted elsewhere.
        let follows = Record::new(&run) == record;
        follows.then_some(run).ok_or(RunFileError::Changed)
    }
}

impl Record {
    fn new(run: &Run) -> Self {
        let tally = &run.tally;
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: RulesRecord::new(&run.rules),
            generator: generator(run.seed),
            seed: run.seed,
            games: tally.games(),
            part: Part {
                from: run.part.start,
                to: run.part.end,
                of: run.games,
            },
            partial: run.partial,
            outcomes: Outcomes {
                won: tally.won[..run.rules.players.into()].to_vec(),
                drawn: tally.drawn,
                endless: tally.endless,
                undecided: tally.undecided,
            },
            turns: Turns::of(&tally.turns).map(TurnsRecord::new),
            wars: Wars {
                mean: tally.mean_wars(),
                by_depth: tally.depths.counts().to_vec(),
            },
            cycles: CyclesRecord {
                min: tally.cycles.min,
                max: tally.cycles.max,
                mean: tally.mean_period(),
                sum: tally.cycles.sum,
            },
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
        let ties = (1_u64..).zip(&self.wars.by_depth);
        let ties = ties.map(|(depth, wars)| wars.checked_mul(depth));
        total(games).and(total(counted)).and(total(ties))?;
        (self.cycles.sum <= MOST && self.part.of <= MOST).then_some(())
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
        let CyclesRecord { min, max, sum, .. } = self.cycles;
        let (min, max) = (u128::from(min), u128::from(max));
        let Some(others) = self.outcomes.endless.checked_sub(1).map(u128::from) else {
            return (min, max, sum) == (0, 0, 0);
        };
        let sums = max + others * min..=min + others * max;
        (1..=max).contains(&min) && sums.contains(&sum.into())
    }

    fn lift(&self) -> Option<Run> {
        self.adds_up_to_less()?;
        let mut tally = Tally {
            drawn: self.outcomes.drawn,
            endless: self.outcomes.endless,
            undecided: self.outcomes.undecided,
            cycles: Cycles {
                min: self.cycles.min,
                max: self.cycles.max,
                sum: self.cycles.sum,
            },
            ..Tally::default()
        };
        let won = self.outcomes.won.iter().chain(std::iter::repeat(&0));
        for (sum, won) in tally.won.iter_mut().zip(won) {
            *sum = *won;
        }
        for &(turns, games) in &self.histogram {
            tally.turns.count(turns, games);
        }
        let depths = self.wars.by_depth.iter().enumerate();
        for (depth, &wars) in depths {
            tally.depths.count_many(depth + 1, wars);
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
        let possible = self.extremes_are_possible() && self.cycles_are_possible();
        let run = Run {
            rules: self.rules.lift()?,
            seed: self.seed,
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

impl TurnsRecord {
    const fn new(turns: Turns) -> Self {
        Self {
            mean: turns.mean,
            sd: turns.sd,
            se: turns.se,
            min: turns.min,
            max: turns.max,
            p5: turns.p5,
            median: turns.median,
            p95: turns.p95,
            p99: turns.p99,
        }
    }
}
