use super::hand::Put;
use super::state::State;
use super::turn::Turns;
use crate::cards::Chance;
use crate::rules::Collect;

impl Turns {
    /// The winner of the turn takes what lies on the table.
    #[inline]
    pub(super) fn collect<C: Chance>(&mut self, state: &mut State, winner: usize, chance: &mut C) {
        let pot = self.pot.cards();
        let hand = &mut state.hands[winner];
        let seats = 0..state.players;
        let is_winners = |put: &Put| usize::from(put.seat) == winner;
        match self.parameters.collect {
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
            Collect::WinnerPile => {
                for put in pot.iter().filter(|put| is_winners(put)) {
                    hand.put_under(put.card);
                }
                for seat in seats.filter(|&seat| seat != winner) {
                    for put in pot.iter().filter(|put| usize::from(put.seat) == seat) {
                        hand.put_under(put.card);
                    }
                }
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
        }
    }
}
