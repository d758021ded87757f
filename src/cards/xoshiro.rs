use super::{Chance, Rank};
use crate::support::digits::parse_whole_number;
use std::fmt;
use std::str::FromStr;

/// The generator of simulated games: xoshiro256++, with a separate stream for each game of a
/// run, and bounded draws that share a 64-bit word.
///
/// The algorithm is that of Blackman and Vigna (2019). The four state words of game `i` are the
/// outputs `4i` to `4i + 3`, counted from 0, of `SplitMix64`, started at the seed after one
/// `SplitMix64` step. So no two games of a seed share a state.
///
/// # Examples
///
/// ```
/// use war::cards::{Xoshiro256PlusPlus, Chance, Deck, GameNumber};
///
/// let game: GameNumber = "42:7".parse().unwrap();
/// let mut cards = Deck::Small.cards();
/// Xoshiro256PlusPlus::new(game).shuffle(&mut cards);
/// let mut again = Deck::Small.cards();
/// Xoshiro256PlusPlus::new(game).shuffle(&mut again);
/// assert_eq!(cards, again);
/// ```
#[derive(Debug, Clone)]
pub struct Xoshiro256PlusPlus {
    state: [u64; 4],
}

/// A simulated game: the seed of the run, and the game's number in it, from 0.
///
/// # Examples
///
/// ```
/// use war::cards::GameNumber;
///
/// let number: GameNumber = "1:20".parse().unwrap();
/// assert_eq!((number.seed, number.game), (1, 20));
/// assert!("1".parse::<GameNumber>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameNumber {
    /// Seed of the run.
    pub seed: u64,
    /// Number of the game in the run, counted from 0.
    pub game: u64,
}

/// Error for a text that is not a game number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseGameNumberError;

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.seed, self.game)
    }
}

impl FromStr for GameNumber {
    type Err = ParseGameNumberError;

    /// Parses `S:I`, two whole numbers below 2⁶⁴ in decimal digits.
    fn from_str(text: &str) -> Result<Self, ParseGameNumberError> {
        let number = |text: &str| parse_whole_number(text).ok_or(ParseGameNumberError);
        let (seed, game) = text.split_once(':').ok_or(ParseGameNumberError)?;
        let (seed, game) = (number(seed)?, number(game)?);
        Ok(Self { seed, game })
    }
}

/// Step of `SplitMix64`: 2⁶⁴ divided by the golden ratio.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Upper limit of the product of the bounds whose draws share one 64-bit word. It is low enough
/// that few words are rejected, and that nearly all are accepted without a division.
const PRODUCT_LIMIT: u64 = 1 << 56;

/// Output of `SplitMix64` for a state.
const fn mix(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Xoshiro256PlusPlus {
    /// Generator at the start of the stream of this game.
    #[must_use]
    pub const fn new(number: GameNumber) -> Self {
        let start = mix(number.seed.wrapping_add(GAMMA));
        let at = start.wrapping_add(number.game.wrapping_mul(4).wrapping_mul(GAMMA));
        Self {
            state: [
                mix(at.wrapping_add(GAMMA)),
                mix(at.wrapping_add(GAMMA.wrapping_mul(2))),
                mix(at.wrapping_add(GAMMA.wrapping_mul(3))),
                mix(at.wrapping_add(GAMMA.wrapping_mul(4))),
            ],
        }
    }

    /// Returns the next word of the stream.
    #[inline]
    pub fn next_word(&mut self) -> u64 {
        let [s0, s1, s2, s3] = self.state;
        let word = s0.wrapping_add(s3).rotate_left(23).wrapping_add(s0);
        let (s2, s3) = (s2 ^ s0, s3 ^ s1);
        self.state = [s0 ^ s3, s1 ^ s2, s2 ^ (s1 << 17), s3.rotate_left(45)];
        word
    }

    /// Shuffles items of any type, like this generator's [`Chance::shuffle`].
    #[inline]
    pub fn shuffle_items<T>(&mut self, items: &mut [T]) {
        let length = items.len();
        Self::shuffle_each([self], [items], length);
    }

    /// Shuffles the first `length` items of each slice with a separate generator. The shuffles are
    /// interleaved, so that the processor can work on several at once.
    #[inline]
    pub fn shuffle_each<T, const N: usize>(
        mut chances: [&mut Self; N],
        mut items: [&mut [T]; N],
        length: usize,
    ) {
        let mut left = length;
        while left > 1 {
            let (shared, product) = match BATCHES.get(left) {
                Some(&batch) => batch,
                None => batch(left as u64),
            };
            let mut words = [0; N];
            for (word, chance) in words.iter_mut().zip(&mut chances) {
                *word = chance.fair_word(product);
            }
            for last in (left - shared..left).rev() {
                for (word, items) in words.iter_mut().zip(&mut items) {
                    let (at, rest) = multiply(*word, last as u64 + 1);
                    *word = rest;
                    items.swap(last, at);
                }
            }
            left -= shared;
        }
    }

    /// Draws a word that gives unbiased results for bounds with this product.
    ///
    /// A word is rejected if the low half of its product with `product` is below 2⁶⁴ modulo
    /// `product`.
    #[inline]
    fn fair_word(&mut self, product: u64) -> u64 {
        let mut word = self.next_word();
        if word.wrapping_mul(product) < product {
            let least = product.wrapping_neg() % product;
            while word.wrapping_mul(product) < least {
                word = self.next_word();
            }
        }
        word
    }
}

/// Precomputed results of [`batch`] for the bounds that decks need, indexed by the argument of
/// `batch`.
static BATCHES: [(usize, u64); 256] = {
    let mut batches = [(0, 0); 256];
    let mut bound = 2;
    while bound < batches.len() {
        batches[bound] = batch(bound as u64);
        bound += 1;
    }
    batches
};

/// Number of consecutive bounds, from `bound` down, whose draws share one word, and their product.
#[expect(clippy::cast_possible_truncation, reason = "a few bounds share a word")]
const fn batch(bound: u64) -> (usize, u64) {
    let (mut product, mut next) = (bound, bound - 1);
    while next > 1 && product.saturating_mul(next) < PRODUCT_LIMIT {
        product *= next;
        next -= 1;
    }
    ((bound - next) as usize, product)
}

/// High and low half of the product of a word and a bound: the drawn index, and the word for the
/// next draw.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the two halves of a product"
)]
const fn multiply(word: u64, bound: u64) -> (usize, u64) {
    let product = word as u128 * bound as u128;
    ((product >> 64) as usize, product as u64)
}

