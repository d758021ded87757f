//! Batches of states, stored as columns of words.

use super::state::{CardLayout, State};

/// Maximum number of states in a batch.
pub(super) const MAX_BATCH_STATES: usize = 8_192;

/// Number of extra words at the end of a column, so that vectors can be loaded and stored up to the
/// last state.
pub(super) const PADDING: usize = 8;

/// Column with one word for each state of a batch.
pub(super) type StateColumn = Box<[u64; MAX_BATCH_STATES + PADDING]>;

/// Returns a column of zeros.
pub(super) fn zero_column() -> StateColumn {
    let words = vec![0; MAX_BATCH_STATES + PADDING].into_boxed_slice();
    words.try_into().expect("so many words")
}

/// States that are played together, stored as one column for each part of a state.
pub(super) struct Batch {
    pub(super) hands: [StateColumn; 2],
    pub(super) pots: StateColumn,
    pub(super) counts: StateColumn,
    pub(super) states: usize,
    /// Number of bits of a card.
    card_bits: u32,
}

impl Batch {
    pub(super) fn new(layout: CardLayout) -> Self {
        Self {
            hands: [zero_column(), zero_column()],
            pots: zero_column(),
            counts: zero_column(),
            states: 0,
            card_bits: layout.card_bits,
        }
    }

    /// Returns the number of states that can still be added.
    #[inline]
    pub(super) const fn free_states(&self) -> usize {
        MAX_BATCH_STATES - self.states
    }

    /// Adds a state if there is room.
    #[inline]
    pub(super) fn push(&mut self, state: &State) {
        self.push_if(true, state);
    }

    /// Adds a state if `is_wanted` is true and there is room.
    ///
    /// The state is written in any case, because a processor can't predict which states are wanted.
    #[inline]
    pub(super) fn push_if(&mut self, is_wanted: bool, state: &State) {
        let at = self.states.min(MAX_BATCH_STATES);
        for (column, hand) in self.hands.iter_mut().zip(state.hands) {
            column[at] = hand;
        }
        self.pots[at] = state.pot;
        let [first, second] = state.hand_bits;
        let put = state.pairs * u64::from(self.card_bits);
        self.counts[at] = put
            | state.turns << TURNS_SHIFT
            | state.deals << DEALS_SHIFT
            | first << LENGTH_SHIFTS[0]
            | second << LENGTH_SHIFTS[1];
        self.states = (at + usize::from(is_wanted)).min(MAX_BATCH_STATES);
    }

    /// Returns the state with this index.
    #[inline]
    pub(super) fn state(&self, at: usize) -> State {
        let counts = PackedCounts(self.counts[at]);
        State {
            hands: [self.hands[0][at], self.hands[1][at]],
            hand_bits: counts.lengths(),
            pot: self.pots[at],
            turns: counts.turns(),
            pairs: counts.pairs(self.card_bits),
            deals: counts.deals(),
        }
    }
}

/// Counts of a game, packed into one word.
///
/// Fields from the lowest bit up: the number of bits of the cards that each player has put (16
/// bits), the turns decided (16), the deals that lead to this game (16), and the number of bits of
/// the cards in each hand (8 each).
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedCounts(pub(super) u64);

/// Bit positions of the turns, the deals and the hand lengths.
pub(super) const TURNS_SHIFT: u32 = 16;
pub(super) const DEALS_SHIFT: u32 = 32;
pub(super) const LENGTH_SHIFTS: [u32; 2] = [48, 56];
/// Mask of each of three counts: the cards put, the turns and the deals.
pub(super) const COUNT_MASK: u64 = u16::MAX as u64;
/// Mask of a hand length.
pub(super) const LENGTH_MASK: u64 = u8::MAX as u64;

impl PackedCounts {
    /// Returns the number of pairs of cards put, for cards of 3 or 4 bits.
    #[inline]
    pub(super) const fn pairs(self, card: u32) -> u64 {
        let bits = self.0 & COUNT_MASK;
        // Division by a constant compiles to a multiplication; a division by `card` would take
        // longer than everything else here.
        if card == 3 { bits / 3 } else { bits / 4 }
    }

    #[inline]
    pub(super) const fn turns(self) -> u64 {
        self.0 >> TURNS_SHIFT & COUNT_MASK
    }

    #[inline]
    pub(super) const fn deals(self) -> u64 {
        self.0 >> DEALS_SHIFT & COUNT_MASK
    }

    #[inline]
    pub(super) const fn lengths(self) -> [u64; 2] {
        let [first, second] = LENGTH_SHIFTS;
        [self.0 >> first & LENGTH_MASK, self.0 >> second]
    }
}
