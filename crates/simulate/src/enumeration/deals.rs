//! The deals that lead to a state.

use super::layout::Layout;
use super::state::State;

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