impl Chance for Xoshiro256PlusPlus {
    /// Returns the high half of a fair word times the bound.
    fn draw_below(&mut self, bound: u32) -> u32 {
        let word = self.fair_word(bound.into());
        let (below, _) = multiply(word, bound.into());
        u32::try_from(below).expect("below a bound of 32 bits")
    }

    /// Shuffles by Fisher–Yates from the end, with several draws from each word: the bounds
    /// n, n - 1, … share a word as long as their product stays below 2⁵⁶, and 1 is never among
    /// them. The first index is the high half of the product of the word and the first bound. The
    /// low half of that product takes the place of the word for the second index, and so on
    /// (Brackett-Rozinsky and Lemire, "Batched ranged random integer generation", 2024).
    fn shuffle(&mut self, cards: &mut [Rank]) {
        self.shuffle_items(cards);
    }
}

#[cfg(test)]
mod tests {
    use super::{BATCHES, Xoshiro256PlusPlus, batch};

    /// A generator whose next word is `word`: an output is the rotated sum of two state words plus
    /// the first of them, which is 0 here.
    fn with_next_word(word: u64) -> Xoshiro256PlusPlus {
        let state = [0, 1, 2, word.rotate_right(23)];
        Xoshiro256PlusPlus { state }
    }

    // 2⁶⁴ modulo 3 is 1. Three times the second word is 2⁶⁵ + 1, whose low half is 1, and three
    // times 0 is 0.
    #[test]
    fn a_word_is_rejected_below_the_remainder_and_not_at_it() {
        for (word, is_fair) in [(0, false), (0xaaaa_aaaa_aaaa_aaab, true), (1, true)] {
            assert_eq!(with_next_word(word).next_word(), word);
            assert_eq!(
                with_next_word(word).fair_word(3) == word,
                is_fair,
                "{word:x}"
            );
        }
    }

    #[test]
    fn bounds_share_a_word_while_their_product_is_below_2_to_the_56() {
        for bound in (2..300).chain([569, 1628, 1 << 20, 1 << 28, 1 << 31]) {
            let (shared, product) = batch(bound);
            let factors = (0..shared as u64).map(|at| u128::from(bound - at));
            assert_eq!(factors.product::<u128>(), u128::from(product), "{bound}");
            let next = bound - shared as u64;
            assert!(next > 0, "{bound}: 1 never shares a word");
            assert!(shared == 1 || product < 1 << 56, "{bound}");
            let more = u128::from(product) * u128::from(next);
            assert!(next <= 1 || more >= 1 << 56, "{bound}");
            if let Some(known) = BATCHES.get(usize::try_from(bound).expect("64 bits")) {
                assert_eq!(*known, (shared, product));
            }
        }
    }
}
