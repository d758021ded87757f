use crate::daily::{DailyDuel, Day};
use crate::protocol::JournalAddress;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use war::support::hex::Hex;
use war::support::redacted::RedactedValue;
use war::tokens::Secret;

/// Secret of a store, drawn at random when the store was created. It is never printed.
///
/// The secret makes the addresses of journals and the seeds of daily duels, and nodes of the same
/// table prove with it that they use the same store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreSecret(RedactedValue<[u8; 32]>);

impl StoreSecret {
    /// Wraps the bytes of a secret.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(RedactedValue(bytes))
    }

    /// Returns the secret bytes.
    #[must_use]
    pub const fn reveal(&self) -> &[u8; 32] {
        &self.0.0
    }

    /// Computes the address of a game's journal: its key is the first half of the HMAC-SHA-256 of
    /// `war-table journal/1` and the game's number, each on a line.
    #[must_use]
    pub fn journal_address(&self, game: u64) -> JournalAddress {
        let code = self.authenticate_journal(game).finalize().into_bytes();
        let mut key = [0; 16];
        key.copy_from_slice(&code[..16]);
        JournalAddress {
            game,
            key: Hex::new(key),
        }
    }

    /// Returns true if the address is the one of its game. The time taken reveals nothing about the
    /// right key.
    #[must_use]
    pub fn is_journal_address(&self, address: &JournalAddress) -> bool {
        let code = self.authenticate_journal(address.game);
        code.verify_truncated_left(address.key.bytes()).is_ok()
    }

    /// Computes the duel of a day: its seed is the HMAC-SHA-256 of `war-table day/1` and the day,
    /// each on a line. So it needs no place in a store, and survives a restored backup.
    #[must_use]
    pub fn daily_duel(&self, day: Day) -> DailyDuel {
        let seed = self.authenticate(&format!("war-table day/1\n{day}\n"));
        DailyDuel {
            day,
            seed: Secret::new(Hex::new(seed.finalize().into_bytes().into())),
        }
    }

    fn authenticate_journal(&self, game: u64) -> Hmac<Sha256> {
        self.authenticate(&format!("war-table journal/1\n{game}\n"))
    }

    fn authenticate(&self, text: &str) -> Hmac<Sha256> {
        let mut code = Hmac::<Sha256>::new_from_slice(self.reveal()).expect("any length of key");
        code.update(text.as_bytes());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::StoreSecret;

    // Computed with the program `openssl`:
    // printf 'war-table journal/1\n7\n' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY
    #[test]
    fn addresses_of_journals_are_frozen() {
        let secret = StoreSecret::new([0x2a; 32]);
        let address = secret.journal_address(7);
        assert_eq!(address.to_string(), "7-bcb5be8bf4d0ed2b66bf569ac8c5dab5");
        assert!(secret.is_journal_address(&address));
        let mut other = address;
        other.game = 8;
        assert!(!secret.is_journal_address(&other));
        assert!(!StoreSecret::new([0x2b; 32]).is_journal_address(&address));
    }
}
