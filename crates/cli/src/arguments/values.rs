//! Parsers for the values of options.

use crate::machine::environment;
#[cfg(feature = "watch")]
use crate::watch::Pace;
use anstream::ColorChoice;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap_complete::{ArgValueCandidates, CompletionCandidate, Shell};
use std::ops::RangeInclusive;
use std::str::FromStr;
use war::cards::{Deck, GameNumber};
use war::i18n::{Count, Lang, Text, text};
use war::rules::{CollectOrder, OutOfCards, Piles};
use war::support::digits;
#[cfg(feature = "table")]
use war::tokens::Name;
use war_simulate::{FixedHand, HandColumn, Kernel, NamedRules, Shard};
#[cfg(feature = "table")]
use war_table::protocol::{NameError, Reason, RequestError, parse_typed_name};
#[cfg(feature = "table")]
use war_table::room::Order;

/// Error for a value that its option does not accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadValue {
    /// Not a whole number in this range.
    #[error("not a whole number from {least} to {most}")]
    Number { least: u64, most: u64 },
    #[error("not a seed")]
    Seed,
    #[error("not a deck")]
    Deck,
    #[error("not a game of a run")]
    Game,
    #[error("not a part of a run")]
    Shard,
    #[error("not a hand")]
    Hand,
    #[cfg(feature = "table")]
    #[error("not a number of tokens")]
    Tokens,
    #[cfg(feature = "table")]
    #[error("not a number of days")]
    Days,
    #[cfg(feature = "table")]
    #[error("not a reason")]
    Reason,
    #[cfg(feature = "table")]
    #[error(transparent)]
    Name(#[from] NameError),
}

impl BadValue {
    /// Error message. `argument` is the option with a placeholder for its value, as the parser
    /// names it.
    pub(crate) fn text(&self, argument: &str, value: String) -> Text {
        let option = argument.split(' ').next().unwrap_or(argument);
        let option = option.trim_matches(['<', '>']).to_owned();
        match self {
            Self::Number { least, most } => text!(
                BadNumber,
                option = argument,
                value = value,
                least = Count(*least),
                most = Count(*most)
            ),
            Self::Seed => text!(BadSeed, value = value),
            Self::Deck => text!(SimBadDeck, option = option, value = value),
            Self::Game => text!(SimBadGame, option = option, value = value),
            Self::Shard => text!(SimBadShard, option = option, value = value),
            Self::Hand => text!(SimBadHand, option = option, value = value),
            #[cfg(feature = "table")]
            Self::Tokens => {
                let most = Count(Order::MAX_TOKENS.unsigned_abs());
                text!(BadTokens, value = value, most = most)
            }
            #[cfg(feature = "table")]
            Self::Days => text!(BadDays, value = value),
            #[cfg(feature = "table")]
            Self::Reason => text!(BadReason, longest = Reason::MAX_CHARS),
            #[cfg(feature = "table")]
            Self::Name(error) => {
                let reason = Text::from(&RequestError::Name(*error));
                text!(BadName, value = value, reason = reason)
            }
        }
    }
}

/// Parser for a count within a range: `1000000`, `1_000_000` or `1e6`.
pub(crate) fn count_parser<N>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, BadValue> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Copy + TryInto<u64> + Send + Sync + 'static,
{
    move |typed| {
        let number = digits::parse_count(typed).filter(|number| range.contains(number));
        number.ok_or_else(|| BadValue::Number {
            least: to_u64(*range.start()),
            most: to_u64(*range.end()),
        })
    }
}

/// Parses a number of tokens to give, or to take if it is negative.
#[cfg(feature = "table")]
pub(crate) fn parse_token_count(typed: &str) -> Result<i64, BadValue> {
    let (sign, count) = match typed.strip_prefix('-') {
        Some(count) => (-1, count),
        None => (1, typed.strip_prefix('+').unwrap_or(typed)),
    };
    let number = digits::parse_count::<i64>(count);
    let number = number.filter(|number| (1..=Order::MAX_TOKENS).contains(number));
    number.map(|number| sign * number).ok_or(BadValue::Tokens)
}

/// Parses a number of days: `30d`.
#[cfg(feature = "table")]
pub(crate) fn parse_days(typed: &str) -> Result<u32, BadValue> {
    let days = typed
        .strip_suffix(['d', 'D'])
        .and_then(digits::parse_whole_number);
    let days = days.filter(|days| (1..=36_500).contains(days));
    days.ok_or(BadValue::Days)
}

