//! A walk over all states of a deck.
//!
//! The cards lie in a word pair by pair: the blocks of the first player, those of the second,
//! and the pot. Each such word can be split in several ways, and each is a state. What is chosen are
//! kinds of cards: ranks, or twins.

use super::batch::Batch;
use super::state::{Layout, State};

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

/// No fewer than the states that the pairs of a word can be split into: one for each number of
/// pairs that both players hold and that the first one does.
const MOST_SPLITS: usize = (MOST_PAIRS + 1) * (MOST_PAIRS + 1);

/// A walk, which hands out states in batches.
pub(super) struct Walk<'a> {
    layout: Layout,
    /// How many cards of each kind are left.
    left: [u8; 16],
    /// A bit for each kind of which cards are left.
    kinds_left: u32,
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
    /// How many twins are paired, and so are told apart.
    met: u32,
}

impl Chosen {
    #[inline]
    const fn with(self, (higher, lower): (u8, u8), layout: Layout) -> Self {
        let is_alike = higher == lower;
        let (cards, has_met) = if layout.has_twins() {
            ((2 * higher + is_alike as u8, 2 * lower), is_alike)
        } else {
            ((higher, lower), false)
        };
        let pair = cards.0 as u64 | (cards.1 as u64) << layout.card;
        Self {
            word: self.word | pair << (self.pairs * layout.pair()),
            pairs: self.pairs + 1,
            different: self.different | ((!is_alike || has_met) as u32) << self.pairs,
            met: self.met + has_met as u32,
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
        let (kinds, cards) = layout.kinds();
        let mut left = [0; 16];
        left[..kinds.into()].fill(cards);
        Self {
            layout,
            left,
            kinds_left: (1 << kinds) - 1,
            batch: Batch::new(layout),
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
                if self.kinds_left.unbounded_shr(card.into()) & 1 == 0 {
                    return true;
                }
                self.take(card);
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
        let missing = self.layout.pairs() - chosen.pairs;
        if missing == 0 {
            self.split(chosen);
            return;
        }
        if missing == 1 {
            let mut left = set_bits(self.kinds_left);
            let lower = left.next().unwrap_or_default();
            let pair = (left.next().unwrap_or(lower), lower);
            if chosen.takes(pair) {
                self.split(chosen.with(pair, self.layout));
            }
            return;
        }
        for higher in set_bits(self.kinds_left) {
            self.take(higher);
            let up_to_higher = (2 << higher) - 1;
            for lower in set_bits(self.kinds_left & up_to_higher) {
                if chosen.takes((higher, lower)) {
                    self.take(lower);
                    self.choose(chosen.with((higher, lower), self.layout));
                    self.put_back(lower);
                }
            }
            self.put_back(higher);
        }
    }

    /// Takes a card that is left.
    #[inline]
    fn take(&mut self, card: u8) {
        let left = &mut self.left[usize::from(card)];
        *left -= 1;
        self.kinds_left &= !(u32::from(*left == 0) << card);
    }

    #[inline]
    fn put_back(&mut self, card: u8) {
        self.left[usize::from(card)] += 1;
        self.kinds_left |= 1 << card;
    }

    /// Hands out the states of these pairs, in which the first player holds no fewer cards.
    #[inline]
    fn split(
        &mut self,
        Chosen {
            word,
            different,
            met,
            ..
        }: Chosen,
    ) {
        if self.batch.room() < MOST_SPLITS {
            self.flush();
        }
        let all = self.layout.pairs();
        let last_block = u32::BITS - different.leading_zeros();
        if last_block == 0 {
            let in_war = State {
                hands: [0; 2],
                lengths: [0; 2],
                pot: word,
                turns: 0,
                pairs: all.into(),
                deals: 1,
            };
            self.batch.push(&in_war, true);
            return;
        }
        if different & 1 == 0 {
            return;
        }
        let pair = self.layout.pair();
        let turns = different.count_ones();
        let choices = &CHOICES[turns as usize];
        // Either of two twins that have not met may be the higher one.
        let twins = if self.layout.has_twins() {
            all - met
        } else {
            0
        };
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
                    let deals = choices[blocks as usize] << twins;
                    // Of two states that differ by swapping the players, one is played.
                    let is_half = first == second;
                    let is_own_swap = is_half && hands[0] == hands[1];
                    let state = State {
                        hands,
                        lengths: [first, second].map(|pairs| u64::from(pairs * pair)),
                        pot,
                        turns: turns.into(),
                        pairs: all.into(),
                        deals: if is_own_swap { deals / 2 } else { deals },
                    };
                    self.batch.push(&state, !is_half || hands[0] >= hands[1]);
                }
                blocks -= begins;
            }
        }
    }

    fn flush(&mut self) {
        if self.goes_on {
            self.goes_on = (self.play)(&self.batch);
        }
        self.batch.states = 0;
    }
}

/// The numbers of the bits that are set, lowest first.
#[inline]
fn set_bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        u8::try_from(lowest).ok().filter(|&lowest| lowest < 32)
    })
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
    let goes_on = beginning.is_empty() || !is_open || layout.has_twins();
    let used = |card: u8| -> usize {
        let used = beginning.iter().map(|&other| usize::from(other == card));
        used.sum()
    };
    let (kinds, cards) = layout.kinds();
    let room = usize::from(cards);
    for higher in 0..kinds {
        for lower in 0..=higher {
            let is_same = higher == lower;
            let has = used(higher) + usize::from(is_same) < room && used(lower) < room;
            if has && (is_same || goes_on) {
                longer.push([beginning, &[higher, lower]].concat());
            }
        }
    }
    longer
}
