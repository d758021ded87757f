//! Machine that plays passes (see `passes`) on processors with AVX-512 VBMI2: each hand is a
//! register.
//!
//! `vpcompressw` packs the pairs that each player won, and `vpermb` puts them under that player's
//! hand.
#![allow(
    unsafe_code,
    reason = "vector registers are loaded from memory, and processor features are detected"
)]

use super::batch::{DeterministicRules, WarOrder};
use super::passes::{Machine, Slot, WarMasks};
use super::state_log::{MAX_CARDS, PackedHands, top_words};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_cmpeq_epi8_mask, _mm256_cmpgt_epu8_mask, _mm512_add_epi8,
    _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_loadu_epi8, _mm512_mask_permutexvar_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi16, _mm512_or_si512,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_slli_epi16, _mm512_storeu_epi8,
    _mm512_sub_epi8,
};

/// Machine for a processor with AVX-512 VBMI2.
#[derive(Debug, Clone)]
pub(super) struct Avx512Machine {
    wars: WarMasks,
    winner_first: bool,
    order: WarOrder,
    /// For each length of a war, the offset from each place to the card that moves there; zeros
    /// before and after keep the other cards in place.
    offsets: Box<[[u8; 3 * MAX_CARDS]; MAX_CARDS / 2 + 1]>,
    iota: [u8; MAX_CARDS],
    cards: usize,
}

/// Both hands, top card first; the bytes after them have no meaning.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Avx512Hands([[u8; MAX_CARDS]; 2]);

impl Default for Avx512Hands {
    fn default() -> Self {
        Self([[0; MAX_CARDS]; 2])
    }
}

impl Avx512Machine {
    /// Returns the machine for games with these rules and at most 64 cards, if this processor
    /// supports it.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places are numbered by bytes, and differences wrap"
    )]
    pub(super) fn new(rules: &DeterministicRules, cards: usize) -> Option<Self> {
        let runs = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let mut offsets = Box::new([[0; 3 * MAX_CARDS]; MAX_CARDS / 2 + 1]);
        for (pairs, places) in offsets.iter_mut().enumerate() {
            for place in 0..2 * pairs {
                let (behind, pair) = rules.order.war.source(place, pairs);
                places[MAX_CARDS + place] = (2 * pair + behind).wrapping_sub(place) as u8;
            }
        }
        runs.then(|| Self {
            wars: WarMasks::new(rules.step),
            winner_first: rules.order.winner_first,
            order: rules.order.war,
            offsets,
            iota: std::array::from_fn(|place| place as u8),
            cards,
        })
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn run_passes(&self, slots: &mut [Slot<Avx512Hands>]) -> usize {
        let together = self.order == WarOrder::PairByPair;
        match (self.winner_first, together) {
            (true, true) => self.run_ordered::<true, true>(slots),
            (true, false) => self.run_ordered::<true, false>(slots),
            (false, true) => self.run_ordered::<false, true>(slots),
            (false, false) => self.run_ordered::<false, false>(slots),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn run_ordered<const WINNER_FIRST: bool, const PAIR_BY_PAIR: bool>(
        &self,
        slots: &mut [Slot<Avx512Hands>],
    ) -> usize {
        loop {
            for (at, slot) in slots.iter_mut().enumerate() {
                if slot.game.is_at_stop() || !self.pass::<WINNER_FIRST, PAIR_BY_PAIR>(slot) {
                    return at;
                }
                if slot.game.log.is_on() && record(slot, self.cards) {
                    return at;
                }
            }
        }
    }

    /// Plays a pass. Returns false if there was nothing to play.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "hands have 64 cards at most, and a pass has 32 pairs"
    )]
    fn pass<const WINNER_FIRST: bool, const PAIR_BY_PAIR: bool>(
        &self,
        slot: &mut Slot<Avx512Hands>,
    ) -> bool {
        let Slot { hands, game, .. } = slot;
        let [first, second] = [load(&hands.0[0]), load(&hands.0[1])];
        let length = game.first_length as u64;
        let other = self.cards as u64 - length;
        let held = !(u64::MAX << length.min(other));
        let (low_first, low_second) = (low_half(first), low_half(second));
        let higher = u64::from(_mm256_cmpgt_epu8_mask(low_first, low_second));
        let same = u64::from(_mm256_cmpeq_epi8_mask(low_first, low_second)) & held;
        let pass = self.wars.pass(held, higher, same);
        if pass.pairs == 0 {
            return false;
        }
        self.wars.count(&pass, same, game);

        let (wide_first, wide_second) = (
            _mm512_cvtepu8_epi16(low_first),
            _mm512_cvtepu8_epi16(low_second),
        );
        let iota = load(&self.iota);
        let mut first_in_front = _mm512_or_si512(wide_first, _mm512_slli_epi16::<8>(wide_second));
        let mut second_in_front = if WINNER_FIRST {
            _mm512_or_si512(wide_second, _mm512_slli_epi16::<8>(wide_first))
        } else {
            first_in_front
        };
        if !PAIR_BY_PAIR {
            let places = &self.offsets[pass.span.count_ones() as usize % (MAX_CARDS / 2 + 1)];
            let from = MAX_CARDS - 2 * (pass.start.trailing_zeros() as usize % 32);
            let moved = places[from..]
                .first_chunk()
                .map_or(iota, |moved| _mm512_add_epi8(iota, load(moved)));
            first_in_front = _mm512_permutexvar_epi8(moved, first_in_front);
            second_in_front = if WINNER_FIRST {
                _mm512_permutexvar_epi8(moved, second_in_front)
            } else {
                first_in_front
            };
        }
        let to_first = _mm512_maskz_compress_epi16(pass.won as u32, first_in_front);
        let lost = pass.pairs & !pass.won;
        let to_second = _mm512_maskz_compress_epi16(lost as u32, second_in_front);
        let count = u64::from(pass.pairs.count_ones());
        let down = _mm512_add_epi8(iota, _mm512_set1_epi8(count as i8));
        let (length, other) = (length - count, other - count);
        let first = _mm512_mask_permutexvar_epi8(
            _mm512_permutexvar_epi8(down, first),
            u64::MAX << length,
            _mm512_sub_epi8(iota, _mm512_set1_epi8(length as i8)),
            to_first,
        );
        let second = _mm512_mask_permutexvar_epi8(
            _mm512_permutexvar_epi8(down, second),
            u64::MAX << other,
            _mm512_sub_epi8(iota, _mm512_set1_epi8(other as i8)),
            to_second,
        );
        store(&mut hands.0[0], first);
        store(&mut hands.0[1], second);
        game.first_length = (length + 2 * u64::from(pass.won.count_ones())) as usize;
        true
    }
}

