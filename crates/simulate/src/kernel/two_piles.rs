//! Kernel for two players with a second pile each, in portable code. A player's second pile lies
//! right behind the hand, so that it becomes the hand where it is.

use super::batch::{BatchKernel, DealtGames, KernelCollectOrder, WarOrder};
use super::pair::DeepWars;
use super::rings::Rings;
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use crate::setup::max_turns;
use war::cards::Xoshiro256PlusPlus;
use war::engine::Seat;
use war::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};

/// Maximum number of turns before a game that chance goes on with is left to the general kernel.
const MAX_TURNS: u32 = 1_000_000;

/// The same for a game that may be endless, which the general kernel proves.
///
/// A game that ends by then had no cycle.
const MAX_PROVABLE_TURNS: u32 = 4_096;

/// Kernel for games of two players whose won cards go on second piles.
#[derive(Debug)]
pub(super) struct TwoPileKernel {
    /// Number of pairs from one comparison of a war to the next.
    step: usize,
    order: KernelCollectOrder,
    /// True if the cards of a war are collected by their ranks, the highest first.
    highest_first: bool,
    piles: Piles,
    out_of_cards: OutOfCards,
    limit: u32,
    max_turns: u32,
    names_winner: bool,
    /// A pile that does not lie in one piece.
    scratch: Vec<u8>,
}

/// Game in progress.
struct TwoPileGame {
    rings: Rings,
    /// Numbers of cards in the hands, with those on the table until they are collected; the other
    /// cards of each ring are the second pile.
    hands: [usize; 2],
    chance: Xoshiro256PlusPlus,
}

