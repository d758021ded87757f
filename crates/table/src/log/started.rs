//! The table's signature of a game that begins.

use super::leaf::{Start, TableId, started_text};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use std::fmt::Write;

/// The table's signature of a game that begins, in 128 hexadecimal digits.
///
/// # Examples
///
/// ```
/// use ed25519_dalek::SigningKey;
/// use war::support::hex::Hex;
/// use war_table::log::{Start, sign_started, started_is_signed};
///
/// let start = Start {
///     game: 7,
///     rules: "single-card-game/2".to_owned(),
///     players: [12, 7],
///     commitment: Hex::new([1; 32]),
///     seed_hashes: [Hex::new([2; 32]), Hex::new([3; 32])],
///     time_ms: 1_790_000_000_000,
/// };
/// let (table, key) = (Hex::new([0xab; 16]), SigningKey::from_bytes(&[1; 32]));
/// let signature = sign_started(&table, &start, &key);
/// assert!(started_is_signed(&table, &start, &signature, &key.verifying_key()));
///
/// let other = Start { players: [12, 8], ..start };
/// assert!(!started_is_signed(&table, &other, &signature, &key.verifying_key()));
/// ```
#[must_use]
pub fn sign_started(table: &TableId, start: &Start, key: &SigningKey) -> String {
    let signature = key.sign(started_text(table, start).as_bytes());
    let digits = |mut text: String, byte: &u8| {
        let written = write!(text, "{byte:02x}");
        written.map_or_else(|_| String::new(), |()| text)
    };
    signature.to_bytes().iter().fold(String::new(), digits)
}

/// Whether a table has signed with this key that a game begins so.
#[must_use]
pub fn started_is_signed(
    table: &TableId,
    start: &Start,
    signature: &str,
    key: &VerifyingKey,
) -> bool {
    let halves = signature.split_at_checked(64);
    let bytes = halves.and_then(|(first, second)| {
        let halves = [first, second].map(|half| half.parse::<super::Hash>().ok());
        let [first, second] = halves;
        Some(Signature::from_components(
            *first?.bytes(),
            *second?.bytes(),
        ))
    });
    let text = started_text(table, start);
    bytes.is_some_and(|signature| key.verify_strict(text.as_bytes(), &signature).is_ok())
}
