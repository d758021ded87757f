//! Values of options, from what was typed.

use crate::cards::{Deck, GameNumber, Rank};
use crate::digits;
use crate::i18n::{Text, text};
use crate::rules::{CLASSIC, Collect, OutOfCards, Parameters, VARIANTS, Variant};
use crate::simulate::{Kernel, Shard};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why what was typed is not a value of its option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadValue {
    /// It is none of these.
    #[error("not one of these: {0}")]
    Unknown(String),
    #[error("not a seed")]
    Seed,
    #[error("not a deck")]
    Deck,
}

impl BadValue {
    /// The error in the player's language: the option as the parser names it, with a
    /// placeholder for its value, and what was typed.
    pub(crate) fn text(&self, argument: &str, value: String) -> Text {
        let option = argument.split(' ').next().unwrap_or(argument);
        let option = option.trim_matches(['<', '>']).to_owned();
        match self {
            Self::Unknown(known) => text!(
                BadValue,
                option = option,
                value = value,
                known = known.as_str()
            ),
            Self::Seed => text!(BadSeed, value = value),
            Self::Deck => text!(SimBadDeck, option = option, value = value),
        }
    }
}

/// What reads a whole number within a range.
pub(super) fn within<N>(
    range: RangeInclusive<N>,
) -> impl Fn(&str) -> Result<N, BadValue> + Clone + Send + Sync + 'static
where
    N: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |typed| {
        let number = digits::whole(typed).filter(|number| range.contains(number));
        number.ok_or_else(|| BadValue::Unknown(format!("{}–{}", range.start(), range.end())))
    }
}

/// The one of these that has this name.
fn named<T: Copy>(
    typed: &str,
    choices: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, BadValue> {
    let mut known = choices.iter().copied();
    known.find(|&choice| name(choice) == typed).ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|&choice| name(choice)).collect();
        BadValue::Unknown(names.join(", "))
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

pub(super) fn rules(typed: &str) -> Result<NamedRules, BadValue> {
    named(typed, &NamedRules::all(), |rules| rules.name)
}

pub(super) fn collect(typed: &str) -> Result<Collect, BadValue> {
    named(typed, &Collect::ALL, Collect::name)
}

pub(super) fn out_of_cards(typed: &str) -> Result<OutOfCards, BadValue> {
    named(typed, &OutOfCards::ALL, OutOfCards::name)
}

pub(super) fn kernel(typed: &str) -> Result<Kernel, BadValue> {
    named(typed, &Kernel::ALL, Kernel::name)
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
    let bad = |_| BadValue::Unknown("1:0, 1:1, 1:2, …".to_owned());
    typed.parse().map_err(bad)
}

/// A part of a run: `3/8`.
pub(super) fn shard(typed: &str) -> Result<Shard, BadValue> {
    let shard = || {
        let (index, of) = typed.split_once('/')?;
        Shard::new(digits::whole(index)?, digits::whole(of)?)
    };
    shard().ok_or_else(|| BadValue::Unknown("1/4, 2/4, 3/4, 4/4".to_owned()))
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
        hand().ok_or_else(|| BadValue::Unknown("1:14,14,14,14; 2:2,3,…".to_owned()))
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
