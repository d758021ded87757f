use super::store::StoreSecret;
use crate::log::{GameStart, TableId, sign_start};
use std::fmt;
use std::sync::Arc;
use war::signing::TableKey;
use war::support::hex::Hex;

/// Identity of a table: its ID, its signing key, and the secret of its store.
#[derive(Clone)]
pub struct Identity {
    /// Name of the serving program in the journals of its games.
    pub engine: &'static str,
    /// ID of the table.
    pub table: TableId,
    /// Signing key of the table.
    pub key: Arc<TableKey>,
    /// Secret of the table's store.
    pub secret: StoreSecret,
}

impl Identity {
    /// Identity for tests.
    #[cfg(test)]
    pub(super) fn for_tests() -> Self {
        let key = TableKey::parse_file(include_str!("../../../../tests/keys/signer.key"));
        Self {
            engine: "test",
            table: Hex::new([0x7a; 16]),
            key: Arc::new(key.expect("a key")),
            secret: StoreSecret::new([0x2a; 32]),
        }
    }

    /// Public part of the key.
    pub(super) fn public_key(&self) -> Hex<32> {
        Hex::new(self.key.ed25519().verifying_key().to_bytes())
    }

    /// Signs the start of a game.
    pub(super) fn sign_start(&self, start: &GameStart) -> Option<Hex<64>> {
        sign_start(&self.table, start, self.key.ed25519())
            .parse()
            .ok()
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, {})", self.table, self.key.fingerprint())
    }
}
