use super::unfair::Unfair;
use crate::log::{Start, TableId, started_is_signed};
use ed25519_dalek::VerifyingKey;
use war::support::hex::Hex;

/// A table's signature of the beginning of a game, as it was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signed {
    /// The table that is said to have signed it.
    pub table: TableId,
    /// The signature.
    pub signature: Hex<64>,
}

impl Signed {
    pub(super) fn new(table: Option<TableId>, signature: Option<Hex<64>>) -> Result<Self, Unfair> {
        let told = table.zip(signature).ok_or(Unfair::Unsigned)?;
        let (table, signature) = told;
        Ok(Self { table, signature })
    }

    /// Checks that the table with this key has signed that a game begins so.
    ///
    /// # Errors
    ///
    /// [`Unfair::Signature`] where it has not.
    pub fn check(&self, start: &Start, key: &VerifyingKey) -> Result<(), Unfair> {
        let signature = self.signature.to_string();
        let signed = started_is_signed(&self.table, start, &signature, key);
        Unfair::Signature.unless(signed)
    }
}
