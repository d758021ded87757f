//! Operator requests to a running table, and the proof that authenticates them.
//!
//! The program `war` sends requests to the table's operator address. Each request comes with a
//! proof that the sender can read the table's key, computed from the request and a single-use
//! challenge. So neither another user of the machine nor a page in a browser can send requests, and
//! an overheard request can't be replayed.

use crate::protocol::PlayerId;
use crate::room::{Order, OrderError, PlayerStatus};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;
use war::signing::TableKey;
use war::support::hex::Hex;
use war::tokens::{Kind, Name};

/// Path of the operator endpoint: `GET` returns a challenge, `POST` takes requests.
pub const OPERATOR_PATH: &str = "/operator";
/// Header with the challenge that a request answers.
pub const CHALLENGE_HEADER: &str = "x-war-challenge";
/// Scheme of the `Authorization` header, followed by the proof.
pub const AUTH_SCHEME: &str = "War-Operator ";
/// Maximum number of players in one list.
pub const MAX_LISTED_PLAYERS: u32 = 1000;

/// Minimum retention of messages, in milliseconds: a day. Answers to requests are stored for an
/// hour and refer to messages, so messages must be kept longer.
pub const MIN_RETENTION: u64 = 24 * 3_600_000;

/// An operator's request to a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum OperatorRequest {
    /// Carries out an order about a player.
    Order(Order),
    /// Lists up to [`MAX_LISTED_PLAYERS`] players, by number.
    Players {
        /// Player number after which the list begins.
        after: u64,
    },
    /// Exports all data about a player.
    Export {
        /// The player.
        player: PlayerId,
    },
    /// Removes messages older than the retention, for some of the players after `after`. Each
    /// player's messages are removed only up to the end of a game.
    Retain {
        /// The retention, at least [`MIN_RETENTION`].
        milliseconds: u64,
        /// Player after whom the removal continues.
        after: PlayerId,
    },
    /// Checks one part of the store.
    Verify(CheckPosition),
}

/// A table's answer to its operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorAnswer {
    /// Success of an order, with the player's state afterwards.
    Done(PlayerSummary),
    /// Failure because no node owns the room in question. Nothing was done.
    NotServed,
    /// Refusal of an order that can't be carried out.
    Refused(OrderError),
    /// Players, by number; empty if there are no more.
    Players(Vec<PlayerSummary>),
    /// Success of a removal of old messages.
    Retained {
        /// Number of removed messages.
        messages: u64,
        /// Last player examined; `None` if all players have been examined.
        next: Option<PlayerId>,
    },
    /// All data about a player.
    Kept(Value),
    /// Result of checking a part of the store.
    Checked(CheckReport),
}

/// A player as shown to operators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerSummary {
    /// The player's number.
    pub player: PlayerId,
    /// The name.
    pub name: Name,
    /// The balance in tokens.
    pub balance: i64,
    /// True for a house player.
    pub house: bool,
    /// Admission to the table.
    pub standing: PlayerStatus,
    /// Current activity.
    pub doing: PlayerActivity,
}

/// A player's activity as shown to operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerActivity {
    /// Neither waiting nor playing.
    Nothing,
    /// Waiting for an opponent in a game of this kind.
    Waiting(Kind),
    /// Playing the game with this number.
    Playing(u64),
}

/// Position at which a check of the store continues: checks run in parts, so that they don't block
/// the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum CheckPosition {
    /// Events after this position, and their entries in the ledger.
    Ledger(LedgerPosition),
    /// All balances.
    Balances,
    /// Messages to the players after this one.
    Messages {
        /// The number of the player.
        player: u64,
    },
    /// Journals of the games after this one.
    Journals {
        /// The number of the game.
        game: u64,
    },
    /// Players' records of the games after this one.
    Games {
        /// The number of the game.
        game: u64,
    },
    /// Totals and balances in the game records of the players after this one.
    Records {
        /// The number of the player.
        player: u64,
    },
    /// The ladder.
    Ladder,
    /// The log from this leaf on.
    Log {
        /// The number of the leaf.
        leaf: u64,
    },
}

impl CheckPosition {
    /// Start of a check.
    pub const FIRST: Self = Self::Ledger(LedgerPosition {
        room: 0,
        event: 0,
        entry: 0,
    });
}

