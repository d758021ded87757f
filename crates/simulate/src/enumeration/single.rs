//! Deals played one by one.

use super::exact::{ExactFigures, LongestGame};
use crate::game::{Conclusion, WarDepthCounts};
use crate::kernel::{GeneralKernel, SmallKernel};
use war::cards::{Deck, Rank};
use war::rules::Parameters;

/// Walk that plays each deal by itself.
pub(super) struct DealWalk<'a> {
    small: Option<SmallKernel>,
    general: GeneralKernel,
    lowest: u8,
    is_symmetric: bool,
    figures: ExactFigures,
    should_continue: &'a dyn Fn() -> bool,
    stopped: bool,
}

impl<'a> DealWalk<'a> {
    /// Returns a walk over deals of this deck. With `is_symmetric`, only one of two deals that
    /// differ by swapping the players is played. `should_continue` is polled in games that aren't
    /// over quickly.
    pub(super) fn new(
        parameters: &Parameters,
        deck: Deck,
        is_symmetric: bool,
        should_continue: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            small: SmallKernel::new(parameters, deck.size()),
            general: GeneralKernel::new(*parameters),
            lowest: deck.lowest_rank(),
            is_symmetric,
            figures: ExactFigures::default(),
            should_continue,
            stopped: false,
        }
    }

    /// Returns the figures of the deals.
    pub(super) fn into_figures(self) -> ExactFigures {
        self.figures
    }

    /// Deals all cards from index `at` on in every way, and plays each deal.
    pub(super) fn deal(&mut self, cards: &mut [u8], at: usize, left: &mut [u8]) {
        let half = first_hand_size(cards);
        if self.stopped {
            return;
        }
        // Of two deals that differ by swapping the players, the one with the lower first hand is
        // played.
        if self.is_symmetric && at > half && cards[half..at] < cards[..at - half] {
            return;
        }
        if at == cards.len() {
            self.play(cards);
            return;
        }
        for rank in 0..left.len() {
            if left[rank] > 0 {
                left[rank] -= 1;
                cards[at] = u8::try_from(rank).expect("a deck has 64 ranks at most");
                self.deal(cards, at + 1, left);
                left[rank] += 1;
            }
        }
    }

    fn play(&mut self, cards: &[u8]) {
        let (first, second) = cards.split_at(first_hand_size(cards));
        if let Some(small) = &self.small
            && let Some(ended) = small.play(first, second)
        {
            self.figures.deals += 1;
            match ended.winner {
                Some(winner) => self.count_win(winner.into()),
                None => self.figures.drawn += 1,
            }
            self.count_finished(cards, ended.turns, ended.pairs.into());
            return;
        }
        let hands = [self.ranks(first), self.ranks(second)];
        let (kernel, depths) = (&mut self.general, &mut WarDepthCounts::default());
        let Some(counted) = kernel.play_while(&hands, &mut (), depths, self.should_continue) else {
            self.stopped = true;
            return;
        };
        self.figures.deals += 1;
        match counted.result.conclusion {
            Conclusion::Won(seat) => self.count_win(seat.index()),
            Conclusion::Drawn => self.figures.drawn += 1,
            Conclusion::Endless { period } => {
                self.figures.endless += 1;
                self.figures.periods.count(period, 1);
                return;
            }
            Conclusion::Undecided => {
                self.figures.undecided += 1;
                return;
            }
        }
        self.count_finished(cards, counted.result.turns, counted.rounds);
    }

    /// Counts a win of the player with this index. If only one of two deals that differ by swapping
    /// the players is played, the win counts for player 1.
    fn count_win(&mut self, winner: usize) {
        let winner = if self.is_symmetric { 0 } else { winner };
        self.figures.won[winner] += 1;
    }

    fn count_finished(&mut self, cards: &[u8], turns: u32, pairs: u64) {
        self.figures.turns.count(turns, 1);
        self.figures.pairs += pairs;
        // Deals come in order, so the first of several longest games was seen first.
        let is_longest = |most: &Option<LongestGame>,
                          is_longer: fn(&LongestGame, u32, u64) -> bool| {
            most.as_ref()
                .is_none_or(|most| is_longer(most, turns, pairs))
        };
        let by_turns = is_longest(&self.figures.most_turns, |most, turns, _| {
            turns > most.turns
        });
        let by_pairs = is_longest(&self.figures.most_pairs, |most, _, pairs| {
            pairs > most.pairs
        });
        if by_turns || by_pairs {
            let (first, second) = cards.split_at(first_hand_size(cards));
            let game = LongestGame {
                turns,
                pairs,
                hands: [self.ranks(first), self.ranks(second)],
            };
            self.figures.update_most_turns(Some(&game));
            self.figures.update_most_pairs(Some(&game));
        }
    }

    fn ranks(&self, cards: &[u8]) -> Vec<Rank> {
        let ranks = cards.iter().map(|card| Rank::new(card + self.lowest));
        ranks.flatten().collect()
    }
}

/// Returns the size of player 1's hand: half of the cards, rounded up, as if dealt one at a time.
const fn first_hand_size(cards: &[u8]) -> usize {
    cards.len().div_ceil(2)
}
