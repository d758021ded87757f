use super::{ClientSeed, Hand, Kind};
use crate::cards::ChaCha8;
use crate::hex::Hex;
use crate::redacted::Redacted;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// The name and version under which a journal records how token games are dealt.
pub const SHUFFLE: &str = "hmac-sha256-chacha8-fisher-yates/1";

/// The seed of a game, secret until the game is over.
///
/// Players learn its [commitment](Secret::commitment) before they add seeds of their
/// own: the table could not know them when it picked the secret, and can no longer change it.
///
/// # Examples
///
/// ```
/// use war::hex::Hex;
/// use war::tokens::{ClientSeed, Kind, Secret};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let told_before = secret.commitment();
/// let seeds = ["mine", "yours"].map(|seed| ClientSeed::new(seed).unwrap());
/// let hands = secret.hands(Kind::Double, 1, seeds.each_ref(), 1);
///
/// // After the game anybody can check the commitment, and deal again.
/// let revealed = Secret::new(secret.reveal());
/// assert_eq!(revealed.commitment(), told_before);
/// assert_eq!(revealed.hands(Kind::Double, 1, seeds.each_ref(), 1), hands);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret(Redacted<Hex<32>>);

impl Secret {
    /// The secret of these bytes.
    #[must_use]
    pub const fn new(bytes: Hex<32>) -> Self {
        Self(Redacted(bytes))
    }

    /// The bytes, for the time after the game.
    #[must_use]
    pub const fn reveal(&self) -> Hex<32> {
        self.0.0
    }

    /// The SHA-256 of the 32 bytes.
    #[must_use]
    pub fn commitment(&self) -> Hex<32> {
        Hex::new(Sha256::digest(self.0.0.bytes()).into())
    }

    /// The hands of a deal, by seat; `deal` counts from 1.
    ///
    /// The key of [`ChaCha8`] is the HMAC-SHA256 of [`deal_message`] under the secret. It
    /// shuffles the deck of [`Card::deck`](crate::cards::Card::deck); the first cards are
    /// seat 1's hand, the next ones seat 2's.
    ///
    /// # Panics
    ///
    /// Never: HMAC takes a key of any length.
    #[must_use]
    pub fn hands(&self, kind: Kind, game: u64, seeds: [&ClientSeed; 2], deal: u32) -> [Hand; 2] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.0.bytes()).expect("any key will do");
        mac.update(deal_message(kind, game, seeds, deal).as_bytes());
        let key = mac.finalize().into_bytes().into();
        let mut cards = ChaCha8::from_key(key).shuffled_deck();
        cards.truncate(2 * kind.cards());
        let second = cards.split_off(kind.cards());
        [cards, second]
    }
}

/// What a deal is derived from besides the secret, as a text of five lines.
///
/// The lines are the rules of the game, its number, the number of the deal counted from
/// 1, and the seeds of both players in hexadecimal digits of their bytes, empty where a
/// player gave none. Each line ends with a line feed.
///
/// # Examples
///
/// ```
/// use war::tokens::{ClientSeed, Kind, deal_message};
///
/// let seeds = [ClientSeed::new("ab").unwrap(), ClientSeed::default()];
/// let message = deal_message(Kind::Single, 7, seeds.each_ref(), 1);
/// assert_eq!(message, "single-card-game/1\n7\n1\n6162\n\n");
/// ```
#[must_use]
pub fn deal_message(kind: Kind, game: u64, seeds: [&ClientSeed; 2], deal: u32) -> String {
    let hex = |seed: &ClientSeed| {
        let bytes = seed.as_str().bytes();
        bytes.fold(String::new(), |mut digits, byte| {
            // Writing to a string never fails.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    };
    let [one, two] = seeds.map(hex);
    format!("{}\n{game}\n{deal}\n{one}\n{two}\n", kind.id())
}
