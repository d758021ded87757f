//! Values of options: how they are typed, and what each of them means.

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
use war::rules::{Collect, OutOfCards, Piles};
use war::support::digits;
#[cfg(feature = "table")]
use war::tokens::Name;
use war_simulate::{Column, FixedHand, Kernel, NamedRules, Shard};
#[cfg(feature = "table")]
use war_table::protocol::{NameError, Reason, RequestError, typed_name};
use war_table::room::Order;

/// Why what was typed is not a value of its option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadValue {
    /// It is not a whole number in this range.
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
    /// The error in the player's language: the option as the parser names it, with a
    /// placeholder for its value, and what was typed.
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
            Self::Reason => text!(BadReason, longest = Reason::LONGEST),
            #[cfg(feature = "table")]
            Self::Name(error) => {
                let reason = Text::from(&RequestError::Name(*error));
                text!(BadName, value = value, reason = reason)
            }
        }
    }
}

/// What reads a count within a range: `1000000`, `1_000_000` or `1e6`.
pub(crate) fn within<N>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, BadValue> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Copy + TryInto<u64> + Send + Sync + 'static,
{
    move |typed| {
        let number = digits::count(typed).filter(|number| range.contains(number));
        number.ok_or_else(|| BadValue::Number {
            least: as_count(*range.start()),
            most: as_count(*range.end()),
        })
    }
}

/// What reads tokens to give or, where there is a minus before them, to take.
#[cfg(feature = "table")]
pub(crate) fn tokens(typed: &str) -> Result<i64, BadValue> {
    let (sign, count) = match typed.strip_prefix('-') {
        Some(count) => (-1, count),
        None => (1, typed.strip_prefix('+').unwrap_or(typed)),
    };
    let number = digits::count::<i64>(count);
    let number = number.filter(|number| (1..=Order::MAX_TOKENS).contains(number));
    number.map(|number| sign * number).ok_or(BadValue::Tokens)
}

/// What reads a number of days: `30d`.
#[cfg(feature = "table")]
pub(crate) fn days(typed: &str) -> Result<u32, BadValue> {
    let days = typed.strip_suffix(['d', 'D']).and_then(digits::whole);
    let days = days.filter(|days| (1..=36_500).contains(days));
    days.ok_or(BadValue::Days)
}

/// What reads why an operator does something.
#[cfg(feature = "table")]
pub(crate) fn reason(typed: &str) -> Result<Reason, BadValue> {
    Reason::try_from(typed.to_owned()).map_err(|_| BadValue::Reason)
}

/// What reads the name of a player.
#[cfg(feature = "table")]
pub(crate) fn name(typed: &str) -> Result<Name, BadValue> {
    Ok(typed_name(typed)?)
}