/// Parses an operator's reason for an order.
#[cfg(feature = "table")]
pub(crate) fn parse_reason(typed: &str) -> Result<Reason, BadValue> {
    Reason::try_from(typed.to_owned()).map_err(|_| BadValue::Reason)
}

#[cfg(feature = "table")]
pub(crate) fn parse_name(typed: &str) -> Result<Name, BadValue> {
    Ok(parse_typed_name(typed)?)
}

fn to_u64(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// Example values that a shell offers for an option that also accepts other values.
pub(crate) fn suggestions<V: ToString>(values: impl IntoIterator<Item = V>) -> ArgValueCandidates {
    let values: Vec<_> = values.into_iter().map(|value| value.to_string()).collect();
    ArgValueCandidates::new(move || {
        let values = values.iter().enumerate();
        let candidate = |(order, value): (usize, &String)| {
            CompletionCandidate::new(value).display_order(Some(order))
        };
        values.map(candidate).collect()
    })
}

/// Parser for one of several named values, in any letter case.
///
/// Each choice is a name, its help, and the value.
fn choice_parser<T: Clone + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<_> = choices
        .into_iter()
        .map(|(name, meaning, value)| (PossibleValue::new(name).help(meaning), value))
        .collect();
    let names: Vec<_> = choices.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).map(move |typed| {
        let mut choices = choices.iter();
        let chosen = choices.find(|(name, _)| name.matches(&typed, true));
        chosen.expect("the parser knows the name").1.clone()
    })
}

pub(crate) fn rules_parser() -> impl TypedValueParser<Value = NamedRules> {
    choice_parser(NamedRules::all().into_iter().map(|rules| {
        let meaning = match rules.name {
            "duels" => "Classic with at most 10 turns a card",
            "xy" => "Three cards face down, wars shrink, 52 cards from 1 to 13",
            "bataille" => "No cards face down; a player who runs out of cards loses",
            "household" => "Three cards face down, won cards on a second pile that is shuffled",
            "classic" => "One card face down, up to 5 players",
            _ => "",
        };
        (rules.name, meaning, rules)
    }))
}

pub(crate) fn collect_parser() -> impl TypedValueParser<Value = CollectOrder> {
    choice_parser(CollectOrder::ALL.map(|order| {
        let meaning = match order {
            CollectOrder::Seat => "Player by player from the lowest seat, each in the order played",
            CollectOrder::SeatInterleaved => "Round by round, the lowest seat first",
            CollectOrder::WinnerFirst => "Round by round, the winner's card first",
            CollectOrder::WinnerPile => "All of the winner's cards, then the others' by seat",
            CollectOrder::Bataille => "As winner-first, with the last round first",
            CollectOrder::Shuffled => "In random order",
            CollectOrder::HighestFirst => "The highest card first",
            CollectOrder::ReversedPile => "The card put last first, as from one pile turned over",
            CollectOrder::Random => "All of the winner's cards first or last, by a coin",
            CollectOrder::BySeat(_) => "One order for each player",
        };
        (order.name(), meaning, order)
    }))
}

pub(crate) fn piles_parser() -> impl TypedValueParser<Value = Piles> {
    choice_parser(Piles::ALL.map(|piles| {
        let meaning = match piles {
            Piles::One => "Under the hand",
            Piles::Two => "On a second pile, shuffled when the hand is used up",
            Piles::TwoTurned => "On a second pile, turned over: the card won last comes first",
        };
        (piles.name(), meaning, piles)
    }))
}

pub(crate) fn out_of_cards_parser() -> impl TypedValueParser<Value = OutOfCards> {
    choice_parser(OutOfCards::ALL.map(|rule| {
        let meaning = match rule {
            OutOfCards::EndOfCards => "They drop out and forfeit their cards (End of Cards)",
            OutOfCards::Loses => "They lose the game; a draw if both run out (2 players)",
            OutOfCards::LastCard => "Their last card counts, face up (2 players)",
            OutOfCards::Shrink => {
                "The war shrinks to the cards both have; with none it is a draw (2 players)"
            }
        };
        (rule.name(), meaning, rule)
    }))
}

pub(crate) fn column_parser() -> impl TypedValueParser<Value = HandColumn> {
    choice_parser(HandColumn::ALL.map(|column| {
        let meaning = match column {
            HandColumn::Aces => "Cards of the highest rank",
            HandColumn::Kings => "Cards of the second highest rank",
            HandColumn::Strength => "Sum of the ranks of all cards",
        };
        (column.name(), meaning, column)
    }))
}