/// The last event checked. Only the store interprets these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerPosition {
    /// Number of the event's room.
    pub room: u16,
    /// Number of the event, or of its batch in the room.
    pub event: u64,
    /// Number of the last ledger entry, if entries are numbered.
    pub entry: u64,
}

/// Result of checking a part of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckReport {
    /// Number of events, players, games or leaves checked.
    pub count: u64,
    /// The faults found.
    pub faults: Vec<StoreFault>,
    /// Next position of the check; `None` at the end.
    pub next: Option<CheckPosition>,
}

/// A fault in a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreFault {
    /// Event that can't be read, as text that identifies the event in this store.
    Event(String),
    /// Entries in the ledger that do not match an event, as text that identifies the event in this
    /// store.
    Ledger(String),
    /// Balance that does not match the ledger, by the player's number.
    Balance(u64),
    /// Missing or wrongly numbered messages to a player, by the player's number.
    Messages(u64),
    /// Journal that does not verify, or has changed, by the number of the game.
    Journal(u64),
    /// Players' records of a game that are missing, or do not match the game's events, by the
    /// number of the game.
    Game(u64),
    /// Totals or balances in a player's game records that do not add up, by the player's number.
    Record(u64),
    /// Standing in the ladder that does not follow from the games, by the player's number; 0 is the
    /// house.
    Rating(u64),
    /// Leaf of the log that is missing or has changed, by number.
    Leaf(u64),
}

/// Prefix of the authenticated text, so that a proof is valid for this purpose only.
const PURPOSE: &[u8] = b"war-table operator/1\n";

/// 32 random bytes from a table, to be used once.
pub type Challenge = Hex<32>;
/// An HMAC-SHA256 that proves knowledge of a table's key.
pub type OperatorProof = Hex<32>;

/// Computes the proof that the sender of a request can read the table's key.
#[must_use]
pub fn compute_proof(key: &TableKey, challenge: &Challenge, request: &[u8]) -> OperatorProof {
    Hex::new(mac(key, challenge, request).finalize().into_bytes().into())
}

/// Verifies the proof that the sender of a request can read the table's key, in constant time.
#[must_use]
pub fn is_valid_proof(
    key: &TableKey,
    challenge: &Challenge,
    request: &[u8],
    proof: &OperatorProof,
) -> bool {
    let mac = mac(key, challenge, request);
    mac.verify_slice(proof.bytes()).is_ok()
}

fn mac(key: &TableKey, challenge: &Challenge, request: &[u8]) -> Hmac<Sha256> {
    let secret = key.ed25519().to_bytes();
    let mac = Hmac::<Sha256>::new_from_slice(&secret);
    let mut mac = mac.expect("a key of any length will do");
    mac.update(PURPOSE);
    mac.update(challenge.bytes());
    mac.update(request);
    mac
}

#[cfg(test)]
mod tests {
    use super::{compute_proof, is_valid_proof};
    use war::signing::TableKey;
    use war::support::hex::Hex;

    // The expected proof is the output of `(printf 'war-table operator/1\n'; head -c 32 /dev/zero;
    // printf '{}') | openssl dgst -sha256 -mac HMAC -macopt hexkey:...`, with the secret key in
    // `signer.key`.
    #[test]
    fn a_proof_is_of_one_key_one_challenge_and_one_request() {
        let key = TableKey::parse_file(include_str!("../../../tests/keys/signer.key"));
        let key = key.expect("a key");
        let other =
            TableKey::parse_file(&TableKey::generate_file().expect("randomness")).expect("a key");
        let challenge = Hex::new([0; 32]);
        let proven = compute_proof(&key, &challenge, b"{}");
        assert_eq!(
            proven.to_string(),
            "15121bf2d7d133ddbaf012d9c4b03cbc3c20cab94e28d6d38b61073e55600a81"
        );
        assert!(is_valid_proof(&key, &challenge, b"{}", &proven));
        assert!(!is_valid_proof(&other, &challenge, b"{}", &proven));
        assert!(!is_valid_proof(&key, &Hex::new([1; 32]), b"{}", &proven));
        assert!(!is_valid_proof(&key, &challenge, b"{ }", &proven));
        assert!(!is_valid_proof(&key, &challenge, b"{}", &Hex::new([0; 32])));
    }
}
