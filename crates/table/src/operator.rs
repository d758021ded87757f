//! What an operator says to a table that runs, and how they prove that they are its operator.
//!
//! The program asks at the table's address for operators. Every question goes with a proof
//! that the one who asks can read the table's key: of this question, and of a challenge that the
//! table takes once. So neither another user of the machine nor a page in a browser can ask,
//! and what was overheard can't be said again.

use crate::protocol::PlayerId;
use crate::room::{Order, OrderError, Standing};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::Sha256;
use war::signing::TableKey;
use war::support::hex::Hex;
use war::tokens::{Kind, Name};

/// Where a table is asked: with `GET` for a challenge, with `POST` for all else.
pub const PATH: &str = "/operator";
/// The header of the challenge that a question answers.
pub const CHALLENGE: &str = "x-war-challenge";
/// How the header `Authorization` begins; the proof follows.
pub const SCHEME: &str = "War-Operator ";
/// The most players that are listed at once.
pub const MOST_LISTED: u32 = 1000;

/// The shortest time that messages are kept, in milliseconds: a day. Answers refer to messages, and
/// are kept for an hour.
pub const LEAST_RETAINED: u64 = 24 * 3_600_000;

/// What an operator asks of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Ask {
    /// To do something with a player.
    Order(Order),
    /// To list up to [`MOST_LISTED`] players, in the order of their numbers.
    Players {
        /// The number after which they begin.
        after: u64,
    },
    /// All that is kept of a player.
    Export {
        /// Who.
        player: PlayerId,
    },
    /// To keep the messages of this time only, and to remove older ones up to the end of a game: of
    /// some of the players behind `after`.
    Retain {
        /// How long, at least [`LEAST_RETAINED`].
        milliseconds: u64,
        /// The number of the player.
        after: PlayerId,
    },
    /// To check one part of the store.
    Verify(Place),
}

/// What a table answers to its operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The order is carried out: the player as they are now.
    Done(Listed),
    /// No node owns the room that this is about now, and nothing was done.
    NotServed,
    /// The order can't be carried out.
    Refused(OrderError),
    /// Players, in the order of their numbers; none where there are no more.
    Players(Vec<Listed>),
    /// Old messages were removed.
    Retained {
        /// How many.
        messages: u64,
        /// The last player who was looked at, unless those were all.
        next: Option<PlayerId>,
    },
    /// All that is kept of a player.
    Kept(Value),
    /// What came of the part of the check.
    Checked(Checked),
}

/// A player as an operator sees them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    /// Their number.
    pub player: PlayerId,
    /// What they are called.
    pub name: Name,
    /// Their tokens.
    pub balance: i64,
    /// Whether they belong to the house.
    pub house: bool,
    /// Whether they may come.
    pub standing: Standing,
    /// What they are doing.
    pub doing: Doing,
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doing {
    /// Neither waiting nor playing.
    Nothing,
    /// Waiting for an opponent in a game of this kind.
    Waiting(Kind),
    /// Playing in the game of this number.
    Playing(u64),
}

/// Where a check of the store goes on: it is done in parts, so that the table need not stand
/// still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Place {
    /// With the events behind these, and what the ledger has for them.
    Ledger(LedgerPlace),
    /// With all balances.
    Balances,
    /// With the messages to the players behind this one.
    Messages {
        /// The number of the player.
        player: u64,
    },
    /// With the journals of the games behind this one.
    Journals {
        /// The number of the game.
        game: u64,
    },
    /// With what is kept of the games behind this one for their players.
    Games {
        /// The number of the game.
        game: u64,
    },
    /// With the figures and balances of the games of the players behind this one.
    Records {
        /// The number of the player.
        player: u64,
    },
    /// With the ladder.
    Ladder,
    /// With this leaf of the log.
    Log {
        /// The number of the leaf.
        leaf: u64,
    },
}

impl Place {
    /// Where a check begins.
    pub const FIRST: Self = Self::Ledger(LedgerPlace {
        room: 0,
        event: 0,
        entry: 0,
    });
}

