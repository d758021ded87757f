//! Vector code that plays merged deals (see `merged`) on processors with AVX-512: eight games in
//! each of two interleaved vectors.
//!
//! A step plays a pair in every game, without a branch. After some steps, finished games are
//! recorded, and others take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded and stored, and processor features are detected"
)]

mod lanes;
mod twins;

use super::batch::Batch;
use super::finished::FinishedGames;
use super::state::CardLayout;
use super::state_tally::StateTally;
use lanes::{Constants, HandLanes, LaneFill, STEPS, VECTORS};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_add_epi64,
    _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_expand_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_mov_epi64, _mm512_max_epu64, _mm512_min_epu64,
    _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_ternarylogic_epi64,
};

/// Vector code for processors with AVX-512.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512Code(CardLayout);

impl Avx512Code {
    /// Returns the code for this layout, if the processor supports AVX-512.
    pub(super) fn new(layout: CardLayout) -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut StateTally) {
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

/// Plays the states of a batch and counts them, for decks with several cards of each rank.
#[target_feature(enable = "avx512f")]
fn play(batch: &Batch, layout: CardLayout, sum: &mut StateTally) {
    let constants = Constants::new(layout);
    let mut finished = FinishedGames::new();
    let mut vectors = [GameLanes::empty(&constants); VECTORS];
    let mut next = 0;
    loop {
        let mut busy = 0;
        for lanes in &mut vectors {
            let free = lanes.record(&constants, &mut finished);
            busy |= !free | lanes.refill(&constants, free, batch, &mut next);
        }
        if busy == 0 {
            break;
        }
        for _ in 0..STEPS {
            for lanes in &mut vectors {
                lanes.play_pairs(&constants);
            }
        }
    }
    finished.drain_into(batch, layout, sum);
}

/// Eight games in vectors, while they are played.
#[derive(Clone, Copy)]
struct GameLanes {
    hands: HandLanes,
    pots: __m512i,
    counts: __m512i,
    /// Index in the batch of the state that each game began with.
    states: __m512i,
}

impl GameLanes {
    /// Returns empty lanes: finished games without counts.
    #[target_feature(enable = "avx512f")]
    fn empty(c: &Constants) -> Self {
        Self {
            hands: HandLanes::empty(c),
            pots: c.zero,
            counts: c.zero,
            states: c.zero,
        }
    }

    /// Plays a pair in every unfinished game.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn play_pairs(&mut self, c: &Constants) {
        let unfinished = self.hands.unfinished_mask();
        let [first, second] = self.hands.top_cards(c);
        // No card leaves the hands of a finished game.
        let card = _mm512_maskz_mov_epi64(unfinished, c.card);
        self.hands.remove_top(card);
        let first_wins = _mm512_mask_cmpgt_epu64_mask(unfinished, first, second);
        let second_wins = _mm512_mask_cmplt_epu64_mask(unfinished, first, second);
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(first, second), c.card);
        let pots = _mm512_rolv_epi64(self.pots, c.pair);
        let higher = _mm512_max_epu64(first, second);
        let taken = _mm512_ternarylogic_epi64::<OR>(higher, lower, pots);
        self.hands.take(taken, [first_wins, second_wins], c);
        let decided = first_wins | second_wins;
        self.pots = _mm512_maskz_mov_epi64(!decided, taken);
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, decided, counts, c.turn);
    }

    /// Records the games that are finished or take too long, and returns a mask of the free lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn record(&self, c: &Constants, finished: &mut FinishedGames) -> u8 {
        let unfinished = self.hands.unfinished_mask();
        let put = _mm512_and_si512(self.counts, c.cards_put);
        let free = !unfinished | _mm512_mask_cmpgt_epu64_mask(unfinished, put, c.most);
        // An empty lane has no counts.
        let recorded = _mm512_mask_test_epi64_mask(free, self.counts, self.counts);
        if recorded != 0 {
            let counts = c.pack_lengths(self.counts, self.hands.lengths);
            finished.record(recorded, counts, self.states);
        }
        free
    }

    /// Puts the next states of the batch into free lanes, and returns a mask of the filled ones.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, batch: &Batch, next: &mut usize) -> u8 {
        let at = *next;
        let lanes = LaneFill::new(free, batch.states - at);
        *next += lanes.games();
        self.pots = lanes.fill(self.pots, &batch.pots[at..]);
        self.counts = lanes.fill(self.counts, &batch.counts[at..]);
        let numbers = _mm512_add_epi64(c.lanes, _mm512_set1_epi64((at as u64).cast_signed()));
        self.states = _mm512_mask_expand_epi64(self.states, lanes.filled, numbers);
        let [first, second] = &batch.hands;
        self.hands
            .fill(lanes, [&first[at..], &second[at..]], self.counts, c);
        lanes.filled
    }
}

/// Truth table for the OR of three operands.
const OR: i32 = 0xFE;
