use super::{JournalAddress, Opponent, schema_types};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use war::cards::Card;
use war::tokens::Kind;

/// A finished game in a player's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryEntry {
    /// The number of the game.
    pub game_id: u64,
    /// End of the game, in milliseconds since 1970.
    pub ended_ms: u64,
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// The opponent, with their current name.
    pub opponent: Opponent,
    /// The player's final action.
    pub yours: FinalAction,
    /// The opponent's final action.
    pub theirs: FinalAction,
    /// The player's final hand; missing if no cards were dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<schema_types::Card>")]
    pub cards: Option<Vec<Card>>,
    /// The opponent's final hand; missing unless both played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<schema_types::Card>")]
    pub their_cards: Option<Vec<Card>>,
    /// Tokens won; negative if lost.
    pub delta: i64,
    /// The player's balance after the game.
    pub balance: i64,
    /// True if the players met in the public queue: only such games count for the ladder.
    pub public: bool,
    /// Address of the game's journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "JournalAddress")]
    pub journal: Option<JournalAddress>,
}

/// A player's last action in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinalAction {
    /// Playing the cards.
    Play,
    /// Folding the cards.
    Fold,
    /// Folding by not opening the seed in time.
    Forfeit,
    /// Opening the seed in a game in which the opponent did not: no cards were dealt.
    Open,
}

impl FinalAction {
    const ALL: [Self; 4] = [Self::Play, Self::Fold, Self::Forfeit, Self::Open];

    /// The name under which stores keep the action.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Play => "play",
            Self::Fold => "fold",
            Self::Forfeit => "forfeit",
            Self::Open => "open",
        }
    }

    /// Returns the action with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Returns true if the player gave up the game.
    #[must_use]
    pub const fn is_fold(self) -> bool {
        matches!(self, Self::Fold | Self::Forfeit)
    }
}

/// Totals over a number of games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Games in which the player won tokens.
    pub won: u64,
    /// Games in which the player folded, or did not open their seed in time.
    pub folded: u64,
    /// Tokens won in total; negative if lost.
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

/// Totals over the games of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KindTally {
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// The totals.
    #[serde(flatten)]
    pub tally: Tally,
}

/// Totals over the games of one kind in which the player's final hand had the same ranks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HandTally {
    /// The kind of game.
    #[schemars(with = "schema_types::Kind")]
    pub game: Kind,
    /// Ranks of the player's final hand, highest first; empty if no cards were dealt.
    pub hand: String,
    /// The totals.
    #[serde(flatten)]
    pub tally: Tally,
}
