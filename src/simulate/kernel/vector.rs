//! The kernel for processors with AVX-512 VBMI2: a whole pass over both hands at a time.
//!
//! Each hand is a register of ranks. As many pairs as both hold are compared at once; a war
//! gives the span of its pairs to its winner; then the pairs that each player won are
//! pressed together and put under their hand. A pass ends before the second war in it, and
//! before one that it does not settle, which the next one begins with. Several games are
//! played in turns, so that the processor works on one while another waits.
#![cfg(target_arch = "x86_64")]
#![allow(
    unsafe_code,
    reason = "vector registers are loaded from memory, and the processor is asked for them"
)]

use super::batch::{BatchKernel, Deals};
use super::pair::Pair;
use crate::engine::Seat;
use crate::rules::Parameters;
use crate::simulate::game::{Conclusion, Depths, Played};
use std::arch::x86_64::{
    __m256i, __m512i, _mm256_cmpeq_epi8_mask, _mm256_cmpgt_epu8_mask, _mm512_add_epi8,
    _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_loadu_epi8, _mm512_mask_permutexvar_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_compress_epi16, _mm512_or_si512,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_slli_epi16, _mm512_sub_epi8,
};

/// The cards of a game in the order dealt, the first to player 1, with room to the end.
pub type Dealt = [u8; MOST_CARDS];

/// The most cards that a register holds.
const MOST_CARDS: usize = 64;

/// How many games are played in turns.
const SLOTS: usize = 4;

/// The kernel, on a processor that can run it.
#[derive(Debug, Clone)]
pub struct Vector {
    pair: Pair,
    /// For the place of a war's first pair: all places at which its cards are not compared.
    skipped: [u64; 64],
    iota: Dealt,
    cards: usize,
}

