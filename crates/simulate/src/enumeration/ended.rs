use super::batch::{Batch, Column, Counts, column};
use super::state::Layout;
use super::sum::{Game, Sum};

/// Games of a batch that the fast code has played, in the order in which they ended.
pub(super) struct Ended {
    /// What was counted of each, with what the players hold in the end.
    pub(super) counts: Column,
    /// Which state of the batch each began with.
    pub(super) states: Column,
    pub(super) games: usize,
}

impl Ended {
    pub(super) fn new() -> Self {
        Self {
            counts: column(),
            states: column(),
            games: 0,
        }
    }

    /// Adds the games to what all states come to, and forgets them; those in which both players still
    /// hold cards are played again, to their end.
    pub(super) fn count(&mut self, batch: &Batch, layout: Layout, sum: &mut Sum) {
        let all = layout.all();
        let mut most = sum.most();
        let games = self.counts.iter().zip(self.states.iter());
        for (&counts, &state) in games.take(self.games) {
            let counts = Counts(counts);
            let state = || batch.state(usize::try_from(state).expect("a state of the batch"));
            let [first, second] = counts.lengths();
            if first != 0 && second != 0 {
                sum.play(state());
                continue;
            }
            let turns = counts.turns() + u64::from(first + second < all);
            let pairs = counts.pairs(layout.card);
            sum.count(turns, pairs, counts.deals(), first == second);
            if turns >= most[0] || pairs >= most[1] {
                let state = state();
                sum.see(Game {
                    state,
                    turns,
                    pairs,
                });
                most = sum.most();
            }
        }
        self.games = 0;
    }
}
