//! Hands that a game has had, to prove that it is endless.

use crate::game::{Conclusion, Played, Ties};
use crate::kernel::certain::Certain;

/// The cards of player 1, top card first, and behind them those of player 2; what follows has
/// no meaning.
pub(super) type State = [u8; 2 * MOST_CARDS];

/// The most cards of a game.
pub(super) const MOST_CARDS: usize = 64;

/// Hands that a log can play again.
pub(super) trait Replay {
    /// The hands of a state with this key.
    fn of(state: &[u8], key: u64) -> Self;

    /// Plays this many turns of a game that lasts longer: how many of them were wars.
    fn replay(&mut self, rules: &Certain, turns: u64) -> u64;

    /// Whether all players hold the same cards as there.
    fn is_like(&self, other: &Self) -> bool;
}

/// The most states that are kept: a game that needs more is left to the kernel that needs no
/// memory.
const MOST_STATES: usize = 1 << 16;

/// The places of the table of hashes while there are few states, in games of many cards and of
/// few, which are short.
const FEW: usize = 1 << 11;
const VERY_FEW: usize = 1 << 8;
const FEW_CARDS: usize = 32;

/// The states between the passes of a game, each found by its hash.
///
/// What a pass makes of a state depends on the state alone. So where one comes back, the game
/// is endless.
#[derive(Debug, Default)]
pub(super) struct Log {
    is_on: bool,
    /// Whether the first state is one that no earlier one comes back to.
    is_whole: bool,
    cards: usize,
    states: Vec<u8>,
    entries: Vec<Entry>,
    /// Numbers of entries, from 1, where their hashes say; a power of two of places.
    table: Vec<u32>,
    repeated: Option<Repeated>,
}

/// What belongs to a state.
#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    hash: u32,
    turns: u32,
    wars: u32,
}

/// The numbers of two states that are the same.
#[derive(Debug, Clone, Copy)]
struct Repeated {
    from: usize,
    to: usize,
}

/// What a log proves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// The game is endless: its turns and wars up to the first repetition, and the period.
    Endless { turns: u64, wars: u64, period: u64 },
    /// It is, but states may have come back before the log began.
    Earlier,
}

impl Proof {
    /// The game up to its first repetition, if it is known.
    pub(super) fn game(self) -> Option<Played> {
        let counted = |turns| u32::try_from(turns).unwrap_or(u32::MAX);
        match self {
            Self::Endless {
                turns,
                wars,
                period,
            } => Some(Played {
                verdict: Conclusion::Endless {
                    period: counted(period),
                },
                turns: counted(turns),
                wars: counted(wars),
                ties: Ties::default(),
            }),
            Self::Earlier => None,
        }
    }
}

impl Log {
    /// Ends the log of a game of this many cards, to begin another.
    pub(super) fn reset(&mut self, cards: usize) {
        self.cards = cards;
        self.repeated = None;
        if self.is_on {
            self.is_on = false;
            self.entries.clear();
            self.table.clear();
            self.table.shrink_to(16 * FEW);
        }
    }

    /// Begins the log; it is whole if no state before the first one can come back.
    pub(super) fn begin(&mut self, is_whole: bool) {
        self.is_on = true;
        self.is_whole = is_whole;
        let few = if self.cards <= FEW_CARDS {
            VERY_FEW
        } else {
            FEW
        };
        self.table.resize(few, 0);
    }