impl Vector {
    /// The kernel for games of these rules with this many cards, if it can play them here.
    ///
    /// The rules must be those of [`Pair`], the cards at most 64, and the
    /// processor must know AVX-512 with BW, VL, VBMI and VBMI2.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a byte numbers 64 places")]
    pub fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let runs = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt");
        let pair = Pair::new(parameters).filter(|_| runs && cards <= MOST_CARDS)?;
        let compared = |first: usize, place: usize| {
            place >= first && (place - first).is_multiple_of(pair.step())
        };
        let skipped = |first: usize| {
            let places = (0..64).filter(|&place| !compared(first, place));
            places.fold(0, |places, place| places | 1 << place)
        };
        Some(Self {
            skipped: std::array::from_fn(skipped),
            iota: std::array::from_fn(|place| u8::try_from(place).expect("64 places")),
            pair,
            cards,
        })
    }

    /// Plays games to their ends, or gives up after many turns: `None` says that nothing is
    /// known of a game yet, and nothing of it was counted.
    ///
    /// `played` gets as many results as there are games; those without room for a result are
    /// not played.
    pub fn play(&self, games: &[Dealt], played: &mut [Option<Played>], depths: &mut Depths) {
        // SAFETY: `new` found every feature that the function is compiled for.
        unsafe {
            if self.pair.winner_first() {
                self.play_ordered::<true>(games, played, depths);
            } else {
                self.play_ordered::<false>(games, played, depths);
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn play_ordered<const WINNER_FIRST: bool>(
        &self,
        games: &[Dealt],
        played: &mut [Option<Played>],
        depths: &mut Depths,
    ) {
        let mut waiting = games.iter().zip(played).peekable();
        let mut ended = Ended::default();
        while waiting.peek().is_some() {
            let Some(mut results) = take::<SLOTS, _>(&mut waiting) else {
                for (game, result) in waiting.by_ref() {
                    let mut slot = self.dealt(game);
                    while self.pass::<WINNER_FIRST>(&mut slot) {}
                    *result = self.end(&slot, &mut ended);
                }
                break;
            };
            let mut slots: [Slot; SLOTS] = std::array::from_fn(|at| self.dealt(results[at].0));
            'games: loop {
                for at in 0..SLOTS {
                    if self.pass::<WINNER_FIRST>(&mut slots[at]) {
                        continue;
                    }
                    *results[at].1 = self.end(&slots[at], &mut ended);
                    let Some(next) = waiting.next() else {
                        for other in (0..SLOTS).filter(|&other| other != at) {
                            while self.pass::<WINNER_FIRST>(&mut slots[other]) {}
                            *results[other].1 = self.end(&slots[other], &mut ended);
                        }
                        break 'games;
                    };
                    slots[at] = self.dealt(next.0);
                    results[at] = next;
                }
            }
        }
        ended.flush(depths);
    }

    /// A game at its start.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn dealt(&self, game: &Dealt) -> Slot {
        const FIRST: u64 = 0x5555_5555_5555_5555;
        let cards = load(game);
        Slot {
            first: _mm512_maskz_compress_epi8(FIRST, cards),
            second: _mm512_maskz_compress_epi8(!FIRST, cards),
            length: self.cards.div_ceil(2) as u64,
            counts: 0,
            deep: Vec::new(),
        }
    }

    /// Plays a pass; the result says whether there was anything to play.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a pass has 32 pairs at most"
    )]
    fn pass<const WINNER_FIRST: bool>(&self, slot: &mut Slot) -> bool {
        let Slot { first, second, .. } = *slot;
        let (length, other) = (slot.length, self.cards as u64 - slot.length);
        let held = !(u64::MAX << length.min(other));
        let (low_first, low_second) = (low(first), low(second));
        let higher = u64::from(_mm256_cmpgt_epu8_mask(low_first, low_second));
        let same = u64::from(_mm256_cmpeq_epi8_mask(low_first, low_second)) & held;

        let (mut pairs, mut won, mut left) = (held, higher, same);
        let (mut spans, mut starts) = (0, 0);
        for _ in 0..WARS_IN_A_PASS {
            // The lowest place, and how far a carry from it runs over pairs that settle
            // nothing: up to the pair that settles the war.
            let start = left & left.wrapping_neg();
            let unsettled = same | self.skipped[(left.trailing_zeros() % 64) as usize];
            let carried = unsettled.wrapping_add(start);
            let span = unsettled ^ carried;
            let settles = carried & span;
            let in_time = span & !held == 0;
            pairs = if in_time {
                pairs
            } else {
                pairs & start.wrapping_sub(1)
            };
            won = if higher & settles == 0 {
                won & !span
            } else {
                won | span
            };
            left &= !span & pairs;
            spans |= span;
            starts |= start;
        }
        pairs &= (left & left.wrapping_neg()).wrapping_sub(1);
        let count = u64::from(pairs.count_ones());
        if count == 0 || slot.counts & TURNS > MOST_TURNS {
            return false;
        }
        starts &= pairs;
        let again = starts & (same >> self.pair.step());
        let wars = u64::from(starts.count_ones());
        let turns = u64::from((pairs & !spans).count_ones()) + wars;
        slot.counts += turns + (wars << WARS) + (u64::from(again.count_ones()) << DEEPER);
        if again & (same >> (2 * self.pair.step())) != 0 {
            self.note_deep(slot, again, same);
        }

        won &= pairs;
        let lost = pairs & !won;
        let (wide_first, wide_second) = (
            _mm512_cvtepu8_epi16(low_first),
            _mm512_cvtepu8_epi16(low_second),
        );
        let first_in_front = _mm512_or_si512(wide_first, _mm512_slli_epi16::<8>(wide_second));
        let second_in_front = if WINNER_FIRST {
            _mm512_or_si512(wide_second, _mm512_slli_epi16::<8>(wide_first))
        } else {
            first_in_front
        };
        let to_first = _mm512_maskz_compress_epi16(won as u32, first_in_front);
        let to_second = _mm512_maskz_compress_epi16(lost as u32, second_in_front);
        let iota = load(&self.iota);
        let down = _mm512_add_epi8(iota, _mm512_set1_epi8(count as i8));
        let (length, other) = (length - count, other - count);
        slot.first = _mm512_mask_permutexvar_epi8(
            _mm512_permutexvar_epi8(down, first),
            u64::MAX << length,
            _mm512_sub_epi8(iota, _mm512_set1_epi8(length as i8)),
            to_first,
        );
        slot.second = _mm512_mask_permutexvar_epi8(
            _mm512_permutexvar_epi8(down, second),
            u64::MAX << other,
            _mm512_sub_epi8(iota, _mm512_set1_epi8(other as i8)),
            to_second,
        );
        slot.length = length + 2 * u64::from(won.count_ones());
        true
    }

    /// Notes the wars of a pass that are three deep or more.
    #[cold]
    fn note_deep(&self, slot: &mut Slot, again: u64, same: u64) {
        for start in (0..64).filter(|start| again >> start & 1 == 1) {
            let depth = self.depth(same, start);
            if depth > 2 {
                slot.deep.push(depth);
            }
        }
    }

    /// How often in a row the cards of the war that starts here are the same.
    fn depth(&self, same: u64, start: usize) -> usize {
        let compared = (start..64).step_by(self.pair.step());
        compared.take_while(|place| same >> place & 1 == 1).count()
    }

    /// What became of a game that has nothing left to play: `None` where it took too long.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt")]
    fn end(&self, slot: &Slot, ended: &mut Ended) -> Option<Played> {
        if slot.counts & TURNS > MOST_TURNS {
            return None;
        }
        let (length, other) = (slot.length, self.cards as u64 - slot.length);
        let mut turns = (slot.counts & TURNS) as u32;
        let mut wars = (slot.counts >> WARS & TURNS) as u32;
        ended.deeper += slot.counts >> DEEPER;
        for &depth in &slot.deep {
            ended.deeper -= 1;
            ended.rest.count(depth);
        }
        if length.min(other) > 0 {
            turns += 1;
            wars += 1;
            let same = _mm256_cmpeq_epi8_mask(low(slot.first), low(slot.second));
            let held = !(u64::MAX << length.min(other));
            match self.depth(u64::from(same) & held, 0) {
                1 => {}
                2 => ended.deeper += 1,
                depth => ended.rest.count(depth),
            }
        }
        ended.wars += u64::from(wars);
        let verdict = if length > other {
            Conclusion::Won(Seat::FIRST)
        } else if length == other && self.pair.drawn_when_even() {
            Conclusion::Drawn
        } else {
            Conclusion::Won(Seat::SECOND)
        };
        Some(Played {
            verdict,
            turns,
            wars,
        })
    }
}

