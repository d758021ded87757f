//! States: games after the first pass over both hands, and the deals that lead to them.
//!
//! In decks with one card of each rank, neighbouring ranks are twins. A game takes the same course
//! whichever of two neighbouring ranks is higher, until a card of one meets one of the other. So
//! both are played as the same, lower card. A state represents the deals in which either of any two
//! twins is the higher one. When twins meet, the game continues in two ways, with half of the deals
//! each: from then on, one of the twins has the higher rank.

use war::cards::Deck;

/// Game after the first pass over both hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Hands: the blocks won, with the higher card of each pair first.
    pub(super) hands: [u64; 2],
    /// Number of bits of the cards in each hand.
    pub(super) hand_bits: [u64; 2],
    /// Pairs of an undecided war, the last one in the lowest bits.
    pub(super) pot: u64,
    /// Number of turns decided.
    pub(super) turns: u64,
    /// Number of pairs of cards put.
    pub(super) pairs: u64,
    /// Number of deals that lead to this state.
    pub(super) deals: u64,
}

impl State {
    /// Returns true if both players can put a card.
    #[inline]
    pub(super) const fn is_unfinished(&self) -> bool {
        self.hand_bits[0] != 0 && self.hand_bits[1] != 0
    }

    /// Returns true if the cards of a war are on the table; `all` is the number of bits of all
    /// cards.
    #[inline]
    pub(super) const fn is_in_war(&self, all: u64) -> bool {
        self.hand_bits[0] + self.hand_bits[1] < all
    }
}

/// Layout of the cards of a hand in a word: the top card is in the lowest bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CardLayout {
    /// Number of bits of a card.
    pub(super) card_bits: u32,
    /// Number of ranks, and of cards of each rank.
    ranks: u8,
    suits: u8,
    /// Lowest rank, stored as 0 in a word.
    pub(super) lowest: u8,
}

impl CardLayout {
    /// Returns the layout for a deck, if a word can hold all its cards.
    pub(super) fn new(deck: Deck) -> Option<Self> {
        let ranks = deck.highest_rank() - deck.lowest_rank() + 1;
        let cards = u8::try_from(deck.size()).ok()?;
        let card_bits = if ranks <= 8 { 3 } else { 4 };
        let fits = ranks <= 16 && u32::from(cards) * card_bits <= u64::BITS;
        fits.then_some(Self {
            card_bits,
            ranks,
            suits: cards / ranks,
            lowest: deck.lowest_rank(),
        })
    }

    /// Returns the number of pairs that the first pass puts.
    pub(super) const fn pairs(self) -> u32 {
        self.ranks as u32 * self.suits as u32 / 2
    }

    /// Returns true if neighbouring ranks are played as twins: there is one card of each rank.
    pub(super) const fn has_twins(self) -> bool {
        self.suits == 1
    }

    /// Returns the number of kinds of cards that a walk chooses from, and the number of cards of
    /// each kind. Twins are of one kind.
    pub(super) const fn kind_counts(self) -> (u8, u8) {
        if self.has_twins() {
            (self.ranks / 2, 2)
        } else {
            (self.ranks, self.suits)
        }
    }

    /// Returns the number of bits of a pair of cards.
    pub(super) const fn pair_bits(self) -> u32 {
        2 * self.card_bits
    }

    /// Returns the number of bits of all cards.
    pub(super) const fn all_bits(self) -> u64 {
        self.pairs() as u64 * self.pair_bits() as u64
    }

    /// Returns the pairs of cards in the lowest bits of a word, as ranks from 0.
    fn pairs_of(self, word: u64, bits: u64) -> impl Iterator<Item = (u8, u8)> {
        let card = move |at: u64| {
            let rank = word >> at & !(u64::MAX << self.card_bits);
            u8::try_from(rank).expect("16 ranks at most")
        };
        let places = (0..bits).step_by(self.pair_bits() as usize);
        places.map(move |at| (card(at), card(at + u64::from(self.card_bits))))
    }
}

/// Hands of a deal, top card first, as ranks from 0.
pub(super) type DealtHands = [Vec<u8>; 2];

/// Cards won in a turn: those of the winner and of the loser, in the order put.
struct Block {
    winner: Vec<u8>,
    loser: Vec<u8>,
}

