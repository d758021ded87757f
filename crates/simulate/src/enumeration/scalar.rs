//! One game at a time, in portable code, with a proof where it is endless.

use super::layout::Layout;
use super::state::State;

/// How a game ended, or why it can't go on as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// After so many turns and pairs, with a winner or a draw.
    Over { turns: u64, pairs: u64, drawn: bool },
    /// Never: it comes back after so many turns.
    Endless { period: u32 },
    /// Not yet: twins meet in this state.
    Twins(State),
}

/// Plays a game to its end, or until twins meet.
///
/// The hands after a turn are compared with those of an earlier turn, which is a later one each
/// time the turns since have doubled: Brent's method.
pub(super) fn play(mut state: State, layout: Layout) -> End {
    let all = layout.all();
    let mut earlier = ([0; 2], [0; 2]);
    let (mut since, mut limit) = (0_u32, 1);
    while state.goes_on() {
        if state.twins_meet(layout) {
            return End::Twins(state);
        }
        state.put_pair(layout.card, all);
        if state.is_in_war(all) {
            continue;
        }
        since += 1;
        let hands = (state.hands, state.lengths);
        if hands == earlier {
            return End::Endless { period: since };
        }
        if since == limit {
            earlier = hands;
            (since, limit) = (0, limit.saturating_mul(2));
        }
    }
    End::Over {
        turns: state.turns + u64::from(state.is_in_war(all)),
        pairs: state.pairs,
        drawn: state.lengths == [0; 2],
    }
}

impl State {
    /// Each player puts a card: the higher one takes both, and what is on the table behind
    /// them, the pair put last first.
    #[inline]
    fn put_pair(&mut self, card: u32, all: u64) {
        let top = !(u64::MAX << card);
        let [first, second] = self.hands.map(|hand| hand & top);
        self.hands = self.hands.map(|hand| hand >> card);
        self.lengths = self.lengths.map(|length| length - u64::from(card));
        self.pairs += 1;
        let taken = first.max(second) | first.min(second) << card | self.pot << (2 * card);
        if first == second {
            self.pot = taken;
            return;
        }
        self.pot = 0;
        self.turns += 1;
        let winner = usize::from(first < second);
        let place = self.lengths[winner];
        self.hands[winner] |= taken << place;
        self.lengths[winner] = all - self.lengths[1 - winner];
    }
}