impl BatchKernel for Vector {
    fn room(&self, _: usize) -> usize {
        MOST_CARDS
    }

    fn play_batch(&self, deals: Deals<'_>, played: &mut [Option<Played>], depths: &mut Depths) {
        let (games, _) = deals.bytes.as_chunks();
        self.play(games, played, depths);
    }
}

/// A game in the middle of play.
struct Slot {
    first: __m512i,
    second: __m512i,
    /// How many cards player 1 holds; player 2 holds the others.
    length: u64,
    /// Turns, wars, and wars deeper than 1, 20 bits each.
    counts: u64,
    /// The depths of the wars deeper than 2.
    deep: Vec<usize>,
}

/// How many wars a pass settles; it ends before the next one.
const WARS_IN_A_PASS: usize = 1;

/// Where the numbers of wars and of deeper wars begin in a game's counts.
const WARS: u32 = 20;
const DEEPER: u32 = 40;
/// The bits of the number of turns.
const TURNS: u64 = (1 << WARS) - 1;

/// How many turns a game may take before it is left to the kernel that knows cycles.
const MOST_TURNS: u64 = 4_096;

/// The wars of the games that ended.
#[derive(Default)]
struct Ended {
    wars: u64,
    /// Those two deep.
    deeper: u64,
    /// Those deeper than that.
    rest: Depths,
}

impl Ended {
    fn flush(self, depths: &mut Depths) {
        let rest: u64 = self.rest.counts().iter().sum();
        depths.count_many(1, self.wars - self.deeper - rest);
        depths.count_many(2, self.deeper);
        depths.add(&self.rest);
    }
}

/// The first 32 cards of a hand.
#[inline]
#[target_feature(enable = "avx512f")]
fn low(hand: __m512i) -> __m256i {
    _mm512_castsi512_si256(hand)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(cards: &Dealt) -> __m512i {
    // SAFETY: the 64 bytes behind the pointer are those of the array.
    unsafe { _mm512_loadu_epi8(cards.as_ptr().cast()) }
}

/// The next items, if there are as many; none is taken otherwise.
fn take<const N: usize, T>(items: &mut impl ExactSizeIterator<Item = T>) -> Option<[T; N]> {
    let taken: Vec<T> = if items.len() < N {
        Vec::new()
    } else {
        items.take(N).collect()
    };
    taken.try_into().ok()
}
