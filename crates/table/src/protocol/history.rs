use super::{Opponent, described};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::tokens::Kind;

/// A game of a player that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PastGame {
    /// Its number.
    pub game_id: u64,
    /// When it was over, in milliseconds since 1970.
    pub ended_ms: u64,
    /// What was played.
    #[schemars(with = "described::Kind")]
    pub game: Kind,
    /// Who the opponent was, as they are called now.
    pub opponent: Opponent,
    /// What the player did in the end.
    pub yours: Deed,
    /// What the opponent did in the end.
    pub theirs: Deed,
    /// The player's cards in the end; missing where none were dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<described::Card>")]
    pub cards: Option<Vec<Card>>,
    /// The opponent's cards, where both played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<described::Card>")]
    pub their_cards: Option<Vec<Card>>,
    /// What the player won; negative for what they lost.
    pub delta: i64,
    /// Their tokens after the game.
    pub balance: i64,
    /// Whether the two met in the queue that is open to everybody: only such games count for the
    /// ladder.
    pub public: bool,
}

/// What a player did in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// They played their cards.
    Play,
    /// They folded them.
    Fold,
    /// They did not open their seed in time, and so folded.
    Forfeit,
    /// They opened their seed, and the other player did not: no cards were dealt.
    Open,
}

impl Deed {
    const ALL: [Self; 4] = [Self::Play, Self::Fold, Self::Forfeit, Self::Open];

    /// Its name, for stores.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Fold => "fold",
            Self::Forfeit => "forfeit",
            Self::Open => "open",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Whether the player gave the game up.
    #[must_use]
    pub const fn is_fold(self) -> bool {
        matches!(self, Self::Fold | Self::Forfeit)
    }
}

/// What came of a number of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// How many games were played.
    pub games: u64,
    /// In how many of them the player won tokens.
    pub won: u64,
    /// In how many of them the player folded, or did not open their seed in time.
    pub folded: u64,
    /// The tokens won in all of them; negative for what was lost.
    pub tokens: i64,
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.won += other.won;
        self.folded += other.folded;
        self.tokens += other.tokens;
    }
}

/// What came of the games of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KindTally {
    /// The game.
    #[schemars(with = "described::Kind")]
    pub game: Kind,
    /// What came of them.
    #[serde(flatten)]
    pub tally: Tally,
}

/// What came of the games of a kind that ended with a hand of these ranks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandTally {
    /// The game.
    #[schemars(with = "described::Kind")]
    pub game: Kind,
    /// The ranks of the player's cards in the end, the highest first; empty where no cards were
    /// dealt.
    pub hand: String,
    /// What came of them.
    #[serde(flatten)]
    pub tally: Tally,
}
