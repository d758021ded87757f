//! The pinned shuffle: `ChaCha8` and a Fisher–Yates written out.
//!
//! A game recorded today must deal the same cards in ten years, so nothing here
//! leans on an algorithm that a library is free to change: the key schedule, the
//! rejection and the direction of the shuffle are all spelled out, and test vectors
//! pin them.

use super::Rank;
use rand::{Rng, SeedableRng, rngs::ChaCha8Rng};

/// The name under which a journal records this generator and shuffle.
pub const GENERATOR: &str = "chacha8-fisher-yates/1";

/// A generator with a seed: `ChaCha8` whose key is the seed.
///
/// The 32-byte key is the seed as eight bytes, least significant first, followed by
/// 24 zero bytes; nonce and block counter start at zero. The key stream is read as
/// 32-bit words, least significant byte first.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, shuffle::Seeded};
///
/// let mut cards = Deck::Small.cards();
/// Seeded::new(42).shuffle(&mut cards);
/// let mut again = Deck::Small.cards();
/// Seeded::new(42).shuffle(&mut again);
/// assert_eq!(cards, again);
/// ```
pub struct Seeded(ChaCha8Rng);

impl Seeded {
    /// The generator at the start of the stream of this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// A number from 0 to `bound - 1`, each as likely as any other.
    ///
    /// Words of the stream at or above the largest multiple of `bound` that fits
    /// into 32 bits are rejected; the first other one is taken modulo `bound`.
    ///
    /// # Panics
    ///
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        let fair = (1 << 32) / u64::from(bound) * u64::from(bound);
        loop {
            let word = self.0.next_u32();
            if u64::from(word) < fair {
                return word % bound;
            }
        }
    }

    /// Puts the cards into random order: Fisher–Yates from the end.
    ///
    /// For `i` from the last index down to 1, the card at `i` changes places with
    /// the one at `below(i + 1)`.
    ///
    /// # Panics
    ///
    /// If there are 2³² cards or more.
    pub fn shuffle(&mut self, cards: &mut [Rank]) {
        for last in (1..cards.len()).rev() {
            let bound = u32::try_from(last + 1).expect("fewer than 2^32 cards");
            cards.swap(last, self.below(bound) as usize);
        }
    }
}
