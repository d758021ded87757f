use super::{PlayerId, schema_types};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Add;
use war::support::hex::Hex;
use war::tokens::{Kind, Name};

/// The opponent in a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opponent {
    /// The public number.
    pub player: PlayerId,
    /// The current name; left out of stored messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema_types::Name")]
    pub name: Option<Name>,
    /// True for a house player, played by the computer.
    pub house: bool,
}

/// Maximum number of friend links of one player.
pub const MAX_LINKS_PER_PLAYER: usize = 20;

/// A link by which a player invites friends again and again, until the player revokes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FriendLink {
    /// The link's ID, which is public: `/with/` and the ID is the link's address, without its
    /// secret.
    #[schemars(with = "schema_types::Hex<8>")]
    pub link: Hex<8>,
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// The SHA-256 of the link's secret, by which a client finds the link that it made.
    #[schemars(with = "schema_types::Hex<32>")]
    pub secret_hash: Hex<32>,
}

/// A friend's presence, as a player who waits for the friend sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FriendPresence {
    /// Friend who does not wait with the link, or is not connected.
    Away,
    /// Friend who waits with the link, without a seed hash.
    Here,
    /// Friend who is ready to play. The player is asked to choose the game again, with a fresh seed
    /// hash, if they are ready too.
    Ready,
}

/// A player's entry in the ladder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LadderEntry {
    /// Rank, counted from 1; missing if the player has too few games to be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub place: Option<u64>,
    /// The public number; 0 for all house players together.
    pub player: PlayerId,
    /// The current name; missing for the house.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "schema_types::Name")]
    pub name: Option<Name>,
    /// True for the house.
    pub house: bool,
    /// The rating, rounded.
    pub rating: i64,
    /// The rating deviation, rounded: the true strength is within two deviations of the rating with
    /// a probability of 95 percent.
    pub deviation: i64,
    /// Number of rated games.
    pub games: u64,
}

/// Number of a player's games with an opponent on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DailyGames {
    /// The opponent's public number; 0 for all house players together.
    pub player: PlayerId,
    /// Number of games.
    pub games: u64,
}

/// Period covered by the ladder, ending with the last full day.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Span")]
pub enum LadderPeriod {
    /// Seven days.
    Week,
    /// Thirty days.
    Month,
    /// All time.
    Ever,
}

impl LadderPeriod {
    /// All periods.
    pub const ALL: [Self; 3] = [Self::Week, Self::Month, Self::Ever];

    /// The name, as programs and stores use it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Week => "week",
            Self::Month => "month",
            Self::Ever => "ever",
        }
    }

    /// Returns the period with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// First day of the period that ends with day `last`.
    #[must_use]
    pub const fn first_day(self, last: u64) -> u64 {
        match self {
            Self::Week => last.saturating_sub(6),
            Self::Month => last.saturating_sub(29),
            Self::Ever => 0,
        }
    }
}

/// Numbers of players who wait for anyone, by kind of game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Waiters {
    /// Number of players waiting for the single-card game.
    pub single_card_game: u64,
    /// Number of players waiting for the double-card game.
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
