//! The machine for every processor with vectors of 16 bytes: those of x86-64 with SSSE3, and
//! those of ARM.
//!
//! 16 pairs are compared at once. The pairs that each player won are pressed together by a
//! table of shuffles, eight at a time, and stored behind the hand; what a store puts there
//! beyond them is written over by the next one.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory, and the processor is asked for them"
)]
#![allow(
    clippy::inline_always,
    reason = "what is compiled for a kind of processor has to be part of the pass"
)]

mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod ssse3;

use super::batch::{Certain, WarOrder};
use super::log::{MOST_CARDS, State, words};
use super::passes::{Machine, Pass, Slot, Wars};
use lanes::{Hands, Lanes};
#[cfg(target_arch = "aarch64")]
use neon::Neon as Here;
#[cfg(target_arch = "x86_64")]
use ssse3::Ssse3 as Here;

/// How many pairs a pass has at most.
const PAIRS: usize = 16;

/// A place that picks nothing, whatever is added to it.
const NOTHING: u8 = 128;

/// The machine, on a processor that has it.
#[derive(Debug, Clone)]
pub(super) struct Simd128 {
    wars: Wars,
    winner_first: bool,
    order: WarOrder,
    /// For each length of a war how far its cards come from.
    moves: Box<[Moves; PAIRS + 1]>,
    cards: usize,
}

/// How far the cards come from that go first in their pairs, and those that go second, of each
/// of both hands; in the middle of places that stay.
#[derive(Debug, Clone, Copy)]
struct Moves([[[u8; 3 * PAIRS]; 2]; 2]);

/// For each mask of eight pairs the places of their bytes, without gaps.
static PRESSED: [[u8; 16]; 256] = {
    let mut all = [[NOTHING; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut pair, mut to) = (0, 0);
        while pair < 8 {
            if mask >> pair & 1 == 1 {
                all[mask][to] = 2 * pair;
                all[mask][to + 1] = 2 * pair + 1;
                to += 2;
            }
            pair += 1;
        }
        mask += 1;
    }
    all
};

/// The number of each place.
static PLACES: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// 16 bytes of an array from there on.
#[inline(always)]
fn load<L: Lanes, const N: usize>(from: &[u8; N], at: usize) -> L {
    assert!(at + 16 <= N, "16 bytes are in the array");
    // SAFETY: they are, and where these lanes are not there, no machine is made.
    unsafe { L::load(from.as_ptr().add(at)) }
}

impl Moves {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places are numbered by bytes, and differences wrap"
    )]
    fn new(order: WarOrder, pairs: usize) -> Self {
        let mut moves = [[[NOTHING; 3 * PAIRS]; 2]; 2];
        for (behind, hands) in moves.iter_mut().enumerate() {
            // Outside of the war all cards stay.
            hands[behind] = [0; 3 * PAIRS];
            for place in 0..pairs {
                let (hand, pair) = order.source(2 * place + behind, pairs);
                hands[1 - hand][PAIRS + place] = NOTHING;
                hands[hand][PAIRS + place] = pair.wrapping_sub(place) as u8;
            }
        }
        Self(moves)
    }
}

impl Simd128 {
    /// The machine for games of these rules with this many cards, at most 64, if this processor
    /// is one.
    pub(super) fn new(rules: &Certain, cards: usize) -> Option<Self> {
        Here::is_here().then(|| Self {
            wars: Wars::new(rules.step),
            winner_first: rules.order.winner_first,
            order: rules.order.war,
            moves: Box::new(std::array::from_fn(|pairs| {
                Moves::new(rules.order.war, pairs)
            })),
            cards,
        })
    }

    /// Compiled for the processor that the machine was found on.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
    fn run_passes(&self, slots: &mut [Slot<Hands>]) -> usize {
        match (self.winner_first, self.order) {
            (true, WarOrder::PairByPair) => self.run_ordered::<Here, true, 0>(slots),
            (false, WarOrder::PairByPair) => self.run_ordered::<Here, false, 0>(slots),
            (true, WarOrder::Backwards) => self.run_ordered::<Here, true, 1>(slots),
            (false, WarOrder::Backwards) => self.run_ordered::<Here, false, 1>(slots),
            (true, WarOrder::HandByHand) => self.run_ordered::<Here, true, 2>(slots),
            (false, WarOrder::HandByHand) => self.run_ordered::<Here, false, 2>(slots),
        }
    }

