//! Eight games in a vector, two vectors in turns, on processors with AVX-512.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over are
//! noted, and others take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory and stored there, and the processor is asked for them"
)]

mod twins;
mod wars;

use super::batch::{Batch, ROOM};
use super::counts::{COUNT, DEALS, HELD, HELD_BITS, TURNS};
use super::ended::Ended;
use super::layout::Layout;
use super::sum::{MOST_PAIRS, Sum};
use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_loadu_epi64, _mm512_mask_and_epi64, _mm512_mask_srli_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_or_si512, _mm512_set1_epi64,
    _mm512_setr_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_storeu_epi64, _mm512_test_epi64_mask,
};

/// How many vectors are played in turns: the processor works on one while another waits.
const VECTORS: usize = 2;
/// How many games a vector holds.
const LANES: usize = ROOM;
/// How many pairs are put before games that are over make room.
const STEPS: usize = 8;

/// The code, on a processor that can run it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(Layout);

impl Avx512 {
    /// The code for cards that lie like this, if the processor can run it.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut Sum) {
        let layout = self.0;
        // SAFETY: `new` found the feature that the functions are compiled for.
        unsafe {
            if layout.has_twins() {
                twins::play(batch, layout, sum);
            } else {
                wars::play(batch, layout, sum);
            }
        }
    }
}

/// Numbers that are the same in all lanes.
#[derive(Clone, Copy)]
struct Constants {
    zero: __m512i,
    one: __m512i,
    /// The bits of a card, of a pair, and of all cards.
    card: __m512i,
    pair: __m512i,
    all: __m512i,
    /// The card on top.
    top: __m512i,
    /// A turn in the counts of a game.
    turn: __m512i,
    /// In the counts of a game: what is put, the deals, and all but what the players hold.
    put: __m512i,
    deals: __m512i,
    counts: __m512i,
    /// The bits of what a player holds.
    held: __m512i,
    /// The most bits of cards that a player may put.
    most: __m512i,
    /// The numbers of the lanes.
    lanes: __m512i,
}

impl Constants {
    #[target_feature(enable = "avx512f")]
    fn new(layout: Layout) -> Self {
        let same = |number: u64| _mm512_set1_epi64(number.cast_signed());
        Self {
            zero: _mm512_setzero_si512(),
            one: same(1),
            card: same(layout.card.into()),
            pair: same(layout.pair().into()),
            all: same(layout.all()),
            top: same(!(u64::MAX << layout.card)),
            turn: same(1 << TURNS),
            put: same(COUNT),
            deals: same(COUNT << DEALS),
            counts: same(!(u64::MAX << HELD[0])),
            held: same(HELD_BITS),
            most: same(MOST_PAIRS * u64::from(layout.card)),
            lanes: _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        }
    }

    /// The counts of games whose players now hold these bits.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn with_held(&self, counts: __m512i, [first, second]: [__m512i; 2]) -> __m512i {
        let first = _mm512_slli_epi64::<{ HELD[0] }>(first);
        let second = _mm512_slli_epi64::<{ HELD[1] }>(second);
        let held = _mm512_or_si512(first, second);
        _mm512_or_si512(_mm512_and_si512(counts, self.counts), held)
    }

    /// What the players hold by the counts of games that were put into free lanes, and what they
    /// hold in the others.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn held(&self, [first, second]: [__m512i; 2], free: u8, counts: __m512i) -> [__m512i; 2] {
        let held = _mm512_srli_epi64::<{ HELD[0] }>(counts);
        [
            _mm512_mask_and_epi64(first, free, held, self.held),
            _mm512_mask_srli_epi64::<{ HELD[1] }>(second, free, counts),
        ]
    }
}

/// Which of the free lanes are filled where so many games are there: the highest ones stay empty.
#[inline]
fn to_fill(free: u8, there: usize) -> u8 {
    let mut filled = free;
    for _ in there..free.count_ones() as usize {
        filled &= !(1 << (u8::BITS - 1 - filled.leading_zeros()));
    }
    filled
}

/// Which games go on: both players hold a card.
#[inline]
#[target_feature(enable = "avx512f")]
fn going_on([first, second]: [__m512i; 2]) -> u8 {
    _mm512_mask_test_epi64_mask(_mm512_test_epi64_mask(first, first), second, second)
}

impl Ended {
    /// Notes the games of some lanes, which began with these states.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn note(&mut self, lanes: u8, counts: __m512i, states: __m512i) {
        let at = self.games;
        store(
            _mm512_maskz_compress_epi64(lanes, counts),
            &mut self.counts[at..],
        );
        store(
            _mm512_maskz_compress_epi64(lanes, states),
            &mut self.states[at..],
        );
        self.games = at + lanes.count_ones() as usize;
    }
}

/// The first words from here on.
#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(words: &[u64]) -> __m512i {
    let words = &words[..LANES];
    // SAFETY: the slice has the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
}

/// Puts words here.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(vector: __m512i, words: &mut [u64]) {
    let words = &mut words[..LANES];
    // SAFETY: the slice has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), vector) }
}
