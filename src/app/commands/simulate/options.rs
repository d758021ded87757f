//! The rules and numbers of a simulation, from what was typed.

use crate::app::cli::{RuleOptions, Simulate};
use crate::app::exit::{Exit, Failure, unreadable};
use crate::app::text::display;
use crate::cards::{Deck, Rank, without};
use crate::digits::whole;
use crate::engine::Seat;
use crate::i18n::{Message, Text};
use crate::rules::{CLASSIC, Collect, DUELS, Limit, OutOfCards, Parameters, Variant, XY};
use crate::scenario::{self, LARGEST};
use crate::simulate::{Dealing, GameSetup};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The rules that have a name, with their deck.
const NAMED: [(&str, Parameters, Deck); 4] = [
    ("classic", CLASSIC.parameters, Deck::Large),
    ("duels", DUELS.parameters, Deck::Large),
    ("xy", XY.parameters, Deck::Thirteen),
    ("bataille", Parameters::BATAILLE, Deck::Large),
];

/// An option whose value is none of these.
pub(crate) fn bad_value(option: &'static str, value: &str, known: String) -> Failure {
    let text = Text::new(Message::BAD_VALUE)
        .with("option", option)
        .with("value", value.to_owned())
        .with("known", known);
    Failure::usage(text)
}

/// A whole number of an option, from `least` to `most`.
pub(crate) fn number(
    option: &'static str,
    typed: Option<&str>,
    (least, most): (u64, u64),
) -> Result<Option<u64>, Failure> {
    let Some(typed) = typed else {
        return Ok(None);
    };
    match whole(typed).filter(|number| (least..=most).contains(number)) {
        Some(number) => Ok(Some(number)),
        None => Err(bad_value(option, typed, format!("{least}–{most}"))),
    }
}

/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000_000_000;
/// The most threads.
const MOST_JOBS: u64 = 1_024;

/// How many games to play.
pub(crate) fn games(typed: Option<&str>) -> Result<Option<u64>, Failure> {
    number("--games", typed, (1, MOST_GAMES))
}

/// How many threads play: one for each processor, unless the number was typed.
pub(crate) fn jobs(typed: Option<&str>) -> Result<usize, Failure> {
    let typed = number("--jobs", typed, (1, MOST_JOBS))?;
    let jobs = typed.and_then(|jobs| usize::try_from(jobs).ok());
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    Ok(jobs.unwrap_or_else(processors))
}

fn chosen<T: Copy>(
    option: &'static str,
    typed: &str,
    choices: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, Failure> {
    let found = choices
        .iter()
        .copied()
        .find(|&choice| name(choice) == typed);
    found.ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|&choice| name(choice)).collect();
        bad_value(option, typed, known.join(", "))
    })
}

impl RuleOptions {
    /// The parameters asked for, and the deck of the named rules.
    pub(crate) fn parameters(&self) -> Result<(Parameters, Deck), Failure> {
        let typed = self.rules.as_deref().unwrap_or("classic");
        let (_, mut parameters, deck) = chosen("--rules", typed, &NAMED, |(name, _, _)| name)?;
        if let Some(face_down) = number("--face-down", self.face_down.as_deref(), (0, 5))? {
            parameters.face_down = u8::try_from(face_down).unwrap_or(0);
        }
        if let Some(typed) = &self.collect {
            parameters.collect = chosen("--collect", typed, &Collect::ALL, Collect::name)?;
        }
        if let Some(typed) = &self.out_of_cards {
            let rules = OutOfCards::ALL;
            parameters.out_of_cards = chosen("--out-of-cards", typed, &rules, OutOfCards::name)?;
        }
        // Rules with a limit of their own go on until then.
        if parameters.limit.is_none() {
            parameters = parameters.with_cycles_ended();
        }
        let most = u64::from(u32::MAX);
        if let Some(turns) = number("--max-turns", self.max_turns.as_deref(), (1, most))? {
            parameters = parameters.with_limit(u32::try_from(turns).unwrap_or(u32::MAX));
        }
        Ok((parameters, deck))
    }
}

/// The deck of this name, in any letter case.
pub(crate) fn deck(option: &'static str, typed: &str) -> Result<Deck, Failure> {
    let deck = Deck::any(&typed.to_ascii_lowercase());
    deck.ok_or_else(|| {
        let text = Text::new(Message::SIM_BAD_DECK)
            .with("option", option)
            .with("value", typed.to_owned());
        Failure::usage(text)
    })
}

/// How many turns a game may last where wars shrink, unless the number was typed: with few
/// cards everybody can take what the other put for ever.
const MOST_SHRINKING_TURNS: u32 = 1_000_000;

