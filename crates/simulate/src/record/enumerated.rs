//! An enumeration as a JSON document: for other programs, to go on with it, and to join parts.

use super::document::{Head, RulesRecord, RunFileError, Whole};
use crate::enumeration::{Enumerated, Exact, Longest};
use crate::tally::Histogram;
use serde::{Deserialize, Serialize};
use war::cards::Rank;

const FORMAT: &str = "war-enumeration";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    format: String,
    version: u32,
    rules: RulesRecord,
    /// How the deals are numbered.
    merged: bool,
    parts: Parts,
    deals: Whole,
    outcomes: Outcomes,
    turns: Lengths,
    pairs: Lengths,
    /// The finished game with the most turns, and the one with the most pairs.
    most_turns: Option<Game>,
    most_pairs: Option<Game>,
    periods: Vec<(u32, Whole)>,
    histogram: Vec<(u32, Whole)>,
    /// The hash of the document with nothing here.
    blake3: String,
}

/// Which parts of an enumeration: from the first, up to the one before the last; played up to
/// the next.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parts {
    from: u64,
    next: u64,
    to: u64,
    of: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcomes {
    won: [Whole; 2],
    drawn: Whole,
    endless: Whole,
    undecided: Whole,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lengths {
    sum: Whole,
    /// Of the finished games; `null` where there is none.
    mean: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    turns: u32,
    pairs: u64,
    hands: [Vec<u8>; 2],
}

impl Enumerated {
    /// The enumeration as a JSON document; the same one gives the same bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Enumerated, Enumeration};
    ///
    /// let deck = Deck::shaped("2x4").unwrap();
    /// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
    /// let begun = Enumerated::new(&all, 0..all.parts());
    /// let json = begun.to_json();
    /// assert_eq!(Enumerated::from_json(json.as_bytes()).unwrap(), begun);
    /// let edited = json.replace("\"endless\": 0", "\"endless\": 1");
    /// assert!(Enumerated::from_json(edited.as_bytes()).is_err());
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut record = Record::new(self);
        let hash = blake3::hash(record.json().as_bytes());
        record.blake3 = hash.to_hex().to_string();
        record.json()
    }

    /// The enumeration of a JSON document.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] where this version of the program did not write it, or not these bytes.
    pub fn from_json(json: &[u8]) -> Result<Self, RunFileError> {
        Head::read(json, FORMAT, VERSION)?;
        let record: Record = serde_json::from_slice(json)?;
        let enumerated = record.lift().ok_or(RunFileError::Changed)?;
        let is_same = enumerated.to_json().as_bytes() == json;
        is_same.then_some(enumerated).ok_or(RunFileError::Changed)
    }
}

impl Record {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean has fewer digits than a float"
    )]
    fn new(played: &Enumerated) -> Self {
        let exact = &played.exact;
        let finished = exact.finished_games();
        let lengths = |sum: u64| Lengths {
            sum: Whole(sum),
            mean: (finished > 0).then(|| sum as f64 / finished as f64),
        };
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: RulesRecord::new(&played.rules),
            merged: played.merged,
            parts: Parts {
                from: played.parts.start,
                next: played.next,
                to: played.parts.end,
                of: played.of,
            },
            deals: Whole(exact.deals),
            outcomes: Outcomes {
                won: exact.won.map(Whole),
                drawn: Whole(exact.drawn),
                endless: Whole(exact.endless),
                undecided: Whole(exact.undecided),
            },
            turns: lengths(exact.sum_of_turns()),
            pairs: lengths(exact.pairs),
            most_turns: exact.most_turns.as_ref().map(Game::new),
            most_pairs: exact.most_pairs.as_ref().map(Game::new),
            periods: counts(&exact.periods),
            histogram: counts(&exact.turns),
            blake3: String::new(),
        }
    }

    fn json(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("text and numbers are JSON") + "\n"
    }

    fn lift(self) -> Option<Enumerated> {
        let Parts { from, next, to, of } = self.parts;
        let in_order = from <= next && next <= to && to <= of;
        let histogram = |counts: &[(u32, Whole)]| {
            let mut histogram = Histogram::default();
            for &(number, Whole(deals)) in counts {
                histogram.count(number, deals);
            }
            histogram
        };
        let outcomes = self.outcomes;
        let longest = |game: Option<Game>| game.map(Game::lift).transpose();
        let exact = Exact {
            deals: self.deals.0,
            won: outcomes.won.map(|Whole(won)| won),
            drawn: outcomes.drawn.0,
            endless: outcomes.endless.0,
            undecided: outcomes.undecided.0,
            turns: histogram(&self.histogram),
            pairs: self.pairs.sum.0,
            periods: histogram(&self.periods),
            most_turns: longest(self.most_turns).ok()?,
            most_pairs: longest(self.most_pairs).ok()?,
        };
        let finished = sum(&exact.turns);
        let endless = sum(&exact.periods);
        let [first, second] = exact.won.map(u128::from);
        let adds_up = finished == first + second + u128::from(exact.drawn)
            && endless == u128::from(exact.endless)
            && u128::from(exact.deals) == finished + endless + u128::from(exact.undecided);
        (in_order && adds_up).then_some(Enumerated {
            rules: self.rules.lift()?,
            merged: self.merged,
            of,
            parts: from..to,
            next,
            exact,
        })
    }
}

/// The number of deals in a histogram.
fn sum(histogram: &Histogram) -> u128 {
    histogram.iter().map(|(_, deals)| u128::from(deals)).sum()
}

fn counts(histogram: &Histogram) -> Vec<(u32, Whole)> {
    let counts = histogram.iter();
    counts
        .map(|(number, deals)| (number, Whole(deals)))
        .collect()
}

impl Game {
    fn new(game: &Longest) -> Self {
        let numbers = |hand: &Vec<Rank>| hand.iter().map(|card| card.get()).collect();
        Self {
            turns: game.turns,
            pairs: game.pairs,
            hands: [numbers(&game.hands[0]), numbers(&game.hands[1])],
        }
    }

    /// The game, or an error where a card is none.
    fn lift(self) -> Result<Longest, ()> {
        let ranks =
            |hand: &[u8]| -> Option<Vec<Rank>> { hand.iter().copied().map(Rank::new).collect() };
        let [first, second] = self.hands.map(|hand| ranks(&hand).ok_or(()));
        Ok(Longest {
            turns: self.turns,
            pairs: self.pairs,
            hands: [first?, second?],
        })
    }
}
