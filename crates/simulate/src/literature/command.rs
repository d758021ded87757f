//! Commands in the table of published figures.

use super::claim::SourceGames;
use crate::setup::{FixedHand, GameSettings, NamedRules, SetupError};
use std::ops::Range;
use std::str::FromStr;
use thiserror::Error;
use war::cards::Deck;
use war::rules::{CollectOrder, OutOfCards, Piles, Variant};
use war::scenario::{ScenarioError, parse_scenario};

/// Error in a command of the table.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// Unknown command.
    #[error(
        "`{0}` is not a command of this table; write `simulate` with options, `enumerate DECK` \
         with options, `xy FIRST..LAST` or `sweeps DECK`"
    )]
    Command(String),
    /// Unknown option.
    #[error("`{0}` is not an option of commands in this table")]
    Option(String),
    /// Missing or invalid value of an option or argument.
    #[error("`{value}` is not a value of `{name}`")]
    Value {
        /// Option or argument.
        name: String,
        /// Value, empty if it is missing.
        value: String,
    },
    /// Hands that can't be played.
    #[error("the hands of `--deal` can't be played: {0}")]
    Deal(String),
    /// Options that don't fit together.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl From<ScenarioError> for CommandError {
    fn from(error: ScenarioError) -> Self {
        Self::Deal(error.to_string())
    }
}

/// Options of a command.
#[derive(Default)]
struct Options<'a> {
    settings: GameSettings,
    /// Hands of `--deal`, as in a scenario file.
    hands: Option<&'a str>,
}

/// Parses a command of the table into the games that it plays.
pub(super) fn parse_command(command: &str) -> Result<SourceGames, CommandError> {
    let unknown = || CommandError::Command(command.to_owned());
    let (name, arguments) = command.split_once(' ').ok_or_else(unknown)?;
    match name {
        "simulate" => simulate(parse_options(arguments)?),
        "enumerate" => {
            let (deck, options) = arguments.split_once(' ').unwrap_or((arguments, ""));
            let (parameters, _) = parse_options(options)?.settings.rules.parameters_and_deck();
            let deck = parse_with("enumerate", deck, Deck::parse)?;
            Ok(SourceGames::Enumerated(parameters, deck))
        }
        "xy" => Ok(SourceGames::JavaSeeds(parse_with(
            name,
            arguments,
            parse_seeds,
        )?)),
        "sweeps" => Ok(SourceGames::Counted(parse_with(
            name,
            arguments,
            Deck::parse,
        )?)),
        _ => Err(unknown()),
    }
}

fn simulate(Options { settings, hands }: Options<'_>) -> Result<SourceGames, CommandError> {
    let Some(hands) = hands else {
        return Ok(SourceGames::Simulated(settings.to_setup()?));
    };
    let rules = Variant::custom(settings.rules.parameters_and_deck().0);
    let scenario = parse_scenario(hands.as_bytes(), &rules)?;
    let name = GIVEN_HANDS_NAME.to_owned();
    let setup = settings.rules.to_scenario_setup(name, scenario)?;
    Ok(SourceGames::SingleGame(setup))
}

/// Name of a scenario whose hands are given on the command line.
const GIVEN_HANDS_NAME: &str = "deal";

fn parse_options(text: &str) -> Result<Options<'_>, CommandError> {
    let mut options = Options::default();
    let mut words = text.split_whitespace();
    while let Some(option) = words.next() {
        let value = words.next().unwrap_or_default();
        let GameSettings {
            rules,
            players,
            deck,
            fixed_hand,
        } = &mut options.settings;
        match option {
            "--rules" => rules.base = Some(parse_with(option, value, NamedRules::from_name)?),
            "--players" => *players = Some(parse(option, value)?),
            "--deck" => *deck = Some(parse_with(option, value, Deck::parse)?),
            "--face-down" => rules.face_down = Some(parse(option, value)?),
            "--collect" => rules.collect = Some(parse_with(option, value, parse_orders)?),
            "--piles" => rules.piles = Some(parse_with(option, value, Piles::from_name)?),
            "--out-of-cards" => {
                rules.out_of_cards = Some(parse_with(option, value, OutOfCards::from_name)?);
            }
            "--max-turns" => rules.max_turns = Some(parse(option, value)?),
            "--fix" => *fixed_hand = Some(parse_with(option, value, FixedHand::parse)?),
            "--deal" => options.hands = Some(value.trim_matches('\'')),
            _ => return Err(CommandError::Option(option.to_owned())),
        }
    }
    Ok(options)
}

fn parse<T: FromStr>(option: &str, value: &str) -> Result<T, CommandError> {
    parse_with(option, value, |value| value.parse().ok())
}

fn parse_with<'a, T>(
    name: &str,
    value: &'a str,
    parse: impl Fn(&'a str) -> Option<T>,
) -> Result<T, CommandError> {
    parse(value).ok_or_else(|| CommandError::Value {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

/// Parses an order, or one for each player.
fn parse_orders(text: &str) -> Option<CollectOrder> {
    let orders: Option<Vec<_>> = text.split(',').map(CollectOrder::from_name).collect();
    CollectOrder::from_seat_orders(&orders?)
}

fn parse_seeds(text: &str) -> Option<Range<i64>> {
    let (first, last) = text.split_once("..")?;
    let last: i64 = last.parse().ok()?;
    Some(first.parse().ok()?..last.checked_add(1)?)
}
