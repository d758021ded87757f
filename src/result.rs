//! The result of a single game, as one JSON object for programs.

use crate::engine::{Event, Projection, Seat, Table, tied};
use crate::journal::{Deal, End, Header, Reason, RecordedRules};
use crate::tokens::{self, TokenEvent, TokenGame};
use serde::Serialize;

/// What the events of a game come to, beside what its journal's end record says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of wars; `None` of a game that knows none.
    wars: Option<u32>,
    /// The face-up cards in the longest row of a war; 0 where there was none.
    longest_war: u32,
    repeats_from: Option<u32>,
    players: Vec<PlayerResult>,
}

/// What a player ends with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct PlayerResult {
    player: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cards: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens: Option<i64>,
}

impl Tally {
    /// The number of wars; `None` of a game that knows none.
    #[must_use]
    pub const fn wars(&self) -> Option<u32> {
        self.wars
    }
}

impl Projection<Table> for Tally {
    fn project(&mut self, event: &Event, table: &Table, _: &mut String) {
        let wars = self.wars.get_or_insert_default();
        match event {
            Event::Clash { plays } if !tied(plays).is_empty() => {
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
            cards: Some(place.hand().len()),
            tokens: None,
        });
        self.players.clear();
        self.players.extend(players);
    }
}

impl Projection<TokenGame> for Tally {
    fn project(&mut self, _: &TokenEvent, game: &TokenGame, _: &mut String) {
        let names = game.players().into_iter().flatten();
        let deltas = game.deltas();
        let players = names.enumerate().map(|(index, name)| PlayerResult {
            player: index + 1,
            name: Some(name.as_str().to_owned()),
            cards: None,
            tokens: deltas.map(|deltas| deltas[index]),
        });
        self.players = players.collect();
    }
}

/// The result of a game: a JSON object whose fields [`GameResult::to_json`] lists.
///
/// # Examples
///
/// ```
/// use war::replay::Replay;
/// use war::result::{GameResult, Tally};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&journal[..], None).unwrap();
/// let (header, mut tally) = (replay.header().clone(), Tally::default());
/// let judgement = replay.verify(&mut tally).unwrap();
/// let end = judgement.end().unwrap();
/// let json = GameResult::new(&header, end, &tally).to_json(None);
/// let result: serde_json::Value = serde_json::from_str(&json).unwrap();
/// assert_eq!((&result["winner"], &result["turns"]), (&2.into(), &19.into()));
/// assert_eq!(result["seed"], "1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameResult {
    format: &'static str,
    version: u32,
    engine: String,
    rules: String,
    deck: String,
    dealt: &'static str,
    generator: Option<&'static str>,
    seed: Option<String>,
    scenario: Option<String>,
    players: Vec<PlayerResult>,
    outcome: &'static str,
    winner: Option<u8>,
    turns: u32,
    repeats_from: Option<u32>,
    wars: Option<u32>,
    longest_war: Option<u32>,
    events: u64,
    lang: &'static str,
    console: Console,
    digest: String,
    journal: Option<String>,
}

/// The digest of what the game prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Console {
    bytes: u64,
    blake3: String,
}

impl GameResult {
    /// What the first field says.
    pub const FORMAT: &str = "war-result";

    /// The result of the game that begins with this header and ends like this; `tally` has
    /// seen its events.
    #[must_use]
    pub fn new(header: &Header, end: &End, tally: &Tally) -> Self {
        let (dealt, generator, seed, scenario) = source(&header.rules);
        let (outcome, winner) = match end.reason {
            Reason::Won(seat) => ("won", Some(seat)),
            Reason::Endless => ("endless", None),
            Reason::Drawn => ("drawn", None),
            Reason::Stopped(winner) => ("stopped", winner),
            Reason::Folded => ("folded", None),
            Reason::CutOff => ("cut_off", None),
        };
        Self {
            format: Self::FORMAT,
            version: 1,
            engine: header.engine.clone(),
            rules: header.rules.id().to_owned(),
            deck: header.deck.to_string(),
            dealt,
            generator,
            seed,
            scenario,
            players: tally.players.clone(),
            outcome,
            winner: winner.map(Seat::number),
            turns: end.turns,
            repeats_from: tally.repeats_from,
            wars: tally.wars,
            longest_war: tally.wars.map(|_| tally.longest_war),
            events: end.events,
            lang: header.lang.code(),
            console: Console {
                bytes: end.console.bytes,
                blake3: end.console.blake3.to_string(),
            },
            digest: end.chain.to_string(),
            journal: None,
        }
    }

    /// The result as JSON, on one line without its end; `journal` is the file it is recorded in.
    ///
    /// | field | what it holds |
    /// |---|---|
    /// | `format`, `version` | `"war-result"` and 1 |
    /// | `engine` | the program that played the game |
    /// | `rules` | the rules, by name and version: `"classic/1"` |
    /// | `deck` | the deck: `"small"`, `"large"`, `"thirteen"` or its shape |
    /// | `dealt` | where the cards come from: `"shuffled"`, `"fixed"` (one hand chosen, the others shuffled), `"scenario"`, `"imported"` or `"committed"` (a token game) |
    /// | `generator`, `seed` | what shuffled the cards and its seed, a text; else null |
    /// | `scenario` | the name of the scenario; else null |
    /// | `players` | for each of them `player` (from 1), and `cards` held at the end; of a token game `name`, and `tokens` won or lost |
    /// | `outcome` | `"won"`, `"endless"`, `"drawn"`, `"stopped"`, `"folded"` or `"cut_off"` |
    /// | `winner` | the winner's number; else null |
    /// | `turns` | turns played; of a token game, deals |
    /// | `repeats_from` | the turn whose start came back in an endless game; else null |
    /// | `wars` | turns whose highest card was shared; null of a token game |
    /// | `longest_war` | face-up cards in the longest row of a war, the first one included; 0 without a war |
    /// | `events` | events recorded |
    /// | `lang` | the language of the screens |
    /// | `console` | `bytes` and `blake3` of what the screens print |
    /// | `digest` | the final digest of the game's journal, written or not |
    /// | `journal` | the file that the game is recorded in; else null |
    ///
    /// # Panics
    ///
    /// Never: memory takes every byte.
    #[must_use]
    pub fn to_json(mut self, journal: Option<String>) -> String {
        self.journal = journal;
        serde_json::to_string(&self).expect("memory takes every byte")
    }
}

/// Where the cards come from: the word for it, generator, seed, and scenario.
type Source = (
    &'static str,
    Option<&'static str>,
    Option<String>,
    Option<String>,
);

fn source(rules: &RecordedRules) -> Source {
    let deal = match rules {
        RecordedRules::War { deal, .. } => deal,
        RecordedRules::Tokens(committed) => {
            let seed = committed.secret.reveal().to_string();
            return ("committed", Some(tokens::SHUFFLE), Some(seed), None);
        }
    };
    match deal {
        Deal::Shuffled { generator } => (
            "shuffled",
            Some(generator.name()),
            Some(generator.seed()),
            None,
        ),
        Deal::Fixed { generator, .. } => (
            "fixed",
            Some(generator.name()),
            Some(generator.seed()),
            None,
        ),
        Deal::Imported => ("imported", None, None, None),
        Deal::Scenario { name } => ("scenario", None, None, Some(name.clone())),
    }
}
