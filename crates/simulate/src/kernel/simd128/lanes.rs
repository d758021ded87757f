//! Vectors of 16 bytes, and hands that are read and written by them.

use crate::kernel::log::{MOST_CARDS, State};

/// A vector of 16 bytes.
///
/// To add a kind of processor, implement this in a file of its own.
pub(super) trait Lanes: Copy {
    /// Whether this processor has such vectors.
    fn is_here() -> bool;

    /// The 16 bytes from there on.
    ///
    /// # Safety
    ///
    /// They must be readable, and the processor must have such vectors.
    unsafe fn load(from: *const u8) -> Self;

    /// Writes the 16 bytes there.
    ///
    /// # Safety
    ///
    /// They must be writable.
    unsafe fn store(self, to: *mut u8);

    /// A bit for each byte that is the same in both, the first one lowest.
    fn same(self, other: Self) -> u64;

    /// A bit for each byte that is greater than the other one; all are below 128.
    fn greater(self, other: Self) -> u64;

    /// For each byte of `places` the one at that place of this vector, or 0 where it is 128 or
    /// more.
    fn picked(self, places: Self) -> Self;

    /// The bytes of both, added without carry.
    fn plus(self, other: Self) -> Self;

    /// The bits of both.
    fn or(self, other: Self) -> Self;

    /// The bytes of both by turns, of the first eight, and of the others.
    fn zipped(self, other: Self) -> (Self, Self);

    /// The bytes at even places of both, one vector behind the other, and those at odd ones.
    fn unzipped(self, other: Self) -> (Self, Self);
}

/// How far hands may have moved when a pass begins. From there a hand has 64 places, what a
/// pass puts under it 32, and a vector more.
const FARTHEST: usize = 448;

/// The bytes for a hand.
const ROOM: usize = FARTHEST + 2 * MOST_CARDS + 64;

/// Both hands, each in a buffer through which it moves; what follows has no meaning.
#[derive(Debug)]
pub(in crate::kernel) struct Hands {
    cards: [[u8; ROOM]; 2],
    /// Where both begin: cards leave both at the same time.
    top: usize,
}

impl Default for Hands {
    fn default() -> Self {
        Self {
            cards: [[0; ROOM]; 2],
            top: 0,
        }
    }
}

impl Hands {
    /// The top 16 cards of both players.
    #[inline(always)]
    pub(super) fn tops<L: Lanes>(&self) -> [L; 2] {
        [self.read(0, 0), self.read(1, 0)]
    }

    /// 16 cards from this place below the top, which is 48 at most.
    #[inline(always)]
    fn read<L: Lanes>(&self, player: usize, place: usize) -> L {
        debug_assert!(self.top <= FARTHEST + 16 && place <= MOST_CARDS - 16);
        // SAFETY: the top is FARTHEST + 16 at most, and a buffer has more than 64 bytes behind
        // that. Where these lanes are not there, no machine is made.
        unsafe { L::load(self.cards[player].as_ptr().add(self.top + place)) }
    }

    /// Puts 16 cards in this place below the top.
    #[inline(always)]
    pub(super) fn put<L: Lanes>(&mut self, player: usize, place: usize, cards: L) {
        debug_assert!(self.top <= FARTHEST && place <= MOST_CARDS + 32);
        // SAFETY: the top is FARTHEST at most, where a pass begins, and the place is that behind
        // 64 cards and half of a pass at most: a buffer has as many bytes.
        unsafe { cards.store(self.cards[player].as_mut_ptr().add(self.top + place)) }
    }

    /// Takes so many cards, 16 at most, from the top of both.
    #[inline(always)]
    pub(super) fn take<L: Lanes>(&mut self, count: usize) {
        self.top += count;
        if self.top > FARTHEST {
            self.rewind::<L>();
        }
    }

    /// Moves both hands back to the beginnings of their buffers.
    fn rewind<L: Lanes>(&mut self) {
        for player in [0, 1] {
            let all: [L; MOST_CARDS / 16] =
                std::array::from_fn(|part| self.read(player, 16 * part));
            let from = std::mem::take(&mut self.top);
            for (part, cards) in all.into_iter().enumerate() {
                self.put(player, 16 * part, cards);
            }
            self.top = from;
        }
        self.top = 0;
    }

    /// Writes both hands down, one behind the other.
    #[inline(always)]
    pub(super) fn write<L: Lanes>(&self, first: usize, state: &mut State) {
        for (player, to) in [(0, 0), (1, first.min(MOST_CARDS))] {
            for place in (0..MOST_CARDS).step_by(16) {
                let cards: L = self.read(player, place);
                // SAFETY: `to` is 64 at most and `place` 48, and the state has 128 bytes.
                unsafe { cards.store(state.as_mut_ptr().add(to + place)) }
            }
        }
    }

    /// The cards of both players, top card first, with more behind them.
    #[inline(always)]
    pub(super) fn cards(&self) -> [&[u8]; 2] {
        [0, 1].map(|player| &self.cards[player][self.top..])
    }

    /// Holds the cards of a state.
    pub(super) fn hold(&mut self, first: usize, state: &State) {
        self.top = 0;
        let second = &state[first..][..MOST_CARDS];
        self.cards[0][..MOST_CARDS].copy_from_slice(&state[..MOST_CARDS]);
        self.cards[1][..MOST_CARDS].copy_from_slice(second);
    }

    /// Deals cards one at a time, the first to player 1.
    #[inline(always)]
    pub(super) fn deal<L: Lanes>(&mut self, dealt: &[u8; MOST_CARDS]) {
        self.top = 0;
        for half in [0, 1] {
            let [low, high] = [0, 16].map(|from| {
                // SAFETY: 32 of the 64 cards begin at 0 or at 32.
                unsafe { L::load(dealt.as_ptr().add(32 * half + from)) }
            });
            let (first, second) = low.unzipped(high);
            self.put(0, 16 * half, first);
            self.put(1, 16 * half, second);
        }
    }
}
