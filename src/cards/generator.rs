//! Generators that a recorded game can name.
//!
//! [`ChaCha8`] is the pinned generator of dealt games. A game recorded today must deal the same
//! cards in ten years, so nothing here relies on an algorithm that a library is free to change:
//! key schedule and rejection are spelled out, the direction of the shuffle is that of
//! [`Chance::shuffle`], and test vectors pin them all.

use super::chance::shuffle_items;
use super::{Card, Chance, GameNumber, Xoshiro256PlusPlus};
use rand::rngs::ChaCha8Rng;
use rand::{Rng, SeedableRng};

/// A generator and its seed, as named in a journal.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Generator, deal};
///
/// let generator = Generator::ChaCha8 { seed: 1 };
/// let mut chance = generator.start();
/// let mut cards = Deck::Small.cards();
/// chance.shuffle(&mut cards);
/// // The first hand of `war 4 small --seed 1`.
/// let hand: Vec<_> = deal(&cards, 4)[0].iter().map(|card| card.get()).collect();
/// assert_eq!(hand, [11, 14, 14, 13, 12, 9]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    /// [`ChaCha8`]: the generator of dealt games.
    ChaCha8 {
        /// Seed of the generator.
        seed: u64,
    },
    /// [`JavaRandom`]: the generator of the X/Y edition.
    JavaRandom {
        /// Seed of the generator.
        seed: i64,
    },
    /// [`Xoshiro256PlusPlus`]: the generator of simulated games.
    Xoshiro256PlusPlus {
        /// Game number, whose text form is the seed.
        number: GameNumber,
    },
}

/// Reason why a name and a seed do not make a generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownGenerator {
    /// Name that no known generator has.
    Name,
    /// Seed that is malformed, not in its shortest form, or out of range for the generator.
    Seed,
}

const CHACHA8: &str = "chacha8-fisher-yates/1";
const JAVA: &str = "java-util-random/1";
const XOSHIRO: &str = "xoshiro256++-fisher-yates/1";

impl Generator {
    /// Name and version that identify the generator and its shuffle in a journal.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChaCha8 { .. } => CHACHA8,
            Self::JavaRandom { .. } => JAVA,
            Self::Xoshiro256PlusPlus { .. } => XOSHIRO,
        }
    }

    /// Seed as a decimal number; for a simulated game, two decimal numbers, `SEED:GAME`.
    #[must_use]
    pub fn seed(self) -> String {
        match self {
            Self::ChaCha8 { seed } => seed.to_string(),
            Self::JavaRandom { seed } => seed.to_string(),
            Self::Xoshiro256PlusPlus { number } => number.to_string(),
        }
    }

    /// The generator of this name with this seed.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::{Generator, UnknownGenerator};
    ///
    /// let generator = Generator::from_name("java-util-random/1", "-42");
    /// assert_eq!(generator, Ok(Generator::JavaRandom { seed: -42 }));
    /// assert_eq!(Generator::from_name("java-util-random/1", "042"), Err(UnknownGenerator::Seed));
    /// assert_eq!(Generator::from_name("dice/1", "6"), Err(UnknownGenerator::Name));
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownGenerator`] if the name is unknown, or the seed is invalid for the generator.
    pub fn from_name(name: &str, seed: &str) -> Result<Self, UnknownGenerator> {
        let generator = match name {
            CHACHA8 => seed.parse().ok().map(|seed| Self::ChaCha8 { seed }),
            JAVA => seed.parse().ok().map(|seed| Self::JavaRandom { seed }),
            XOSHIRO => seed
                .parse()
                .ok()
                .map(|number| Self::Xoshiro256PlusPlus { number }),
            _ => return Err(UnknownGenerator::Name),
        };
        let canonical = generator.filter(|generator| generator.seed() == seed);
        canonical.ok_or(UnknownGenerator::Seed)
    }

    /// Generator at the start of its stream.
    #[must_use]
    pub fn start(self) -> Box<dyn Chance> {
        match self {
            Self::ChaCha8 { seed } => Box::new(ChaCha8::new(seed)),
            Self::JavaRandom { seed } => Box::new(JavaRandom::new(seed)),
            Self::Xoshiro256PlusPlus { number } => Box::new(Xoshiro256PlusPlus::new(number)),
        }
    }
}

/// `ChaCha8` with the seed as its key.
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

    /// Generator at the start of the stream of a full key.
    #[must_use]
    pub fn from_key(key: [u8; 32]) -> Self {
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Returns the deck of [`Card::deck`], shuffled as [`Chance::shuffle`] does it.
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
        shuffle_items(&mut cards, |bound| self.draw_below(bound));
        cards
    }
}

impl Chance for ChaCha8 {
    /// Rejects words of the stream at or above the largest multiple of `bound` up to 2³², and
    /// returns the first accepted word modulo `bound`.
    fn draw_below(&mut self, bound: u32) -> u32 {
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

/// The generator of `java.util.Random`, which the first X/Y program used.
///
/// Only the low 48 bits of a seed matter.
///
/// # Examples
///
/// ```
/// use war::cards::{Chance, JavaRandom};
///
/// // The first two results of `nextInt(100)` of a `new java.util.Random(42)`.
/// let mut java = JavaRandom::new(42);
/// assert_eq!([java.draw_below(100), java.draw_below(100)], [30, 63]);
/// ```
pub struct JavaRandom {
    state: u64,
}

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const INCREMENT: u64 = 0xB;
const MASK: u64 = (1 << 48) - 1;

impl JavaRandom {
    /// The generator at the start of the stream of this seed.
    #[must_use]
    pub const fn new(seed: i64) -> Self {
        let state = (seed.cast_unsigned() ^ MULTIPLIER) & MASK;
        Self { state }
    }

    /// Returns the next 31 bits of the stream.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        self.state >> 17
    }
}

impl Chance for JavaRandom {
    /// Takes the high bits of a draw if the bound is a power of two; otherwise rejects draws at or
    /// above the largest multiple of the bound up to 2³¹, as `nextInt(bound)` does. For bounds
    /// above 2³¹, which Java does not have, two draws are combined, the first as the high bits.
    fn draw_below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound.max(1));
        let is_beyond = bound > 1 << 31;
        let most: u64 = if is_beyond { 1 << 62 } else { 1 << 31 };
        let mut draw = || {
            let high = if is_beyond { self.next() } else { 0 };
            high << 31 | self.next()
        };
        let mut drawn = draw();
        let below = if bound.is_power_of_two() {
            (bound * drawn) >> 31
        } else {
            while drawn - drawn % bound + (bound - 1) >= most {
                drawn = draw();
            }
            drawn % bound
        };
        u32::try_from(below).expect("below a bound of 32 bits")
    }
}
