use super::hand::Put;
use super::state::State;
use super::turn::Turns;
use std::cmp::Reverse;
use war::cards::Chance;
use war::engine::Seat;
use war::rules::{Collect, Piles};

impl Turns {
    /// The winner of the turn takes what lies on the table.
    #[inline]
    pub(super) fn collect<C: Chance>(&mut self, state: &mut State, winner: usize, chance: &mut C) {
        self.collect_by(self.parameters.collect, state, winner, chance);
        if self.parameters.piles != Piles::One {
            state.hands[winner].won += self.pot.length;
        }
    }

    /// Where one of these players has cards on the second pile alone, all who have nothing else
    /// take them up.
    pub(super) fn take_up<C: Chance>(
        &mut self,
        state: &mut State,
        mut putting: impl Iterator<Item = usize>,
        chance: &mut C,
    ) {
        if !putting.any(|seat| state.hands[seat].has_won_cards_alone()) {
            return;
        }
        for hand in &mut state.hands[..state.players] {
            if hand.has_won_cards_alone() {
                self.scratch.clear();
                self.scratch.extend(hand.in_order());
                match self.parameters.piles {
                    Piles::One => {}
                    Piles::Two => chance.shuffle(&mut self.scratch),
                    Piles::TwoTurned => self.scratch.reverse(),
                }
                hand.take_up(&self.scratch);
            }
        }
    }

    /// The same, in this order.
    #[inline]
    fn collect_by<C: Chance>(
        &mut self,
        order: Collect,
        state: &mut State,
        winner: usize,
        chance: &mut C,
    ) {
        let pot = self.pot.cards();
        let hand = &mut state.hands[winner];
        let seats = 0..state.players;
        let is_winners = |put: &Put| usize::from(put.seat) == winner;
        match order {
            Collect::SeatInterleaved => {
                for put in pot {
                    hand.put_under(put.card);
                }
            }
            Collect::Seat => {
                for seat in seats {
                    for put in pot.iter().filter(|put| usize::from(put.seat) == seat) {
                        hand.put_under(put.card);
                    }
                }
            }
            Collect::WinnerPile => self.collect_piles(state, winner, true),
            Collect::Random => {
                let own_first = chance.below(2) == 0;
                self.collect_piles(state, winner, own_first);
            }
            Collect::WinnerFirst => {
                for round in pot.chunk_by(|a, b| a.round == b.round) {
                    hand.put_round_under(round, winner);
                }
            }
            Collect::Bataille => {
                let mut rounds = pot.chunk_by(|a, b| a.round == b.round);
                while let Some(round) = rounds.next_back() {
                    hand.put_round_under(round, winner);
                }
            }
            Collect::Shuffled => {
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
            Collect::ReversedPile => {
                for stretch in pot.chunk_by(|a, b| a.stretch == b.stretch).rev() {
                    for seat in seats.clone().rev() {
                        let put = stretch.iter().filter(|put| usize::from(put.seat) == seat);
                        for put in put.rev() {
                            hand.put_under(put.card);
                        }
                    }
                }
            }
            Collect::BySeat(orders) => {
                let order = Seat::all()
                    .nth(winner)
                    .map_or(order, |seat| orders.of(seat));
                self.collect_by(order, state, winner, chance);
            }
            Collect::HighestFirst => {
                self.scratch.clear();
                self.scratch.extend(pot.iter().map(|put| put.card));
                self.scratch.sort_unstable_by_key(|card| Reverse(*card));
                for &card in &self.scratch {
                    hand.put_under(card);
                }
            }
        }
    }
    /// The winner takes their own cards and the others', by seat: the ones or the others first.
    fn collect_piles(&self, state: &mut State, winner: usize, own_first: bool) {
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