impl TwoPileKernel {
    /// Returns the kernel for these rules and this many cards, if it can play them.
    pub(super) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let is_provable = parameters.piles == Piles::TwoTurned && parameters.limit.is_none();
        let plays = match parameters.repetition {
            RepetitionRule::GoesOn => true,
            RepetitionRule::Ends => is_provable,
            RepetitionRule::Reshuffled => false,
        };
        let loses = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::EndOfCards
        );
        let highest_first = parameters.collect == CollectOrder::HighestFirst;
        let collect = if highest_first {
            CollectOrder::WinnerFirst
        } else {
            parameters.collect
        };
        let order = KernelCollectOrder::from_collect(collect)?;
        let plays = plays
            && loses
            && parameters.piles != Piles::One
            && parameters.card_choice == CardChoice::Top
            && cards <= Rings::MAX_CARDS;
        plays.then(|| Self {
            step: usize::from(parameters.face_down) + 1,
            order,
            highest_first,
            piles: parameters.piles,
            out_of_cards: parameters.out_of_cards,
            limit: max_turns(parameters, cards).unwrap_or(u32::MAX),
            max_turns: if parameters.repetition == RepetitionRule::Ends {
                MAX_PROVABLE_TURNS
            } else {
                MAX_TURNS
            },
            names_winner: matches!(parameters.limit, Some(TurnLimit::TurnsPerCard(_))),
            scratch: Vec::with_capacity(cards),
        })
    }

    /// Plays a game to its end, or gives up after many turns: `None` means that the result isn't
    /// known and nothing was counted.
    #[inline]
    fn play<const WINNER_FIRST: bool>(
        &mut self,
        cards: &[u8],
        chance: &Xoshiro256PlusPlus,
        depths: &mut WarDepthCounts,
    ) -> Option<GameResult> {
        let rings = Rings::from_deal(cards);
        let mut game = TwoPileGame {
            hands: rings.lengths,
            rings,
            chance: chance.clone(),
        };
        let (mut turns, mut wars, mut deeper) = (0, 0, DeepWars::default());
        let mut last_ties = 0;
        let conclusion = loop {
            match game.rings.lengths {
                [0, _] => break Conclusion::Won(Seat::SECOND),
                [_, 0] => break Conclusion::Won(Seat::FIRST),
                _ if turns >= self.limit => break self.conclusion_at_limit(&game.rings),
                _ if turns > self.max_turns => return None,
                _ => {}
            }
            self.take_up(&mut game, 1);
            let held = game.hands[0].min(game.hands[1]);
            let held = held.min((self.limit - turns) as usize);
            let played = game.rings.play_until_war::<WINNER_FIRST>(held);
            turns += played;
            game.hands = game.hands.map(|hand| hand - played as usize);
            if played as usize == held {
                continue;
            }
            turns += 1;
            wars += 1;
            let (depth, is_taken) = self.play_war::<WINNER_FIRST>(&mut game);
            deeper.count(depth);
            if !is_taken {
                last_ties = 1;
                break self.conclusion_without_cards(&game.rings);
            }
        };
        let mut ties = Ties::default();
        if conclusion != Conclusion::Undecided {
            deeper.add_to(wars, depths);
            ties = Ties::new(deeper.ties(wars), last_ties);
        }
        Some(GameResult {
            conclusion,
            turns,
            wars,
            ties,
        })
    }

    /// Plays a war. Returns its depth, and false if a player ran out of cards.
    #[inline]
    fn play_war<const WINNER_FIRST: bool>(&mut self, game: &mut TwoPileGame) -> (usize, bool) {
        let least = game.rings.lengths[0].min(game.rings.lengths[1]);
        let (mut at, mut depth) = (0, 0);
        loop {
            depth += 1;
            at += self.step;
            if at >= least {
                return (depth, false);
            }
            self.take_up(game, at + 1);
            let (first, second) = game.rings.cards_at(at);
            if first != second {
                let pairs = at + 1;
                game.hands = game.hands.map(|hand| hand - pairs);
                self.collect::<WINNER_FIRST>(&mut game.rings, pairs, first < second);
                return (depth, true);
            }
        }
    }

    /// Takes up the second piles of players who need them to have `needed` cards on the table.
    ///
    /// The player whose hand is used up first shuffles first.
    #[inline]
    fn take_up(&mut self, game: &mut TwoPileGame, needed: usize) {
        let [first, second] = game.hands;
        if first >= needed && second >= needed {
            return;
        }
        let order = if first <= second { [0, 1] } else { [1, 0] };
        for player in order {
            if game.hands[player] < needed {
                self.take_up_pile(game, player);
            }
        }
    }

    #[inline]
    fn take_up_pile(&mut self, game: &mut TwoPileGame, player: usize) {
        let from = game.hands[player];
        let shuffled = |cards: &mut [u8]| {
            if self.piles == Piles::Two {
                game.chance.shuffle_items(cards);
            } else {
                cards.reverse();
            }
        };
        game.rings
            .rearrange(player, from, &mut self.scratch, shuffled);
        game.hands[player] = game.rings.lengths[player];
    }

    /// Puts the cards of a war on the winner's second pile.
    #[inline]
    fn collect<const WINNER_FIRST: bool>(&self, rings: &mut Rings, pairs: usize, second: bool) {
        if self.order.war == WarOrder::PairByPair {
            rings.take_war::<WINNER_FIRST>(pairs, second);
        } else {
            rings.take_pairs(self.order, pairs, second);
        }
        if self.highest_first {
            rings.sort_taken(2 * pairs, second);
        }
    }

    /// Returns the end of a game in a war that a player can't continue: the player with more cards
    /// wins.
    fn conclusion_without_cards(&self, rings: &Rings) -> Conclusion {
        let [first, second] = rings.lengths;
        if first > second {
            Conclusion::Won(Seat::FIRST)
        } else if first == second && self.out_of_cards == OutOfCards::Loses {
            Conclusion::Drawn
        } else {
            Conclusion::Won(Seat::SECOND)
        }
    }

    fn conclusion_at_limit(&self, rings: &Rings) -> Conclusion {
        let winner = rings.winner_when_stopped().filter(|_| self.names_winner);
        winner.map_or(Conclusion::Undecided, Conclusion::Won)
    }
}

impl BatchKernel for TwoPileKernel {
    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let games = deals.bytes.chunks_exact(self.bytes_per_game(deals.cards));
        for ((cards, chance), played) in games.zip(deals.chances).zip(played) {
            *played = if self.order.winner_first {
                self.play::<true>(cards, chance, depths)
            } else {
                self.play::<false>(cards, chance, depths)
            };
        }
    }
}