pub(crate) fn kernel_parser() -> impl TypedValueParser<Value = Kernel> {
    choice_parser(Kernel::ALL.map(|kernel| {
        let meaning = match kernel {
            Kernel::Fastest => "The fastest that can play these rules on this machine",
            Kernel::Avx512 => "The one for processors with AVX-512 VBMI2",
            Kernel::Simd128 => "The one for vectors of 16 bytes: x86-64 with SSSE3, and 64-bit ARM",
            Kernel::Portable => "The fastest that runs on every machine",
            Kernel::General => "The one that knows every rule",
        };
        (kernel.name(), meaning, kernel)
    }))
}

pub(crate) fn lang_parser() -> impl TypedValueParser<Value = Lang> {
    choice_parser(Lang::ALL.map(|lang| {
        let name = match lang {
            Lang::En => "English",
            Lang::Pl => "Polish",
        };
        (lang.code(), name, lang)
    }))
}

pub(crate) fn color_parser() -> impl TypedValueParser<Value = ColorChoice> {
    choice_parser([
        ("auto", "If the output is a terminal", ColorChoice::Auto),
        ("always", "Always", ColorChoice::Always),
        ("never", "Never", ColorChoice::Never),
    ])
}

/// Parser for a speed, in turns per second.
#[cfg(feature = "watch")]
pub(crate) fn pace_parser() -> impl TypedValueParser<Value = Pace> {
    const NAMES: [(&str, &str); Pace::ALL.len()] = [
        ("0.5", "A turn in two seconds"),
        ("1", "A turn a second"),
        ("2", "Two turns a second"),
        ("4", "Four turns a second"),
        ("8", "Eight turns a second"),
        ("20", "Twenty turns a second"),
        ("100", "A hundred turns a second"),
        ("1000", "A thousand turns a second"),
    ];
    let paces = NAMES.into_iter().zip(Pace::ALL);
    choice_parser(paces.map(|((name, meaning), pace)| (name, meaning, pace)))
}

pub(crate) fn shell_parser() -> impl TypedValueParser<Value = Shell> {
    choice_parser([
        ("bash", "Bourne Again Shell", Shell::Bash),
        ("elvish", "Elvish", Shell::Elvish),
        ("fish", "Friendly Interactive Shell", Shell::Fish),
        ("powershell", "PowerShell", Shell::PowerShell),
        ("zsh", "Z shell", Shell::Zsh),
    ])
}

/// Parses a seed; any 64-bit number will do, so the error names no range.
pub(crate) fn parse_seed(typed: &str) -> Result<u64, BadValue> {
    digits::parse_whole_number(typed).ok_or(BadValue::Seed)
}

/// Parses the name of a deck, in any letter case.
pub(crate) fn parse_deck(typed: &str) -> Result<Deck, BadValue> {
    Deck::parse(&typed.to_ascii_lowercase()).ok_or(BadValue::Deck)
}

pub(crate) fn parse_game_number(typed: &str) -> Result<GameNumber, BadValue> {
    typed.parse().map_err(|_| BadValue::Game)
}

/// Part of a run, as given on the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ShardArgument {
    /// `3/8`.
    Explicit(Shard),
    /// `auto`: the part that belongs to this task of a Slurm job array.
    SlurmTask,
}

impl ShardArgument {
    /// Returns the shard. The error names the Slurm variable that is missing or invalid.
    pub(crate) fn resolve(self) -> Result<Shard, Text> {
        match self {
            Self::Explicit(shard) => Ok(shard),
            Self::SlurmTask => environment::read_slurm_shard(),
        }
    }
}

/// Parses a part of a run: `3/8` or `auto`.
pub(crate) fn parse_shard(typed: &str) -> Result<ShardArgument, BadValue> {
    if typed.eq_ignore_ascii_case("auto") {
        return Ok(ShardArgument::SlurmTask);
    }
    let shard = Shard::parse(typed).ok_or(BadValue::Shard)?;
    Ok(ShardArgument::Explicit(shard))
}

/// Parses a player's fixed hand: `1:14,14,14,14`.
pub(crate) fn parse_hand(typed: &str) -> Result<FixedHand, BadValue> {
    FixedHand::parse(typed).ok_or(BadValue::Hand)
}

#[cfg(test)]
mod tests {
    use super::rules_parser;
    use clap::builder::TypedValueParser as _;

    #[test]
    fn all_rules_have_a_help_text() {
        let parser = rules_parser();
        let values = parser.possible_values().expect("names");
        for value in values {
            let help = value.get_help().map(ToString::to_string);
            assert!(help.is_some_and(|help| !help.is_empty()), "{value:?}");
        }
    }
}