impl Machine for Avx512Machine {
    type Hands = Avx512Hands;

    const MAX_PASS_PAIRS: usize = 32;

    fn load(&self, hands: &mut Avx512Hands, state: &PackedHands, first: usize) {
        let second = &state[first..][..MAX_CARDS];
        hands.0[0].copy_from_slice(&state[..MAX_CARDS]);
        hands.0[1].copy_from_slice(second);
    }

    fn deal(&self, hands: &mut Avx512Hands, dealt: &[u8; MAX_CARDS]) {
        // SAFETY: `new` found every feature that the function is compiled for.
        unsafe { deal(hands, dealt) }
    }

    fn write(&self, hands: &Avx512Hands, first: usize, state: &mut PackedHands) {
        write(hands, first, state);
    }

    fn tied_pairs(&self, hands: &Avx512Hands) -> u64 {
        let pairs = hands.0[0].iter().zip(&hands.0[1]).take(32).enumerate();
        pairs.fold(0, |same, (place, (first, second))| {
            same | u64::from(first == second) << place
        })
    }

    fn run(&self, slots: &mut [Slot<Avx512Hands>]) -> usize {
        // SAFETY: `new` found every feature that the function is compiled for.
        unsafe { self.run_passes(slots) }
    }
}

/// Records the state in the log. Returns true if the game stops.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn record(slot: &mut Slot<Avx512Hands>, cards: usize) -> bool {
    let Slot { hands, game, .. } = slot;
    write(hands, game.first_length, game.log.next_state_mut());
    let [first, second] = &hands.0;
    let words = top_words(
        [first, second],
        [game.first_length, cards - game.first_length],
    );
    let (turns, wars) = (game.turns(), game.wars());
    game.log
        .record(words, game.first_length as u64, turns, wars)
}

/// Writes the cards of both hands, one hand after the other.
#[inline]
fn write(hands: &Avx512Hands, first: usize, state: &mut PackedHands) {
    state[..MAX_CARDS].copy_from_slice(&hands.0[0]);
    state[first..][..MAX_CARDS].copy_from_slice(&hands.0[1]);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
fn deal(hands: &mut Avx512Hands, dealt: &[u8; MAX_CARDS]) {
    const FIRST: u64 = 0x5555_5555_5555_5555;
    let cards = load(dealt);
    store(&mut hands.0[0], _mm512_maskz_compress_epi8(FIRST, cards));
    store(&mut hands.0[1], _mm512_maskz_compress_epi8(!FIRST, cards));
}

/// Returns the first 32 cards of a hand.
#[inline]
#[target_feature(enable = "avx512f")]
fn low_half(hand: __m512i) -> __m256i {
    _mm512_castsi512_si256(hand)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(cards: &[u8; MAX_CARDS]) -> __m512i {
    // SAFETY: the 64 bytes behind the pointer are those of the array.
    unsafe { _mm512_loadu_epi8(cards.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store(cards: &mut [u8; MAX_CARDS], hand: __m512i) {
    // SAFETY: the 64 bytes behind the pointer are those of the array.
    unsafe { _mm512_storeu_epi8(cards.as_mut_ptr().cast(), hand) }
}
