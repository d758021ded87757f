//! Eight games in a vector, three vectors in turns, on processors with AVX-512.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over
//! are counted, and the next states of the batch take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory, and the processor is asked for them"
)]

use super::batch::{Batch, COUNT, Column, DEALS, ROOM, STATES, TURNS};
use super::layout::Layout;
use super::sum::{Game, MOST_PAIRS, MOST_TURNS, Sum};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_cmplt_epi64_mask,
    _mm512_loadu_epi64, _mm512_mask_add_epi64, _mm512_mask_cmpge_epu64_mask,
    _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmplt_epu64_mask, _mm512_mask_expand_epi64,
    _mm512_mask_or_epi64, _mm512_mask_srlv_epi64, _mm512_mask_sub_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_mov_epi64, _mm512_maskz_srli_epi64, _mm512_max_epu64,
    _mm512_min_epu64, _mm512_mul_epu32, _mm512_reduce_add_epi64, _mm512_set1_epi64,
    _mm512_setr_epi64, _mm512_setzero_si512, _mm512_sllv_epi64, _mm512_srli_epi64,
    _mm512_storeu_epi64, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask,
};

/// How many vectors are played in turns: the processor works on one while another waits.
const VECTORS: usize = 3;
/// How many games a vector holds.
const LANES: usize = ROOM;
/// How many pairs are put before games that are over make room.
const STEPS: usize = 6;

/// The code, on a processor that can run it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(Layout);

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
    /// A turn in the counts of a state.
    turn: __m512i,
    /// The number of pairs in the counts of a state.
    count: __m512i,
    most_pairs: __m512i,
    /// The numbers of the lanes.
    lanes: __m512i,
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

/// What is counted of games that are over.
struct Totals {
    pairs: __m512i,
    drawn: __m512i,
}

