//! A small generator of pseudorandom numbers.

/// A linear congruential generator, started with a seed.
pub struct RandomSource(u64);

impl RandomSource {
    /// Generator with this seed.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(seed.into())
    }

    /// Draws a number below this bound, which must not be 0.
    pub fn draw_below(&mut self, bound: usize) -> usize {
        // The constants of Knuth's MMIX generator.
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }
}
