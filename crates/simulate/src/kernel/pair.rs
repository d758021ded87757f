//! Fast portable kernel for two players: rings of bytes, and no branch except for wars.

use super::batch::{BatchKernel, DealtGames};
use super::rings::Rings;
use super::state_log::MAX_CARDS;
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use war::engine::Seat;
use war::rules::{CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule};

/// Maximum number of turns before a game is left to the general kernel, which detects cycles.
///
/// A game that ends by then had no cycle.
const MAX_TURNS: u32 = 4_096;

/// Kernel for games of two players whose cards always go back in pairs.
#[derive(Debug, Clone)]
pub(super) struct PairKernel {
    /// Number of pairs from one comparison of a war to the next.
    step: usize,
    winner_first: bool,
    /// True if the cards of a war go back by their ranks, the highest first.
    highest_first: bool,
    draws_if_equal: bool,
}

impl PairKernel {
    /// Returns the kernel for these rules, if it can play them.
    ///
    /// The cards must go back pair by pair (in a war, possibly by their ranks), a player out of
    /// cards must lose, and there must be no turn limit. Most games with `SeatInterleaved` are
    /// endless: games with few cards are left to a kernel that can prove that they are endless.
    pub(super) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let pairs = match parameters.collect {
            CollectOrder::WinnerFirst | CollectOrder::HighestFirst => true,
            CollectOrder::SeatInterleaved => cards > MAX_CARDS,
            _ => false,
        };
        let loses = matches!(
            parameters.out_of_cards,
            OutOfCards::Loses | OutOfCards::EndOfCards
        );
        let is_one = parameters.piles == Piles::One;
        let plays = pairs && loses && is_one && parameters.limit.is_none();
        (plays && parameters.repetition == RepetitionRule::Ends).then(|| Self {
            step: usize::from(parameters.face_down) + 1,
            winner_first: parameters.collect != CollectOrder::SeatInterleaved,
            highest_first: parameters.collect == CollectOrder::HighestFirst,
            draws_if_equal: parameters.out_of_cards == OutOfCards::Loses,
        })
    }

    /// Plays a game to its end, or gives up after many turns: `None` means that the result isn't
    /// known and nothing was counted.
    ///
    /// `cards` are dealt one at a time, the first to player 1. The result of a game with more than
    /// 255 cards is never known.
    #[inline]
    fn play(&self, cards: &[u8], depths: &mut WarDepthCounts) -> Option<GameResult> {
        if cards.len() > Rings::MAX_CARDS {
            return None;
        }
        if self.winner_first {
            self.play_ordered::<true>(cards, depths)
        } else {
            self.play_ordered::<false>(cards, depths)
        }
    }

    #[inline]
    fn play_ordered<const WINNER_FIRST: bool>(
        &self,
        cards: &[u8],
        depths: &mut WarDepthCounts,
    ) -> Option<GameResult> {
        let mut rings = Rings::from_deal(cards);
        let (mut turns, mut wars) = (0, 0);
        let mut deeper = DeepWars::default();
        loop {
            // No hand can run out within this many pairs.
            let held = rings.lengths[0].min(rings.lengths[1]);
            if held == 0 {
                deeper.add_to(wars, depths);
                let conclusion = Conclusion::Won(if rings.lengths[0] == 0 {
                    Seat::SECOND
                } else {
                    Seat::FIRST
                });
                return Some(GameResult {
                    conclusion,
                    turns,
                    wars,
                    ties: Ties::new(deeper.ties(wars), 0),
                });
            }
            if turns > MAX_TURNS {
                return None;
            }
            turns += rings.play_until_war::<WINNER_FIRST>(held);
            let held = rings.lengths[0].min(rings.lengths[1]);
            let (first, second) = rings.cards_at(0);
            if held == 0 || first != second {
                continue;
            }
            turns += 1;
            wars += 1;
            let (mut at, mut depth) = (0, 0);
            let (first, second) = loop {
                at += self.step;
                depth += 1;
                if at >= held {
                    deeper.count(depth);
                    deeper.add_to(wars, depths);
                    let ties = Ties::new(deeper.ties(wars), 1);
                    return Some(GameResult {
                        conclusion: self.out_of_cards(&rings),
                        turns,
                        wars,
                        ties,
                    });
                }
                let (first, second) = rings.cards_at(at);
                if first != second {
                    break (first, second);
                }
            };
            deeper.count(depth);
            rings.take_war::<WINNER_FIRST>(at + 1, first < second);
            if self.highest_first {
                rings.sort_taken(2 * (at + 1), first < second);
            }
        }
    }

    /// Returns the end of a game in a war that a player can't continue: the player with more cards
    /// wins.
    fn out_of_cards(&self, rings: &Rings) -> Conclusion {
        let (first, second) = (rings.lengths[0], rings.lengths[1]);
        if first > second {
            Conclusion::Won(Seat::FIRST)
        } else if first == second && self.draws_if_equal {
            Conclusion::Drawn
        } else {
            Conclusion::Won(Seat::SECOND)
        }
    }
}

impl BatchKernel for PairKernel {
    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let games = deals.bytes.chunks_exact(self.bytes_per_game(deals.cards));
        for (cards, played) in games.zip(played) {
            *played = self.play(cards, depths);
        }
    }
}

/// Wars of a game that were deeper than 1: with several consecutive ties. Only a few games in a
/// hundred have many such wars.
#[derive(Default)]
pub(super) struct DeepWars {
    counts: [u32; 8],
    deepest: Vec<usize>,
    total: u32,
}

impl DeepWars {
    #[inline]
    pub(super) fn count(&mut self, depth: usize) {
        if depth > 1 {
            self.total += 1;
            match self.counts.get_mut(depth) {
                Some(count) => *count += 1,
                None => self.deepest.push(depth),
            }
        }
    }

    /// Returns the number of ties for the highest card in a game with this many wars.
    #[inline]
    pub(super) fn ties(&self, wars: u32) -> u64 {
        let mut ties = u64::from(wars);
        if self.total > 0 {
            let counts = (0_u64..).zip(&self.counts).skip(2);
            ties += counts
                .map(|(depth, &count)| (depth - 1) * u64::from(count))
                .sum::<u64>();
            ties += self
                .deepest
                .iter()
                .map(|&depth| depth as u64 - 1)
                .sum::<u64>();
        }
        ties
    }

    /// Adds the wars of a game, `wars` in all, to `depths`.
    #[inline]
    pub(super) fn add_to(&self, wars: u32, depths: &mut WarDepthCounts) {
        depths.count_many(1, (wars - self.total).into());
        if self.total > 0 {
            for (depth, &count) in self.counts.iter().enumerate().skip(2) {
                depths.count_many(depth, count.into());
            }
            for &depth in &self.deepest {
                depths.count(depth);
            }
        }
    }
}
