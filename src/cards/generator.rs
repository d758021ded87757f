use super::{ChaCha8, Chance, GameNumber, JavaRandom, Xoshiro256PlusPlus};

/// A generator with its seed, as a journal names it.
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
        /// The seed.
        seed: u64,
    },
    /// [`JavaRandom`]: the generator of the X/Y edition.
    JavaRandom {
        /// The seed.
        seed: i64,
    },
    /// [`Xoshiro256PlusPlus`]: the generator of simulated games.
    Xoshiro256PlusPlus {
        /// The game, whose text is the seed.
        number: GameNumber,
    },
}

/// Why a generator could not be found by name and seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownGenerator {
    /// There is none of this name.
    Name,
    /// The seed is not a number that this generator takes, written in the shortest way.
    Seed,
}

const CHACHA8: &str = "chacha8-fisher-yates/1";
const JAVA: &str = "java-util-random/1";
const BULK: &str = "xoshiro256++-fisher-yates/1";

impl Generator {
    /// The name and version under which a journal records the generator and its shuffle.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChaCha8 { .. } => CHACHA8,
            Self::JavaRandom { .. } => JAVA,
            Self::Xoshiro256PlusPlus { .. } => BULK,
        }
    }

    /// The seed as a decimal number, or two of them with a colon for a simulated game.
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
    /// let generator = Generator::named("java-util-random/1", "-42");
    /// assert_eq!(generator, Ok(Generator::JavaRandom { seed: -42 }));
    /// assert_eq!(Generator::named("java-util-random/1", "042"), Err(UnknownGenerator::Seed));
    /// assert_eq!(Generator::named("dice/1", "6"), Err(UnknownGenerator::Name));
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownGenerator`] where there is none.
    pub fn named(name: &str, seed: &str) -> Result<Self, UnknownGenerator> {
        let generator = match name {
            CHACHA8 => seed.parse().ok().map(|seed| Self::ChaCha8 { seed }),
            JAVA => seed.parse().ok().map(|seed| Self::JavaRandom { seed }),
            BULK => seed
                .parse()
                .ok()
                .map(|number| Self::Xoshiro256PlusPlus { number }),
            _ => return Err(UnknownGenerator::Name),
        };
        let canonical = generator.filter(|generator| generator.seed() == seed);
        canonical.ok_or(UnknownGenerator::Seed)
    }

    /// The generator at the start of its stream.
    #[must_use]
    pub fn start(self) -> Box<dyn Chance> {
        match self {
            Self::ChaCha8 { seed } => Box::new(ChaCha8::new(seed)),
            Self::JavaRandom { seed } => Box::new(JavaRandom::new(seed)),
            Self::Xoshiro256PlusPlus { number } => Box::new(Xoshiro256PlusPlus::new(number)),
        }
    }
}
