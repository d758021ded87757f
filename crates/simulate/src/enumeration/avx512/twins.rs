//! Vector code for decks with one card of each rank, whose neighbouring ranks are twins (see
//! `state`).

use super::lanes::{Constants, HandLanes, LANES, LaneFill, STEPS, VECTORS, store};
use crate::enumeration::batch::{Batch, MAX_BATCH_STATES, PADDING, PackedCounts};
use crate::enumeration::finished::FinishedGames;
use crate::enumeration::state::{CardLayout, State};
use crate::enumeration::state_tally::StateTally;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_add_epi64,
    _mm512_mask_cmpeq_epi64_mask, _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmpneq_epi64_mask,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_max_epu64, _mm512_min_epu64, _mm512_or_si512, _mm512_rolv_epi64, _mm512_srli_epi64,
    _mm512_sub_epi64,
};

/// Maximum number of games still to be played.
///
/// The newest games continue first. Each meeting of twins turns a game in a lane into two, so at
/// most two games for each lane and each pair of twins are added to the states of the batch.
const MAX_OPEN_GAMES: usize = MAX_BATCH_STATES + 2 * 8 * LANES * VECTORS;

/// Games still to be played, as a struct of arrays.
struct OpenGames {
    hands: [Vec<u64>; 2],
    counts: Vec<u64>,
    /// Index in the batch of the state that each game began with.
    states: Vec<u64>,
    games: usize,
}

/// Eight games in vectors, while they are played.
#[derive(Clone, Copy)]
struct TwinGameLanes {
    hands: HandLanes,
    counts: __m512i,
    states: __m512i,
}

/// Plays the states of a batch and counts them.
#[target_feature(enable = "avx512f")]
pub(super) fn play(batch: &Batch, layout: CardLayout, sum: &mut StateTally) {
    let constants = Constants::new(layout);
    let mut open = OpenGames::from_batch(batch);
    let mut finished = FinishedGames::new();
    let mut vectors = [TwinGameLanes::empty(&constants); VECTORS];
    loop {
        let mut busy = 0;
        for lanes in &mut vectors {
            let unfinished = lanes.hands.unfinished_mask();
            let overlong = lanes.overlong_mask(&constants, unfinished);
            for (state, began) in lanes.states_of(overlong) {
                sum.play_on(state, batch.state(began));
            }
            let met = lanes.twins_met_mask(&constants, unfinished & !overlong);
            if met != 0 {
                open.add_continuations(lanes, met, &constants);
            }
            // An empty lane has no counts.
            let over = _mm512_mask_test_epi64_mask(!unfinished, lanes.counts, lanes.counts);
            if over != 0 {
                let counts = constants.pack_lengths(lanes.counts, lanes.hands.lengths);
                finished.record(over, counts, lanes.states);
            }
            let free = !unfinished | overlong | met;
            busy |= !free | lanes.refill(&constants, free, &mut open);
        }
        let is_over = busy == 0;
        if is_over || finished.games + LANES * VECTORS > MAX_BATCH_STATES {
            finished.drain_into(batch, layout, sum);
        }
        if is_over {
            return;
        }
        for _ in 0..STEPS {
            for lanes in &mut vectors {
                lanes.play_pairs(&constants);
            }
        }
    }
}

impl OpenGames {
    /// Returns the games that begin with the states of a batch, all of them still to be played.
    fn from_batch(batch: &Batch) -> Self {
        let column = |words: &[u64]| {
            let mut column = words.to_vec();
            column.resize(MAX_OPEN_GAMES + PADDING, 0);
            column
        };
        let numbers: Vec<u64> = (0..).take(batch.states).collect();
        let [first, second] = &batch.hands;
        Self {
            hands: [first, second].map(|hands| column(&hands[..batch.states])),
            counts: column(&batch.counts[..batch.states]),
            states: column(&numbers),
            games: batch.states,
        }
    }

