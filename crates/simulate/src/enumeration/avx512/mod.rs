//! Eight games in a vector, two vectors in turns, on processors with AVX-512.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over are
//! noted, and others take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory and stored there, and the processor is asked for them"
)]

mod lanes;
mod twins;

use super::batch::Batch;
use super::ended::Ended;
use super::state::Layout;
use super::sum::Sum;
use lanes::{Constants, Filled, Held, STEPS, VECTORS};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_add_epi64,
    _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_expand_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_mov_epi64, _mm512_max_epu64, _mm512_min_epu64,
    _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_ternarylogic_epi64,
};

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
                play(batch, layout, sum);
            }
        }
    }
}

/// Plays the states of a batch, of a deck with several cards of a rank, and counts them.
#[target_feature(enable = "avx512f")]
fn play(batch: &Batch, layout: Layout, sum: &mut Sum) {
    let constants = Constants::new(layout);
    let mut ended = Ended::new();
    let mut vectors = [Lanes::empty(&constants); VECTORS];
    let mut next = 0;
    loop {
        let mut busy = 0;
        for lanes in &mut vectors {
            let free = lanes.note(&constants, &mut ended);
            busy |= !free | lanes.refill(&constants, free, batch, &mut next);
        }
        if busy == 0 {
            break;
        }
        for _ in 0..STEPS {
            for lanes in &mut vectors {
                lanes.put_pairs(&constants);
            }
        }
    }
    ended.count(batch, layout, sum);
}

/// Eight games.
#[derive(Clone, Copy)]
struct Lanes {
    held: Held,
    pots: __m512i,
    counts: __m512i,
    /// Which states of the batch they began with.
    states: __m512i,
}

impl Lanes {
    /// Games that are over, and count for nothing.
    #[target_feature(enable = "avx512f")]
    fn empty(c: &Constants) -> Self {
        Self {
            held: Held::nothing(c),
            pots: c.zero,
            counts: c.zero,
            states: c.zero,
        }
    }

    /// Puts a pair in every game that goes on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn put_pairs(&mut self, c: &Constants) {
        let on = self.held.going_on();
        let [first, second] = self.held.on_top(c);
        // No card is taken from a game that is over.
        let card = _mm512_maskz_mov_epi64(on, c.card);
        self.held.put(card);
        let first_wins = _mm512_mask_cmpgt_epu64_mask(on, first, second);
        let second_wins = _mm512_mask_cmplt_epu64_mask(on, first, second);
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(first, second), c.card);
        let pots = _mm512_rolv_epi64(self.pots, c.pair);
        let higher = _mm512_max_epu64(first, second);
        let taken = _mm512_ternarylogic_epi64::<OR>(higher, lower, pots);
        self.held.take(taken, [first_wins, second_wins], c);
        let decided = first_wins | second_wins;
        self.pots = _mm512_maskz_mov_epi64(!decided, taken);
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, decided, counts, c.turn);
    }

    /// Notes the games that are over or take long; the result says which lanes are free.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn note(&self, c: &Constants, ended: &mut Ended) -> u8 {
        let on = self.held.going_on();
        let put = _mm512_and_si512(self.counts, c.put);
        let free = !on | _mm512_mask_cmpgt_epu64_mask(on, put, c.most);
        // A lane that was empty has counted nothing.
        let noted = _mm512_mask_test_epi64_mask(free, self.counts, self.counts);
        if noted != 0 {
            let counts = c.with_held(self.counts, self.held.lengths);
            ended.note(noted, counts, self.states);
        }
        free
    }

    /// Puts the next states of the batch into free lanes; the result says into which.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, batch: &Batch, next: &mut usize) -> u8 {
        let at = *next;
        let lanes = Filled::new(free, batch.states - at);
        *next += lanes.games();
        self.pots = lanes.with(self.pots, &batch.pots[at..]);
        self.counts = lanes.with(self.counts, &batch.counts[at..]);
        let numbers = _mm512_add_epi64(c.lanes, _mm512_set1_epi64((at as u64).cast_signed()));
        self.states = _mm512_mask_expand_epi64(self.states, lanes.filled, numbers);
        let [first, second] = &batch.hands;
        self.held
            .fill(lanes, [&first[at..], &second[at..]], self.counts, c);
        lanes.filled
    }
}

/// The truth table of one or another or a third.
const OR: i32 = 0xFE;
