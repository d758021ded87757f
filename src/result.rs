//! The result of a single game, as one JSON object for programs.

use crate::engine::{Event, Projection, Seat, Table, tied_plays};
use crate::journal::{
    ConsoleDigest, Deal, End, Fault, GameEndReason, Header, Judgement, Proof, RecordedRules,
};
use crate::tokens::{self, Seats, TokenEvent, TokenGame};
use serde::Serialize;

/// Counts of a game's events that the end record of its journal doesn't have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of wars; `None` in a token game.
    wars: Option<u32>,
    /// The number of face-up cards in the longest row of a war; 0 without a war.
    longest_war: u32,
    repeats_from: Option<u32>,
    players: Vec<PlayerResult>,
}

/// Result of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PlayerResult {
    player: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<i64>,
}

impl Tally {
    /// The number of wars; `None` in a token game.
    #[must_use]
    pub const fn wars(&self) -> Option<u32> {
        self.wars
    }
}

impl Projection<Table> for Tally {
    fn project(&mut self, event: &Event, table: &Table) {
        let wars = self.wars.get_or_insert_default();
        match event {
            Event::Clash { plays } if !tied_plays(plays).is_empty() => {
                *wars += 1;
                self.longest_war = self.longest_war.max(1);
            }
            Event::WarRound { round, .. } => self.longest_war = self.longest_war.max(*round),
            Event::Endless { from, .. } => self.repeats_from = Some(*from),
            _ => {}
        }
        let places = table.places().iter().enumerate();
        let players = places.map(|(index, place)| PlayerResult {
            player: index + 1,
            name: None,
            number: None,
            cards: Some(place.hand().len()),
            tokens: None,
        });
        self.players.clear();
        self.players.extend(players);
    }
}

impl Projection<TokenGame> for Tally {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame) {
        let (names, numbers) = match game.seats() {
            None => return,
            Some(Seats::OptionalSeeds { names, .. }) => (names.each_ref().map(Some), [None; 2]),
            Some(Seats::CommittedSeeds { players, .. }) => ([None; 2], players.map(Some)),
            Some(Seats::TableSeed) => ([None; 2], [None; 2]),
        };
        let deltas = game.deltas();
        let players = names.into_iter().enumerate();
        let players = players.map(|(index, name)| PlayerResult {
            player: index + 1,
            name: name.map(|name| name.as_str().to_owned()),
            number: numbers[index],
            cards: None,
            tokens: deltas.map(|deltas| deltas[index]),
        });
        self.players = players.collect();
    }
}

/// Result of a game and verdict on its journal: a JSON object whose fields [`GameResult::to_json`]
/// lists.
///
/// # Examples
///
/// ```
/// use war::replay::Replay;
/// use war::result::{GameResult, Tally};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let mut tally = Tally::default();
/// let judgement = replay.verify(&mut tally).unwrap();
/// let result = GameResult::from_judgement(&judgement, &tally, |fault| fault.problem.to_string());
/// let json: serde_json::Value = serde_json::from_str(&result.to_json(None)).unwrap();
/// assert_eq!((&json["winner"], &json["turns"]), (&2.into(), &19.into()));
/// assert_eq!((&json["verdict"], &json["proof"]), (&"VERIFIED".into(), &"seed".into()));
/// assert_eq!(json["seed"], "1");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct GameResult {
    format: &'static str,
    version: u32,
    engine: Option<String>,
    rules: Option<String>,
    deck: Option<String>,
    dealt: Option<&'static str>,
    generator: Option<&'static str>,
    seed: Option<String>,
    scenario: Option<String>,
    players: Option<Vec<PlayerResult>>,
    outcome: Option<&'static str>,
    winner: Option<u8>,
    turns: Option<u32>,
    repeats_from: Option<u32>,
    wars: Option<u32>,
    longest_war: Option<u32>,
    events: Option<u64>,
    lang: Option<&'static str>,
    console: Option<ConsoleResult>,
    digest: Option<String>,
    journal: Option<String>,
    verdict: Option<&'static str>,
    code: Option<String>,
    line: Option<u64>,
    column: Option<u64>,
    message: Option<String>,
    proof: Option<&'static str>,
}

