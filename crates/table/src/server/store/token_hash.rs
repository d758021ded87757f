use crate::room::AccessToken;
use sha2::{Digest, Sha256};
use std::fmt;

/// An access token as stores know it: nobody can act for a player by reading the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TokenHash([u8; 32]);

impl TokenHash {
    /// The hash of a token: the SHA-256 of its bytes.
    #[must_use]
    pub fn of(token: &AccessToken) -> Self {
        Self(Sha256::digest(token.reveal().bytes()).into())
    }

    /// The bytes.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash(..)")
    }
}
