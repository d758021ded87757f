use super::batch::{Batch, PackedCounts, StateColumn, zero_column};
use super::state::CardLayout;
use super::state_tally::{FinishedGame, StateTally};

/// Games of a batch that vector code has played, in the order in which they ended.
pub(super) struct FinishedGames {
    /// Counts of each game, with the final hand lengths.
    pub(super) counts: StateColumn,
    /// Index in the batch of the state that each game began with.
    pub(super) states: StateColumn,
    pub(super) games: usize,
}

impl FinishedGames {
    pub(super) fn new() -> Self {
        Self {
            counts: zero_column(),
            states: zero_column(),
            games: 0,
        }
    }

    /// Adds the games to `sum` and clears them. Games in which both players still hold cards are
    /// played again, to their end.
    pub(super) fn drain_into(&mut self, batch: &Batch, layout: CardLayout, sum: &mut StateTally) {
        let all = layout.all_bits();
        let mut most = sum.longest_lengths();
        let games = self.counts.iter().zip(self.states.iter());
        for (&counts, &state) in games.take(self.games) {
            let counts = PackedCounts(counts);
            let state = || batch.state(usize::try_from(state).expect("a state of the batch"));
            let [first, second] = counts.lengths();
            if first != 0 && second != 0 {
                sum.play(state());
                continue;
            }
            let turns = counts.turns() + u64::from(first + second < all);
            let pairs = counts.pairs(layout.card_bits);
            sum.count(turns, pairs, counts.deals(), first == second);
            if turns >= most[0] || pairs >= most[1] {
                let state = state();
                sum.examine(FinishedGame {
                    state,
                    turns,
                    pairs,
                });
                most = sum.longest_lengths();
            }
        }
        self.games = 0;
    }
}
