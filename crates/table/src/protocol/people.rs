use super::{PlayerId, described};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Add;
use war::tokens::Name;

/// Who somebody plays against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opponent {
    /// Their public number.
    pub player: PlayerId,
    /// What they are called now; stores do not keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "described::Name")]
    pub name: Option<Name>,
    /// Whether they belong to the house: the computer plays.
    pub house: bool,
}

/// A player in the ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rung {
    /// Their place from 1 on; missing where they have played too few games to be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub place: Option<u64>,
    /// Their public number; 0 for the house, however many play for it.
    pub player: PlayerId,
    /// What they are called now; missing for the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "described::Name")]
    pub name: Option<Name>,
    /// Whether it is the house.
    pub house: bool,
    /// The rating, rounded.
    pub rating: i64,
    /// Its deviation, rounded: with a probability of 95 percent the rating is off by no more than
    /// twice as much.
    pub deviation: i64,
    /// How many of their games were rated.
    pub games: u64,
}

/// Over how many days the ladder goes, the last of which is the last one that is over.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Span {
    /// Seven days.
    Week,
    /// Thirty days.
    Month,
    /// All days there were.
    Ever,
}

impl Span {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Week, Self::Month, Self::Ever];

    /// Its name, for programs and stores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Week => "week",
            Self::Month => "month",
            Self::Ever => "ever",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// The first day of the ladder whose last one is this.
    #[must_use]
    pub const fn first(self, last: u64) -> u64 {
        match self {
            Self::Week => last.saturating_sub(6),
            Self::Month => last.saturating_sub(29),
            Self::Ever => 0,
        }
    }
}

/// How many players wait for anyone in each game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Waiters {
    /// In the game of a card each.
    pub single_card_game: u64,
    /// In the game of two cards each.
    pub double_card_game: u64,
}

impl Add for Waiters {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        let [single, more_single] = [self, more].map(|waiters| waiters.single_card_game);
        let [double, more_double] = [self, more].map(|waiters| waiters.double_card_game);
        Self {
            single_card_game: single.saturating_add(more_single),
            double_card_game: double.saturating_add(more_double),
        }
    }
}
