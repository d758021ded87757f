//! Decks with several cards of a rank.

use super::super::batch::{Batch, Column};
use super::super::ended::Ended;
use super::super::layout::Layout;
use super::super::sum::Sum;
use super::{Constants, STEPS, VECTORS, going_on, loaded, to_fill};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_add_epi64,
    _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_expand_epi64,
    _mm512_mask_or_epi64, _mm512_mask_sub_epi64, _mm512_mask_test_epi64_mask,
    _mm512_maskz_mov_epi64, _mm512_max_epu64, _mm512_min_epu64, _mm512_rolv_epi64,
    _mm512_set1_epi64, _mm512_srlv_epi64, _mm512_sub_epi64, _mm512_ternarylogic_epi64,
};

/// Plays the states of a batch and counts them.
#[target_feature(enable = "avx512f")]
pub(super) fn play(batch: &Batch, layout: Layout, sum: &mut Sum) {
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
    hands: [__m512i; 2],
    lengths: [__m512i; 2],
    pots: __m512i,
    counts: __m512i,
    /// Which states of the batch they began with.
    states: __m512i,
}

impl Lanes {
    /// Games that are over, and count for nothing.
    #[target_feature(enable = "avx512f")]
    fn empty(constants: &Constants) -> Self {
        let zero = constants.zero;
        Self {
            hands: [zero; 2],
            lengths: [zero; 2],
            pots: zero,
            counts: zero,
            states: zero,
        }
    }

    /// Puts a pair in every game that goes on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn put_pairs(&mut self, c: &Constants) {
        let on = going_on(self.lengths);
        // No card is taken from a game that is over.
        let card = _mm512_maskz_mov_epi64(on, c.card);
        let [first, second] = self.hands;
        let cards = [first, second].map(|hand| _mm512_and_si512(hand, c.top));
        let hands = [first, second].map(|hand| _mm512_srlv_epi64(hand, card));
        let lengths = self.lengths.map(|length| _mm512_sub_epi64(length, card));
        let first_wins = _mm512_mask_cmpgt_epu64_mask(on, cards[0], cards[1]);
        let second_wins = _mm512_mask_cmplt_epu64_mask(on, cards[0], cards[1]);
        let higher = _mm512_max_epu64(cards[0], cards[1]);
        // What a rotation shifts out is zero.
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(cards[0], cards[1]), c.card);
        let pots = _mm512_rolv_epi64(self.pots, c.pair);
        let taken = _mm512_ternarylogic_epi64::<OR>(higher, lower, pots);
        let placed = lengths.map(|length| _mm512_rolv_epi64(taken, length));
        self.hands = [
            _mm512_mask_or_epi64(hands[0], first_wins, hands[0], placed[0]),
            _mm512_mask_or_epi64(hands[1], second_wins, hands[1], placed[1]),
        ];
        // Nothing is on the table then: the winner holds what the other one does not.
        self.lengths = [
            _mm512_mask_sub_epi64(lengths[0], first_wins, c.all, lengths[1]),
            _mm512_mask_sub_epi64(lengths[1], second_wins, c.all, lengths[0]),
        ];
        let decided = first_wins | second_wins;
        self.pots = _mm512_maskz_mov_epi64(!decided, taken);
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, decided, counts, c.turn);
    }

    /// Notes the games that are over or take long; the result says which lanes are free.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn note(&self, c: &Constants, ended: &mut Ended) -> u8 {
        let on = going_on(self.lengths);
        let put = _mm512_and_si512(self.counts, c.put);
        let free = !on | _mm512_mask_cmpgt_epu64_mask(on, put, c.most);
        // A lane that was empty has counted nothing.
        let noted = _mm512_mask_test_epi64_mask(free, self.counts, self.counts);
        if noted != 0 {
            let counts = c.with_held(self.counts, self.lengths);
            ended.note(noted, counts, self.states);
        }
        free
    }

    /// Puts the next states of the batch into free lanes; the result says into which.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, batch: &Batch, next: &mut usize) -> u8 {
        let filled = to_fill(free, batch.states - *next);
        let at = *next;
        let fill = |lanes: __m512i, column: &Column| {
            let kept = _mm512_maskz_mov_epi64(!free, lanes);
            _mm512_mask_expand_epi64(kept, filled, loaded(&column[at..]))
        };
        for player in 0..2 {
            self.hands[player] = fill(self.hands[player], &batch.hands[player]);
        }
        self.pots = fill(self.pots, &batch.pots);
        self.counts = fill(self.counts, &batch.counts);
        self.lengths = c.held(self.lengths, free, self.counts);
        let numbers = _mm512_add_epi64(c.lanes, _mm512_set1_epi64((at as u64).cast_signed()));
        self.states = _mm512_mask_expand_epi64(self.states, filled, numbers);
        *next += filled.count_ones() as usize;
        filled
    }
}

/// The truth table of one or another or a third.
const OR: i32 = 0xFE;
