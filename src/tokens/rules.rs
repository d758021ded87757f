use crate::cards::{Card, Rank};
use serde::{Deserialize, Serialize};
use std::cmp::{Ordering, Reverse};

/// Rules of a token game: its kind, and the way its deals are made fair.
///
/// # Examples
///
/// ```
/// use war::tokens::{Fairness, Kind, TokenRules};
///
/// let rules = TokenRules::from_id("double-card-game/2").unwrap();
/// assert_eq!(rules, TokenRules::current(Kind::Double));
/// assert_eq!(rules.fairness(), Fairness::CommittedSeeds);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenRules {
    kind: Kind,
    fairness: Fairness,
}

/// Way in which players contribute to the randomness of a game's deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// Version 1: optional seeds, which players may add once they know the table's commitment.
    OptionalSeeds,
    /// Version 2: seeds that players commit to before the game, and open once all are committed.
    CommittedSeeds,
    /// Daily duel: no seed of a player. The table commits to its own seed before the day begins.
    TableSeed,
}

impl TokenRules {
    /// Rules of the daily duel: single hands of two cards against the house.
    pub const DAILY: Self = Self {
        kind: Kind::Double,
        fairness: Fairness::TableSeed,
    };

    /// Rules of both kinds and versions, and of the daily duel.
    pub const ALL: [Self; 5] = [
        Self::first_version(Kind::Single),
        Self::first_version(Kind::Double),
        Self::current(Kind::Single),
        Self::current(Kind::Double),
        Self::DAILY,
    ];

    /// Rules of this kind in version 1.
    #[must_use]
    pub const fn first_version(kind: Kind) -> Self {
        let fairness = Fairness::OptionalSeeds;
        Self { kind, fairness }
    }

    /// Current rules of this kind: version 2.
    #[must_use]
    pub const fn current(kind: Kind) -> Self {
        let fairness = Fairness::CommittedSeeds;
        Self { kind, fairness }
    }

    /// Kind of the game.
    #[must_use]
    pub const fn kind(self) -> Kind {
        self.kind
    }

    /// Way in which the deals are made fair.
    #[must_use]
    pub const fn fairness(self) -> Fairness {
        self.fairness
    }

    /// Name and version that identify the rules in a journal.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match (self.kind, self.fairness) {
            (Kind::Single, Fairness::OptionalSeeds) => "single-card-game/1",
            (Kind::Double, Fairness::OptionalSeeds) => "double-card-game/1",
            (Kind::Single, Fairness::CommittedSeeds) => "single-card-game/2",
            (Kind::Double, Fairness::CommittedSeeds) => "double-card-game/2",
            (_, Fairness::TableSeed) => "daily/1",
        }
    }

    /// Rules with this name and version.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.id() == id)
    }
}

/// Kind of a token game, as chosen at the card table.
///
/// # Examples
///
/// ```
/// use war::tokens::Kind;
///
/// assert_eq!(Kind::from_name("double-card-game"), Some(Kind::Double));
/// assert_eq!(Kind::Single.stakes().showdown, 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// One card each.
    #[serde(rename = "single-card-game")]
    Single,
    /// Two cards each.
    #[serde(rename = "double-card-game")]
    Double,
}

/// Stakes of a game, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stakes {
    /// Loss of each player if both fold.
    pub both_fold: i64,
    /// Loss of a player who folds to the one who plays.
    pub one_folds: i64,
    /// Loss of the lower hand to the higher one if both play.
    pub showdown: i64,
}

impl Kind {
    /// Both kinds of token games.
    pub const ALL: [Self; 2] = [Self::Single, Self::Double];

    /// Name by which players choose the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Single => "single-card-game",
            Self::Double => "double-card-game",
        }
    }

    /// Kind with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Number of cards in a hand.
    #[must_use]
    pub const fn hand_size(self) -> usize {
        match self {
            Self::Single => 1,
            Self::Double => 2,
        }
    }

    /// Stakes of a game of this kind.
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

/// Cards that a player was dealt, in the order of the deck.
pub type Hand = Vec<Card>;

/// Compares two hands of the same size: the highest ranks first, then the lower ones.
///
/// # Examples
///
/// ```
/// use std::cmp::Ordering;
/// use war::tokens::compare_hands;
///
/// let hand = |cards: [&str; 2]| cards.map(|card| card.parse().unwrap());
/// let ordering = compare_hands(&hand(["Jc", "9h"]), &hand(["Jd", "Td"]));
/// assert_eq!(ordering, Ordering::Less);
/// ```
#[must_use]
pub fn compare_hands(one: &[Card], other: &[Card]) -> Ordering {
    ranks(one).cmp(&ranks(other))
}

/// Ranks of a hand, the highest first.
fn ranks(hand: &[Card]) -> Vec<Rank> {
    let mut ranks: Vec<_> = hand.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable_by_key(|&rank| Reverse(rank));
    ranks
}
