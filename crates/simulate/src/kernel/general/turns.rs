//! Turns of the general kernel: the cards that players put in a war, and the order in which the
//! winner takes them.

use super::state::{GameState, MAX_PLAYERS, Pot, TableCard};
use crate::game::WarDepthCounts;
use std::cmp::Reverse;
use war::cards::{Chance, Rank};
use war::engine::Seat;
use war::rules::{CollectOrder, OutOfCards, Parameters, Piles};

/// Outcome of a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TurnOutcome {
    /// Cards taken by the winner, or a drawn turn that left nothing to chance.
    Taken,
    /// Drawn turn, after which players took cards in an order decided by chance.
    LeftToChance,
    /// Drawn game, since all players ran out of cards at once.
    GameDrawn,
}

/// Plays turns; owns the working memory.
#[derive(Debug)]
pub(super) struct TurnPlayer {
    pub(super) parameters: Parameters,
    pub(super) pot: Pot,
    scratch: Vec<Rank>,
    /// Players still in the war after the last comparison.
    pub(super) left: Vec<usize>,
}

impl TurnPlayer {
    pub(super) fn new(parameters: Parameters) -> Self {
        Self {
            parameters,
            pot: Pot::new(),
            scratch: Vec::with_capacity(256),
            left: Vec::with_capacity(MAX_PLAYERS),
        }
    }

    pub(super) const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Plays a turn and counts its war by depth.
    #[inline]
    pub(super) fn play<C: Chance>(
        &mut self,
        state: &mut GameState,
        chance: &mut C,
        depths: &mut WarDepthCounts,
    ) -> TurnOutcome {
        state.turns += 1;
        state.rounds += 1;
        self.pot.clear();
        let (mut highest, mut winner, mut tied) = (None, 0, 0);
        for seat in 0..state.players {
            if !state.hands[seat].in_game {
                continue;
            }
            let card = state.hands[seat].take_top();
            self.pot.put(seat, card);
            if Some(card) > highest {
                (highest, winner, tied) = (Some(card), seat, 1);
            } else if Some(card) == highest {
                tied += 1;
            }
        }
        let turn = if tied > 1 {
            state.wars += 1;
            self.play_war(state, chance, depths)
        } else {
            self.collect(state, winner, chance);
            TurnOutcome::Taken
        };
        for hand in &mut state.hands[..state.players] {
            hand.in_game &= hand.length > 0;
        }
        if self.parameters.piles != Piles::One {
            self.take_up(state, 0..state.players, chance);
        }
        turn
    }
}

/// Outcome of putting the cards of a war.
enum WarStep {
    /// All cards put, the last ones face up and ready to be compared.
    Compared,
    /// Win of the turn by this player, since nobody else can go on.
    WinsTurn(usize),
    /// Draw of the game, since nobody can go on.
    DrawsGame,
    /// Draw of the turn, since a player has no card.
    DrawsTurn,
}

impl TurnPlayer {
    /// Plays a war to its end.
    pub(super) fn play_war<C: Chance>(
        &mut self,
        state: &mut GameState,
        chance: &mut C,
        depths: &mut WarDepthCounts,
    ) -> TurnOutcome {
        let mut depth = 1;
        let mut left = std::mem::take(&mut self.left);
        self.pot.start_war(&mut left);
        let turn = loop {
            let step = self.put_cards(state, &mut left, chance);
            let is_last = !matches!(step, WarStep::Compared) || left.len() == 1;
            state.last_ties += u64::from(is_last);
            match step {
                WarStep::Compared => {}
                WarStep::WinsTurn(seat) => {
                    self.collect(state, seat, chance);
                    break TurnOutcome::Taken;
                }
                WarStep::DrawsGame => break TurnOutcome::GameDrawn,
                WarStep::DrawsTurn => {
                    break self.draw_turn(state, chance);
                }
            }
            self.pot.start_war(&mut left);
            if left.len() == 1 {
                self.collect(state, left[0], chance);
                break TurnOutcome::Taken;
            }
            depth += 1;
        };
        depths.count(depth);
        self.left = left;
        turn
    }

