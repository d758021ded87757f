//! The machine for passes in portable code: rings of bytes, one turn after the other.

use super::batch::Certain;
use super::log::{MOST_CARDS, State, words};
use super::passes::{Machine, Slot};
use super::rings::Rings;

/// The most turns of a pass.
const MOST: usize = 32;

/// The machine.
#[derive(Debug, Clone)]
pub(super) struct Portable {
    rules: Certain,
    cards: usize,
}

/// The hands of a game.
#[derive(Debug)]
pub(super) struct Hands(Rings);

impl Default for Hands {
    fn default() -> Self {
        Self(Rings::holding([&[], &[]]))
    }
}

impl Portable {
    /// The machine for games of these rules with this many cards.
    pub(super) const fn new(rules: &Certain, cards: usize) -> Self {
        Self {
            rules: *rules,
            cards,
        }
    }

    /// Plays passes of a game until it stops.
    fn run_ordered<const WINNER_FIRST: bool>(&self, slot: &mut Slot<Hands>) {
        loop {
            if slot.game.stops() || !self.pass::<WINNER_FIRST>(slot) {
                return;
            }
            if slot.game.log.is_on() && note(slot, self.cards) {
                return;
            }
        }
    }

    /// Plays a pass; the result says whether there was anything to play.
    ///
    /// It ends where the top cards say so, behind a war or where somebody could have run out of
    /// cards. So a pass that begins elsewhere in a cycle ends where others do.
    #[inline]
    fn pass<const WINNER_FIRST: bool>(&self, slot: &mut Slot<Hands>) -> bool {
        let Slot { hands, game, .. } = slot;
        let rings = &mut hands.0;
        let mut turns = 0;
        while turns < MOST {
            let held = rings.lengths[0].min(rings.lengths[1]);
            if held == 0 {
                break;
            }
            let played = rings.play_until_war::<WINNER_FIRST>(held.min(MOST - turns));
            game.count(played.into(), 0, 0);
            turns += played as usize;
            if turns < MOST && rings.is_tied() {
                let Ok(depth) = rings.settle(&self.rules) else {
                    break;
                };
                game.count_turn(depth);
                turns += 1;
            }
            let (first, second) = rings.compared(0);
            if (first ^ second) & 1 == 0 {
                break;
            }
        }
        game.first = rings.lengths[0];
        turns > 0
    }
}

impl Machine for Portable {
    type Hands = Hands;

    const WINDOW: usize = MOST_CARDS / 2;

    fn hold(&self, hands: &mut Hands, state: &State, first: usize) {
        let (first, second) = state[..self.cards].split_at(first);
        hands.0 = Rings::holding([first, second]);
    }

    fn deal(&self, hands: &mut Hands, dealt: &[u8; MOST_CARDS]) {
        hands.0 = Rings::dealt(&dealt[..self.cards]);
    }

    fn write(&self, hands: &Hands, _: usize, state: &mut State) {
        hands.0.write(state);
    }

    fn same(&self, hands: &Hands) -> u64 {
        (0..Self::WINDOW).fold(0, |same, place| {
            let (first, second) = hands.0.compared(place);
            same | u64::from(first == second) << place
        })
    }

    fn run(&self, slots: &mut [Slot<Hands>]) -> usize {
        // No game waits for memory, so one is played to where it stops.
        if let Some(slot) = slots.first_mut() {
            if self.rules.order.winner_first {
                self.run_ordered::<true>(slot);
            } else {
                self.run_ordered::<false>(slot);
            }
        }
        0
    }
}

/// Notes the state in the log: whether the game stops.
#[inline]
fn note(slot: &mut Slot<Hands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    let state = game.log.room();
    hands.0.write(state);
    let (first, second) = state.split_at(game.first);
    let words = words([first, second], [game.first, cards - game.first]);
    let (turns, wars) = (game.turns(), game.wars());
    game.log.note(words, game.first as u64, turns, wars)
}
