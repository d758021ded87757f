//! Machine that plays passes (see `passes`) in portable code: rings of bytes, one turn after the
//! other.

use super::batch::DeterministicRules;
use super::passes::{Machine, Slot};
use super::rings::Rings;
use super::state_log::{MAX_CARDS, PackedHands, top_words};

/// Maximum number of turns in a pass.
const MAX_PASS_TURNS: usize = 32;

/// Machine that plays passes in portable code.
#[derive(Debug, Clone)]
pub(super) struct PortableMachine {
    rules: DeterministicRules,
    cards: usize,
}

/// Hands of a game, as rings.
#[derive(Debug)]
pub(super) struct PortableHands(Rings);

impl Default for PortableHands {
    fn default() -> Self {
        Self(Rings::from_hands([&[], &[]]))
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
    fn run_ordered<const WINNER_FIRST: bool>(&self, slot: &mut Slot<PortableHands>) {
        loop {
            if slot.game.is_at_stop() || !self.pass::<WINNER_FIRST>(slot) {
                return;
            }
            if slot.game.log.is_on() && record(slot, self.cards) {
                return;
            }
        }
    }

    /// Plays a pass. Returns false if there was nothing to play.
    ///
    /// After a war, or once a player could have run out of cards, the top cards decide whether the
    /// pass ends. So passes that begin at different turns of a cycle can end at the same turn.
    #[inline]
    fn pass<const WINNER_FIRST: bool>(&self, slot: &mut Slot<PortableHands>) -> bool {
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
            let (first, second) = rings.cards_at(0);
            if (first ^ second) & 1 == 0 {
                break;
            }
        }
        game.first_length = rings.lengths[0];
        turns > 0
    }
}

impl Machine for PortableMachine {
    type Hands = PortableHands;

    const MAX_PASS_PAIRS: usize = MAX_CARDS / 2;

    fn load(&self, hands: &mut PortableHands, state: &PackedHands, first: usize) {
        let (first, second) = state[..self.cards].split_at(first);
        hands.0 = Rings::from_hands([first, second]);
    }

    fn deal(&self, hands: &mut PortableHands, dealt: &[u8; MAX_CARDS]) {
        hands.0 = Rings::from_deal(&dealt[..self.cards]);
    }

    fn write(&self, hands: &PortableHands, _: usize, state: &mut PackedHands) {
        hands.0.write(state);
    }

    fn tied_pairs(&self, hands: &PortableHands) -> u64 {
        (0..Self::MAX_PASS_PAIRS).fold(0, |same, place| {
            let (first, second) = hands.0.cards_at(place);
            same | u64::from(first == second) << place
        })
    }

    fn run(&self, slots: &mut [Slot<PortableHands>]) -> usize {
        // Interleaving would gain nothing, since no game waits for memory: the first game is played
        // until it stops.
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
fn record(slot: &mut Slot<PortableHands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    let state = game.log.next_state_mut();
    hands.0.write(state);
    let (first, second) = state.split_at(game.first_length);
    let words = top_words(
        [first, second],
        [game.first_length, cards - game.first_length],
    );
    let (turns, wars) = (game.turns(), game.wars());
    game.log
        .record(words, game.first_length as u64, turns, wars)
}
