use super::state::State;

/// The most states of a batch.
pub(super) const STATES: usize = 8_192;

/// How many words more than states there are, so that vectors can be loaded up to the last one.
pub(super) const ROOM: usize = 8;

/// A word of every state.
pub(super) type Column = Box<[u64; STATES + ROOM]>;

/// States that are played at a time, each of their parts in a column.
pub(super) struct Batch {
    pub(super) hands: [Column; 2],
    pub(super) lengths: [Column; 2],
    pub(super) pots: Column,
    /// The pairs put, the turns decided and the deals.
    pub(super) counts: Column,
    pub(super) states: usize,
}

/// Where the turns and the deals of a state begin in its counts.
pub(super) const TURNS: u32 = 16;
pub(super) const DEALS: u32 = 32;
/// The bits of the number of pairs, and of turns.
pub(super) const COUNT: u64 = (1 << TURNS) - 1;

impl Batch {
    pub(super) fn new() -> Self {
        let column = || -> Column {
            let words = vec![0; STATES + ROOM].into_boxed_slice();
            words.try_into().expect("so many words")
        };
        Self {
            hands: [column(), column()],
            lengths: [column(), column()],
            pots: column(),
            counts: column(),
            states: 0,
        }
    }

    /// Adds a state; the result says whether there is room for another one.
    #[inline]
    pub(super) fn push(&mut self, state: &State) -> bool {
        let at = self.states;
        for player in 0..2 {
            self.hands[player][at] = state.hands[player];
            self.lengths[player][at] = state.lengths[player];
        }
        self.pots[at] = state.pot;
        self.counts[at] = state.pairs | state.turns << TURNS | state.deals << DEALS;
        self.states += 1;
        self.states < STATES
    }

    /// The state that was added after so many others.
    pub(super) fn state(&self, at: usize) -> State {
        let counts = self.counts[at];
        State {
            hands: [self.hands[0][at], self.hands[1][at]],
            lengths: [self.lengths[0][at], self.lengths[1][at]],
            pot: self.pots[at],
            turns: counts >> TURNS & COUNT,
            pairs: counts & COUNT,
            deals: counts >> DEALS,
        }
    }
}
