use super::{Hand, TokenRules};
use crate::cards::ChaCha8;
use crate::support::hex::Hex;
use crate::support::redacted::RedactedValue;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Name and version that identify the dealing of token games in a journal.
pub const GENERATOR_NAME: &str = "hmac-sha256-chacha8-fisher-yates/1";

/// The table's seed of a game, secret until the game is over.
///
/// Players learn its [commitment](Secret::commitment) before they open their own seeds: the table
/// could not know these seeds when it picked the secret, and can no longer change the secret.
///
/// # Examples
///
/// ```
/// use war::support::hex::Hex;
/// use war::tokens::{Kind, Secret, TokenRules};
///
/// let secret = Secret::new(Hex::new([7; 32]));
/// let commitment = secret.commitment();
/// let seeds = [[1; 32], [2; 32]].map(|seed| Hex::new(seed).to_string());
/// let seeds = seeds.each_ref().map(String::as_str);
/// let rules = TokenRules::current(Kind::Double);
/// let hands = secret.deal(rules, 1, seeds, 1);
///
/// // After the game anyone can check the commitment and repeat the deal.
/// let revealed = Secret::new(secret.reveal());
/// assert_eq!(revealed.commitment(), commitment);
/// assert_eq!(revealed.deal(rules, 1, seeds, 1), hands);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret(RedactedValue<Hex<32>>);

impl Secret {
    /// Secret consisting of these bytes.
    #[must_use]
    pub const fn new(bytes: Hex<32>) -> Self {
        Self(RedactedValue(bytes))
    }

    /// Bytes of the secret, to be published after the game.
    #[must_use]
    pub const fn reveal(&self) -> Hex<32> {
        self.0.0
    }

    /// SHA-256 hash of the 32 bytes.
    #[must_use]
    pub fn commitment(&self) -> Hex<32> {
        commitment(&self.0.0)
    }

    /// Returns the hands of a deal, by seat; the arguments are those of [`format_deal_message`].
    ///
    /// The key of [`ChaCha8`] is the HMAC-SHA256 of [`format_deal_message`] under the secret. The
    /// generator shuffles the deck of [`Card::deck`](crate::cards::Card::deck); the first cards are
    /// seat 1's hand, the next ones seat 2's.
    ///
    /// # Panics
    ///
    /// Never: HMAC takes a key of any length.
    #[must_use]
    pub fn deal(&self, rules: TokenRules, game: u64, seeds: [&str; 2], deal: u32) -> [Hand; 2] {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.0.0.bytes()).expect("any key will do");
        mac.update(format_deal_message(rules, game, seeds, deal).as_bytes());
        let key = mac.finalize().into_bytes().into();
        let mut cards = ChaCha8::from_key(key).shuffled_deck();
        cards.truncate(2 * rules.kind().hand_size());
        let second = cards.split_off(rules.kind().hand_size());
        [cards, second]
    }
}

/// Formats the message that a deal is derived from, together with the secret.
///
/// It has five lines, each ended by a line feed: the id of the rules, the number of the game, the
/// number of the deal counted from 1, and the seeds of both players in hexadecimal digits of their
/// bytes, empty for a missing seed in version 1 and for both in the daily duel.
///
/// # Examples
///
/// ```
/// use war::tokens::{Kind, TokenRules, format_deal_message};
///
/// let seeds = ["01".repeat(32), "02".repeat(32)];
/// let [one, two] = seeds.each_ref().map(String::as_str);
/// let message = format_deal_message(TokenRules::current(Kind::Single), 7, [one, two], 1);
/// assert_eq!(message, format!("single-card-game/2\n7\n1\n{one}\n{two}\n"));
/// ```
#[must_use]
pub fn format_deal_message(rules: TokenRules, game: u64, seeds: [&str; 2], deal: u32) -> String {
    let [one, two] = seeds;
    format!("{}\n{game}\n{deal}\n{one}\n{two}\n", rules.id())
}

/// Commitment to a seed: its SHA-256 hash.
#[must_use]
pub fn commitment(seed: &Hex<32>) -> Hex<32> {
    Hex::new(Sha256::digest(seed.bytes()).into())
}
