//! Vectors of 16 bytes, and hands that are read and written with them.

use crate::kernel::state_log::{MAX_CARDS, PackedHands};

/// Vector of 16 bytes.
///
/// To support another kind of processor, implement this trait in a new file.
pub(super) trait ByteVector: Copy {
    /// Returns true if this processor has vectors of this type.
    fn is_supported() -> bool;

    /// Loads 16 bytes.
    ///
    /// # Safety
    ///
    /// The bytes must be readable, and the processor must have such vectors.
    unsafe fn load(from: *const u8) -> Self;

    /// Stores 16 bytes.
    ///
    /// # Safety
    ///
    /// The bytes must be writable.
    unsafe fn store(self, to: *mut u8);

    /// Returns a mask of the bytes that are the same in both vectors, with the first byte in the
    /// lowest bit.
    fn equal_mask(self, other: Self) -> u64;

    /// Returns a mask of the bytes that are greater than those of `other`; all bytes must be below
    /// 128.
    fn greater_mask(self, other: Self) -> u64;

    /// Picks the byte of this vector at each place in `places`, or 0 for places of 128 or more.
    fn pick(self, places: Self) -> Self;

    /// Adds the bytes of both vectors, without carry.
    fn add(self, other: Self) -> Self;

    /// Returns the bitwise OR of both vectors.
    fn or(self, other: Self) -> Self;

    /// Interleaves the first eight bytes of both vectors, and likewise the last eight.
    fn interleave(self, other: Self) -> (Self, Self);

    /// Returns the bytes at even places of both vectors, one vector after the other, and likewise
    /// the bytes at odd places.
    fn deinterleave(self, other: Self) -> (Self, Self);
}

/// Maximum position of the top cards when a pass begins. After it come 64 places for the hand, 32
/// for the cards that a pass puts under it, and one more vector.
const MAX_TOP: usize = 448;

/// Size of the buffer for a hand, in bytes.
const HAND_BUFFER_SIZE: usize = MAX_TOP + 2 * MAX_CARDS + 64;

/// Both hands, each in a buffer through which it moves; the bytes after them have no meaning.
#[derive(Debug)]
pub(in crate::kernel) struct Simd128Hands {
    cards: [[u8; HAND_BUFFER_SIZE]; 2],
    /// Position where both hands begin: cards leave both at the same time.
    top: usize,
}

impl Default for Simd128Hands {
    fn default() -> Self {
        Self {
            cards: [[0; HAND_BUFFER_SIZE]; 2],
            top: 0,
        }
    }
}

impl Simd128Hands {
    /// Returns the top 16 cards of both players.
    #[inline(always)]
    pub(super) fn tops<L: ByteVector>(&self) -> [L; 2] {
        [self.read(0, 0), self.read(1, 0)]
    }

    /// Reads 16 cards, starting `place` cards below the top; `place` is at most 48.
    #[inline(always)]
    fn read<L: ByteVector>(&self, player: usize, place: usize) -> L {
        debug_assert!(self.top <= MAX_TOP + 16 && place <= MAX_CARDS - 16);
        // SAFETY: the top is MAX_TOP + 16 at most, and a buffer has more than 64 bytes after that
        // position. Without support for these vectors, no machine is made.
        unsafe { L::load(self.cards[player].as_ptr().add(self.top + place)) }
    }

    /// Writes 16 cards to this place below the top.
    #[inline(always)]
    pub(super) fn put<L: ByteVector>(&mut self, player: usize, place: usize, cards: L) {
        debug_assert!(self.top <= MAX_TOP && place <= MAX_CARDS + 32);
        // SAFETY: where a pass begins, the top is MAX_TOP at most, and the place is 64 cards and 32
        // won cards below the top at most. A buffer has room for 16 more cards there.
        unsafe { cards.store(self.cards[player].as_mut_ptr().add(self.top + place)) }
    }

    /// Removes this many cards, at most 16, from the top of both hands.
    #[inline(always)]
    pub(super) fn take<L: ByteVector>(&mut self, count: usize) {
        self.top += count;
        if self.top > MAX_TOP {
            self.rewind::<L>();
        }
    }

    /// Moves both hands back to the beginnings of their buffers.
    fn rewind<L: ByteVector>(&mut self) {
        for player in [0, 1] {
            let all: [L; MAX_CARDS / 16] = std::array::from_fn(|part| self.read(player, 16 * part));
            let from = std::mem::take(&mut self.top);
            for (part, cards) in all.into_iter().enumerate() {
                self.put(player, 16 * part, cards);
            }
            self.top = from;
        }
        self.top = 0;
    }

    /// Writes both hands to a state, one after the other.
    #[inline(always)]
    pub(super) fn write<L: ByteVector>(&self, first: usize, state: &mut PackedHands) {
        for (player, to) in [(0, 0), (1, first.min(MAX_CARDS))] {
            for place in (0..MAX_CARDS).step_by(16) {
                let cards: L = self.read(player, place);
                // SAFETY: `to` is 64 at most and `place` 48, and the state has 128 bytes.
                unsafe { cards.store(state.as_mut_ptr().add(to + place)) }
            }
        }
    }

    /// Returns the cards of both players, top card first, with meaningless bytes after them.
    #[inline(always)]
    pub(super) fn cards(&self) -> [&[u8]; 2] {
        [0, 1].map(|player| &self.cards[player][self.top..])
    }

    /// Loads the cards of a state.
    pub(super) fn load(&mut self, first: usize, state: &PackedHands) {
        self.top = 0;
        let second = &state[first..][..MAX_CARDS];
        self.cards[0][..MAX_CARDS].copy_from_slice(&state[..MAX_CARDS]);
        self.cards[1][..MAX_CARDS].copy_from_slice(second);
    }

    /// Deals cards one at a time, the first to player 1.
    #[inline(always)]
    pub(super) fn deal<L: ByteVector>(&mut self, dealt: &[u8; MAX_CARDS]) {
        self.top = 0;
        for half in [0, 1] {
            let [low, high] = [0, 16].map(|from| {
                // SAFETY: the 16 cards begin at 0, 16, 32 or 48, and 64 cards are dealt.
                unsafe { L::load(dealt.as_ptr().add(32 * half + from)) }
            });
            let (first, second) = low.deinterleave(high);
            self.put(0, 16 * half, first);
            self.put(1, 16 * half, second);
        }
    }
}
