//! Values of options: how they are typed, and what each of them means.

use crate::cards::{Deck, GameNumber, Rank};
use crate::digits;
use crate::i18n::{Count, Lang, Text, text};
use crate::rules::{CLASSIC, Collect, OutOfCards, Parameters, VARIANTS, Variant};
use crate::simulate::{Kernel, Shard};
use anstream::ColorChoice;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap_complete::{ArgValueCandidates, CompletionCandidate, Shell};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

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
        }
    }
}

/// What reads a count within a range: `1000000`, `1_000_000` or `1e6`.
pub(super) fn within<N>(
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

/// A number as a message has it.
fn as_count(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// What a shell offers for a value that may be anything: these, as examples.
pub(super) fn offering<V: ToString>(values: impl IntoIterator<Item = V>) -> ArgValueCandidates {
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

/// Rules that have a name, with their deck.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NamedRules {
    pub(crate) name: &'static str,
    pub(crate) parameters: Parameters,
    pub(crate) deck: Deck,
}

impl NamedRules {
    /// All of them: the editions, then rules that are nothing else.
    fn all() -> Vec<Self> {
        let editions = VARIANTS.iter().filter(|variant| variant.is_an_edition());
        let bataille = Self {
            name: "bataille",
            parameters: Parameters::BATAILLE,
            deck: Deck::Large,
        };
        editions.map(Self::of).chain([bataille]).collect()
    }

    /// The rules of an edition, with its largest deck.
    fn of(variant: &Variant) -> Self {
        let decks = variant.decks.iter().copied();
        Self {
            name: variant.name(),
            parameters: variant.parameters,
            deck: decks.max_by_key(|deck| deck.size()).unwrap_or(Deck::Large),
        }
    }
}

/// The classic edition, which is played where no rules are named.
impl Default for NamedRules {
    fn default() -> Self {
        Self::of(&CLASSIC)
    }
}

pub(super) fn rules() -> impl TypedValueParser<Value = NamedRules> {
    one_of(NamedRules::all().into_iter().map(|rules| {
        let meaning = match rules.name {
            "duels" => "Classic with at most 10 turns a card",
            "xy" => "Three cards face down, wars shrink, 52 cards from 1 to 13",
            "bataille" => "No cards face down; a player who runs out of cards loses",
            _ => "One card face down, up to 5 players",
        };
        (rules.name, meaning, rules)
    }))
}

pub(super) fn collect() -> impl TypedValueParser<Value = Collect> {
    one_of(Collect::ALL.map(|order| {
        let meaning = match order {
            Collect::Seat => "Player by player from the lowest seat, each in the order played",
            Collect::SeatInterleaved => "Round by round, the lowest seat first",
            Collect::WinnerFirst => "Round by round, the winner's card first",
            Collect::WinnerPile => "All of the winner's cards, then the others' by seat",
            Collect::Bataille => "As winner-first, with the last round first",
            Collect::Shuffled => "In random order",
        };
        (order.name(), meaning, order)
    }))
}

pub(super) fn out_of_cards() -> impl TypedValueParser<Value = OutOfCards> {
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

pub(super) fn kernel() -> impl TypedValueParser<Value = Kernel> {
    one_of(Kernel::ALL.map(|kernel| {
        let meaning = match kernel {
            Kernel::Fastest => "The fastest that can play these rules on this machine",
            Kernel::Portable => "The fastest that runs on every machine",
            Kernel::General => "The one that knows every rule",
        };
        (kernel.name(), meaning, kernel)
    }))
}

pub(super) fn lang() -> impl TypedValueParser<Value = Lang> {
    one_of(Lang::ALL.map(|lang| {
        let name = match lang {
            Lang::En => "English",
            Lang::Pl => "Polish",
        };
        (lang.code(), name, lang)
    }))
}

pub(super) fn color() -> impl TypedValueParser<Value = ColorChoice> {
    one_of([
        ("auto", "If the output is a terminal", ColorChoice::Auto),
        ("always", "Always", ColorChoice::Always),
        ("never", "Never", ColorChoice::Never),
    ])
}

pub(super) fn shell() -> impl TypedValueParser<Value = Shell> {
    one_of([
        ("bash", "Bourne Again Shell", Shell::Bash),
        ("elvish", "Elvish", Shell::Elvish),
        ("fish", "Friendly Interactive Shell", Shell::Fish),
        ("powershell", "PowerShell", Shell::PowerShell),
        ("zsh", "Z shell", Shell::Zsh),
    ])
}

/// A seed. Its error does not name a range: it has one of its own.
pub(super) fn seed(typed: &str) -> Result<u64, BadValue> {
    digits::whole(typed).ok_or(BadValue::Seed)
}

/// A deck by its name, in any letter case.
pub(super) fn deck(typed: &str) -> Result<Deck, BadValue> {
    Deck::any(&typed.to_ascii_lowercase()).ok_or(BadValue::Deck)
}

pub(super) fn game(typed: &str) -> Result<GameNumber, BadValue> {
    typed.parse().map_err(|_| BadValue::Game)
}

/// A part of a run: `3/8`.
pub(super) fn shard(typed: &str) -> Result<Shard, BadValue> {
    let shard = || {
        let (index, of) = typed.split_once('/')?;
        Shard::new(digits::whole(index)?, digits::whole(of)?)
    };
    shard().ok_or(BadValue::Shard)
}

/// A player's fixed hand: `1:14,14,14,14`.
#[derive(Debug, Clone)]
pub(crate) struct FixedHand {
    /// The player's number, which the game may not have.
    pub(crate) player: u8,
    pub(crate) cards: Vec<Rank>,
}

impl FromStr for FixedHand {
    type Err = BadValue;

    fn from_str(typed: &str) -> Result<Self, BadValue> {
        let hand = || {
            let (player, cards) = typed.split_once(':')?;
            let cards = cards.split(',').map(|card| Rank::new(digits::whole(card)?));
            Some(Self {
                player: digits::whole(player)?,
                cards: cards.collect::<Option<_>>()?,
            })
        };
        hand().ok_or(BadValue::Hand)
    }
}

impl Display for FixedHand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let cards: Vec<_> = self
            .cards
            .iter()
            .map(|card| card.get().to_string())
            .collect();
        write!(f, "{}:{}", self.player, cards.join(","))
    }
}
