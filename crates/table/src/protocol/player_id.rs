use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use war::support::hex::Hex;
use war::support::redacted::Redacted;

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

/// The secret by which a player is known again.
///
/// It is neither printed nor serialized by itself; the messages that carry it say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessToken(Redacted<Hex<32>>);

impl AccessToken {
    /// The token of these bytes.
    #[must_use]
    pub const fn new(bytes: Hex<32>) -> Self {
        Self(Redacted(bytes))
    }

    /// The bytes, which belong to the player alone.
    #[must_use]
    pub const fn reveal(&self) -> Hex<32> {
        self.0.0
    }
}
