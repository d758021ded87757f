//! Machine that plays passes (see `passes`) on processors with vectors of 16 bytes: x86-64 with
//! SSSE3, and 64-bit ARM.
//!
//! 16 pairs are compared at once. The pairs that each player won are packed by a table of shuffles,
//! eight at a time, and stored after the hand; excess bytes of a store are overwritten by the next
//! one.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory, and processor features are detected"
)]
#![allow(
    clippy::inline_always,
    reason = "code for a kind of processor must be inlined into the pass"
)]

mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod ssse3;

use super::batch::{DeterministicRules, WarOrder};
use super::passes::{Machine, Pass, Slot, WarMasks};
use super::state_log::{MAX_CARDS, PackedHands, top_words};
use lanes::{ByteVector, Simd128Hands};
#[cfg(target_arch = "aarch64")]
use neon::Neon as NativeVector;
#[cfg(target_arch = "x86_64")]
use ssse3::Ssse3 as NativeVector;

/// Maximum number of pairs in a pass.
const MAX_PASS_PAIRS: usize = 16;

/// Index that picks a zero byte, even after a place has been added to the index.
const NO_PLACE: u8 = 128;

/// Machine for a processor with vectors of 16 bytes.
#[derive(Debug, Clone)]
pub(super) struct Simd128Machine {
    wars: WarMasks,
    winner_first: bool,
    order: WarOrder,
    /// Offsets of the cards for each length of a war.
    moves: Box<[MoveOffsets; MAX_PASS_PAIRS + 1]>,
    cards: usize,
}

/// Offsets from each place to the card that moves there: for the first and the second cards of the
/// pairs, within each of the two hands. Zeros before and after keep the other cards in place.
#[derive(Debug, Clone, Copy)]
struct MoveOffsets([[[u8; 3 * MAX_PASS_PAIRS]; 2]; 2]);

/// Shuffles that pack the pairs selected by each mask of eight bits.
static PACK_SHUFFLES: [[u8; 16]; 256] = {
    let mut all = [[NO_PLACE; 16]; 256];
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

/// Shuffle that leaves all bytes in place.
static IDENTITY: [u8; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Loads 16 bytes of an array.
#[inline(always)]
fn load<L: ByteVector, const N: usize>(from: &[u8; N], at: usize) -> L {
    assert!(at + 16 <= N, "16 bytes are in the array");
    // SAFETY: the 16 bytes are in the array, and without support for these vectors, no machine is
    // made.
    unsafe { L::load(from.as_ptr().add(at)) }
}

impl MoveOffsets {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places are numbered by bytes, and differences wrap"
    )]
    fn new(order: WarOrder, pairs: usize) -> Self {
        let mut moves = [[[NO_PLACE; 3 * MAX_PASS_PAIRS]; 2]; 2];
        for (behind, hands) in moves.iter_mut().enumerate() {
            // Cards outside the war stay in place.
            hands[behind] = [0; 3 * MAX_PASS_PAIRS];
            for place in 0..pairs {
                let (hand, pair) = order.source(2 * place + behind, pairs);
                hands[1 - hand][MAX_PASS_PAIRS + place] = NO_PLACE;
                hands[hand][MAX_PASS_PAIRS + place] = pair.wrapping_sub(place) as u8;
            }
        }
        Self(moves)
    }
}

impl Simd128Machine {
    /// Returns the machine for games with these rules and at most 64 cards, if this processor
    /// supports it.
    pub(super) fn new(rules: &DeterministicRules, cards: usize) -> Option<Self> {
        NativeVector::is_supported().then(|| Self {
            wars: WarMasks::new(rules.step),
            winner_first: rules.order.winner_first,
            order: rules.order.war,
            moves: Box::new(std::array::from_fn(|pairs| {
                MoveOffsets::new(rules.order.war, pairs)
            })),
            cards,
        })
    }

