use super::hand::Pot;
use super::state::{MOST_PLAYERS, State};
use crate::game::Depths;
use war::cards::{Chance, Rank};
use war::rules::{Parameters, Piles};

/// How a turn went.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Somebody took the cards.
    Taken,
    /// Everybody took what chance gave them, and could have taken it in another order.
    LeftToChance,
    /// All ran out of cards at once, and the game is drawn.
    GameDrawn,
}

/// What plays turns, with the memory that it works in.
#[derive(Debug)]
pub(super) struct Turns {
    pub(super) parameters: Parameters,
    pub(super) pot: Pot,
    pub(super) scratch: Vec<Rank>,
    /// Whom the last comparison left in the war.
    pub(super) left: Vec<usize>,
}

impl Turns {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            pot: Pot::new(),
            scratch: Vec::with_capacity(256),
            left: Vec::with_capacity(MOST_PLAYERS),
        }
    }

    pub(super) const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Plays a turn, and counts its war by depth.
    #[inline]
    pub(super) fn play<C: Chance>(
        &mut self,
        state: &mut State,
        chance: &mut C,
        depths: &mut Depths,
    ) -> Turn {
        state.turns += 1;
        state.rounds += 1;
        self.pot.clear();
        let (mut highest, mut winner, mut tied) = (None, 0, 0);
        for seat in 0..state.players {
            if !state.hands[seat].in_game {
                continue;
            }
            let card = state.hands[seat].take();
            self.pot.put(seat, card);
            if Some(card) > highest {
                (highest, winner, tied) = (Some(card), seat, 1);
            } else if Some(card) == highest {
                tied += 1;
            }
        }
        let turn = if tied > 1 {
            state.wars += 1;
            self.war(state, chance, depths)
        } else {
            self.collect(state, winner, chance);
            Turn::Taken
        };
        for hand in &mut state.hands[..state.players] {
            hand.in_game &= hand.length > 0;
        }
        if self.parameters.piles != Piles::One {
            self.take_up(state, 0..state.players, chance);
        }
        turn
    }
}
