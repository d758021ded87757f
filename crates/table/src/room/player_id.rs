use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use war::tokens::Name;

/// The number of a player, given in the order in which players first came.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct PlayerId(pub u64);

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PlayerId {
    /// What a player is called of whom only the number is known.
    pub(super) fn as_name(self) -> Name {
        Name::new(&format!("Player {self}")).expect("a short name")
    }
}