    #[inline]
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Room for the next state, to be filled before it is noted.
    #[inline]
    pub(super) fn room(&mut self) -> &mut State {
        let from = self.entries.len() * MOST_CARDS;
        if self.states.len() < from + 2 * MOST_CARDS {
            self.grow();
        }
        let room = self.states[from..].first_chunk_mut();
        room.expect("the log has grown")
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.states.len()).max(256 * MOST_CARDS);
        self.states.resize(length, 0);
    }

    /// Notes the state that the room holds: whether the game stops, for it came back, or the
    /// log is full.
    ///
    /// `words` are made of some of the cards, and the key says whose the cards are.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "there are 65,536 states, of a million turns and 64 cards at most"
    )]
    pub(super) fn note(&mut self, words: [u64; 2], key: u64, turns: u64, wars: u64) -> bool {
        let number = self.entries.len();
        let hash = hash(words, key);
        self.entries.push(Entry {
            key,
            hash,
            turns: turns as u32,
            wars: wars as u32,
        });
        let places = self.table.len() - 1;
        let mut place = hash as usize & places;
        while let Some(other) = (self.table[place] as usize).checked_sub(1) {
            if self.entries[other].hash == hash && self.is_like(other, number) {
                self.repeated = Some(Repeated {
                    from: other,
                    to: number,
                });
                return true;
            }
            place = (place + 1) & places;
        }
        self.table[place] = (number + 1) as u32;
        if 2 * number > places {
            self.spread();
        }
        self.is_full()
    }

    /// Whether there is no room for more states.
    pub(super) const fn is_full(&self) -> bool {
        self.entries.len() >= MOST_STATES
    }

    fn is_like(&self, one: usize, other: usize) -> bool {
        self.entries[one].key == self.entries[other].key && self.state(one) == self.state(other)
    }

    fn state(&self, number: usize) -> &[u8] {
        &self.states[number * MOST_CARDS..][..self.cards]
    }

    /// Doubles the table.
    #[cold]
    fn spread(&mut self) {
        let places = 2 * self.table.len();
        self.table.clear();
        self.table.resize(places, 0);
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut place = entry.hash as usize & (places - 1);
            while self.table[place] != 0 {
                place = (place + 1) & (places - 1);
            }
            self.table[place] = number;
        }
    }

    /// What the log proves, if a state came back.
    pub(super) fn proof<R: Replay>(&self, rules: &Certain) -> Option<Proof> {
        let Repeated { from, to } = self.repeated?;
        let period = self.period::<R>(from, to, rules);
        let is_back = |number: usize| {
            let (later, _) = self.at::<R>(self.turns(number) + period, rules);
            later.is_like(&self.hands(number))
        };
        // The cycle begins a few passes before the state that was found, if at all.
        let (mut before, mut back, mut passes) = (0, from, 1);
        while back > 0 {
            before = back.saturating_sub(passes);
            if !is_back(before) {
                break;
            }
            (back, passes) = (before, 2 * passes);
        }
        while back > before + 1 {
            let middle = before.midpoint(back);
            if is_back(middle) {
                back = middle;
            } else {
                before = middle;
            }
        }
        if back == 0 && !self.is_whole {
            return Some(Proof::Earlier);
        }
        let start = if back == 0 { 0 } else { before };
        Some(self.first_repetition::<R>(start, period, rules))
    }

    /// What the log proves, if a state came back, it is whole, and each state behind a certain
    /// kind of turns was noted.
    ///
    /// In a cycle, these turns come back with it. So the state that was found first came back
    /// after one period, and the state that was noted before it lies before the cycle or is its
    /// first.
    pub(super) fn proof_of_every<R: Replay>(&self, rules: &Certain) -> Option<Proof> {
        let Repeated { from, to } = self.repeated?;
        let period = self.turns(to) - self.turns(from);
        Some(self.first_repetition::<R>(from.saturating_sub(1), period, rules))
    }

    /// The proof with this period, where no state before this one comes back.
    fn first_repetition<R: Replay>(&self, start: usize, period: u64, rules: &Certain) -> Proof {
        let mut turns = self.turns(start);
        let mut behind: R = self.hands(start);
        let (mut ahead, mut wars) = self.at::<R>(turns + period, rules);
        while !ahead.is_like(&behind) {
            behind.replay(rules, 1);
            wars += ahead.replay(rules, 1);
            turns += 1;
        }
        Proof::Endless {
            turns: turns + period,
            wars,
            period,
        }
    }

    /// After how many turns the state with this number comes back for the first time: the turns
    /// up to where it was found again are a multiple of it.
    fn period<R: Replay>(&self, from: usize, to: usize, rules: &Certain) -> u64 {
        let start = self.turns(from);
        let state: R = self.hands(from);
        let mut period = self.turns(to) - start;
        let (mut rest, mut prime) = (period, 2);
        while rest > 1 {
            if prime * prime > rest {
                prime = rest;
            }
            if rest.is_multiple_of(prime) {
                rest /= prime;
                let part = period / prime;
                if self.at::<R>(start + part, rules).0.is_like(&state) {
                    period = part;
                }
            } else {
                prime += 1;
            }
        }
        period
    }

    /// The game after so many turns, no more than the log has, with its wars up to there.
    fn at<R: Replay>(&self, turns: u64, rules: &Certain) -> (R, u64) {
        let later = self
            .entries
            .partition_point(|entry| u64::from(entry.turns) <= turns);
        let number = later.saturating_sub(1);
        let mut hands: R = self.hands(number);
        let entry = self.entries[number];
        let wars = hands.replay(rules, turns.saturating_sub(entry.turns.into()));
        (hands, u64::from(entry.wars) + wars)
    }

    fn turns(&self, number: usize) -> u64 {
        self.entries[number].turns.into()
    }

    fn hands<R: Replay>(&self, number: usize) -> R {
        R::of(self.state(number), self.entries[number].key)
    }
}

/// A number that tells nearly all states apart.
#[inline]
const fn hash(words: [u64; 2], key: u64) -> u32 {
    let a = (words[0] ^ key << 58 ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let b = words[1].wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = a ^ b.rotate_left(32);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) as u32
}

/// The top eight cards of two players of whom each holds so many, as words.
#[inline]
pub(super) fn words(tops: [&[u8]; 2], lengths: [usize; 2]) -> [u64; 2] {
    [0, 1].map(|player| {
        let cards = tops[player].first_chunk().copied().unwrap_or_default();
        u64::from_le_bytes(cards) & seen(lengths[player])
    })
}

/// The bytes of a word with the top cards of a hand that holds so many.
const fn seen(cards: usize) -> u64 {
    if cards < 8 {
        (1 << (8 * cards)) - 1
    } else {
        u64::MAX
    }
}

#[cfg(test)]
mod tests;
