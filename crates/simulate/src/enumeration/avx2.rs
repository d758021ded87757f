//! Four games in a vector, two vectors in turns, on processors with AVX2.
//!
//! A step puts a pair in every game, without a branch. After some steps, games that are over
//! are counted one by one, and the next states of the batch take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory, and the processor is asked for them"
)]

use super::batch::{Batch, Counts, TURNS};
use super::state::Layout;
use super::sum::{Game, MOST_PAIRS, Sum};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};

/// How many vectors are played in turns: the processor works on one while another waits.
const VECTORS: usize = 2;
/// How many games a vector holds.
const LANES: usize = 4;
/// How many pairs are put before games that are over make room.
const STEPS: usize = 8;

/// The code, on a processor that can run it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(Layout);

/// Four games while they are counted.
#[derive(Clone, Copy, Default)]
struct Slots {
    hands: [[u64; LANES]; 2],
    lengths: [[u64; LANES]; 2],
    pots: [u64; LANES],
    counts: [u64; LANES],
    /// Which states of the batch they began with.
    states: [usize; LANES],
}

/// Four games while they are played.
#[derive(Clone, Copy)]
struct Lanes {
    hands: [__m256i; 2],
    lengths: [__m256i; 2],
    pots: __m256i,
    counts: __m256i,
}

/// Numbers that are the same in all lanes.
struct Constants {
    zero: __m256i,
    /// The bits of a card, of a pair, and of all cards.
    card: __m256i,
    pair: __m256i,
    all: __m256i,
    /// The card on top.
    top: __m256i,
    /// A turn in the counts of a state.
    turn: __m256i,
}

impl Avx2 {
    /// The code for cards that lie like this, if there is such and the processor can run it.
    pub(super) fn new(layout: Layout) -> Option<Self> {
        let has_code = !layout.has_twins() && is_x86_feature_detected!("avx2");
        has_code.then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut Sum) {
        // SAFETY: `new` found the feature that the function is compiled for.
        unsafe { self.play_batch(batch, sum) }
    }

    #[target_feature(enable = "avx2")]
    fn play_batch(self, batch: &Batch, sum: &mut Sum) {
        let constants = Constants::new(self.0);
        let mut vectors = [Slots::default(); VECTORS];
        let mut next = 0;
        loop {
            let mut is_busy = false;
            for slots in &mut vectors {
                is_busy |= slots.renew(self.0, batch, &mut next, sum);
            }
            if !is_busy {
                break;
            }
            let mut lanes = [Lanes::of(&vectors[0]), Lanes::of(&vectors[1])];
            for _ in 0..STEPS {
                for lanes in &mut lanes {
                    lanes.put_pairs(&constants);
                }
            }
            for (slots, lanes) in vectors.iter_mut().zip(&lanes) {
                lanes.store(slots);
            }
        }
    }
}

impl Slots {
    /// Counts games that are over, and begins others in their place; the result says whether
    /// there is one to play.
    #[inline]
    fn renew(&mut self, layout: Layout, batch: &Batch, next: &mut usize, sum: &mut Sum) -> bool {
        let mut is_busy = false;
        for lane in 0..LANES {
            let [first, second] = self.lengths.map(|lengths| lengths[lane]);
            let counts = Counts(self.counts[lane]);
            let (pairs, deals) = (counts.pairs(layout.card), counts.deals());
            if first != 0 && second != 0 {
                if pairs <= MOST_PAIRS {
                    is_busy = true;
                    continue;
                }
                sum.play(batch.state(self.states[lane]));
            } else if deals > 0 {
                let in_war = first + second < layout.all();
                let turns = counts.turns() + u64::from(in_war);
                sum.count(turns, pairs, deals, first == second);
                let [most_turns, most_pairs] = sum.most();
                if turns >= most_turns || pairs >= most_pairs {
                    let state = batch.state(self.states[lane]);
                    sum.see(Game {
                        state,
                        turns,
                        pairs,
                    });
                }
            }
            is_busy |= self.fill(lane, batch, next);
        }
        is_busy
    }

