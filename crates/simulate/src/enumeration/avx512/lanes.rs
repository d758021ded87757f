//! Vector operations shared by the code for decks with twins (see `state`) and without twins.

use crate::enumeration::batch::{
    COUNT_MASK, DEALS_SHIFT, LENGTH_MASK, LENGTH_SHIFTS, PADDING, TURNS_SHIFT,
};
use crate::enumeration::finished::FinishedGames;
use crate::enumeration::state::CardLayout;
use crate::enumeration::state_tally::MAX_VECTOR_PAIRS;
use std::arch::x86_64::{
    __m512i, _mm512_and_si512, _mm512_loadu_epi64, _mm512_mask_and_epi64, _mm512_mask_expand_epi64,
    _mm512_mask_or_epi64, _mm512_mask_srli_epi64, _mm512_mask_sub_epi64,
    _mm512_mask_test_epi64_mask, _mm512_maskz_compress_epi64, _mm512_maskz_mov_epi64,
    _mm512_or_si512, _mm512_rolv_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512,
    _mm512_slli_epi64, _mm512_srli_epi64, _mm512_srlv_epi64, _mm512_storeu_epi64, _mm512_sub_epi64,
    _mm512_test_epi64_mask,
};

/// Number of interleaved vectors: the processor works on one while another waits.
pub(super) const VECTORS: usize = 2;
/// Number of games in a vector.
pub(super) const LANES: usize = PADDING;
/// Number of pairs played before finished games are replaced.
pub(super) const STEPS: usize = 8;

/// Numbers that are the same in all lanes.
#[derive(Clone, Copy)]
pub(super) struct Constants {
    pub(super) zero: __m512i,
    pub(super) one: __m512i,
    /// Number of bits of a card, of a pair and of all cards.
    pub(super) card: __m512i,
    pub(super) pair: __m512i,
    pub(super) all: __m512i,
    /// Mask of the top card.
    pub(super) top: __m512i,
    /// Amount that one turn adds to the counts of a game.
    pub(super) turn: __m512i,
    /// Masks in the counts of a game: the cards put, the deals, and all except the hand lengths.
    pub(super) cards_put: __m512i,
    pub(super) deals: __m512i,
    pub(super) counts: __m512i,
    /// Mask of a hand length.
    pub(super) length: __m512i,
    /// Maximum number of bits of the cards put by a player before a game counts as too long.
    pub(super) most: __m512i,
    /// Lane numbers, from 0 to 7.
    pub(super) lanes: __m512i,
}

impl Constants {
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(layout: CardLayout) -> Self {
        let same = |number: u64| _mm512_set1_epi64(number.cast_signed());
        Self {
            zero: _mm512_setzero_si512(),
            one: same(1),
            card: same(layout.card_bits.into()),
            pair: same(layout.pair_bits().into()),
            all: same(layout.all_bits()),
            top: same(!(u64::MAX << layout.card_bits)),
            turn: same(1 << TURNS_SHIFT),
            cards_put: same(COUNT_MASK),
            deals: same(COUNT_MASK << DEALS_SHIFT),
            counts: same(!(u64::MAX << LENGTH_SHIFTS[0])),
            length: same(LENGTH_MASK),
            most: same(MAX_VECTOR_PAIRS * u64::from(layout.card_bits)),
            lanes: _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        }
    }

    /// Returns the counts with these hand lengths.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn pack_lengths(&self, counts: __m512i, [first, second]: [__m512i; 2]) -> __m512i {
        let first = _mm512_slli_epi64::<{ LENGTH_SHIFTS[0] }>(first);
        let second = _mm512_slli_epi64::<{ LENGTH_SHIFTS[1] }>(second);
        let lengths = _mm512_or_si512(first, second);
        _mm512_or_si512(_mm512_and_si512(counts, self.counts), lengths)
    }

    /// Returns the hand lengths: in free lanes those in `counts`, in the others unchanged.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn refill_lengths(
        &self,
        [first, second]: [__m512i; 2],
        free: u8,
        counts: __m512i,
    ) -> [__m512i; 2] {
        let lengths = _mm512_srli_epi64::<{ LENGTH_SHIFTS[0] }>(counts);
        [
            _mm512_mask_and_epi64(first, free, lengths, self.length),
            _mm512_mask_srli_epi64::<{ LENGTH_SHIFTS[1] }>(second, free, counts),
        ]
    }
}

