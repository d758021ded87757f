//! States that are played at a time, in columns of words.

use super::state::{Layout, State};

/// The most states of a batch.
pub(super) const STATES: usize = 8_192;

/// How many words more than states there are, so that vectors can be loaded and stored up to the
/// last one.
pub(super) const ROOM: usize = 8;

/// A word of every state.
pub(super) type Column = Box<[u64; STATES + ROOM]>;

/// A column of zeros.
pub(super) fn column() -> Column {
    let words = vec![0; STATES + ROOM].into_boxed_slice();
    words.try_into().expect("so many words")
}

/// States that are played at a time, each of their parts in a column.
pub(super) struct Batch {
    pub(super) hands: [Column; 2],
    pub(super) pots: Column,
    pub(super) counts: Column,
    pub(super) states: usize,
    /// The bits of a card.
    card: u32,
}

impl Batch {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            hands: [column(), column()],
            pots: column(),
            counts: column(),
            states: 0,
            card: layout.card,
        }
    }

    /// How many states can be added.
    #[inline]
    pub(super) const fn room(&self) -> usize {
        STATES - self.states
    }

    /// Adds a state if it is wanted and there is room.
    ///
    /// It is written in any case: which states are wanted can't be foreseen by a processor.
    #[inline]
    pub(super) fn push(&mut self, state: &State, is_wanted: bool) {
        let at = self.states.min(STATES);
        for (column, hand) in self.hands.iter_mut().zip(state.hands) {
            column[at] = hand;
        }
        self.pots[at] = state.pot;
        let [first, second] = state.lengths;
        let put = state.pairs * u64::from(self.card);
        self.counts[at] = put
            | state.turns << TURNS
            | state.deals << DEALS
            | first << HELD[0]
            | second << HELD[1];
        self.states = (at + usize::from(is_wanted)).min(STATES);
    }

    /// The state that was added after so many others.
    #[inline]
    pub(super) fn state(&self, at: usize) -> State {
        let counts = Counts(self.counts[at]);
        State {
            hands: [self.hands[0][at], self.hands[1][at]],
            lengths: counts.lengths(),
            pot: self.pots[at],
            turns: counts.turns(),
            pairs: counts.pairs(self.card),
            deals: counts.deals(),
        }
    }
}

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
