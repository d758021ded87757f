//! What games in vectors have in common.

use crate::enumeration::batch::{COUNT, DEALS, HELD, HELD_BITS, ROOM, TURNS};
use crate::enumeration::ended::Ended;
use crate::enumeration::state::Layout;
use crate::enumeration::sum::MOST_PAIRS;
use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_loadu_epi64, _mm512_mask_and_epi64, _mm512_mask_expand_epi64,
    _mm512_mask_or_epi64, _mm512_mask_srli_epi64, _mm512_mask_sub_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_or_si512, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi64, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_storeu_epi64, _mm512_sub_epi64,
    _mm512_test_epi64_mask,
};

/// How many vectors are played in turns: the processor works on one while another waits.
pub(super) const VECTORS: usize = 2;
/// How many games a vector holds.
pub(super) const LANES: usize = ROOM;
/// How many pairs are put before games that are over make room.
pub(super) const STEPS: usize = 8;

/// Numbers that are the same in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Constants {
    pub(super) zero: __m512i,
    pub(super) one: __m512i,
    /// The bits of a card, of a pair, and of all cards.
    pub(super) card: __m512i,
    pub(super) pair: __m512i,
    pub(super) all: __m512i,
    /// The card on top.
    pub(super) top: __m512i,
    /// A turn in the counts of a game.
    pub(super) turn: __m512i,
    /// In the counts of a game: what is put, the deals, and all but what the players hold.
    pub(super) put: __m512i,
    pub(super) deals: __m512i,
    pub(super) counts: __m512i,
    /// The bits of what a player holds.
    pub(super) held: __m512i,
    /// The most bits of cards that a player may put.
    pub(super) most: __m512i,
    /// The numbers of the lanes.
    pub(super) lanes: __m512i,
}

impl Constants {
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(layout: Layout) -> Self {
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
    pub(super) fn with_held(&self, counts: __m512i, [first, second]: [__m512i; 2]) -> __m512i {
        let first = _mm512_slli_epi64::<{ HELD[0] }>(first);
        let second = _mm512_slli_epi64::<{ HELD[1] }>(second);
        let held = _mm512_or_si512(first, second);
        _mm512_or_si512(_mm512_and_si512(counts, self.counts), held)
    }

    /// What the players hold by the counts of games that were put into free lanes, and what they
    /// hold in the others.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn held_by(
        &self,
        [first, second]: [__m512i; 2],
        free: u8,
        counts: __m512i,
    ) -> [__m512i; 2] {
        let held = _mm512_srli_epi64::<{ HELD[0] }>(counts);
        [
            _mm512_mask_and_epi64(first, free, held, self.held),
            _mm512_mask_srli_epi64::<{ HELD[1] }>(second, free, counts),
        ]
    }
}

/// What the players of eight games hold.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) hands: [__m512i; 2],
    /// The bits of the cards in each hand.
    pub(super) lengths: [__m512i; 2],
}

impl Held {
    /// Nothing.
    #[target_feature(enable = "avx512f")]
    pub(super) fn nothing(c: &Constants) -> Self {
        Self {
            hands: [c.zero; 2],
            lengths: [c.zero; 2],
        }
    }

    /// Which games go on: both players hold a card.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn going_on(&self) -> u8 {
        let [first, second] = self.lengths;
        _mm512_mask_test_epi64_mask(_mm512_test_epi64_mask(first, first), second, second)
    }

    /// The cards on top.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn on_top(&self, c: &Constants) -> [__m512i; 2] {
        self.hands.map(|hand| _mm512_and_si512(hand, c.top))
    }

    /// Takes the cards on top away: these are the bits of a card, or none in games that wait.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn put(&mut self, card: __m512i) {
        self.hands = self.hands.map(|hand| _mm512_srlv_epi64(hand, card));
        self.lengths = self.lengths.map(|length| _mm512_sub_epi64(length, card));
    }

    /// Puts all that is on the table under the hands of the winners: player 1 wins in the lanes of
    /// the first mask, player 2 in those of the second.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn take(
        &mut self,
        taken: __m512i,
        [first_wins, second_wins]: [u8; 2],
        c: &Constants,
    ) {
        // What a rotation shifts out is zero.
        let placed = self.lengths.map(|length| _mm512_rolv_epi64(taken, length));
        let [first, second] = self.hands;
        self.hands = [
            _mm512_mask_or_epi64(first, first_wins, first, placed[0]),
            _mm512_mask_or_epi64(second, second_wins, second, placed[1]),
        ];
        // The winner holds what the other one does not.
        let [first, second] = self.lengths;
        self.lengths = [
            _mm512_mask_sub_epi64(first, first_wins, c.all, second),
            _mm512_mask_sub_epi64(second, second_wins, c.all, first),
        ];
    }

    /// Puts games into free lanes, of which these are filled with the first of these hands and counts.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn fill(
        &mut self,
        lanes: Filled,
        hands: [&[u64]; 2],
        counts: __m512i,
        c: &Constants,
    ) {
        for (hand, words) in self.hands.iter_mut().zip(hands) {
            *hand = lanes.with(*hand, words);
        }
        self.lengths = c.held_by(self.lengths, lanes.free, counts);
    }
}

/// Which lanes are free, and which of them are filled.
#[derive(Clone, Copy)]
pub(super) struct Filled {
    pub(super) free: u8,
    pub(super) filled: u8,
}

impl Filled {
    /// Of the free lanes, the highest ones stay empty where no more than so many games are there.
    #[inline]
    pub(super) fn new(free: u8, there: usize) -> Self {
        let mut filled = free;
        for _ in there..free.count_ones() as usize {
            filled &= !(1 << (u8::BITS - 1 - filled.leading_zeros()));
        }
        Self { free, filled }
    }

    /// How many lanes are filled.
    #[inline]
    pub(super) const fn games(self) -> usize {
        self.filled.count_ones() as usize
    }

    /// A vector with the first of these words in the lanes that are filled, and zero in the others
    /// that are free.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn with(self, lanes: __m512i, words: &[u64]) -> __m512i {
        let kept = _mm512_maskz_mov_epi64(!self.free, lanes);
        _mm512_mask_expand_epi64(kept, self.filled, loaded(words))
    }
}

impl Ended {
    /// Notes the games of some lanes, which began with these states.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn note(&mut self, lanes: u8, counts: __m512i, states: __m512i) {
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
pub(super) fn store(vector: __m512i, words: &mut [u64]) {
    let words = &mut words[..LANES];
    // SAFETY: the slice has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), vector) }
}
