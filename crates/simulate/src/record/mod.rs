//! A simulation as a JSON document: for other programs, and to join the parts of a run.

mod counted;
mod enumerated;
mod extremes;
mod head;
mod rules;
mod whole;

use super::figures::Turns;
use super::run::Run;
use super::tally::{Extreme, Tally};
use counted::{Counted, CyclesRecord, Outcomes, Shares, TurnsRecord, Wars};
pub use head::RunFileError;
use head::{Head, MOST};
use rules::RulesRecord;
use serde::{Deserialize, Serialize};
use war::cards::{GameNumber, Generator};
use whole::Whole;

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
        let follows = Record::new(&run) == record && extremes::come_again(&run);
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