/// Hands of eight games.
#[derive(Clone, Copy)]
pub(super) struct HandLanes {
    pub(super) cards: [__m512i; 2],
    /// Number of bits of the cards in each hand.
    pub(super) lengths: [__m512i; 2],
}

impl HandLanes {
    /// Returns empty hands.
    #[target_feature(enable = "avx512f")]
    pub(super) fn empty(c: &Constants) -> Self {
        Self {
            cards: [c.zero; 2],
            lengths: [c.zero; 2],
        }
    }

    /// Returns a mask of the unfinished games, in which both players hold a card.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn unfinished_mask(&self) -> u8 {
        let [first, second] = self.lengths;
        _mm512_mask_test_epi64_mask(_mm512_test_epi64_mask(first, first), second, second)
    }

    /// Returns the top cards.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn top_cards(&self, c: &Constants) -> [__m512i; 2] {
        self.cards.map(|hand| _mm512_and_si512(hand, c.top))
    }

    /// Removes the top cards; `card` is the number of bits of a card, or 0 in games that keep their
    /// top cards.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn remove_top(&mut self, card: __m512i) {
        self.cards = self.cards.map(|hand| _mm512_srlv_epi64(hand, card));
        self.lengths = self.lengths.map(|length| _mm512_sub_epi64(length, card));
    }

    /// Puts all cards on the table under the hands of the winners: player 1 in the lanes of the
    /// first mask, player 2 in those of the second.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn take(
        &mut self,
        taken: __m512i,
        [first_wins, second_wins]: [u8; 2],
        c: &Constants,
    ) {
        // The rotation acts as a shift, because the bits that leave at the upper end are zero.
        let placed = self.lengths.map(|length| _mm512_rolv_epi64(taken, length));
        let [first, second] = self.cards;
        self.cards = [
            _mm512_mask_or_epi64(first, first_wins, first, placed[0]),
            _mm512_mask_or_epi64(second, second_wins, second, placed[1]),
        ];
        // The winner holds all cards that the loser doesn't.
        let [first, second] = self.lengths;
        self.lengths = [
            _mm512_mask_sub_epi64(first, first_wins, c.all, second),
            _mm512_mask_sub_epi64(second, second_wins, c.all, first),
        ];
    }

    /// Puts games into free lanes. The filled lanes get the first of these hands, and their lengths
    /// from `counts`.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn fill(
        &mut self,
        lanes: LaneFill,
        hands: [&[u64]; 2],
        counts: __m512i,
        c: &Constants,
    ) {
        for (hand, words) in self.cards.iter_mut().zip(hands) {
            *hand = lanes.fill(*hand, words);
        }
        self.lengths = c.refill_lengths(self.lengths, lanes.free, counts);
    }
}

/// Masks of the free lanes, and of the free lanes that get a game.
#[derive(Clone, Copy)]
pub(super) struct LaneFill {
    pub(super) free: u8,
    pub(super) filled: u8,
}

impl LaneFill {
    /// Fills free lanes with the available games; if there are too few, the highest lanes stay
    /// empty.
    #[inline]
    pub(super) fn new(free: u8, available: usize) -> Self {
        let mut filled = free;
        for _ in available..free.count_ones() as usize {
            filled &= !(1 << (u8::BITS - 1 - filled.leading_zeros()));
        }
        Self { free, filled }
    }

    /// Returns the number of filled lanes.
    #[inline]
    pub(super) const fn games(self) -> usize {
        self.filled.count_ones() as usize
    }

    /// Returns a vector with the first of these words in the filled lanes and zero in the other
    /// free lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn fill(self, lanes: __m512i, words: &[u64]) -> __m512i {
        let kept = _mm512_maskz_mov_epi64(!self.free, lanes);
        _mm512_mask_expand_epi64(kept, self.filled, load(words))
    }
}

impl FinishedGames {
    /// Records the games of these lanes, which began with these states.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn record(&mut self, lanes: u8, counts: __m512i, states: __m512i) {
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

/// Loads the first words of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64]) -> __m512i {
    let words = &words[..LANES];
    // SAFETY: the slice has the 64 bytes that are read.
    unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }
}

/// Stores words at the start of a slice.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn store(vector: __m512i, words: &mut [u64]) {
    let words = &mut words[..LANES];
    // SAFETY: the slice has the 64 bytes that are written.
    unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), vector) }
}
