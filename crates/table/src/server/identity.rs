use crate::log::{GameStart, TableId, sign_started};
use std::fmt;
use std::sync::Arc;
use war::signing::TableKey;
use war::support::hex::Hex;

/// Who a table is: what its players know it by, and what it signs with.
#[derive(Clone)]
pub struct Identity {
    /// The program that serves, as the journals of its games name it.
    pub engine: &'static str,
    /// The table's number.
    pub table: TableId,
    /// Its key.
    pub key: Arc<TableKey>,
}

impl Identity {
    /// The one that tests have.
    #[cfg(test)]
    pub(super) fn fixed() -> Self {
        let key = TableKey::from_file(include_str!("../../../../tests/keys/signer.key"));
        Self {
            engine: "test",
            table: Hex::new([0x7a; 16]),
            key: Arc::new(key.expect("a key")),
        }
    }

    /// The public key.
    pub(super) fn public_key(&self) -> Hex<32> {
        Hex::new(self.key.ed25519().verifying_key().to_bytes())
    }

    /// The table's signature of a game that begins.
    pub(super) fn sign(&self, start: &GameStart) -> Option<Hex<64>> {
        sign_started(&self.table, start, self.key.ed25519())
            .parse()
            .ok()
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({}, {})", self.table, self.key.fingerprint())
    }
}