    /// Puts the cards of a war up to the next face-up ones, unless that is impossible.
    fn put_cards<C: Chance>(
        &mut self,
        state: &mut GameState,
        left: &mut Vec<usize>,
        chance: &mut C,
    ) -> WarStep {
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
                    return WarStep::DrawsGame;
                }
                WarStep::WinsTurn(most)
            }
            OutOfCards::LastCard => {
                if least > 0 {
                    return self.put_with_last_cards(state, left, size, chance);
                }
                match left.iter().copied().find(|seat| held(seat) > 0) {
                    Some(seat) => WarStep::WinsTurn(seat),
                    None => WarStep::DrawsGame,
                }
            }
            OutOfCards::Shrink if least == 0 => WarStep::DrawsTurn,
            OutOfCards::Shrink => self.put_rounds(state, left, size.min(least - 1), chance),
        }
    }

    /// Puts the cards of a war one round at a time; players without a card for a round are out. The
    /// last player left goes on alone until they have shown a card or run out too.
    fn put_until_out<C: Chance>(
        &mut self,
        state: &mut GameState,
        left: &mut Vec<usize>,
        size: usize,
        chance: &mut C,
    ) -> WarStep {
        for step in 0..=size {
            while let Some(at) = left.iter().position(|&seat| state.hands[seat].length == 0) {
                if left.len() == 1 {
                    return WarStep::WinsTurn(left[0]);
                }
                state.hands[left[at]].in_game = false;
                left.remove(at);
            }
            if step == size {
                self.pot.start_face_up();
            }
            self.put_all(state, left, 1, chance);
        }
        WarStep::Compared
    }

    fn put_rounds<C: Chance>(
        &mut self,
        state: &mut GameState,
        left: &[usize],
        size: usize,
        chance: &mut C,
    ) -> WarStep {
        self.put_all(state, left, size, chance);
        self.pot.start_face_up();
        self.put_all(state, left, 1, chance);
        WarStep::Compared
    }

    /// Puts the cards of a war; players who are short of cards keep their last card to put it face
    /// up.
    fn put_with_last_cards<C: Chance>(
        &mut self,
        state: &mut GameState,
        left: &[usize],
        most_down: usize,
        chance: &mut C,
    ) -> WarStep {
        for _ in 0..most_down {
            let putting = |&&seat: &&usize| state.hands[seat].length > 1;
            let putting: Vec<usize> = left.iter().filter(putting).copied().collect();
            if !putting.is_empty() {
                self.put_all(state, &putting, 1, chance);
            }
        }
        self.put_rounds(state, left, 0, chance)
    }

    /// Puts this many cards of each player left.
    fn put_all<C: Chance>(
        &mut self,
        state: &mut GameState,
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
                let card = state.hands[seat].take_top();
                self.pot.put(seat, card);
            }
        }
    }

    /// Ends a turn in a draw: each player who put cards takes the cards of the next such player,
    /// shuffled.
    ///
    /// Nothing is left to chance if all cards that each player takes are the same.
    fn draw_turn<C: Chance>(&mut self, state: &mut GameState, chance: &mut C) -> TurnOutcome {
        let put = |seat: usize| {
            let cards = self.pot.cards().iter();
            cards.filter(move |put| usize::from(put.seat) == seat)
        };
        let seats: Vec<usize> = (0..state.players)
            .filter(|&seat| put(seat).next().is_some())
            .collect();
        let mut turn = TurnOutcome::Taken;
        for (index, &seat) in seats.iter().enumerate() {
            let from = seats[(index + 1) % seats.len()];
            self.scratch.clear();
            self.scratch.extend(put(from).map(|put| put.card));
            if self.scratch.windows(2).any(|pair| pair[0] != pair[1]) {
                turn = TurnOutcome::LeftToChance;
            }
            chance.shuffle(&mut self.scratch);
            for &card in &self.scratch {
                state.hands[seat].put_under(card);
            }
            if self.parameters.piles != Piles::One {
                state.hands[seat].second_pile += self.scratch.len();
            }
        }
        turn
    }
}

impl TurnPlayer {
    /// Gives the cards on the table to the winner of the turn.
    #[inline]
    fn collect<C: Chance>(&mut self, state: &mut GameState, winner: usize, chance: &mut C) {
        self.collect_by(self.parameters.collect, state, winner, chance);
        if self.parameters.piles != Piles::One {
            state.hands[winner].second_pile += self.pot.length;
        }
    }

