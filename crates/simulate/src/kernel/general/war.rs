//! Wars of the kernel: who puts how many cards.

use super::state::State;
use super::turn::{Turn, Turns};
use crate::game::Depths;
use war::cards::Chance;
use war::rules::{OutOfCards, Piles};

/// How the cards of a war were put.
enum Step {
    /// All of them, and the last ones face up.
    Compared,
    /// This player takes the turn: nobody else can go on.
    Wins(usize),
    /// Nobody can go on: the game is drawn.
    Draws,
    /// Somebody has no card: the turn is drawn.
    TurnDraws,
}

impl Turns {
    /// A war, up to its end.
    pub(super) fn war<C: Chance>(
        &mut self,
        state: &mut State,
        chance: &mut C,
        depths: &mut Depths,
    ) -> Turn {
        let mut depth = 1;
        let mut left = std::mem::take(&mut self.left);
        self.pot.share_highest(&mut left);
        let turn = loop {
            let step = self.put_cards(state, &mut left, chance);
            let is_last = !matches!(step, Step::Compared) || left.len() == 1;
            state.last_ties += u64::from(is_last);
            match step {
                Step::Compared => {}
                Step::Wins(seat) => {
                    self.collect(state, seat, chance);
                    break Turn::Taken;
                }
                Step::Draws => break Turn::GameDrawn,
                Step::TurnDraws => {
                    break self.swap(state, chance);
                }
            }
            self.pot.share_highest(&mut left);
            if left.len() == 1 {
                self.collect(state, left[0], chance);
                break Turn::Taken;
            }
            depth += 1;
        };
        depths.count(depth);
        self.left = left;
        turn
    }

    /// Puts the cards of a war up to the next ones face up, or finds that they can't be.
    fn put_cards<C: Chance>(
        &mut self,
        state: &mut State,
        left: &mut Vec<usize>,
        chance: &mut C,
    ) -> Step {
        let size = usize::from(self.parameters.face_down);
        let held = |seat: &usize| state.hands[*seat].length;
        let least = left.iter().map(held).min().expect("a war has players");
        match self.parameters.out_of_cards {
            OutOfCards::EndOfCards => self.put_until_out(state, left, size, chance),
            OutOfCards::Loses => {
                if least > size {
                    return self.put_rounds(state, left, size, chance);
                }
                let most = left.iter().copied().max_by_key(held);
                let most = most.expect("a war has players");
                let is_draw = state.hands[most].length == least;
                self.put_all(state, left, least, chance);
                if is_draw {
                    return Step::Draws;
                }
                Step::Wins(most)
            }
            OutOfCards::LastCard => {
                if least > 0 {
                    return self.put_with_last_cards(state, left, size, chance);
                }
                match left.iter().copied().find(|seat| held(seat) > 0) {
                    Some(seat) => Step::Wins(seat),
                    None => Step::Draws,
                }
            }
            OutOfCards::Shrink if least == 0 => Step::TurnDraws,
            OutOfCards::Shrink => self.put_rounds(state, left, size.min(least - 1), chance),
        }
    }

    /// Players who have no card when one is due are out. The last one left goes on alone until
    /// they have shown a card or have none either.
    fn put_until_out<C: Chance>(
        &mut self,
        state: &mut State,
        left: &mut Vec<usize>,
        size: usize,
        chance: &mut C,
    ) -> Step {
        for step in 0..=size {
            while let Some(at) = left.iter().position(|&seat| state.hands[seat].length == 0) {
                if left.len() == 1 {
                    return Step::Wins(left[0]);
                }
                state.hands[left[at]].in_game = false;
                left.remove(at);
            }
            if step == size {
                self.pot.turn_up();
            }
            self.put_all(state, left, 1, chance);
        }
        Step::Compared
    }

    fn put_rounds<C: Chance>(
        &mut self,
        state: &mut State,
        left: &[usize],
        size: usize,
        chance: &mut C,
    ) -> Step {
        self.put_all(state, left, size, chance);
        self.pot.turn_up();
        self.put_all(state, left, 1, chance);
        Step::Compared
    }

    /// Players who are short of cards keep their last one for the cards face up.
    fn put_with_last_cards<C: Chance>(
        &mut self,
        state: &mut State,
        left: &[usize],
        most_down: usize,
        chance: &mut C,
    ) -> Step {
        for _ in 0..most_down {
            let putting = |&&seat: &&usize| state.hands[seat].length > 1;
            let putting: Vec<usize> = left.iter().filter(putting).copied().collect();
            if !putting.is_empty() {
                self.put_all(state, &putting, 1, chance);
            }
        }
        self.put_rounds(state, left, 0, chance)
    }

    /// Everybody left puts this many cards.
    fn put_all<C: Chance>(
        &mut self,
        state: &mut State,
        left: &[usize],
        rounds: usize,
        chance: &mut C,
    ) {
        for _ in 0..rounds {
            if self.parameters.piles != Piles::One {
                self.take_up(state, left.iter().copied(), chance);
            }
            self.pot.rounds += 1;
            state.rounds += 1;
            for &seat in left {
                let card = state.hands[seat].take();
                self.pot.put(seat, card);
            }
        }
    }

    /// A turn that is drawn: each of those who put cards takes the next one's, shuffled.
    ///
    /// Chance has no say where all cards that somebody takes are the same.
    fn swap<C: Chance>(&mut self, state: &mut State, chance: &mut C) -> Turn {
        let put = |seat: usize| {
            let cards = self.pot.cards().iter();
            cards.filter(move |put| usize::from(put.seat) == seat)
        };
        let seats: Vec<usize> = (0..state.players)
            .filter(|&seat| put(seat).next().is_some())
            .collect();
        let mut turn = Turn::Taken;
        for (index, &seat) in seats.iter().enumerate() {
            let from = seats[(index + 1) % seats.len()];
            self.scratch.clear();
            self.scratch.extend(put(from).map(|put| put.card));
            if self.scratch.windows(2).any(|pair| pair[0] != pair[1]) {
                turn = Turn::LeftToChance;
            }
            chance.shuffle(&mut self.scratch);
            for &card in &self.scratch {
                state.hands[seat].put_under(card);
            }
            if self.parameters.piles != Piles::One {
                state.hands[seat].won += self.scratch.len();
            }
        }
        turn
    }
}