impl State {
    /// Returns the deals that lead to this state; of two deals that differ by swapping the players,
    /// only the first in lexicographic order.
    pub(super) fn source_deals(&self, layout: CardLayout) -> impl Iterator<Item = DealtHands> {
        let blocks = [0, 1].map(|player| {
            let pairs = layout.pairs_of(self.hands[player], self.hand_bits[player]);
            blocks(pairs)
        });
        let cards_in_war = layout.all_bits() - self.hand_bits[0] - self.hand_bits[1];
        let mut pot: Vec<_> = layout.pairs_of(self.pot, cards_in_war).collect();
        pot.reverse();
        let turns = blocks[0].len() + blocks[1].len();
        let second_wins = u32::try_from(blocks[1].len()).expect("few blocks");
        let orders = (0_u32..1 << turns).filter(move |order| order.count_ones() == second_wins);
        // If both players have the same blocks, swapping the players of a deal leads to the same
        // state.
        let is_own_swap = self.hands[0] == self.hands[1] && self.hand_bits[0] == self.hand_bits[1];
        orders.filter_map(move |order| {
            let mut deal = deal_in_order(order, &blocks);
            for hand in &mut deal {
                hand.extend(pot.iter().map(|&(card, _)| card));
            }
            if deal[1] < deal[0] {
                if is_own_swap {
                    return None;
                }
                deal.swap(0, 1);
            }
            Some(deal)
        })
    }

    /// Returns the deal that leads to this state and comes first in lexicographic order.
    pub(super) fn first_deal(&self, layout: CardLayout) -> DealtHands {
        self.source_deals(layout).min().unwrap_or_default()
    }
}

/// Splits a hand into blocks, each of which begins with a pair of different cards.
fn blocks(pairs: impl Iterator<Item = (u8, u8)>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (higher, lower) in pairs {
        match blocks.last_mut() {
            // The last pair of a war comes first.
            Some(block) if higher == lower => {
                block.winner.insert(0, higher);
                block.loser.insert(0, lower);
            }
            _ => blocks.push(Block {
                winner: vec![higher],
                loser: vec![lower],
            }),
        }
    }
    blocks
}

/// Returns the cards that both players put if they won their blocks in this order: a bit for each
/// turn, set if player 2 won it.
fn deal_in_order(order: u32, blocks: &[Vec<Block>; 2]) -> DealtHands {
    let mut deal = DealtHands::default();
    let mut next = [0, 0];
    for turn in 0..blocks[0].len() + blocks[1].len() {
        let winner = (order >> turn & 1) as usize;
        let block = &blocks[winner][next[winner]];
        next[winner] += 1;
        deal[winner].extend(&block.winner);
        deal[1 - winner].extend(&block.loser);
    }
    deal
}

impl State {
    /// Returns true if the top cards are twins; both players must hold a card.
    #[inline]
    pub(super) const fn has_twins_on_top(&self, layout: CardLayout) -> bool {
        let top = !(u64::MAX << layout.card_bits);
        let [first, second] = self.hands;
        layout.has_twins() && (first ^ second) & top == 0
    }

    /// Returns the two games that follow when twins meet: either player's card is the higher one.
    #[inline]
    pub(super) fn split_twins(&self) -> [Self; 2] {
        let [first, second] = self.hands;
        [[first | 1, second], [first, second | 1]].map(|hands| Self {
            hands,
            deals: self.deals / 2,
            ..*self
        })
    }

    /// Returns the states that this one represents, in which all twins are told apart.
    ///
    /// Of two states that differ by swapping the players, only one is returned.
    pub(super) fn split_all_twins(self, layout: CardLayout) -> Vec<Self> {
        if !layout.has_twins() {
            return vec![self];
        }
        let twins: Vec<_> = (0..layout.kind_counts().0)
            .filter_map(|kind| self.twin_positions(2 * kind, layout))
            .collect();
        let [first, second] = self.hands;
        let is_own_swap = first == second;
        let ways = 1_u32 << twins.len();
        let states = (0..ways).map(|way| {
            let mut hands = self.hands;
            for (number, places) in twins.iter().enumerate() {
                let (player, bit) = places[(way >> number & 1) as usize];
                hands[player] |= 1 << bit;
            }
            Self {
                hands,
                deals: (self.deals << u32::from(is_own_swap)) / u64::from(ways),
                ..self
            }
        });
        states
            .filter(|state| !is_own_swap || state.hands[0] > state.hands[1])
            .collect()
    }

    /// Returns the positions of two twins, each as a player and a bit of the hand, if the hands
    /// contain them.
    fn twin_positions(&self, card: u8, layout: CardLayout) -> Option<[(usize, u64); 2]> {
        let mut places = Vec::new();
        for player in 0..2 {
            let pairs = layout.pairs_of(self.hands[player], self.hand_bits[player]);
            let cards = pairs.flat_map(|(higher, lower)| [higher, lower]);
            let cards = (0..).step_by(layout.card_bits as usize).zip(cards);
            places.extend(
                cards
                    .filter(|&(_, other)| other == card)
                    .map(|(bit, _)| (player, bit)),
            );
        }
        places.try_into().ok()
    }
}