    /// If one of these players has cards on the second pile only, every player in the same
    /// situation takes the second pile up.
    pub(super) fn take_up<C: Chance>(
        &mut self,
        state: &mut GameState,
        mut putting: impl Iterator<Item = usize>,
        chance: &mut C,
    ) {
        if !putting.any(|seat| state.hands[seat].has_only_second_pile()) {
            return;
        }
        for hand in &mut state.hands[..state.players] {
            if hand.has_only_second_pile() {
                self.scratch.clear();
                self.scratch.extend(hand.cards_in_order());
                match self.parameters.piles {
                    Piles::One => {}
                    Piles::Two => chance.shuffle(&mut self.scratch),
                    Piles::TwoTurned => self.scratch.reverse(),
                }
                hand.take_up(&self.scratch);
            }
        }
    }

    /// Gives the cards on the table to the winner, in this order.
    #[inline]
    fn collect_by<C: Chance>(
        &mut self,
        order: CollectOrder,
        state: &mut GameState,
        winner: usize,
        chance: &mut C,
    ) {
        let pot = self.pot.cards();
        let hand = &mut state.hands[winner];
        let seats = 0..state.players;
        let is_winners = |put: &TableCard| usize::from(put.seat) == winner;
        match order {
            CollectOrder::SeatInterleaved => {
                for put in pot {
                    hand.put_under(put.card);
                }
            }
            CollectOrder::Seat => {
                for seat in seats {
                    for put in pot.iter().filter(|put| usize::from(put.seat) == seat) {
                        hand.put_under(put.card);
                    }
                }
            }
            CollectOrder::WinnerPile => self.collect_piles(state, winner, true),
            CollectOrder::Random => {
                let own_first = chance.draw_below(2) == 0;
                self.collect_piles(state, winner, own_first);
            }
            CollectOrder::WinnerFirst => {
                for round in pot.chunk_by(|a, b| a.round == b.round) {
                    hand.put_round_under(round, winner);
                }
            }
            CollectOrder::Bataille => {
                let mut rounds = pot.chunk_by(|a, b| a.round == b.round);
                while let Some(round) = rounds.next_back() {
                    hand.put_round_under(round, winner);
                }
            }
            CollectOrder::Shuffled => {
                self.scratch.clear();
                let own = pot.iter().filter(|put| is_winners(put));
                self.scratch.extend(own.map(|put| put.card));
                let own = self.scratch.len();
                for seat in seats.filter(|&seat| seat != winner) {
                    let lost = pot.iter().filter(|put| usize::from(put.seat) == seat);
                    self.scratch.extend(lost.map(|put| put.card));
                }
                chance.shuffle(&mut self.scratch[own..]);
                chance.shuffle(&mut self.scratch);
                for &card in &self.scratch {
                    hand.put_under(card);
                }
            }
            CollectOrder::ReversedPile => {
                for stretch in pot.chunk_by(|a, b| a.phase == b.phase).rev() {
                    for seat in seats.clone().rev() {
                        let put = stretch.iter().filter(|put| usize::from(put.seat) == seat);
                        for put in put.rev() {
                            hand.put_under(put.card);
                        }
                    }
                }
            }
            CollectOrder::BySeat(orders) => {
                let order = Seat::all()
                    .nth(winner)
                    .map_or(order, |seat| orders.order_for_seat(seat));
                self.collect_by(order, state, winner, chance);
            }
            CollectOrder::HighestFirst => {
                self.scratch.clear();
                self.scratch.extend(pot.iter().map(|put| put.card));
                self.scratch.sort_unstable_by_key(|card| Reverse(*card));
                for &card in &self.scratch {
                    hand.put_under(card);
                }
            }
        }
    }

    /// Gives the winner their own cards and the others' (by seat), the winner's first if
    /// `own_first`.
    fn collect_piles(&self, state: &mut GameState, winner: usize, own_first: bool) {
        let pot = self.pot.cards();
        let hand = &mut state.hands[winner];
        let put = |seat: usize| pot.iter().filter(move |put| usize::from(put.seat) == seat);
        let others = (0..state.players).filter(|&seat| seat != winner);
        let lost = others.flat_map(put);
        if own_first {
            put(winner)
                .chain(lost)
                .for_each(|put| hand.put_under(put.card));
        } else {
            lost.chain(put(winner))
                .for_each(|put| hand.put_under(put.card));
        }
    }
}
