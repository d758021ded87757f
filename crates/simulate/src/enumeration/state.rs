//! States: games after the first pass over both hands, and the deals that lead to them.
//!
//! In decks with one card of each rank, neighbouring ranks are twins. A game goes the same way
//! whichever of two neighbouring ranks is the higher one, until a card of the one meets one of the
//! other. So both are played as the same, lower card: twins. A state stands for the deals in which
//! either of each two twins is the higher one. When twins meet, the game goes on in two ways, with
//! half of the deals each; they are told apart then, and one of them has its own rank.

use war::cards::Deck;

/// A game after the first pass over both hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// What each player holds: the blocks won, the pairs of one with the higher card first.
    pub(super) hands: [u64; 2],
    /// How many bits of a hand are cards.
    pub(super) lengths: [u64; 2],
    /// The pairs of a war that is not decided, the last one in the lowest bits.
    pub(super) pot: u64,
    /// How many turns are decided.
    pub(super) turns: u64,
    /// How many pairs of cards are put.
    pub(super) pairs: u64,
    /// How many deals lead here.
    pub(super) deals: u64,
}

impl State {
    /// Whether both players can put a card.
    #[inline]
    pub(super) const fn goes_on(&self) -> bool {
        self.lengths[0] != 0 && self.lengths[1] != 0
    }

    /// Whether the cards of a war are on the table, of `all` bits of cards.
    #[inline]
    pub(super) const fn is_in_war(&self, all: u64) -> bool {
        self.lengths[0] + self.lengths[1] < all
    }
}

/// How the cards of a hand lie in a word: the top card in the lowest bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// The bits of a card.
    pub(super) card: u32,
    /// The number of ranks, and of cards of each.
    ranks: u8,
    suits: u8,
    /// The rank that is 0 in a word.
    pub(super) lowest: u8,
}

impl Layout {
    /// The layout for a deck, if a word holds it.
    pub(super) fn new(deck: Deck) -> Option<Self> {
        let ranks = deck.highest() - deck.lowest() + 1;
        let cards = u8::try_from(deck.size()).ok()?;
        let card = if ranks <= 8 { 3 } else { 4 };
        let fits = ranks <= 16 && u32::from(cards) * card <= u64::BITS;
        fits.then_some(Self {
            card,
            ranks,
            suits: cards / ranks,
            lowest: deck.lowest(),
        })
    }

    /// The number of pairs that the first pass puts.
    pub(super) const fn pairs(self) -> u32 {
        self.ranks as u32 * self.suits as u32 / 2
    }

    /// Whether neighbouring ranks are played as twins: there is one card of each rank.
    pub(super) const fn has_twins(self) -> bool {
        self.suits == 1
    }

    /// How many kinds of cards a walk chooses from, and how many cards each has: twins are of one
    /// kind.
    pub(super) const fn kinds(self) -> (u8, u8) {
        if self.has_twins() {
            (self.ranks / 2, 2)
        } else {
            (self.ranks, self.suits)
        }
    }

    /// The bits of a pair of cards.
    pub(super) const fn pair(self) -> u32 {
        2 * self.card
    }

    /// The bits of all cards.
    pub(super) const fn all(self) -> u64 {
        self.pairs() as u64 * self.pair() as u64
    }

    /// The cards in the lowest bits of a word, as ranks from 0.
    fn pairs_of(self, word: u64, bits: u64) -> impl Iterator<Item = (u8, u8)> {
        let card = move |at: u64| {
            let rank = word >> at & !(u64::MAX << self.card);
            u8::try_from(rank).expect("16 ranks at most")
        };
        let places = (0..bits).step_by(self.pair() as usize);
        places.map(move |at| (card(at), card(at + u64::from(self.card))))
    }
}

/// The hands of a deal, top card first, as ranks from 0.
pub(super) type Deal = [Vec<u8>; 2];

/// What was won in a turn: the cards of the winner and of the loser, in the order put.
struct Block {
    winner: Vec<u8>,
    loser: Vec<u8>,
}

impl State {
    /// The deals that lead here: of two that differ by swapping the players, the lower one.
    pub(super) fn deals(&self, layout: Layout) -> impl Iterator<Item = Deal> {
        let blocks = [0, 1].map(|player| {
            let pairs = layout.pairs_of(self.hands[player], self.lengths[player]);
            blocks(pairs)
        });
        let cards_in_war = layout.all() - self.lengths[0] - self.lengths[1];
        let mut pot: Vec<_> = layout.pairs_of(self.pot, cards_in_war).collect();
        pot.reverse();
        let turns = blocks[0].len() + blocks[1].len();
        let second_wins = u32::try_from(blocks[1].len()).expect("few blocks");
        let orders = (0_u32..1 << turns).filter(move |order| order.count_ones() == second_wins);
        // The blocks of both players are the same: a deal and its swapped one lead here.
        let is_own_swap = self.hands[0] == self.hands[1] && self.lengths[0] == self.lengths[1];
        orders.filter_map(move |order| {
            let mut deal = dealt(order, &blocks);
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

    /// The first of these deals in order.
    pub(super) fn first_deal(&self, layout: Layout) -> Deal {
        self.deals(layout).min().unwrap_or_default()
    }
}

/// The blocks of a hand: each begins with a pair of different cards.
fn blocks(pairs: impl Iterator<Item = (u8, u8)>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (higher, lower) in pairs {
        match blocks.last_mut() {
            // The pair put last lies first.
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

/// The cards that both players put where they won their blocks in this order: a bit for each
/// turn, set where player 2 won it.
fn dealt(order: u32, blocks: &[Vec<Block>; 2]) -> Deal {
    let mut deal = Deal::default();
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
    /// Whether the cards on top are twins that meet; both players must hold a card.
    #[inline]
    pub(super) const fn twins_meet(&self, layout: Layout) -> bool {
        let top = !(u64::MAX << layout.card);
        let [first, second] = self.hands;
        layout.has_twins() && (first ^ second) & top == 0
    }

    /// The two ways in which a game goes on when twins meet: the card of either player is the higher
    /// one.
    #[inline]
    pub(super) fn after_twins_met(&self) -> [Self; 2] {
        let [first, second] = self.hands;
        [[first | 1, second], [first, second | 1]].map(|hands| Self {
            hands,
            deals: self.deals / 2,
            ..*self
        })
    }

    /// The states that this one stands for, in which all twins are told apart.
    ///
    /// Of two that differ by swapping the players, there is one.
    pub(super) fn told_apart(self, layout: Layout) -> Vec<Self> {
        if !layout.has_twins() {
            return vec![self];
        }
        let twins: Vec<_> = (0..layout.kinds().0)
            .filter_map(|kind| self.twins(2 * kind, layout))
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

    /// Where two twins lie, as a player and a bit of the hand, if there are such.
    fn twins(&self, card: u8, layout: Layout) -> Option<[(usize, u64); 2]> {
        let mut places = Vec::new();
        for player in 0..2 {
            let pairs = layout.pairs_of(self.hands[player], self.lengths[player]);
            let cards = pairs.flat_map(|(higher, lower)| [higher, lower]);
            let cards = (0..).step_by(layout.card as usize).zip(cards);
            places.extend(
                cards
                    .filter(|&(_, other)| other == card)
                    .map(|(bit, _)| (player, bit)),
            );
        }
        places.try_into().ok()
    }
}
