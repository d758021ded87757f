use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
