/// A game after the first pass over both hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// What each player holds: the blocks won, the pairs of one with the higher card first.
    pub(super) hands: [u64; 2],
    /// How many bits of a hand are cards.
    pub(super) lengths: [u64; 2],
    /// The pairs of a war that is not decided, the last one in the lowest bits.
    pub(super) pot: u64,
    /// How many turns are decided.
    pub(super) turns: u64,
    /// How many pairs of cards are put.
    pub(super) pairs: u64,
    /// How many deals lead here.
    pub(super) deals: u64,
}

impl State {
    /// Whether both players can put a card.
    #[inline]
    pub(super) const fn goes_on(&self) -> bool {
        self.lengths[0] != 0 && self.lengths[1] != 0
    }

    /// Whether the cards of a war are on the table, of `all` bits of cards.
    #[inline]
    pub(super) const fn is_in_war(&self, all: u64) -> bool {
        self.lengths[0] + self.lengths[1] < all
    }
}
