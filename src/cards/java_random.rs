use super::Chance;

/// The generator of `java.util.Random`, on which the X/Y edition was first written.
///
/// Only the low 48 bits of a seed count.
///
/// # Examples
///
/// ```
/// use war::cards::{Chance, JavaRandom};
///
/// // What `new java.util.Random(42).nextInt(100)` gives, twice over.
/// let mut java = JavaRandom::new(42);
/// assert_eq!([java.below(100), java.below(100)], [30, 63]);
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

    /// The next 31 bits.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT) & MASK;
        self.state >> 17
    }
}

impl Chance for JavaRandom {
    /// A bound that is a power of two takes the high bits; any other rejects the draws
    /// above its largest multiple below 2³¹, as `nextInt(bound)` does. Java has no bound
    /// above 2³¹: there a draw is two, the first one in the high bits.
    fn below(&mut self, bound: u32) -> u32 {
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
