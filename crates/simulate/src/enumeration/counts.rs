/// What is counted of a game, in one word.
///
/// From the lowest bits on: 16 bits for the bits of the cards that each player has put, 16 for the
/// turns decided, 16 for the deals that lead here, and 8 for the bits of the cards that each
/// player holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts(pub(super) u64);

/// Where the turns, the deals and what the players hold begin.
pub(super) const TURNS: u32 = 16;
pub(super) const DEALS: u32 = 32;
pub(super) const HELD: [u32; 2] = [48, 56];
/// The bits of one of the first three.
pub(super) const COUNT: u64 = u16::MAX as u64;
/// The bits of what a player holds.
pub(super) const HELD_BITS: u64 = u8::MAX as u64;

impl Counts {
    /// The pairs of cards put, of cards with 3 or 4 bits.
    #[inline]
    pub(super) const fn pairs(self, card: u32) -> u64 {
        let bits = self.0 & COUNT;
        // Numbers that are known are not divided by, which would take longer than all else here.
        if card == 3 { bits / 3 } else { bits / 4 }
    }

    #[inline]
    pub(super) const fn turns(self) -> u64 {
        self.0 >> TURNS & COUNT
    }

    #[inline]
    pub(super) const fn deals(self) -> u64 {
        self.0 >> DEALS & COUNT
    }

    #[inline]
    pub(super) const fn lengths(self) -> [u64; 2] {
        let [first, second] = HELD;
        [self.0 >> first & HELD_BITS, self.0 >> second]
    }
}