impl Avx512 {
    /// The code for cards that lie like this, if the processor can run it.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut Sum) {
        // SAFETY: `new` found the feature that the function is compiled for.
        unsafe { self.play_batch(batch, sum) }
    }

    #[target_feature(enable = "avx512f")]
    fn play_batch(self, batch: &Batch, sum: &mut Sum) {
        let constants = Constants::new(self.0);
        let mut totals = Totals {
            pairs: constants.zero,
            drawn: constants.zero,
        };
        let mut vectors = [Lanes::empty(&constants); VECTORS];
        let mut next = 0;
        loop {
            let mut busy = 0;
            for lanes in &mut vectors {
                let over = lanes.count(&constants, batch, &mut totals, sum);
                busy |= !over | lanes.refill(&constants, over, batch, &mut next);
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
        sum.pairs += _mm512_reduce_add_epi64(totals.pairs).cast_unsigned();
        sum.drawn += _mm512_reduce_add_epi64(totals.drawn).cast_unsigned();
    }
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
            count: same(COUNT),
            most_pairs: same(MOST_PAIRS),
            lanes: _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        }
    }
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

    /// Which games go on: both players hold a card.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn going_on(&self) -> u8 {
        let [first, second] = self.lengths;
        _mm512_mask_test_epi64_mask(_mm512_test_epi64_mask(first, first), second, second)
    }

    /// Puts a pair in every game that goes on.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn put_pairs(&mut self, c: &Constants) {
        let on = self.going_on();
        let [first, second] = self.hands;
        let cards = [
            _mm512_and_si512(first, c.top),
            _mm512_and_si512(second, c.top),
        ];
        let hands = [
            _mm512_mask_srlv_epi64(first, on, first, c.card),
            _mm512_mask_srlv_epi64(second, on, second, c.card),
        ];
        let [first, second] = self.lengths;
        let lengths = [
            _mm512_mask_sub_epi64(first, on, first, c.card),
            _mm512_mask_sub_epi64(second, on, second, c.card),
        ];
        let first_wins = _mm512_mask_cmpgt_epu64_mask(on, cards[0], cards[1]);
        let second_wins = _mm512_mask_cmplt_epu64_mask(on, cards[0], cards[1]);
        let tied = _mm512_cmpeq_epi64_mask(cards[0], cards[1]);
        let higher = _mm512_max_epu64(cards[0], cards[1]);
        let lower = _mm512_sllv_epi64(_mm512_min_epu64(cards[0], cards[1]), c.card);
        let pots = _mm512_sllv_epi64(self.pots, c.pair);
        let taken = _mm512_ternarylogic_epi64::<OR>(higher, lower, pots);
        let placed = lengths.map(|length| _mm512_sllv_epi64(taken, length));
        self.hands = [
            _mm512_mask_or_epi64(hands[0], first_wins, hands[0], placed[0]),
            _mm512_mask_or_epi64(hands[1], second_wins, hands[1], placed[1]),
        ];
        // Nothing is on the table then: the winner holds what the other one does not.
        self.lengths = [
            _mm512_mask_sub_epi64(lengths[0], first_wins, c.all, lengths[1]),
            _mm512_mask_sub_epi64(lengths[1], second_wins, c.all, lengths[0]),
        ];
        self.pots = _mm512_maskz_mov_epi64(tied, taken);
        let counts = _mm512_mask_add_epi64(self.counts, on, self.counts, c.one);
        self.counts = _mm512_mask_add_epi64(counts, first_wins | second_wins, counts, c.turn);
    }

    /// Counts the games that are over, and plays those that take long in another way; the
    /// result says which lanes are free.
    #[inline]
    #[target_feature(enable = "avx512f")]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "turns in a list, and places in a batch"
    )]
    fn count(&self, c: &Constants, batch: &Batch, totals: &mut Totals, sum: &mut Sum) -> u8 {
        let on = self.going_on();
        let deals = _mm512_maskz_srli_epi64::<DEALS>(!on, self.counts);
        let pairs = _mm512_and_si512(self.counts, c.count);
        let [first, second] = self.lengths;
        let in_war = _mm512_cmplt_epi64_mask(_mm512_add_epi64(first, second), c.all);
        let turns = _mm512_and_si512(_mm512_srli_epi64::<TURNS>(self.counts), c.count);
        let turns = _mm512_mask_add_epi64(turns, in_war, turns, c.one);
        let drawn = _mm512_cmpeq_epi64_mask(first, second);
        totals.pairs = _mm512_add_epi64(totals.pairs, _mm512_mul_epu32(deals, pairs));
        totals.drawn = _mm512_mask_add_epi64(totals.drawn, drawn, totals.drawn, deals);
        let (turns_of, deals_of) = (stored(turns), stored(deals));
        // Without a branch: a game that goes on counts for no deals.
        for lane in 0..LANES {
            sum.turns[turns_of[lane] as usize % MOST_TURNS] += deals_of[lane];
        }
        let [most_turns, most_pairs] = sum.most().map(|most| _mm512_set1_epi64(most.cast_signed()));
        let longest = _mm512_mask_cmpge_epu64_mask(!on, turns, most_turns)
            | _mm512_mask_cmpge_epu64_mask(!on, pairs, most_pairs);
        let late = _mm512_mask_cmpgt_epu64_mask(on, pairs, c.most_pairs);
        if longest | late != 0 {
            let (states, pairs) = (stored(self.states), stored(pairs));
            let state = |lane: usize| batch.state(states[lane] as usize);
            // A lane that was empty has no deals.
            for lane in set_bits(longest).filter(|&lane| deals_of[lane] > 0) {
                sum.see(Game {
                    state: state(lane),
                    turns: turns_of[lane],
                    pairs: pairs[lane],
                });
            }
            for lane in set_bits(late) {
                sum.play(state(lane));
            }
        }
        !on | late
    }

    /// Puts the next states of the batch into free lanes; the result says into which.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, batch: &Batch, next: &mut usize) -> u8 {
        let mut filled = free;
        let room = free.count_ones() as usize;
        for _ in batch.states - *next..room {
            // The highest one of them stays empty.
            filled &= !(1 << (u8::BITS - 1 - filled.leading_zeros()));
        }
        let at = *next;
        let fill = |lanes: __m512i, column: &Column| {
            let kept = _mm512_maskz_mov_epi64(!free, lanes);
            _mm512_mask_expand_epi64(kept, filled, loaded(column, at))
        };
        for player in 0..2 {
            self.hands[player] = fill(self.hands[player], &batch.hands[player]);
            self.lengths[player] = fill(self.lengths[player], &batch.lengths[player]);
        }
        self.pots = fill(self.pots, &batch.pots);
        self.counts = fill(self.counts, &batch.counts);
        let numbers = _mm512_add_epi64(c.lanes, _mm512_set1_epi64((at as u64).cast_signed()));
        self.states = _mm512_mask_expand_epi64(self.states, filled, numbers);
        *next += filled.count_ones() as usize;
        filled
    }
}

/// The truth table of one or another or a third.
const OR: i32 = 0xFE;

/// The numbers of the bits that are set.
#[inline]
fn set_bits(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        lowest
    })
}

/// The words of a column from here on.
#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(column: &Column, at: usize) -> __m512i {
    let words = &column[at.min(STATES)..][..LANES];
    // SAFETY: the slice has the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
}

/// The words of a vector.
#[inline]
#[target_feature(enable = "avx512f")]
fn stored(vector: __m512i) -> [u64; LANES] {
    let mut words = [0; LANES];
    // SAFETY: the array has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), vector) };
    words
}