/// A number as a message has it.
fn as_count(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// What a shell offers for a value that may be anything: these, as examples.
pub(crate) fn offering<V: ToString>(values: impl IntoIterator<Item = V>) -> ArgValueCandidates {
    let values: Vec<_> = values.into_iter().map(|value| value.to_string()).collect();
    ArgValueCandidates::new(move || {
        let values = values.iter().enumerate();
        let candidate = |(order, value): (usize, &String)| {
            CompletionCandidate::new(value).display_order(Some(order))
        };
        values.map(candidate).collect()
    })
}

/// What reads one of these values by its name, in any letter case.
///
/// Each has a name, what help says of it, and the value that it stands for.
fn one_of<T: Clone + Send + Sync + 'static>(
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

pub(crate) fn rules() -> impl TypedValueParser<Value = NamedRules> {
    one_of(NamedRules::all().into_iter().map(|rules| {
        let meaning = match rules.name {
            "duels" => "Classic with at most 10 turns a card",
            "xy" => "Three cards face down, wars shrink, 52 cards from 1 to 13",
            "bataille" => "No cards face down; a player who runs out of cards loses",
            "classic" => "One card face down, up to 5 players",
            _ => "",
        };
        (rules.name, meaning, rules)
    }))
}

pub(crate) fn collect() -> impl TypedValueParser<Value = Collect> {
    one_of(Collect::ALL.map(|order| {
        let meaning = match order {
            Collect::Seat => "Player by player from the lowest seat, each in the order played",
            Collect::SeatInterleaved => "Round by round, the lowest seat first",
            Collect::WinnerFirst => "Round by round, the winner's card first",
            Collect::WinnerPile => "All of the winner's cards, then the others' by seat",
            Collect::Bataille => "As winner-first, with the last round first",
            Collect::Shuffled => "In random order",
            Collect::HighestFirst => "The highest card first",
            Collect::ReversedPile => "The card put last first, as from one pile turned over",
            Collect::Random => "All of the winner's cards first or last, by a coin",
            Collect::BySeat(_) => "One order for each player",
        };
        (order.name(), meaning, order)
    }))
}

pub(crate) fn piles() -> impl TypedValueParser<Value = Piles> {
    one_of(Piles::ALL.map(|piles| {
        let meaning = match piles {
            Piles::One => "Under the hand",
            Piles::Two => "On a second pile, shuffled when the hand is used up",
            Piles::TwoTurned => "On a second pile, turned over: the card won last comes first",
        };
        (piles.name(), meaning, piles)
    }))
}

pub(crate) fn out_of_cards() -> impl TypedValueParser<Value = OutOfCards> {
    one_of(OutOfCards::ALL.map(|rule| {
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

/// What reads a column of the rows of games.
pub(crate) fn column() -> impl TypedValueParser<Value = Column> {
    one_of(Column::ALL.map(|column| {
        let meaning = match column {
            Column::Aces => "Cards of the highest rank",
            Column::Kings => "Cards of the second highest rank",
            Column::Strength => "Sum of the ranks of all cards",
        };
        (column.name(), meaning, column)
    }))
}

pub(crate) fn kernel() -> impl TypedValueParser<Value = Kernel> {
    one_of(Kernel::ALL.map(|kernel| {
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

pub(crate) fn lang() -> impl TypedValueParser<Value = Lang> {
    one_of(Lang::ALL.map(|lang| {
        let name = match lang {
            Lang::En => "English",
            Lang::Pl => "Polish",
        };
        (lang.code(), name, lang)
    }))
}

pub(crate) fn color() -> impl TypedValueParser<Value = ColorChoice> {
    one_of([
        ("auto", "If the output is a terminal", ColorChoice::Auto),
        ("always", "Always", ColorChoice::Always),
        ("never", "Never", ColorChoice::Never),
    ])
}

/// What reads how many turns a second are shown.
#[cfg(feature = "watch")]
pub(crate) fn pace() -> impl TypedValueParser<Value = Pace> {
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
    one_of(paces.map(|((name, meaning), pace)| (name, meaning, pace)))
}

pub(crate) fn shell() -> impl TypedValueParser<Value = Shell> {
    one_of([
        ("bash", "Bourne Again Shell", Shell::Bash),
        ("elvish", "Elvish", Shell::Elvish),
        ("fish", "Friendly Interactive Shell", Shell::Fish),
        ("powershell", "PowerShell", Shell::PowerShell),
        ("zsh", "Z shell", Shell::Zsh),
    ])
}

/// A seed. Its error does not name a range: it has one of its own.
pub(crate) fn seed(typed: &str) -> Result<u64, BadValue> {
    digits::whole(typed).ok_or(BadValue::Seed)
}

/// A deck by its name, in any letter case.
pub(crate) fn deck(typed: &str) -> Result<Deck, BadValue> {
    Deck::any(&typed.to_ascii_lowercase()).ok_or(BadValue::Deck)
}

pub(crate) fn game(typed: &str) -> Result<GameNumber, BadValue> {
    typed.parse().map_err(|_| BadValue::Game)
}

/// A part of a run, as it is typed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TypedShard {
    /// `3/8`.
    Of(Shard),
    /// `auto`: the one of the task in a Slurm job array.
    Auto,
}

impl TypedShard {
    /// The shard. The error says why there is none.
    pub(crate) fn shard(self) -> Result<Shard, Text> {
        match self {
            Self::Of(shard) => Ok(shard),
            Self::Auto => environment::shard(),
        }
    }
}

/// A part of a run: `3/8` or `auto`.
pub(crate) fn shard(typed: &str) -> Result<TypedShard, BadValue> {
    if typed.eq_ignore_ascii_case("auto") {
        return Ok(TypedShard::Auto);
    }
    let shard = Shard::parse(typed).ok_or(BadValue::Shard)?;
    Ok(TypedShard::Of(shard))
}

/// A player's fixed hand: `1:14,14,14,14`.
pub(crate) fn hand(typed: &str) -> Result<FixedHand, BadValue> {
    FixedHand::parse(typed).ok_or(BadValue::Hand)
}

#[cfg(test)]
mod tests {
    use super::rules;
    use clap::builder::TypedValueParser as _;

    #[test]
    fn all_rules_have_a_help_of_their_own() {
        let parser = rules();
        let values = parser.possible_values().expect("names");
        for value in values {
            let help = value.get_help().map(ToString::to_string);
            assert!(help.is_some_and(|help| !help.is_empty()), "{value:?}");
        }
    }
}