/// The parameters for a game with these cards, with a limit where it may never end and no
/// repetition proves it.
fn with_an_end(mut parameters: Parameters, cards: &[Rank]) -> Parameters {
    if !matches!(parameters.limit, Some(Limit::TurnsPerCard(_))) {
        parameters = parameters.for_cards(cards);
    }
    if parameters.out_of_cards == OutOfCards::Shrink && parameters.limit.is_none() {
        return parameters.with_limit(MOST_SHRINKING_TURNS);
    }
    parameters
}

impl Simulate {
    /// The rules asked for.
    pub(crate) fn game_rules(&self) -> Result<GameSetup, Failure> {
        let (mut parameters, default_deck) = self.rules.parameters()?;
        if let Some(path) = &self.deal {
            return given(path, parameters);
        }
        let players = number("--players", self.players.as_deref(), (2, 5))?.unwrap_or(2);
        let players = u8::try_from(players).unwrap_or(2);
        check_players(players, &parameters, &self.rules)?;
        let deck = match &self.deck {
            Some(typed) => deck("--deck", typed)?,
            None => default_deck,
        };
        if !matches!(deck, Deck::Small | Deck::Large | Deck::Thirteen) {
            parameters = with_an_end(parameters, &deck.cards());
        }
        if usize::from(players) > deck.size() {
            let text = Text::new(Message::SIM_TOO_FEW_CARDS)
                .with("players", usize::from(players))
                .with("cards", deck.size());
            return Err(Failure::usage(text));
        }
        let dealing = match &self.fix {
            Some(typed) => fixed(typed, players, deck)?,
            None => Dealing::Shuffled,
        };
        Ok(GameSetup {
            parameters,
            players,
            deck,
            dealing,
        })
    }
}

fn check_players(players: u8, parameters: &Parameters, typed: &RuleOptions) -> Result<(), Failure> {
    if players == 2 || parameters.out_of_cards == OutOfCards::EndOfCards {
        return Ok(());
    }
    // What was typed is named: the rule itself, or the rules that it is part of.
    let text = match (&typed.out_of_cards, &typed.rules) {
        (None, Some(rules)) => Text::new(Message::SIM_RULES_FOR_TWO).with("rules", rules.as_str()),
        _ => Text::new(Message::SIM_COMBINATION),
    };
    let text = text
        .with("rule", parameters.out_of_cards.name())
        .with("players", usize::from(players));
    Err(Failure::usage(text))
}

/// The hands of a scenario file.
fn given(path: &Path, parameters: Parameters) -> Result<GameSetup, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    read.map_err(|error| unreadable(path, &error))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = scenario::name_of(&name.to_string_lossy(), scenario::CLASSIC_PREFIX).to_owned();
    let parsed = scenario::parse(&bytes, &Variant::custom(parameters));
    let hands = parsed.map_err(|error| {
        let text = Text::new(Message::SCENARIO_BAD)
            .with("file", display(path))
            .with("reason", Text::from(&error));
        Failure::new(Exit::Bad, text)
    })?;
    let players = u8::try_from(hands.hands.len()).unwrap_or(u8::MAX);
    Ok(GameSetup {
        parameters: with_an_end(parameters, &hands.hands.concat()),
        players,
        deck: hands.deck,
        dealing: Dealing::Given {
            name,
            hands: hands.hands,
        },
    })
}

/// A player's fixed hand, like `1:14,14,14,14`.
fn fixed(typed: &str, players: u8, deck: Deck) -> Result<Dealing, Failure> {
    let bad = || bad_value("--fix", typed, "1:14,14,14,14; 2:2,3,…".to_owned());
    let (player, cards) = typed.split_once(':').ok_or_else(bad)?;
    let player = whole(player).ok_or_else(bad)?;
    let seat = Seat::from_number(player).filter(|_| player <= players);
    let seat = seat.ok_or_else(|| {
        let text = Text::new(Message::SIM_FIX_PLAYER)
            .with("player", u32::from(player))
            .with("players", usize::from(players));
        Failure::usage(text)
    })?;
    let cards = cards.split(',').map(|card| whole(card).and_then(Rank::new));
    let cards: Vec<_> = cards.collect::<Option<_>>().ok_or_else(bad)?;
    let Some(rest) = without(deck.cards(), &cards) else {
        let text = Text::new(Message::SIM_FIX_CARDS)
            .with("value", typed.to_owned())
            .with("deck", deck.name())
            .with("lowest", u32::from(deck.lowest()))
            .with("highest", u32::from(deck.highest()));
        return Err(Failure::usage(text));
    };
    if rest.len() < usize::from(players) - 1 {
        let text = Text::new(Message::SIM_TOO_FEW_CARDS)
            .with("players", usize::from(players) - 1)
            .with("cards", rest.len());
        return Err(Failure::usage(text));
    }
    Ok(Dealing::Fixed { seat, cards })
}
