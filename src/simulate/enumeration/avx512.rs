//! Eight games in a vector, two vectors in turns, on processors with AVX-512.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over
//! are noted, and the next states of the batch take their place. Without the instructions for
//! wars, decks in which no cards are equal are played faster.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory and stored there, and the processor is asked for them"
)]

use super::batch::{Batch, Column, ROOM, STATES};
use super::counts::{COUNT, HELD, HELD_BITS, TURNS};
use super::ended::Ended;
use super::layout::Layout;
use super::sum::{MOST_PAIRS, Sum};
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_loadu_epi64, _mm512_mask_add_epi64,
    _mm512_mask_and_epi64, _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmplt_epu64_mask,
    _mm512_mask_expand_epi64, _mm512_mask_or_epi64, _mm512_mask_srli_epi64, _mm512_mask_sub_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_max_epu64, _mm512_min_epu64, _mm512_or_si512, _mm512_rolv_epi64, _mm512_set1_epi64,
    _mm512_setr_epi64, _mm512_setzero_si512, _mm512_slli_epi64, _mm512_srli_epi64,
    _mm512_srlv_epi64, _mm512_storeu_epi64, _mm512_sub_epi64, _mm512_ternarylogic_epi64,
    _mm512_test_epi64_mask,
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

/// Numbers that are the same in all lanes.
#[derive(Clone, Copy)]
struct Constants {
    zero: __m512i,
    /// The bits of a card, of a pair, and of all cards.
    card: __m512i,
    pair: __m512i,
    all: __m512i,
    /// The card on top.
    top: __m512i,
    /// A turn in the counts of a state.
    turn: __m512i,
    /// What is counted of a game without what the players hold: the bits of cards put alone, and
    /// all of it.
    count: __m512i,
    counts: __m512i,
    /// The most bits of cards that a player may put.
    most: __m512i,
    /// The bits of what a player holds.
    held: __m512i,
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

impl Avx512 {
    /// The code for cards that lie like this, if the processor can run it.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut Sum) {
        let mut ended = Ended::new();
        // SAFETY: `new` found the feature that the functions are compiled for.
        unsafe {
            if self.0.suits > 1 {
                self.play_batch::<true>(batch, &mut ended);
            } else {
                self.play_batch::<false>(batch, &mut ended);
            }
        }
        ended.count(batch, self.0, sum);
    }

    #[target_feature(enable = "avx512f")]
    fn play_batch<const WARS: bool>(self, batch: &Batch, ended: &mut Ended) {
        let constants = Constants::new(self.0);
        let mut vectors = [Lanes::empty(&constants); VECTORS];
        let mut next = 0;
        loop {
            let mut busy = 0;
            for lanes in &mut vectors {
                let free = lanes.note(&constants, ended);
                busy |= !free | lanes.refill::<WARS>(&constants, free, batch, &mut next);
            }
            if busy == 0 {
                break;
            }
            for _ in 0..STEPS {
                for lanes in &mut vectors {
                    lanes.put_pairs::<WARS>(&constants);
                }
            }
        }
    }
}

impl Constants {
    #[target_feature(enable = "avx512f")]
    fn new(layout: Layout) -> Self {
        let same = |number: u64| _mm512_set1_epi64(number.cast_signed());
        Self {
            zero: _mm512_setzero_si512(),
            card: same(layout.card.into()),
            pair: same(layout.pair().into()),
            all: same(layout.all()),
            top: same(!(u64::MAX << layout.card)),
            turn: same(1 << TURNS),
            count: same(COUNT),
            counts: same(!(u64::MAX << HELD[0])),
            most: same(MOST_PAIRS * u64::from(layout.card)),
            held: same(HELD_BITS),
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
    fn put_pairs<const WARS: bool>(&mut self, c: &Constants) {
        let on = self.going_on();
        // No card is taken from a game that is over.
        let card = _mm512_maskz_mov_epi64(on, c.card);
        let [first, second] = self.hands;
        let cards = [first, second].map(|hand| _mm512_and_si512(hand, c.top));
        let hands = [first, second].map(|hand| _mm512_srlv_epi64(hand, card));
        let lengths = self.lengths.map(|length| _mm512_sub_epi64(length, card));
        let first_wins = _mm512_mask_cmpgt_epu64_mask(on, cards[0], cards[1]);
        let second_wins = if WARS {
            _mm512_mask_cmplt_epu64_mask(on, cards[0], cards[1])
        } else {
            on & !first_wins
        };
        let higher = _mm512_max_epu64(cards[0], cards[1]);
        // What a rotation shifts out is zero.
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(cards[0], cards[1]), c.card);
        let taken = if WARS {
            let pots = _mm512_rolv_epi64(self.pots, c.pair);
            _mm512_ternarylogic_epi64::<OR>(higher, lower, pots)
        } else {
            _mm512_or_si512(higher, lower)
        };
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
        if WARS {
            self.pots = _mm512_maskz_mov_epi64(!decided, taken);
        }
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, decided, counts, c.turn);
    }

    /// Notes the games that are over or take long; the result says which lanes are free.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn note(&self, c: &Constants, ended: &mut Ended) -> u8 {
        let on = self.going_on();
        let put = _mm512_and_si512(self.counts, c.count);
        let free = !on | _mm512_mask_cmpgt_epu64_mask(on, put, c.most);
        // A lane that was empty has counted nothing.
        let noted = _mm512_mask_test_epi64_mask(free, self.counts, self.counts);
        if noted != 0 {
            let first = _mm512_slli_epi64::<{ HELD[0] }>(self.lengths[0]);
            let second = _mm512_slli_epi64::<{ HELD[1] }>(self.lengths[1]);
            let held = _mm512_or_si512(first, second);
            let counts = _mm512_or_si512(_mm512_and_si512(self.counts, c.counts), held);
            let at = ended.games.min(STATES);
            let compressed = |words| _mm512_maskz_compress_epi64(noted, words);
            store(compressed(counts), &mut ended.counts, at);
            store(compressed(self.states), &mut ended.states, at);
            ended.games = at + noted.count_ones() as usize;
        }
        free
    }

    /// Puts the next states of the batch into free lanes; the result says into which.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill<const WARS: bool>(
        &mut self,
        c: &Constants,
        free: u8,
        batch: &Batch,
        next: &mut usize,
    ) -> u8 {
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
        }
        if WARS {
            self.pots = fill(self.pots, &batch.pots);
        }
        self.counts = fill(self.counts, &batch.counts);
        let [first, second] = self.lengths;
        let held = _mm512_srli_epi64::<{ HELD[0] }>(self.counts);
        self.lengths = [
            _mm512_mask_and_epi64(first, free, held, c.held),
            _mm512_mask_srli_epi64::<{ HELD[1] }>(second, free, self.counts),
        ];
        let numbers = _mm512_add_epi64(c.lanes, _mm512_set1_epi64((at as u64).cast_signed()));
        self.states = _mm512_mask_expand_epi64(self.states, filled, numbers);
        *next += filled.count_ones() as usize;
        filled
    }
}

/// The truth table of one or another or a third.
const OR: i32 = 0xFE;

/// The words of a column from here on.
#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(column: &Column, at: usize) -> __m512i {
    let words = &column[at.min(STATES)..][..LANES];
    // SAFETY: the slice has the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
}

/// Puts words into a column, from here on.
#[inline]
#[target_feature(enable = "avx512f")]
fn store(vector: __m512i, column: &mut Column, at: usize) {
    let words = &mut column[at.min(STATES)..][..LANES];
    // SAFETY: the slice has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), vector) }
}
