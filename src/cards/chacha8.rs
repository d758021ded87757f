//! The pinned generator of dealt games: `ChaCha8` with its rejection written out.
//!
//! A game recorded today must deal the same cards in ten years, so nothing here
//! leans on an algorithm that a library is free to change: the key schedule and the
//! rejection are spelled out, the direction of the shuffle is [`Chance::shuffle`]'s,
//! and test vectors pin them.

use super::chance::fisher_yates;
use super::{Card, Chance};
use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

/// A generator with a seed: `ChaCha8` whose key is the seed.
///
/// The 32-byte key is the seed as eight bytes, least significant first, followed by
/// 24 zero bytes; nonce and block counter start at zero. The key stream is read as
/// 32-bit words, least significant byte first.
///
/// # Examples
///
/// ```
/// use war::cards::{Chance, Deck, ChaCha8};
///
/// let mut cards = Deck::Small.cards();
/// ChaCha8::new(42).shuffle(&mut cards);
/// let mut again = Deck::Small.cards();
/// ChaCha8::new(42).shuffle(&mut again);
/// assert_eq!(cards, again);
/// ```
pub struct ChaCha8(ChaCha8Rng);

impl ChaCha8 {
    /// The generator at the start of the stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self::from_key(key)
    }

    /// The generator at the start of the stream of a whole key.
    #[must_use]
    pub fn from_key(key: [u8; 32]) -> Self {
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The deck of [`Card::deck`], shuffled as [`Chance::shuffle`] does it.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::{Card, ChaCha8};
    ///
    /// let mut shuffled = ChaCha8::new(1).shuffled_deck();
    /// assert_ne!(shuffled, Card::deck());
    /// shuffled.sort_by_key(|card| (card.suit(), card.rank()));
    /// assert_eq!(shuffled, Card::deck());
    /// ```
    #[must_use]
    pub fn shuffled_deck(&mut self) -> Vec<Card> {
        let mut cards = Card::deck();
        fisher_yates(&mut cards, |bound| self.below(bound));
        cards
    }
}

impl Chance for ChaCha8 {
    /// Words of the stream at or above the largest multiple of `bound` that fits into
    /// 32 bits are rejected; the first other one is taken modulo `bound`.
    fn below(&mut self, bound: u32) -> u32 {
        let bound = bound.max(1);
        let fair = (1 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < fair {
                return word % bound;
            }
        }
    }
}