    /// Puts the next state of the batch into a lane, if there is one.
    #[inline]
    fn fill(&mut self, lane: usize, batch: &Batch, next: &mut usize) -> bool {
        let at = *next;
        let is_there = at < batch.states;
        let counts = if is_there { batch.counts[at] } else { 0 };
        for player in 0..2 {
            self.hands[player][lane] = batch.hands[player][at];
            self.lengths[player][lane] = Counts(counts).lengths()[player];
        }
        self.pots[lane] = batch.pots[at];
        self.counts[lane] = counts;
        self.states[lane] = at;
        *next += usize::from(is_there);
        is_there
    }
}

impl Constants {
    #[target_feature(enable = "avx2")]
    fn new(layout: Layout) -> Self {
        let same = |number: u64| _mm256_set1_epi64x(number.cast_signed());
        Self {
            zero: _mm256_setzero_si256(),
            card: same(layout.card.into()),
            pair: same(layout.pair().into()),
            all: same(layout.all()),
            top: same(!(u64::MAX << layout.card)),
            turn: same(1 << TURNS),
        }
    }
}

impl Lanes {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn of(slots: &Slots) -> Self {
        Self {
            hands: [loaded(&slots.hands[0]), loaded(&slots.hands[1])],
            lengths: [loaded(&slots.lengths[0]), loaded(&slots.lengths[1])],
            pots: loaded(&slots.pots),
            counts: loaded(&slots.counts),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(&self, slots: &mut Slots) {
        for player in 0..2 {
            store(self.hands[player], &mut slots.hands[player]);
            store(self.lengths[player], &mut slots.lengths[player]);
        }
        store(self.pots, &mut slots.pots);
        store(self.counts, &mut slots.counts);
    }

    /// Puts a pair in every game that goes on.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn put_pairs(&mut self, c: &Constants) {
        let [first, second] = self.lengths;
        let over = _mm256_or_si256(
            _mm256_cmpeq_epi64(first, c.zero),
            _mm256_cmpeq_epi64(second, c.zero),
        );
        // No card is taken from a game that is over.
        let card = _mm256_andnot_si256(over, c.card);
        let lengths = [
            _mm256_sub_epi64(first, card),
            _mm256_sub_epi64(second, card),
        ];
        let [first, second] = self.hands;
        let hands = [
            _mm256_srlv_epi64(first, card),
            _mm256_srlv_epi64(second, card),
        ];
        let (first, second) = (
            _mm256_and_si256(first, c.top),
            _mm256_and_si256(second, c.top),
        );
        let is_more = _mm256_cmpgt_epi64(first, second);
        let is_less = _mm256_cmpgt_epi64(second, first);
        let higher = _mm256_blendv_epi8(second, first, is_more);
        let lower = _mm256_blendv_epi8(first, second, is_more);
        let pots = _mm256_sllv_epi64(self.pots, c.pair);
        let taken = _mm256_or_si256(higher, _mm256_sllv_epi64(lower, c.card));
        let taken = _mm256_or_si256(taken, pots);
        let wins = [
            _mm256_andnot_si256(over, is_more),
            _mm256_andnot_si256(over, is_less),
        ];
        for player in 0..2 {
            let placed = _mm256_sllv_epi64(taken, lengths[player]);
            let placed = _mm256_and_si256(placed, wins[player]);
            self.hands[player] = _mm256_or_si256(hands[player], placed);
            // Nothing is on the table then: the winner holds what the other one does not.
            let held = _mm256_sub_epi64(c.all, lengths[1 - player]);
            self.lengths[player] = _mm256_blendv_epi8(lengths[player], held, wins[player]);
        }
        let decided = _mm256_or_si256(is_more, is_less);
        self.pots = _mm256_andnot_si256(decided, taken);
        let turn = _mm256_and_si256(_mm256_or_si256(wins[0], wins[1]), c.turn);
        self.counts = _mm256_add_epi64(_mm256_add_epi64(self.counts, card), turn);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn loaded(words: &[u64; LANES]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(vector: __m256i, words: &mut [u64; LANES]) {
    // SAFETY: the array has the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
}
