//! Kernel for two players whose cards go back shuffled, in portable code. Random numbers are drawn
//! turn by turn, as in the general kernel.

use super::batch::{BatchKernel, DealtGames};
use super::pair::DeepWars;
use super::rings::Rings;
use crate::game::{Conclusion, GameResult, Ties, WarDepthCounts};
use crate::setup::max_turns;
use war::cards::Xoshiro256PlusPlus;
use war::engine::Seat;
use war::rules::{
    CardChoice, CollectOrder, OutOfCards, Parameters, Piles, RepetitionRule, TurnLimit,
};

/// Maximum number of turns before a game is left to the general kernel.
const MAX_TURNS: u32 = 1_000_000;

/// Kernel for games of two players who shuffle what they win.
#[derive(Debug)]
pub(super) struct ShuffleKernel {
    /// Number of pairs from one comparison of a war to the next.
    step: usize,
    out_of_cards: OutOfCards,
    limit: Option<u32>,
    names_winner: bool,
    /// Cards to be shuffled.
    scratch: Vec<u8>,
    /// Number of ties of the game after which no further cards were compared.
    last_ties: u64,
}

/// Outcome of a war.
enum WarOutcome {
    /// Cards taken by one player, or by both after a drawn turn.
    Taken,
    /// Game won or drawn in this war.
    Ended(Option<Seat>),
}

impl ShuffleKernel {
    /// Returns the kernel for these rules and this many cards, if it can play them.
    pub(super) fn new(parameters: &Parameters, cards: usize) -> Option<Self> {
        let is_plain = parameters.repetition == RepetitionRule::GoesOn
            && parameters.card_choice == CardChoice::Top;
        let is_one = parameters.piles == Piles::One && cards <= Rings::MAX_CARDS;
        let plays = parameters.collect == CollectOrder::Shuffled && is_plain && is_one;
        plays.then(|| Self {
            step: usize::from(parameters.face_down) + 1,
            out_of_cards: parameters.out_of_cards,
            limit: max_turns(parameters, cards),
            names_winner: matches!(parameters.limit, Some(TurnLimit::TurnsPerCard(_))),
            scratch: Vec::with_capacity(cards),
            last_ties: 0,
        })
    }

    /// Plays a game to its end, or gives up after many turns.
    fn play(
        &mut self,
        cards: &[u8],
        chance: &mut Xoshiro256PlusPlus,
        depths: &mut WarDepthCounts,
    ) -> Option<GameResult> {
        let mut rings = Rings::from_deal(cards);
        let (mut turns, mut wars, mut deeper) = (0, 0, DeepWars::default());
        let limit = self.limit.unwrap_or(u32::MAX);
        self.last_ties = 0;
        let conclusion = loop {
            let [first, second] = rings.lengths;
            match (first, second) {
                (0, _) => break Conclusion::Won(Seat::SECOND),
                (_, 0) => break Conclusion::Won(Seat::FIRST),
                _ if turns >= limit => break self.conclusion_at_limit(&rings),
                _ if turns > MAX_TURNS => return None,
                _ => {}
            }
            let held = first.min(second).min((limit - turns) as usize);
            turns += rings.play_shuffled_until_war(held, chance);
            if turns >= limit || !rings.is_tied() {
                continue;
            }
            turns += 1;
            wars += 1;
            let (war, depth) = self.play_war(&mut rings, chance);
            deeper.count(depth);
            if let WarOutcome::Ended(winner) = war {
                break winner.map_or(Conclusion::Drawn, Conclusion::Won);
            }
        };
        let mut ties = Ties::default();
        if conclusion != Conclusion::Undecided {
            deeper.add_to(wars, depths);
            ties = Ties::new(deeper.ties(wars), self.last_ties);
        }
        Some(GameResult {
            conclusion,
            turns,
            wars,
            ties,
        })
    }

    fn conclusion_at_limit(&self, rings: &Rings) -> Conclusion {
        let winner = rings.winner_when_stopped().filter(|_| self.names_winner);
        winner.map_or(Conclusion::Undecided, Conclusion::Won)
    }

