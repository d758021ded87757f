//! Machine for passes in portable code: rings of bytes, one turn after the other.

use super::batch::DeterministicRules;
use super::log::{MAX_CARDS, PackedHands, top_words};
use super::passes::{Machine, Slot};
use super::rings::Rings;

/// Maximum number of turns in a pass.
const MAX_PASS_TURNS: usize = 32;

/// Machine in portable code.
#[derive(Debug, Clone)]
pub(super) struct PortableMachine {
    rules: DeterministicRules,
    cards: usize,
}

/// Hands of a game, as rings.
#[derive(Debug)]
pub(super) struct Hands(Rings);

impl Default for Hands {
    fn default() -> Self {
        Self(Rings::holding([&[], &[]]))
    }
}

impl PortableMachine {
    /// Returns the machine for games with these rules and this many cards.
    pub(super) const fn new(rules: &DeterministicRules, cards: usize) -> Self {
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
            if slot.game.log.is_on() && record(slot, self.cards) {
                return;
            }
        }
    }

    /// Plays a pass. Returns false if there was nothing to play.
    ///
    /// It ends if the top cards say so, after a war, or if a player could have run out of cards. So
    /// a pass that begins elsewhere in a cycle ends where others do.
    #[inline]
    fn pass<const WINNER_FIRST: bool>(&self, slot: &mut Slot<Hands>) -> bool {
        let Slot { hands, game, .. } = slot;
        let rings = &mut hands.0;
        let mut turns = 0;
        while turns < MAX_PASS_TURNS {
            let held = rings.lengths[0].min(rings.lengths[1]);
            if held == 0 {
                break;
            }
            let played = rings.play_until_war::<WINNER_FIRST>(held.min(MAX_PASS_TURNS - turns));
            game.count(played.into(), 0, 0);
            turns += played as usize;
            if turns < MAX_PASS_TURNS && rings.is_tied() {
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

impl Machine for PortableMachine {
    type Hands = Hands;

    const WINDOW: usize = MAX_CARDS / 2;

    fn hold(&self, hands: &mut Hands, state: &PackedHands, first: usize) {
        let (first, second) = state[..self.cards].split_at(first);
        hands.0 = Rings::holding([first, second]);
    }

    fn deal(&self, hands: &mut Hands, dealt: &[u8; MAX_CARDS]) {
        hands.0 = Rings::dealt(&dealt[..self.cards]);
    }

    fn write(&self, hands: &Hands, _: usize, state: &mut PackedHands) {
        hands.0.write(state);
    }

    fn same(&self, hands: &Hands) -> u64 {
        (0..Self::WINDOW).fold(0, |same, place| {
            let (first, second) = hands.0.compared(place);
            same | u64::from(first == second) << place
        })
    }

    fn run(&self, slots: &mut [Slot<Hands>]) -> usize {
        // No game waits for memory, so one is played until it stops.
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

/// Records the state in the log. Returns true if the game stops.
#[inline]
fn record(slot: &mut Slot<Hands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    let state = game.log.room();
    hands.0.write(state);
    let (first, second) = state.split_at(game.first);
    let words = top_words([first, second], [game.first, cards - game.first]);
    let (turns, wars) = (game.turns(), game.wars());
    game.log.record(words, game.first as u64, turns, wars)
}
