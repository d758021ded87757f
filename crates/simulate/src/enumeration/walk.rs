//! Walk over all states of a deck.
//!
//! A word holds the cards pair by pair: the blocks that player 1 won (a block is the cards won in a
//! turn), the blocks that player 2 won, and the pot. Each such word can be split in several ways,
//! and each split is a state. The walk chooses kinds of cards: ranks, or twins.

use super::batch::Batch;
use super::state::{CardLayout, State};

/// Maximum number of pairs in a deck.
const MAX_DECK_PAIRS: usize = 10;

/// Binomial coefficients: `BINOMIALS[n][k]` is n choose k.
const BINOMIALS: [[u64; MAX_DECK_PAIRS + 1]; MAX_DECK_PAIRS + 1] = binomials();

const fn binomials() -> [[u64; MAX_DECK_PAIRS + 1]; MAX_DECK_PAIRS + 1] {
    let mut choices = [[0; MAX_DECK_PAIRS + 1]; MAX_DECK_PAIRS + 1];
    let mut of = 0;
    while of <= MAX_DECK_PAIRS {
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

/// Upper bound of the number of states that the pairs of a word can be split into: one for each
/// combination of the number of pairs that both players hold and the number that player 1 holds.
const MAX_SPLITS: usize = (MAX_DECK_PAIRS + 1) * (MAX_DECK_PAIRS + 1);

/// Walk that emits states in batches.
pub(super) struct StateWalk<'a> {
    layout: CardLayout,
    /// Number of cards left of each kind.
    left: [u8; 16],
    /// Bit for each kind, set if cards of the kind are left.
    kinds_left: u32,
    batch: Batch,
    /// Plays a batch, and returns true to continue.
    play: &'a mut dyn FnMut(&Batch) -> bool,
    should_continue: bool,
}

/// Sequence of the pairs chosen so far.
#[derive(Clone, Copy, Default)]
struct PairSequence {
    word: u64,
    pairs: u32,
    /// Bit for each pair, set if its cards differ.
    different: u32,
    /// Number of pairs whose two cards are twins, which are told apart from then on.
    met_twins: u32,
}

impl PairSequence {
    #[inline]
    const fn with_pair(self, (higher, lower): (u8, u8), layout: CardLayout) -> Self {
        let is_alike = higher == lower;
        let (cards, has_met) = if layout.has_twins() {
            ((2 * higher + is_alike as u8, 2 * lower), is_alike)
        } else {
            ((higher, lower), false)
        };
        let pair = cards.0 as u64 | (cards.1 as u64) << layout.card_bits;
        Self {
            word: self.word | pair << (self.pairs * layout.pair_bits()),
            pairs: self.pairs + 1,
            different: self.different | ((!is_alike || has_met) as u32) << self.pairs,
            met_twins: self.met_twins + has_met as u32,
        }
    }

    /// Returns true if this pair can be next: if the cards of the first pair are equal, it is in
    /// the pot, and only pairs of equal cards can follow.
    #[inline]
    const fn accepts(self, (higher, lower): (u8, u8)) -> bool {
        higher == lower || self.pairs == 0 || self.different != 0
    }
}

impl<'a> StateWalk<'a> {
    pub(super) fn new(layout: CardLayout, play: &'a mut dyn FnMut(&Batch) -> bool) -> Self {
        let (kinds, cards) = layout.kind_counts();
        let mut left = [0; 16];
        left[..kinds.into()].fill(cards);
        Self {
            layout,
            left,
            kinds_left: (1 << kinds) - 1,
            batch: Batch::new(layout),
            play,
            should_continue: true,
        }
    }

    /// Emits all states that begin with these pairs, the higher card of each first. Returns false
    /// if the walk was stopped.
    pub(super) fn run(mut self, beginning: &[u8]) -> bool {
        let mut chosen = PairSequence::default();
        for pair in beginning.chunks_exact(2) {
            for &card in pair {
                if self.kinds_left.unbounded_shr(card.into()) & 1 == 0 {
                    return true;
                }
                self.take(card);
            }
            chosen = chosen.with_pair((pair[0], pair[1]), self.layout);
        }
        self.choose(chosen);
        self.flush();
        self.should_continue
    }

    /// Chooses the remaining pairs in every way.
    fn choose(&mut self, chosen: PairSequence) {
        if !self.should_continue {
            return;
        }
        let missing = self.layout.pairs() - chosen.pairs;
        if missing == 0 {
            self.emit_splits(chosen);
            return;
        }
        if missing == 1 {
            let mut left = set_bits(self.kinds_left);
            let lower = left.next().unwrap_or_default();
            let pair = (left.next().unwrap_or(lower), lower);
            if chosen.accepts(pair) {
                self.emit_splits(chosen.with_pair(pair, self.layout));
            }
            return;
        }
        for higher in set_bits(self.kinds_left) {
            self.take(higher);
            let up_to_higher = (2 << higher) - 1;
            for lower in set_bits(self.kinds_left & up_to_higher) {
                if chosen.accepts((higher, lower)) {
                    self.take(lower);
                    self.choose(chosen.with_pair((higher, lower), self.layout));
                    self.put_back(lower);
                }
            }
            self.put_back(higher);
        }
    }

    /// Takes one of the cards left.
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

    /// Emits the states of these pairs in which player 1 holds at least as many cards as player 2.
    #[inline]
    fn emit_splits(
        &mut self,
        PairSequence {
            word,
            different,
            met_twins,
            ..
        }: PairSequence,
    ) {
        if self.batch.free_states() < MAX_SPLITS {
            self.flush();
        }
        let all = self.layout.pairs();
        let last_block = u32::BITS - different.leading_zeros();
        if last_block == 0 {
            let in_war = State {
                hands: [0; 2],
                hand_bits: [0; 2],
                pot: word,
                turns: 0,
                pairs: all.into(),
                deals: 1,
            };
            self.batch.push(&in_war);
            return;
        }
        if different & 1 == 0 {
            return;
        }
        let pair = self.layout.pair_bits();
        let turns = different.count_ones();
        let choices = &BINOMIALS[turns as usize];
        // Either of two twins that haven't met may be the higher one.
        let twins = if self.layout.has_twins() {
            all - met_twins
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
                    // Of two states that differ by swapping the players, only one is played.
                    let is_half = first == second;
                    let is_own_swap = is_half && hands[0] == hands[1];
                    let state = State {
                        hands,
                        hand_bits: [first, second].map(|pairs| u64::from(pairs * pair)),
                        pot,
                        turns: turns.into(),
                        pairs: all.into(),
                        deals: if is_own_swap { deals / 2 } else { deals },
                    };
                    self.batch.push_if(!is_half || hands[0] >= hands[1], &state);
                }
                blocks -= begins;
            }
        }
    }

    fn flush(&mut self) {
        if self.should_continue {
            self.should_continue = (self.play)(&self.batch);
        }
        self.batch.states = 0;
    }
}

/// Returns the numbers of the set bits, lowest first.
#[inline]
fn set_bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        u8::try_from(lowest).ok().filter(|&lowest| lowest < 32)
    })
}

/// Returns the beginnings of all states, each of at most this many pairs.
pub(super) fn state_beginnings(layout: CardLayout, pairs: u32) -> Vec<Vec<u8>> {
    let mut beginnings = vec![Vec::new()];
    for _ in 0..pairs.min(layout.pairs()) {
        let longer = beginnings
            .iter()
            .flat_map(|beginning| extend_beginning(beginning, layout));
        beginnings = longer.collect();
    }
    beginnings
}

/// Extends a beginning by one pair, in every possible way; returns at least one beginning if cards
/// are left.
pub(super) fn extend_beginning(beginning: &[u8], layout: CardLayout) -> Vec<Vec<u8>> {
    let mut longer = Vec::new();
    let is_open = beginning.chunks_exact(2).all(|pair| pair[0] == pair[1]);
    let goes_on = beginning.is_empty() || !is_open || layout.has_twins();
    let used = |card: u8| -> usize {
        let used = beginning.iter().map(|&other| usize::from(other == card));
        used.sum()
    };
    let (kinds, cards) = layout.kind_counts();
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