    #[inline(always)]
    fn run_ordered<L: Lanes, const WINNER_FIRST: bool, const ORDER: u8>(
        &self,
        slots: &mut [Slot<Hands>],
    ) -> usize {
        loop {
            for (at, slot) in slots.iter_mut().enumerate() {
                if slot.game.stops() || !self.pass::<L, WINNER_FIRST, ORDER>(slot) {
                    return at;
                }
                if slot.game.log.is_on() && note::<L>(slot, self.cards) {
                    return at;
                }
            }
        }
    }

    /// Plays a pass; the result says whether there was anything to play.
    #[inline(always)]
    fn pass<L: Lanes, const WINNER_FIRST: bool, const ORDER: u8>(
        &self,
        slot: &mut Slot<Hands>,
    ) -> bool {
        let Slot { hands, game, .. } = slot;
        let (length, other) = (game.first, self.cards - game.first);
        let held = !(u64::MAX << length.min(other).min(PAIRS));
        let [first, second] = hands.tops::<L>();
        let same = first.same(second) & held;
        let pass = self.wars.pass(held, first.greater(second), same);
        if pass.pairs == 0 {
            return false;
        }
        self.wars.count(&pass, same, game);

        let lost = pass.pairs & !pass.won;
        let count = pass.pairs.count_ones() as usize;
        let won = pass.won.count_ones() as usize;
        let (length, other) = (length - count, other - count);
        let to_first = self.paired::<L, ORDER>(first, second, &pass);
        let to_second = if WINNER_FIRST {
            self.paired::<L, ORDER>(second, first, &pass)
        } else {
            to_first
        };
        press(hands, (0, count + length), to_first, pass.won);
        press(hands, (1, count + other), to_second, lost);
        hands.take::<L>(count);
        game.first = length + 2 * won;
        true
    }

    /// The pairs of both hands as they go back, the first eight and the others.
    #[inline(always)]
    fn paired<L: Lanes, const ORDER: u8>(&self, front: L, behind: L, pass: &Pass) -> (L, L) {
        if ORDER == 0 {
            return front.zipped(behind);
        }
        let places = load::<L, 16>(&PLACES, 0);
        let start = pass.start.trailing_zeros() as usize % PAIRS;
        let Moves(moves) = &self.moves[pass.span.count_ones() as usize % (PAIRS + 1)];
        // An array's `map` is not always inlined, and the functions for lanes are not without it.
        let places_of = |moves: &[u8; 3 * PAIRS]| places.plus(load(moves, PAIRS - start));
        if ORDER == 1 {
            // Pairs stay together.
            let places = places_of(&moves[0][0]);
            return front.picked(places).zipped(behind.picked(places));
        }
        let first = front.picked(places_of(&moves[0][0]));
        let first = first.or(behind.picked(places_of(&moves[0][1])));
        let second = front.picked(places_of(&moves[1][0]));
        let second = second.or(behind.picked(places_of(&moves[1][1])));
        first.zipped(second)
    }
}

/// Puts the pairs of this mask under a player's hand, from this place on.
#[inline(always)]
fn press<L: Lanes>(
    hands: &mut Hands,
    (player, end): (usize, usize),
    (low, high): (L, L),
    pairs: u64,
) {
    let [few, more] = [pairs, pairs >> 8].map(|mask| (mask & 255) as usize);
    hands.put(player, end, low.picked(load(&PRESSED[few], 0)));
    let end = end + 2 * few.count_ones() as usize;
    hands.put(player, end, high.picked(load(&PRESSED[more], 0)));
}

/// Notes the state in the log: whether the game stops.
#[inline(always)]
fn note<L: Lanes>(slot: &mut Slot<Hands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    hands.write::<L>(game.first, game.log.room());
    let words = words(hands.cards(), [game.first, cards - game.first]);
    let (turns, wars) = (game.turns(), game.wars());
    game.log.note(words, game.first as u64, turns, wars)
}

impl Machine for Simd128 {
    type Hands = Hands;

    const WINDOW: usize = PAIRS;

    fn hold(&self, hands: &mut Hands, state: &State, first: usize) {
        hands.hold(first, state);
    }

    fn deal(&self, hands: &mut Hands, dealt: &[u8; MOST_CARDS]) {
        hands.deal::<Here>(dealt);
    }

    fn write(&self, hands: &Hands, first: usize, state: &mut State) {
        hands.write::<Here>(first, state);
    }

    fn same(&self, hands: &Hands) -> u64 {
        let [first, second] = hands.tops::<Here>();
        first.same(second)
    }

    fn run(&self, slots: &mut [Slot<Hands>]) -> usize {
        // SAFETY: `new` found the features that the function is compiled for.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            self.run_passes(slots)
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.run_passes(slots)
    }
}