    /// Adds both continuations of each game in which twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add_continuations(&mut self, lanes: &TwinGameLanes, met: u8, c: &Constants) {
        // The number of deals of a game is even while the game contains twins.
        let half = _mm512_srli_epi64::<1>(_mm512_and_si512(lanes.counts, c.deals));
        let counts = _mm512_sub_epi64(lanes.counts, half);
        let counts = c.pack_lengths(counts, lanes.hands.lengths);
        let [first, second] = lanes.hands.cards;
        let continuations = [
            [_mm512_or_si512(first, c.one), second],
            [first, _mm512_or_si512(second, c.one)],
        ];
        for hands in continuations {
            let at = self.games;
            let put = |words, column: &mut Vec<u64>| {
                store(_mm512_maskz_compress_epi64(met, words), &mut column[at..]);
            };
            for (hand, column) in hands.into_iter().zip(&mut self.hands) {
                put(hand, column);
            }
            put(counts, &mut self.counts);
            put(lanes.states, &mut self.states);
            self.games = at + met.count_ones() as usize;
        }
    }
}

impl TwinGameLanes {
    /// Returns empty lanes: finished games without counts.
    #[target_feature(enable = "avx512f")]
    fn empty(c: &Constants) -> Self {
        Self {
            hands: HandLanes::empty(c),
            counts: c.zero,
            states: c.zero,
        }
    }

    /// Plays a pair in every unfinished game in which no twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn play_pairs(&mut self, c: &Constants) {
        let [first, second] = self.hands.top_cards(c);
        let unfinished = _mm512_mask_cmpneq_epi64_mask(self.hands.unfinished_mask(), first, second);
        // No card leaves the hands in the other games.
        let card = _mm512_maskz_mov_epi64(unfinished, c.card);
        self.hands.remove_top(card);
        let first_wins = _mm512_mask_cmpgt_epu64_mask(unfinished, first, second);
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(first, second), c.card);
        let taken = _mm512_or_si512(_mm512_max_epu64(first, second), lower);
        self.hands
            .take(taken, [first_wins, unfinished & !first_wins], c);
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, unfinished, counts, c.turn);
    }

    /// Returns a mask of the unfinished games in which twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn twins_met_mask(&self, c: &Constants, unfinished: u8) -> u8 {
        let [first, second] = self.hands.top_cards(c);
        _mm512_mask_cmpeq_epi64_mask(unfinished, first, second)
    }

    /// Returns a mask of the unfinished games that take too long and are left to the code that
    /// detects cycles.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn overlong_mask(&self, c: &Constants, unfinished: u8) -> u8 {
        let put = _mm512_and_si512(self.counts, c.cards_put);
        _mm512_mask_cmpgt_epu64_mask(unfinished, put, c.most)
    }

    /// Returns the games in these lanes as states, each with the index in the batch of the state
    /// that the game began with.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn states_of(&self, lanes: u8) -> Vec<(State, usize)> {
        let mut states = Vec::new();
        if lanes == 0 {
            return states;
        }
        let words = |vector| {
            let mut words = [0; LANES];
            store(vector, &mut words);
            words
        };
        let hands = self.hands.cards.map(words);
        let lengths = self.hands.lengths.map(words);
        let (counts, began) = (words(self.counts), words(self.states));
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let counts = PackedCounts(counts[lane]);
            let state = State {
                hands: hands.map(|hands| hands[lane]),
                hand_bits: lengths.map(|lengths| lengths[lane]),
                pot: 0,
                turns: counts.turns(),
                pairs: counts.turns(),
                deals: counts.deals(),
            };
            let began = usize::try_from(began[lane]).expect("a state of the batch");
            states.push((state, began));
        }
        states
    }

    /// Puts open games into free lanes, the newest first, and returns a mask of the filled ones.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, open: &mut OpenGames) -> u8 {
        let lanes = LaneFill::new(free, open.games);
        open.games -= lanes.games();
        let at = open.games;
        self.counts = lanes.fill(self.counts, &open.counts[at..]);
        self.states = lanes.fill(self.states, &open.states[at..]);
        let [first, second] = &open.hands;
        self.hands
            .fill(lanes, [&first[at..], &second[at..]], self.counts, c);
        lanes.filled
    }
}
