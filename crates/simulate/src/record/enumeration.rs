//! Enumerations as JSON documents, for other programs, to resume an enumeration, and to join its
//! parts.

use super::document::{DocumentHead, RulesRecord, RunFileError, WholeNumber};
use crate::enumeration::{EnumerationRun, ExactFigures, LongestGame};
use crate::tally::Histogram;
use serde::{Deserialize, Serialize};
use war::cards::Rank;

const FORMAT: &str = "war-enumeration";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnumerationRecord {
    format: String,
    version: u32,
    rules: RulesRecord,
    /// True if deals are merged. Their parts differ from the parts of deals played one by one.
    merged: bool,
    parts: PartsRecord,
    deals: WholeNumber,
    outcomes: EnumerationOutcomesRecord,
    turns: LengthsRecord,
    pairs: LengthsRecord,
    /// Finished games with the most turns and with the most pairs.
    most_turns: Option<GameRecord>,
    most_pairs: Option<GameRecord>,
    periods: Vec<(u32, WholeNumber)>,
    histogram: Vec<(u32, WholeNumber)>,
    /// Hash of the document with an empty string here.
    blake3: String,
}

/// Range of parts of an enumeration, from `from` up to, but not including, `to`; those before
/// `next` are played.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartsRecord {
    from: u64,
    next: u64,
    to: u64,
    of: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EnumerationOutcomesRecord {
    won: [WholeNumber; 2],
    drawn: WholeNumber,
    endless: WholeNumber,
    undecided: WholeNumber,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LengthsRecord {
    sum: WholeNumber,
    /// Mean of the finished games; `null` if there are none.
    mean: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameRecord {
    turns: u32,
    pairs: u64,
    hands: [Vec<u8>; 2],
}

impl EnumerationRun {
    /// Returns the enumeration as a JSON document. The same enumeration gives the same bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    /// use war::rules::Parameters;
    /// use war_simulate::{Enumeration, EnumerationRun};
    ///
    /// let deck = Deck::from_shape("2x4").unwrap();
    /// let all = Enumeration::new(Parameters::BATAILLE, deck).unwrap();
    /// let begun = EnumerationRun::new(&all, 0..all.parts());
    /// let json = begun.to_json();
    /// assert_eq!(EnumerationRun::from_json(json.as_bytes()).unwrap(), begun);
    /// let edited = json.replace("\"endless\": 0", "\"endless\": 1");
    /// assert!(EnumerationRun::from_json(edited.as_bytes()).is_err());
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut record = EnumerationRecord::new(self);
        let hash = blake3::hash(record.serialize().as_bytes());
        record.blake3 = hash.to_hex().to_string();
        record.serialize()
    }

    /// Reads the enumeration in a JSON document.
    ///
    /// # Errors
    ///
    /// [`RunFileError`] unless this version of the program wrote exactly these bytes.
    pub fn from_json(json: &[u8]) -> Result<Self, RunFileError> {
        DocumentHead::parse(json, FORMAT, VERSION)?;
        let record: EnumerationRecord = serde_json::from_slice(json)?;
        let enumerated = record.into_enumeration().ok_or(RunFileError::Changed)?;
        let is_same = enumerated.to_json().as_bytes() == json;
        is_same.then_some(enumerated).ok_or(RunFileError::Changed)
    }
}

impl EnumerationRecord {
    #[expect(
        clippy::cast_precision_loss,
        reason = "a mean has fewer digits than a float"
    )]
    fn new(played: &EnumerationRun) -> Self {
        let exact = &played.figures;
        let finished = exact.finished_games();
        let lengths = |sum: u64| LengthsRecord {
            sum: WholeNumber(sum),
            mean: (finished > 0).then(|| sum as f64 / finished as f64),
        };
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            rules: RulesRecord::new(&played.setup),
            merged: played.merged,
            parts: PartsRecord {
                from: played.parts.start,
                next: played.next,
                to: played.parts.end,
                of: played.total_parts,
            },
            deals: WholeNumber(exact.deals),
            outcomes: EnumerationOutcomesRecord {
                won: exact.won.map(WholeNumber),
                drawn: WholeNumber(exact.drawn),
                endless: WholeNumber(exact.endless),
                undecided: WholeNumber(exact.undecided),
            },
            turns: lengths(exact.sum_of_turns()),
            pairs: lengths(exact.pairs),
            most_turns: exact.most_turns.as_ref().map(GameRecord::new),
            most_pairs: exact.most_pairs.as_ref().map(GameRecord::new),
            periods: counts(&exact.periods),
            histogram: counts(&exact.turns),
            blake3: String::new(),
        }
    }

    fn serialize(&self) -> String {
        let json = serde_json::to_string_pretty(self);
        json.expect("text and numbers are JSON") + "\n"
    }

    fn into_enumeration(self) -> Option<EnumerationRun> {
        let PartsRecord {
            from,
            next,
            to,
            of: total_parts,
        } = self.parts;
        let in_order = from <= next && next <= to && to <= total_parts;
        let histogram = |counts: &[(u32, WholeNumber)]| {
            let mut histogram = Histogram::default();
            for &(number, WholeNumber(deals)) in counts {
                histogram.count(number, deals);
            }
            histogram
        };
        let outcomes = self.outcomes;
        let longest = |game: Option<GameRecord>| game.map(GameRecord::into_game).transpose();
        let figures = ExactFigures {
            deals: self.deals.0,
            won: outcomes.won.map(|WholeNumber(won)| won),
            drawn: outcomes.drawn.0,
            endless: outcomes.endless.0,
            undecided: outcomes.undecided.0,
            turns: histogram(&self.histogram),
            pairs: self.pairs.sum.0,
            periods: histogram(&self.periods),
            most_turns: longest(self.most_turns).ok()?,
            most_pairs: longest(self.most_pairs).ok()?,
        };
        let finished = total_deals(&figures.turns);
        let endless = total_deals(&figures.periods);
        let [first, second] = figures.won.map(u128::from);
        let adds_up = finished == first + second + u128::from(figures.drawn)
            && endless == u128::from(figures.endless)
            && u128::from(figures.deals) == finished + endless + u128::from(figures.undecided);
        (in_order && adds_up).then_some(EnumerationRun {
            setup: self.rules.to_setup()?,
            merged: self.merged,
            total_parts,
            parts: from..to,
            next,
            figures,
        })
    }
}

/// Returns the number of deals in a histogram.
fn total_deals(histogram: &Histogram) -> u128 {
    histogram.iter().map(|(_, deals)| u128::from(deals)).sum()
}

fn counts(histogram: &Histogram) -> Vec<(u32, WholeNumber)> {
    let counts = histogram.iter();
    counts
        .map(|(number, deals)| (number, WholeNumber(deals)))
        .collect()
}

impl GameRecord {
    fn new(game: &LongestGame) -> Self {
        let numbers = |hand: &Vec<Rank>| hand.iter().map(|card| card.get()).collect();
        Self {
            turns: game.turns,
            pairs: game.pairs,
            hands: [numbers(&game.hands[0]), numbers(&game.hands[1])],
        }
    }

    /// Converts the record to a game. Fails if a card isn't valid.
    fn into_game(self) -> Result<LongestGame, ()> {
        let ranks =
            |hand: &[u8]| -> Option<Vec<Rank>> { hand.iter().copied().map(Rank::new).collect() };
        let [first, second] = self.hands.map(|hand| ranks(&hand).ok_or(()));
        Ok(LongestGame {
            turns: self.turns,
            pairs: self.pairs,
            hands: [first?, second?],
        })
    }
}
