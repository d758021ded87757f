//! Vector code that plays merged deals (see `merged`) on processors with AVX2: four games in each
//! of two interleaved vectors.
//!
//! A step plays a pair in every game, without a branch. After some steps, finished games are
//! counted one by one, and the next states of the batch take their place.
#![allow(
    unsafe_code,
    reason = "vectors are loaded from memory, and processor features are detected"
)]

use super::batch::{Batch, PackedCounts, TURNS_SHIFT};
use super::state::CardLayout;
use super::state_tally::{FinishedGame, MAX_VECTOR_PAIRS, StateTally};
use std::arch::x86_64::{
    __m256i, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};

/// Number of interleaved vectors: the processor works on one while another waits.
const VECTORS: usize = 2;
/// Number of games in a vector.
const LANES: usize = 4;
/// Number of pairs played before finished games are replaced.
const STEPS: usize = 8;

/// Vector code for processors with AVX2.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2Code(CardLayout);

/// Four games in memory, while finished ones are counted and replaced.
#[derive(Clone, Copy, Default)]
struct StoredGames {
    hands: [[u64; LANES]; 2],
    lengths: [[u64; LANES]; 2],
    pots: [u64; LANES],
    counts: [u64; LANES],
    /// Index in the batch of the state that each game began with.
    states: [usize; LANES],
}

/// Four games in vectors, while they are played.
#[derive(Clone, Copy)]
struct GameLanes {
    hands: [__m256i; 2],
    lengths: [__m256i; 2],
    pots: __m256i,
    counts: __m256i,
}

/// Numbers that are the same in all lanes.
struct Constants {
    zero: __m256i,
    /// Number of bits of a card, of a pair and of all cards.
    card: __m256i,
    pair: __m256i,
    all: __m256i,
    /// Mask of the top card.
    top: __m256i,
    /// Amount that one turn adds to the counts of a game.
    turn: __m256i,
}

impl Avx2Code {
    /// Returns the code for this layout, or `None` if the layout has twins (see `state`) or the
    /// processor lacks AVX2.
    pub(super) fn new(layout: CardLayout) -> Option<Self> {
        let has_code = !layout.has_twins() && is_x86_feature_detected!("avx2");
        has_code.then_some(Self(layout))
    }

    /// Plays the states of a batch and counts them.
    pub(super) fn play(self, batch: &Batch, sum: &mut StateTally) {
        // SAFETY: `new` found the feature that the function is compiled for.
        unsafe { self.play_batch(batch, sum) }
    }

    #[target_feature(enable = "avx2")]
    fn play_batch(self, batch: &Batch, sum: &mut StateTally) {
        let constants = Constants::new(self.0);
        let mut vectors = [StoredGames::default(); VECTORS];
        let mut next = 0;
        loop {
            let mut is_busy = false;
            for games in &mut vectors {
                is_busy |= games.replace_finished(self.0, batch, &mut next, sum);
            }
            if !is_busy {
                break;
            }
            let mut lanes = [GameLanes::load(&vectors[0]), GameLanes::load(&vectors[1])];
            for _ in 0..STEPS {
                for lanes in &mut lanes {
                    lanes.play_pairs(&constants);
                }
            }
            for (games, lanes) in vectors.iter_mut().zip(&lanes) {
                lanes.store(games);
            }
        }
    }
}

impl StoredGames {
    /// Counts finished games and starts others in their place. Returns true if a lane has a game to
    /// play.
    #[inline]
    fn replace_finished(
        &mut self,
        layout: CardLayout,
        batch: &Batch,
        next: &mut usize,
        sum: &mut StateTally,
    ) -> bool {
        let mut is_busy = false;
        for lane in 0..LANES {
            let [first, second] = self.lengths.map(|lengths| lengths[lane]);
            let counts = PackedCounts(self.counts[lane]);
            let (pairs, deals) = (counts.pairs(layout.card_bits), counts.deals());
            if first != 0 && second != 0 {
                if pairs <= MAX_VECTOR_PAIRS {
                    is_busy = true;
                    continue;
                }
                sum.play(batch.state(self.states[lane]));
            } else if deals > 0 {
                let in_war = first + second < layout.all_bits();
                let turns = counts.turns() + u64::from(in_war);
                sum.count(turns, pairs, deals, first == second);
                let [most_turns, most_pairs] = sum.longest_lengths();
                if turns >= most_turns || pairs >= most_pairs {
                    let state = batch.state(self.states[lane]);
                    sum.examine(FinishedGame {
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

    /// Puts the next state of the batch into a lane. Returns true if the batch had another state.
    #[inline]
    fn fill(&mut self, lane: usize, batch: &Batch, next: &mut usize) -> bool {
        let at = *next;
        let is_available = at < batch.states;
        let counts = if is_available { batch.counts[at] } else { 0 };
        for player in 0..2 {
            self.hands[player][lane] = batch.hands[player][at];
            self.lengths[player][lane] = PackedCounts(counts).lengths()[player];
        }
        self.pots[lane] = batch.pots[at];
        self.counts[lane] = counts;
        self.states[lane] = at;
        *next += usize::from(is_available);
        is_available
    }
}

impl Constants {
    #[target_feature(enable = "avx2")]
    fn new(layout: CardLayout) -> Self {
        let same = |number: u64| _mm256_set1_epi64x(number.cast_signed());
        Self {
            zero: _mm256_setzero_si256(),
            card: same(layout.card_bits.into()),
            pair: same(layout.pair_bits().into()),
            all: same(layout.all_bits()),
            top: same(!(u64::MAX << layout.card_bits)),
            turn: same(1 << TURNS_SHIFT),
        }
    }
}

impl GameLanes {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn load(games: &StoredGames) -> Self {
        Self {
            hands: [load(&games.hands[0]), load(&games.hands[1])],
            lengths: [load(&games.lengths[0]), load(&games.lengths[1])],
            pots: load(&games.pots),
            counts: load(&games.counts),
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn store(&self, games: &mut StoredGames) {
        for player in 0..2 {
            store(self.hands[player], &mut games.hands[player]);
            store(self.lengths[player], &mut games.lengths[player]);
        }
        store(self.pots, &mut games.pots);
        store(self.counts, &mut games.counts);
    }

    /// Plays a pair in every unfinished game.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn play_pairs(&mut self, c: &Constants) {
        let [first, second] = self.lengths;
        let over = _mm256_or_si256(
            _mm256_cmpeq_epi64(first, c.zero),
            _mm256_cmpeq_epi64(second, c.zero),
        );
        // No card leaves the hands of a finished game.
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
            // The table is then empty: the winner holds all cards that the loser doesn't.
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
fn load(words: &[u64; LANES]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(vector: __m256i, words: &mut [u64; LANES]) {
    // SAFETY: the array has the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
}