    /// Plays a war, and returns its outcome and depth.
    fn play_war(
        &mut self,
        rings: &mut Rings,
        chance: &mut Xoshiro256PlusPlus,
    ) -> (WarOutcome, usize) {
        let [first, second] = rings.lengths;
        let held = first.min(second);
        let (mut at, mut depth) = (0, 1);
        loop {
            let step = match self.out_of_cards {
                // The war shrinks to the pairs that both players can put.
                OutOfCards::Shrink => self.step.min(held - 1 - at),
                _ => self.step,
            };
            at += step;
            if step == 0 {
                self.last_ties += 1;
                self.draw_turn(rings, at + 1, chance);
                return (WarOutcome::Taken, depth);
            }
            if at >= held {
                break;
            }
            let (first, second) = rings.cards_at(at);
            if first != second {
                self.scratch.clear();
                let winner = usize::from(first < second);
                self.scratch.extend(rings.hand(winner).take(at + 1));
                self.scratch.extend(rings.hand(1 - winner).take(at + 1));
                self.shuffle(at + 1, chance);
                rings.take_from_both(at + 1, winner, &self.scratch);
                return (WarOutcome::Taken, depth);
            }
            depth += 1;
        }
        if self.out_of_cards == OutOfCards::LastCard {
            return self.play_war_with_last_cards(rings, chance);
        }
        self.last_ties += 1;
        match self.out_of_cards {
            OutOfCards::Loses if first == second => (WarOutcome::Ended(None), depth),
            _ if first > second => (WarOutcome::Ended(Some(Seat::FIRST)), depth),
            _ => (WarOutcome::Ended(Some(Seat::SECOND)), depth),
        }
    }

    /// Shuffles the loser's cards, and then all cards together. The first `own` cards are the
    /// winner's.
    fn shuffle(&mut self, own: usize, chance: &mut Xoshiro256PlusPlus) {
        chance.shuffle_items(&mut self.scratch[own..]);
        chance.shuffle_items(&mut self.scratch);
    }

    /// Ends a turn in a draw: each player takes the cards that the other one put, shuffled.
    fn draw_turn(&mut self, rings: &mut Rings, pairs: usize, chance: &mut Xoshiro256PlusPlus) {
        let [first, second] = [0, 1].map(|player| rings.hand(player).collect::<Vec<_>>());
        let mut hands = [&first, &second].map(|hand| hand[pairs..].to_vec());
        for (hand, put) in hands.iter_mut().zip([&second, &first]) {
            self.scratch.clear();
            self.scratch.extend(&put[..pairs]);
            chance.shuffle_items(&mut self.scratch);
            hand.extend(&self.scratch);
        }
        *rings = Rings::from_hands([&hands[0], &hands[1]]);
    }

    /// Plays a war in which players who are short of cards keep their last card to put it face up.
    fn play_war_with_last_cards(
        &mut self,
        rings: &mut Rings,
        chance: &mut Xoshiro256PlusPlus,
    ) -> (WarOutcome, usize) {
        let mut hands = [0, 1].map(|player| rings.hand(player).collect::<Vec<_>>());
        let mut put = [1, 1];
        let mut depth = 0;
        let winner = loop {
            depth += 1;
            let left = [0, 1].map(|player| hands[player].len() - put[player]);
            self.last_ties += u64::from(left.contains(&0));
            match left {
                [0, 0] => return (WarOutcome::Ended(None), depth),
                [_, 0] => break 0,
                [0, _] => break 1,
                [_, _] => {}
            }
            for player in [0, 1] {
                put[player] += self.step.min(left[player]);
            }
            let shown = [0, 1].map(|player| hands[player][put[player] - 1]);
            if shown[0] != shown[1] {
                break usize::from(shown[0] < shown[1]);
            }
        };
        self.scratch.clear();
        self.scratch.extend(&hands[winner][..put[winner]]);
        self.scratch.extend(&hands[1 - winner][..put[1 - winner]]);
        self.shuffle(put[winner], chance);
        for player in [0, 1] {
            hands[player].drain(..put[player]);
        }
        hands[winner].extend(&self.scratch);
        *rings = Rings::from_hands([&hands[0], &hands[1]]);
        (WarOutcome::Taken, depth)
    }
}

impl BatchKernel for ShuffleKernel {
    fn play_batch(
        &mut self,
        deals: DealtGames<'_>,
        played: &mut [Option<GameResult>],
        depths: &mut WarDepthCounts,
    ) {
        let games = deals.bytes.chunks_exact(self.bytes_per_game(deals.cards));
        for ((cards, chance), played) in games.zip(deals.chances).zip(played) {
            *played = self.play(cards, &mut chance.clone(), depths);
        }
    }
}
