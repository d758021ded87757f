use serde::{Deserialize, Serialize};

/// A token game that can be chosen at the card table.
///
/// # Examples
///
/// ```
/// use war::tokens::Kind;
///
/// assert_eq!(Kind::named("double-card-game"), Some(Kind::Double));
/// assert_eq!(Kind::Single.stakes().showdown, 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// A card each.
    #[serde(rename = "single-card-game")]
    Single,
    /// Two cards each.
    #[serde(rename = "double-card-game")]
    Double,
}

/// What a game is about, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stakes {
    /// What each player loses when both fold.
    pub both_fold: i64,
    /// What a player who folds loses to the one who plays.
    pub one_folds: i64,
    /// What the lower hand loses to the higher one when both play.
    pub showdown: i64,
}

impl Kind {
    /// Both games.
    pub const ALL: [Self; 2] = [Self::Single, Self::Double];

    /// The name that a player chooses it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single-card-game",
            Self::Double => "double-card-game",
        }
    }

    /// The game of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The number of cards in a hand.
    #[must_use]
    pub const fn cards(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Double => 2,
        }
    }

    /// The stakes.
    #[must_use]
    pub const fn stakes(self) -> Stakes {
        match self {
            Self::Single => Stakes {
                both_fold: 1,
                one_folds: 3,
                showdown: 10,
            },
            Self::Double => Stakes {
                both_fold: 2,
                one_folds: 5,
                showdown: 20,
            },
        }
    }
}
