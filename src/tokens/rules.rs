use super::Kind;

/// The rules of a token game: what is played, and how its chance is made fair.
///
/// # Examples
///
/// ```
/// use war::tokens::{Fairness, Kind, TokenRules};
///
/// let rules = TokenRules::named("double-card-game/2").unwrap();
/// assert_eq!(rules, TokenRules::of(Kind::Double));
/// assert_eq!(rules.fairness, Fairness::Committed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenRules {
    /// The kind of the game.
    pub kind: Kind,
    /// How its chance is made fair.
    pub fairness: Fairness,
}

/// How players take part in the chance of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fairness {
    /// Version 1: they may add a seed once they know the table's commitment.
    Added,
    /// Version 2: they commit to a seed before the game, and open it once all are committed.
    Committed,
}

impl TokenRules {
    /// Those of both kinds and versions.
    pub const ALL: [Self; 4] = [
        Self::by(Kind::Single, Fairness::Added),
        Self::by(Kind::Double, Fairness::Added),
        Self::by(Kind::Single, Fairness::Committed),
        Self::by(Kind::Double, Fairness::Committed),
    ];

    /// Those that games of this kind are played by today.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        Self::by(kind, Fairness::Committed)
    }

    /// Those of this kind and version.
    #[must_use]
    pub const fn by(kind: Kind, fairness: Fairness) -> Self {
        Self { kind, fairness }
    }

    /// The name and version under which a journal records them.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match (self.kind, self.fairness) {
            (Kind::Single, Fairness::Added) => "single-card-game/1",
            (Kind::Double, Fairness::Added) => "double-card-game/1",
            (Kind::Single, Fairness::Committed) => "single-card-game/2",
            (Kind::Double, Fairness::Committed) => "double-card-game/2",
        }
    }

    /// The rules of this name and version.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.id() == id)
    }
}