/// Digest of the screens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct ConsoleResult {
    bytes: u64,
    blake3: String,
}

impl From<ConsoleDigest> for ConsoleResult {
    fn from(printed: ConsoleDigest) -> Self {
        Self {
            bytes: printed.bytes,
            blake3: printed.blake3.to_string(),
        }
    }
}

impl GameResult {
    /// The value of the field `format`.
    pub const FORMAT: &str = "war-result";

    /// The value of the field `verdict` for a file that can't be read.
    pub const UNREADABLE: &str = "UNREADABLE";

    /// The result of a game with this header and this end. `tally` must have observed its events.
    #[must_use]
    pub fn new(header: &Header, end: &End, tally: &Tally) -> Self {
        let (outcome, winner) = match end.reason {
            GameEndReason::Won(seat) => ("won", Some(seat)),
            GameEndReason::Endless => ("endless", None),
            GameEndReason::Drawn => ("drawn", None),
            GameEndReason::Stopped(winner) => ("stopped", winner),
            GameEndReason::Folded => ("folded", None),
            GameEndReason::CutOff => ("cut_off", None),
        };
        Self {
            players: Some(tally.players.clone()),
            outcome: Some(outcome),
            winner: winner.map(Seat::number),
            turns: Some(end.turns),
            repeats_from: tally.repeats_from,
            wars: tally.wars,
            longest_war: tally.wars.map(|_| tally.longest_war),
            console: Some(end.console.into()),
            digest: Some(end.digest.to_string()),
            ..Self::partial(Some(header), end.events)
        }
    }

    /// The fields that are known from the header and the number of events alone.
    fn partial(header: Option<&Header>, events: u64) -> Self {
        let unknown = Self {
            format: Self::FORMAT,
            version: 1,
            events: Some(events),
            ..Self::default()
        };
        let Some(header) = header else {
            return unknown;
        };
        let source = CardSourceFields::of(&header.rules);
        Self {
            engine: Some(header.engine.clone()),
            rules: Some(header.rules.id().to_owned()),
            deck: Some(header.deck.to_string()),
            dealt: Some(source.name),
            generator: source.generator,
            seed: source.seed,
            scenario: source.scenario,
            lang: Some(header.lang.code()),
            ..unknown
        }
    }

    /// The verdict on a journal, and the result of its game as far as it is known. `tally` must
    /// have observed its events; `words` puts a fault into words.
    #[must_use]
    pub fn from_judgement(
        judgement: &Judgement,
        tally: &Tally,
        words: impl Fn(&Fault) -> String,
    ) -> Self {
        let (header, fault) = (judgement.header(), judgement.fault());
        let known = match (header, judgement.end()) {
            (Some(header), Some(end)) => Self::new(header, end, tally),
            _ => Self::partial(header, judgement.events()),
        };
        Self {
            verdict: Some(judgement.verdict().name()),
            proof: judgement.proof().map(Proof::name),
            code: fault.map(|fault| fault.code().to_string()),
            line: fault.map(|fault| fault.at.line),
            column: fault.map(|fault| fault.at.column),
            message: fault.map(words),
            ..known
        }
    }

    /// The result of a game whose journal could not be read to its end. `message` is the error, and
    /// `events` is the number of verified events.
    #[must_use]
    pub fn unreadable(message: String, header: Option<&Header>, events: u64) -> Self {
        Self {
            verdict: Some(Self::UNREADABLE),
            message: Some(message),
            ..Self::partial(header, events)
        }
    }

