//! Decks with one card of each rank, whose neighbouring ranks are twins.

use super::lanes::{Constants, Filled, Held, LANES, STEPS, VECTORS, store};
use crate::enumeration::batch::{Batch, Counts, ROOM, STATES};
use crate::enumeration::ended::Ended;
use crate::enumeration::state::{Layout, State};
use crate::enumeration::sum::Sum;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_mask_add_epi64,
    _mm512_mask_cmpeq_epi64_mask, _mm512_mask_cmpgt_epu64_mask, _mm512_mask_cmpneq_epi64_mask,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_max_epu64, _mm512_min_epu64, _mm512_or_si512, _mm512_rolv_epi64, _mm512_srli_epi64,
    _mm512_sub_epi64,
};

/// The most games that are still to be played.
///
/// The newest go on first. Whenever twins meet in a game that is played, it leaves two, so that
/// there are at most two for each lane and for each pair of twins more than at the beginning.
const MOST_OPEN: usize = STATES + 2 * 8 * LANES * VECTORS;

/// Games that are still to be played, each of their parts in a column.
struct Open {
    hands: [Vec<u64>; 2],
    counts: Vec<u64>,
    /// Which state of the batch each began with.
    states: Vec<u64>,
    games: usize,
}

/// Eight games.
#[derive(Clone, Copy)]
struct Lanes {
    held: Held,
    counts: __m512i,
    states: __m512i,
}

/// Plays the states of a batch and counts them.
#[target_feature(enable = "avx512f")]
pub(super) fn play(batch: &Batch, layout: Layout, sum: &mut Sum) {
    let constants = Constants::new(layout);
    let mut open = Open::all(batch);
    let mut ended = Ended::new();
    let mut vectors = [Lanes::empty(&constants); VECTORS];
    loop {
        let mut busy = 0;
        for lanes in &mut vectors {
            let on = lanes.held.going_on();
            let late = lanes.late(&constants, on);
            for (state, began) in lanes.states_of(late) {
                sum.play_on(state, batch.state(began));
            }
            let met = lanes.twins_meet(&constants, on & !late);
            if met != 0 {
                open.add_both(lanes, met, &constants);
            }
            // A lane that was empty has counted nothing.
            let over = _mm512_mask_test_epi64_mask(!on, lanes.counts, lanes.counts);
            if over != 0 {
                let counts = constants.with_held(lanes.counts, lanes.held.lengths);
                ended.note(over, counts, lanes.states);
            }
            let free = !on | late | met;
            busy |= !free | lanes.refill(&constants, free, &mut open);
        }
        let is_over = busy == 0;
        if is_over || ended.games + LANES * VECTORS > STATES {
            ended.count(batch, layout, sum);
        }
        if is_over {
            return;
        }
        for _ in 0..STEPS {
            for lanes in &mut vectors {
                lanes.put_pairs(&constants);
            }
        }
    }
}

impl Open {
    /// All states of a batch.
    fn all(batch: &Batch) -> Self {
        let column = |words: &[u64]| {
            let mut column = words.to_vec();
            column.resize(MOST_OPEN + ROOM, 0);
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

    /// Adds the two ways in which each of some games goes on, in which twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn add_both(&mut self, lanes: &Lanes, met: u8, c: &Constants) {
        // The weight of a game is even as long as there are twins in it.
        let half = _mm512_srli_epi64::<1>(_mm512_and_si512(lanes.counts, c.deals));
        let counts = _mm512_sub_epi64(lanes.counts, half);
        let counts = c.with_held(counts, lanes.held.lengths);
        let [first, second] = lanes.held.hands;
        let ways = [
            [_mm512_or_si512(first, c.one), second],
            [first, _mm512_or_si512(second, c.one)],
        ];
        for hands in ways {
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

impl Lanes {
    /// Games that are over, and count for nothing.
    #[target_feature(enable = "avx512f")]
    fn empty(c: &Constants) -> Self {
        Self {
            held: Held::nothing(c),
            counts: c.zero,
            states: c.zero,
        }
    }

    /// Puts a pair in every game that goes on and in which no twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn put_pairs(&mut self, c: &Constants) {
        let [first, second] = self.held.on_top(c);
        let on = _mm512_mask_cmpneq_epi64_mask(self.held.going_on(), first, second);
        // No card is taken from the other games.
        let card = _mm512_maskz_mov_epi64(on, c.card);
        self.held.put(card);
        let first_wins = _mm512_mask_cmpgt_epu64_mask(on, first, second);
        let lower = _mm512_rolv_epi64(_mm512_min_epu64(first, second), c.card);
        let taken = _mm512_or_si512(_mm512_max_epu64(first, second), lower);
        self.held.take(taken, [first_wins, on & !first_wins], c);
        let counts = _mm512_add_epi64(self.counts, card);
        self.counts = _mm512_mask_add_epi64(counts, on, counts, c.turn);
    }

    /// In which of the games that go on twins meet.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn twins_meet(&self, c: &Constants, on: u8) -> u8 {
        let [first, second] = self.held.on_top(c);
        _mm512_mask_cmpeq_epi64_mask(on, first, second)
    }

    /// Which of the games that go on take long, and are left to the code that knows cycles.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn late(&self, c: &Constants, on: u8) -> u8 {
        let put = _mm512_and_si512(self.counts, c.put);
        _mm512_mask_cmpgt_epu64_mask(on, put, c.most)
    }

    /// Some games as they are now, and the states of the batch that they began with.
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
        let hands = self.held.hands.map(words);
        let lengths = self.held.lengths.map(words);
        let (counts, began) = (words(self.counts), words(self.states));
        for lane in (0..LANES).filter(|lane| lanes >> lane & 1 == 1) {
            let counts = Counts(counts[lane]);
            let state = State {
                hands: hands.map(|hands| hands[lane]),
                lengths: lengths.map(|lengths| lengths[lane]),
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

    /// Puts games that are still to be played into free lanes, the newest first; the result says
    /// into which.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn refill(&mut self, c: &Constants, free: u8, open: &mut Open) -> u8 {
        let lanes = Filled::new(free, open.games);
        open.games -= lanes.games();
        let at = open.games;
        self.counts = lanes.with(self.counts, &open.counts[at..]);
        self.states = lanes.with(self.states, &open.states[at..]);
        let [first, second] = &open.hands;
        self.held
            .fill(lanes, [&first[at..], &second[at..]], self.counts, c);
        lanes.filled
    }
}