    /// Plays passes, in code compiled for the processor features that `new` requires.
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "ssse3,popcnt"))]
    fn run_passes(&self, slots: &mut [Slot<Simd128Hands>]) -> usize {
        match (self.winner_first, self.order) {
            (true, WarOrder::PairByPair) => self.run_ordered::<NativeVector, true, 0>(slots),
            (false, WarOrder::PairByPair) => self.run_ordered::<NativeVector, false, 0>(slots),
            (true, WarOrder::Backwards) => self.run_ordered::<NativeVector, true, 1>(slots),
            (false, WarOrder::Backwards) => self.run_ordered::<NativeVector, false, 1>(slots),
            (true, WarOrder::HandByHand) => self.run_ordered::<NativeVector, true, 2>(slots),
            (false, WarOrder::HandByHand) => self.run_ordered::<NativeVector, false, 2>(slots),
        }
    }

    #[inline(always)]
    fn run_ordered<L: ByteVector, const WINNER_FIRST: bool, const ORDER: u8>(
        &self,
        slots: &mut [Slot<Simd128Hands>],
    ) -> usize {
        loop {
            for (at, slot) in slots.iter_mut().enumerate() {
                if slot.game.is_at_stop() || !self.pass::<L, WINNER_FIRST, ORDER>(slot) {
                    return at;
                }
                if slot.game.log.is_on() && record::<L>(slot, self.cards) {
                    return at;
                }
            }
        }
    }

    /// Plays a pass. Returns false if there was nothing to play.
    #[inline(always)]
    fn pass<L: ByteVector, const WINNER_FIRST: bool, const ORDER: u8>(
        &self,
        slot: &mut Slot<Simd128Hands>,
    ) -> bool {
        let Slot { hands, game, .. } = slot;
        let (length, other) = (game.first_length, self.cards - game.first_length);
        let held = !(u64::MAX << length.min(other).min(MAX_PASS_PAIRS));
        let [first, second] = hands.tops::<L>();
        let same = first.equal_mask(second) & held;
        let pass = self.wars.pass(held, first.greater_mask(second), same);
        if pass.pairs == 0 {
            return false;
        }
        self.wars.count(&pass, same, game);

        let lost = pass.pairs & !pass.won;
        let count = pass.pairs.count_ones() as usize;
        let won = pass.won.count_ones() as usize;
        let (length, other) = (length - count, other - count);
        let to_first = self.pair_up::<L, ORDER>(first, second, &pass);
        let to_second = if WINNER_FIRST {
            self.pair_up::<L, ORDER>(second, first, &pass)
        } else {
            to_first
        };
        pack(hands, (0, count + length), to_first, pass.won);
        pack(hands, (1, count + other), to_second, lost);
        hands.take::<L>(count);
        game.first_length = length + 2 * won;
        true
    }

    /// Returns the pairs of both hands in the order in which they go back: the first eight, and the
    /// others.
    #[inline(always)]
    fn pair_up<L: ByteVector, const ORDER: u8>(&self, front: L, behind: L, pass: &Pass) -> (L, L) {
        if ORDER == 0 {
            return front.interleave(behind);
        }
        let places = load::<L, 16>(&IDENTITY, 0);
        let start = pass.start.trailing_zeros() as usize % MAX_PASS_PAIRS;
        let MoveOffsets(moves) =
            &self.moves[pass.span.count_ones() as usize % (MAX_PASS_PAIRS + 1)];
        // Called for each entry: an array's `map` isn't always inlined, and then the vector
        // functions in its closure aren't inlined either.
        let places_of =
            |moves: &[u8; 3 * MAX_PASS_PAIRS]| places.add(load(moves, MAX_PASS_PAIRS - start));
        if ORDER == 1 {
            // In this order, the two cards of a pair stay together.
            let places = places_of(&moves[0][0]);
            return front.pick(places).interleave(behind.pick(places));
        }
        let first = front.pick(places_of(&moves[0][0]));
        let first = first.or(behind.pick(places_of(&moves[0][1])));
        let second = front.pick(places_of(&moves[1][0]));
        let second = second.or(behind.pick(places_of(&moves[1][1])));
        first.interleave(second)
    }
}

/// Packs the pairs of this mask under a player's hand, from the place `end` on.
#[inline(always)]
fn pack<L: ByteVector>(
    hands: &mut Simd128Hands,
    (player, end): (usize, usize),
    (low, high): (L, L),
    pairs: u64,
) {
    let [few, more] = [pairs, pairs >> 8].map(|mask| (mask & 255) as usize);
    hands.put(player, end, low.pick(load(&PACK_SHUFFLES[few], 0)));
    let end = end + 2 * few.count_ones() as usize;
    hands.put(player, end, high.pick(load(&PACK_SHUFFLES[more], 0)));
}

/// Records the state in the log. Returns true if the game stops.
#[inline(always)]
fn record<L: ByteVector>(slot: &mut Slot<Simd128Hands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    hands.write::<L>(game.first_length, game.log.next_state_mut());
    let words = top_words(
        hands.cards(),
        [game.first_length, cards - game.first_length],
    );
    let (turns, wars) = (game.turns(), game.wars());
    game.log
        .record(words, game.first_length as u64, turns, wars)
}

impl Machine for Simd128Machine {
    type Hands = Simd128Hands;

    const MAX_PASS_PAIRS: usize = MAX_PASS_PAIRS;

    fn load(&self, hands: &mut Simd128Hands, state: &PackedHands, first: usize) {
        hands.load(first, state);
    }

    fn deal(&self, hands: &mut Simd128Hands, dealt: &[u8; MAX_CARDS]) {
        hands.deal::<NativeVector>(dealt);
    }

    fn write(&self, hands: &Simd128Hands, first: usize, state: &mut PackedHands) {
        hands.write::<NativeVector>(first, state);
    }

    fn tied_pairs(&self, hands: &Simd128Hands) -> u64 {
        let [first, second] = hands.tops::<NativeVector>();
        first.equal_mask(second)
    }

    fn run(&self, slots: &mut [Slot<Simd128Hands>]) -> usize {
        // SAFETY: `new` found the features that the function is compiled for.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            self.run_passes(slots)
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.run_passes(slots)
    }
}