    /// The result as JSON, on one line without a line feed; `journal` is the file with the journal.
    ///
    /// If the journal can't be read to its end, unknown fields are null.
    ///
    /// | field | value |
    /// |---|---|
    /// | `format`, `version` | `"war-result"` and 1 |
    /// | `engine` | the program that played the game |
    /// | `rules` | the rules, by name and version: `"classic/1"` |
    /// | `deck` | the deck: `"small"`, `"large"`, `"thirteen"` or its shape |
    /// | `dealt` | where the cards come from: `"shuffled"`, `"fixed"` (one hand chosen, the others shuffled), `"scenario"`, `"imported"` or `"committed"` (a token game) |
    /// | `generator`, `seed` | the generator that shuffled the cards and its seed, a text; else null |
    /// | `scenario` | the name of the scenario; else null |
    /// | `players` | for each player `player` (from 1), and `cards` held at the end; in a token game `name` or, from version 2 of its rules on, the public `number`, and `tokens` won or lost |
    /// | `outcome` | `"won"`, `"endless"`, `"drawn"`, `"stopped"`, `"folded"` or `"cut_off"` |
    /// | `winner` | the winner's number; else null |
    /// | `turns` | turns played; in a token game, deals |
    /// | `repeats_from` | the turn whose hands are repeated in an endless game; else null |
    /// | `wars` | turns in which players shared the highest card; null in a token game |
    /// | `longest_war` | face-up cards in the longest row of a war, the first one included; 0 without a war |
    /// | `events` | events recorded; in a journal with a fault, those before it |
    /// | `lang` | the language of the screens |
    /// | `console` | `bytes` and `blake3` of the screens |
    /// | `digest` | the final digest of the game's journal, written or not |
    /// | `journal` | the file that the game is recorded in; else null |
    /// | `verdict` | the verdict on a journal that was read: `"VERIFIED"`, `"INCOMPLETE"`, `"DAMAGED"`, `"DIVERGED"`, `"UNEXPECTED"`, `"UNSUPPORTED"`, or `"UNREADABLE"` if the file can't be read; null for a game that is played |
    /// | `code` | the code of the fault, such as `"WJ202"`; null without one |
    /// | `line`, `column` | the place of the fault in the file, both counted from 1; null without one |
    /// | `message` | the fault in words; null without one |
    /// | `proof` | the proof of the cards: `"seed"` (the generator deals them from the seed), `"commitment"` (they follow from a commitment made before the game) or `"journal"` (none beyond the journal itself); null if the journal is not intact |
    ///
    /// # Panics
    ///
    /// Never: writing to memory does not fail.
    #[must_use]
    pub fn to_json(mut self, journal: Option<String>) -> String {
        self.journal = journal;
        serde_json::to_string(&self).expect("memory takes every byte")
    }
}

/// Fields of the result that describe the source of the cards.
struct CardSourceFields {
    name: &'static str,
    generator: Option<&'static str>,
    seed: Option<String>,
    scenario: Option<String>,
}

impl CardSourceFields {
    fn of(rules: &RecordedRules) -> Self {
        match rules {
            RecordedRules::Tokens(committed) => {
                let seed = committed.secret.reveal().to_string();
                Self::generated("committed", tokens::GENERATOR_NAME, seed)
            }
            RecordedRules::War { deal, .. } => match deal {
                Deal::Shuffled { generator } => {
                    Self::generated("shuffled", generator.name(), generator.seed())
                }
                Deal::Fixed { generator, .. } => {
                    Self::generated("fixed", generator.name(), generator.seed())
                }
                Deal::Imported => Self::given("imported", None),
                Deal::Scenario { name } => Self::given("scenario", Some(name.clone())),
            },
        }
    }

    const fn generated(name: &'static str, generator: &'static str, seed: String) -> Self {
        Self {
            name,
            generator: Some(generator),
            seed: Some(seed),
            scenario: None,
        }
    }

    const fn given(name: &'static str, scenario: Option<String>) -> Self {
        Self {
            name,
            generator: None,
            seed: None,
            scenario,
        }
    }
}
