use super::state::State;
use crate::game::Depths;

/// How many turns pass before the search saves another state than the first.
const FIRST_POWER: u64 = 32;

/// The search for a state that comes back, in constant memory.
///
/// Brent's method: the saved state moves on when the power of two is used up.
pub(super) struct Search {
    /// Where chance last had a say.
    pub(super) origin: Box<State>,
    /// The wars up to there.
    pub(super) before: Depths,
    saved: Box<State>,
    power: u64,
    /// How many turns ago the saved state was.
    turns: u64,
}

impl Search {
    /// A search that begins with this state, after these wars.
    pub(super) fn from(state: &State, before: &Depths) -> Self {
        Self {
            origin: Box::new(state.clone()),
            before: before.clone(),
            saved: Box::new(state.clone()),
            power: FIRST_POWER,
            turns: 0,
        }
    }

    /// Looks at the state before a turn: after how many turns it came back, if it did.
    #[inline]
    pub(super) fn meets(&mut self, state: &State) -> Option<u64> {
        if self.turns > 0 && state.is_like(&self.saved) {
            return Some(self.turns);
        }
        if self.turns == self.power {
            *self.saved = state.clone();
            self.power *= 2;
            self.turns = 0;
        }
        self.turns += 1;
        None
    }

    /// From now on looks for this state alone. If states repeated themselves before it, it is
    /// one of those that come back.
    pub(super) fn only_for(&mut self, state: &State) {
        *self.saved = state.clone();
        self.power = u64::MAX;
        self.turns = 0;
    }

    /// Whether a state that repeated itself within this many turns of the game would have been
    /// back by now.
    pub(super) fn is_over(&self, limit: u64) -> bool {
        self.turns > limit.saturating_sub(self.origin.turns)
    }
}
