use crate::hex::Hex;
use std::fmt;

/// The secret by which a player is known again.
///
/// It is neither printed nor serialized by itself; the messages that carry it say so.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AccessToken(Hex<32>);

impl AccessToken {
    /// The token of these bytes.
    #[must_use]
    pub const fn new(bytes: Hex<32>) -> Self {
        Self(bytes)
    }

    /// The bytes, which belong to the player alone.
    #[must_use]
    pub const fn reveal(&self) -> Hex<32> {
        self.0
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(..)")
    }
}
