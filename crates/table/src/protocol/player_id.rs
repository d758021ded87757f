use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use war::support::hex::Hex;
use war::support::redacted::RedactedValue;

/// A player's number, assigned in order of first arrival.
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

/// The secret that identifies a returning player.
///
/// A token is never printed, and does not implement `Serialize`: a message that carries a token has
/// to serialize the bytes explicitly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessToken(RedactedValue<Hex<32>>);

impl AccessToken {
    /// Wraps the bytes of a token.
    #[must_use]
    pub const fn new(bytes: Hex<32>) -> Self {
        Self(RedactedValue(bytes))
    }

    /// Returns the secret bytes.
    #[must_use]
    pub const fn reveal(&self) -> Hex<32> {
        self.0.0
    }
}
