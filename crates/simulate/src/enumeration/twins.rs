//! Neighbouring ranks as twins, in decks with one card of each rank.
//!
//! A game goes the same way whichever of two neighbouring ranks is the higher one, until a card
//! of the one meets one of the other. So both are played as the same, lower card: twins. A state
//! stands for the deals in which either of each two twins is the higher one. When twins meet, the
//! game goes on in two ways, with half of the deals each; they are told apart then, and one of them
//! has its own rank.

use super::layout::Layout;
use super::state::State;

impl State {
    /// Whether the cards on top are twins that meet; both players must hold a card.
    #[inline]
    pub(super) const fn twins_meet(&self, layout: Layout) -> bool {
        let top = !(u64::MAX << layout.card);
        let [first, second] = self.hands;
        layout.has_twins() && (first ^ second) & top == 0
    }

    /// The two ways in which a game goes on when twins meet: the card of either player is the higher
    /// one.
    #[inline]
    pub(super) fn after_twins_met(&self) -> [Self; 2] {
        let [first, second] = self.hands;
        [[first | 1, second], [first, second | 1]].map(|hands| Self {
            hands,
            deals: self.deals / 2,
            ..*self
        })
    }

    /// The states that this one stands for, in which all twins are told apart.
    ///
    /// Of two that differ by swapping the players, there is one.
    pub(super) fn told_apart(self, layout: Layout) -> Vec<Self> {
        if !layout.has_twins() {
            return vec![self];
        }
        let twins: Vec<_> = (0..layout.kinds().0)
            .filter_map(|kind| self.twins(2 * kind, layout))
            .collect();
        let [first, second] = self.hands;
        let is_own_swap = first == second;
        let ways = 1_u32 << twins.len();
        let states = (0..ways).map(|way| {
            let mut hands = self.hands;
            for (number, places) in twins.iter().enumerate() {
                let (player, bit) = places[(way >> number & 1) as usize];
                hands[player] |= 1 << bit;
            }
            Self {
                hands,
                deals: (self.deals << u32::from(is_own_swap)) / u64::from(ways),
                ..self
            }
        });
        states
            .filter(|state| !is_own_swap || state.hands[0] > state.hands[1])
            .collect()
    }

    /// Where two twins lie, as a player and a bit of the hand, if there are such.
    fn twins(&self, card: u8, layout: Layout) -> Option<[(usize, u64); 2]> {
        let mut places = Vec::new();
        for player in 0..2 {
            let pairs = layout.pairs_of(self.hands[player], self.lengths[player]);
            let cards = pairs.flat_map(|(higher, lower)| [higher, lower]);
            let cards = (0..).step_by(layout.card as usize).zip(cards);
            places.extend(
                cards
                    .filter(|&(_, other)| other == card)
                    .map(|(bit, _)| (player, bit)),
            );
        }
        places.try_into().ok()
    }
}