/// The last event that was checked; only the store knows more of these numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerPlace {
    /// The number of the room that it is of.
    pub room: u16,
    /// The number of the event, or of its batch in the room.
    pub event: u64,
    /// The number of the last entry of the ledger, where entries have one.
    pub entry: u64,
}

/// What came of a part of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// How many events, players, games or leaves were checked.
    pub count: u64,
    /// What is wrong.
    pub faults: Vec<StoreFault>,
    /// Where the check goes on, unless this was the end.
    pub next: Option<Place>,
}

/// What is wrong with a store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoreFault {
    /// This event can't be read. It is named as its store names it.
    Event(String),
    /// The ledger does not have the entries that this event makes, or has others.
    Ledger(String),
    /// The balance of this player is not what the ledger makes it.
    Balance(u64),
    /// Messages to this player are missing, or numbered wrong.
    Messages(u64),
    /// The journal of this game does not verify, or is another one than it was.
    Journal(u64),
    /// What is kept of this game for its players is not what its events say, or is missing.
    Game(u64),
    /// The figures of this player's games, or what they had after one of them, do not add up.
    Record(u64),
    /// The standing of this player in the ladder does not follow from the games; 0 is the house.
    Rating(u64),
    /// This leaf of the log is missing, or not what it was.
    Leaf(u64),
}

/// What a proof is over, before the challenge and the question: so it proves nothing else.
const PURPOSE: &[u8] = b"war-table operator/1\n";

/// 32 random bytes that a table draws, and takes once.
pub type Challenge = Hex<32>;
/// That somebody can read the key of a table: an HMAC-SHA256.
pub type Proof = Hex<32>;

/// Proves that this question is from somebody who can read the table's key.
#[must_use]
pub fn proof(key: &TableKey, challenge: &Challenge, question: &[u8]) -> Proof {
    Hex::new(mac(key, challenge, question).finalize().into_bytes().into())
}

/// Whether a question is from somebody who can read the table's key. It takes as long however
/// much of the proof is right.
#[must_use]
pub fn is_proven(key: &TableKey, challenge: &Challenge, question: &[u8], proof: &Proof) -> bool {
    let mac = mac(key, challenge, question);
    mac.verify_slice(proof.bytes()).is_ok()
}

fn mac(key: &TableKey, challenge: &Challenge, question: &[u8]) -> Hmac<Sha256> {
    let secret = key.ed25519().to_bytes();
    let mac = Hmac::<Sha256>::new_from_slice(&secret);
    let mut mac = mac.expect("a key of any length will do");
    mac.update(PURPOSE);
    mac.update(challenge.bytes());
    mac.update(question);
    mac
}

#[cfg(test)]
mod tests {
    use super::{is_proven, proof};
    use war::signing::TableKey;
    use war::support::hex::Hex;

    // `(printf 'war-table operator/1\n'; head -c 32 /dev/zero; printf '{}') | openssl dgst -sha256
    // -mac HMAC -macopt hexkey:...`, with the secret key in `signer.key`.
    #[test]
    fn a_proof_is_of_one_key_one_challenge_and_one_question() {
        let key = TableKey::from_file(include_str!("../../../tests/keys/signer.key"));
        let key = key.expect("a key");
        let other = TableKey::from_file(&TableKey::generate().expect("randomness")).expect("a key");
        let challenge = Hex::new([0; 32]);
        let proven = proof(&key, &challenge, b"{}");
        assert_eq!(
            proven.to_string(),
            "15121bf2d7d133ddbaf012d9c4b03cbc3c20cab94e28d6d38b61073e55600a81"
        );
        assert!(is_proven(&key, &challenge, b"{}", &proven));
        assert!(!is_proven(&other, &challenge, b"{}", &proven));
        assert!(!is_proven(&key, &Hex::new([1; 32]), b"{}", &proven));
        assert!(!is_proven(&key, &challenge, b"{ }", &proven));
        assert!(!is_proven(&key, &challenge, b"{}", &Hex::new([0; 32])));
    }
}
