//! A walk over all states of a deck.
//!
//! The cards lie in a word pair by pair: the blocks of the first player, those of the second,
//! and the pot. Each such word can be split in several ways, and each is a state.

use super::batch::Batch;
use super::layout::Layout;
use super::state::State;
use std::cmp::Ordering;

/// The most pairs of a deck.
const MOST_PAIRS: usize = 10;

/// How many ways there are to choose so many of so many.
const CHOICES: [[u64; MOST_PAIRS + 1]; MOST_PAIRS + 1] = choices();

const fn choices() -> [[u64; MOST_PAIRS + 1]; MOST_PAIRS + 1] {
    let mut choices = [[0; MOST_PAIRS + 1]; MOST_PAIRS + 1];
    let mut of = 0;
    while of <= MOST_PAIRS {
        choices[of][0] = 1;
        let mut chosen = 1;
        while chosen <= of {
            choices[of][chosen] = choices[of - 1][chosen - 1] + choices[of - 1][chosen];
            chosen += 1;
        }
        of += 1;
    }
    choices
}

/// A walk, which hands out states in batches.
pub(super) struct Walk<'a> {
    layout: Layout,
    /// How many cards of each rank are left.
    left: [u8; 16],
    batch: Batch,
    /// Plays a batch; the result says whether to go on.
    play: &'a mut dyn FnMut(&Batch) -> bool,
    goes_on: bool,
}

/// The pairs chosen so far.
#[derive(Clone, Copy, Default)]
struct Chosen {
    word: u64,
    pairs: u32,
    /// A bit for each pair, set where its cards differ.
    different: u32,
}

impl Chosen {
    #[inline]
    const fn with(self, (higher, lower): (u8, u8), layout: Layout) -> Self {
        let pair = higher as u64 | (lower as u64) << layout.card;
        Self {
            word: self.word | pair << (self.pairs * layout.pair()),
            pairs: self.pairs + 1,
            different: self.different | ((higher != lower) as u32) << self.pairs,
        }
    }

    /// Whether a pair of equal or of different cards can be next: where no block was begun,
    /// all cards are in the pot.
    #[inline]
    const fn takes(self, (higher, lower): (u8, u8)) -> bool {
        higher == lower || self.pairs == 0 || self.different != 0
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(layout: Layout, play: &'a mut dyn FnMut(&Batch) -> bool) -> Self {
        let mut left = [0; 16];
        left[..layout.ranks.into()].fill(layout.suits);
        Self {
            layout,
            left,
            batch: Batch::new(),
            play,
            goes_on: true,
        }
    }

    /// Hands out all states that begin with these pairs, the higher card of each first; the
    /// result says whether it was not stopped.
    pub(super) fn from(mut self, beginning: &[u8]) -> bool {
        let mut chosen = Chosen::default();
        for pair in beginning.chunks_exact(2) {
            for &card in pair {
                match self.left.get_mut(usize::from(card)) {
                    Some(left) if *left > 0 => *left -= 1,
                    _ => return true,
                }
            }
            chosen = chosen.with((pair[0], pair[1]), self.layout);
        }
        self.choose(chosen);
        self.flush();
        self.goes_on
    }

    /// Chooses the pairs from here on in every way.
    fn choose(&mut self, chosen: Chosen) {
        if !self.goes_on {
            return;
        }
        if chosen.pairs == self.layout.pairs() {
            self.split(chosen);
            return;
        }
        for higher in 0..self.layout.ranks {
            if self.left[usize::from(higher)] == 0 {
                continue;
            }
            self.left[usize::from(higher)] -= 1;
            for lower in 0..=higher {
                if self.left[usize::from(lower)] > 0 && chosen.takes((higher, lower)) {
                    self.left[usize::from(lower)] -= 1;
                    self.choose(chosen.with((higher, lower), self.layout));
                    self.left[usize::from(lower)] += 1;
                }
            }
            self.left[usize::from(higher)] += 1;
        }
    }

    /// Hands out the states of these pairs, in which the first player holds no fewer cards.
    #[inline]
    fn split(
        &mut self,
        Chosen {
            word, different, ..
        }: Chosen,
    ) {
        let all = self.layout.pairs();
        let last_block = u32::BITS - different.leading_zeros();
        if last_block == 0 {
            self.hand_out([0, 0], [0, 0], word, (0, 1));
            return;
        }
        if different & 1 == 0 {
            return;
        }
        let pair = self.layout.pair();
        let turns = different.count_ones();
        let choices = &CHOICES[turns as usize];
        for held in last_block..=all {
            let pot = word.unbounded_shr(held * pair);
            let held_cards = word ^ pot.unbounded_shl(held * pair);
            let fewest = held.div_ceil(2);
            let mut blocks = (different >> fewest).count_ones();
            for first in fewest..=held {
                let second = held - first;
                let begins = different >> first & 1;
                // A block begins with different cards.
                if begins == 1 || second == 0 {
                    let rest = held_cards.unbounded_shr(first * pair);
                    let hands = [held_cards ^ rest.unbounded_shl(first * pair), rest];
                    let deals = choices[blocks as usize];
                    // Of two states that differ by swapping the players, one is played.
                    let deals = match hands[0].cmp(&hands[1]) {
                        _ if first != second => deals,
                        Ordering::Less => 0,
                        Ordering::Equal => deals / 2,
                        Ordering::Greater => deals,
                    };
                    if deals > 0 {
                        let lengths = [first * pair, second * pair];
                        self.hand_out(hands, lengths, pot, (turns, deals));
                    }
                }
                blocks -= begins;
            }
        }
    }

    #[inline]
    fn hand_out(&mut self, hands: [u64; 2], bits: [u32; 2], pot: u64, (turns, deals): (u32, u64)) {
        let state = State {
            hands,
            lengths: bits.map(u64::from),
            pot,
            turns: turns.into(),
            pairs: self.layout.pairs().into(),
            deals,
        };
        if !self.batch.push(&state) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.goes_on {
            self.goes_on = (self.play)(&self.batch);
        }
        self.batch.states = 0;
    }
}

/// The beginnings of all states, each of this many pairs at most.
pub(super) fn beginnings(layout: Layout, pairs: u32) -> Vec<Vec<u8>> {
    let mut beginnings = vec![Vec::new()];
    for _ in 0..pairs.min(layout.pairs()) {
        let longer = beginnings
            .iter()
            .flat_map(|beginning| longer(beginning, layout));
        beginnings = longer.collect();
    }
    beginnings
}

/// A beginning with one pair more, in every way; there is one where cards are left.
pub(super) fn longer(beginning: &[u8], layout: Layout) -> Vec<Vec<u8>> {
    let mut longer = Vec::new();
    let is_open = beginning.chunks_exact(2).all(|pair| pair[0] == pair[1]);
    let used = |card: u8| -> usize {
        let used = beginning.iter().map(|&other| usize::from(other == card));
        used.sum()
    };
    let room = usize::from(layout.suits);
    for higher in 0..layout.ranks {
        for lower in 0..=higher {
            let is_same = higher == lower;
            let has = used(higher) + usize::from(is_same) < room && used(lower) < room;
            if has && (is_same || !is_open || beginning.is_empty()) {
                longer.push([beginning, &[higher, lower]].concat());
            }
        }
    }
    longer
}
