use super::tally::Histogram;
use std::cmp::Reverse;
use war::cards::Rank;

/// What all deals come to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exact {
    /// The number of deals played.
    pub deals: u64,
    /// How many were won by player 1, and by player 2.
    ///
    /// Where one of two swapped deals is played, it counts as the one that player 1 wins.
    pub won: [u64; 2],
    /// How many were drawn.
    pub drawn: u64,
    /// How many are endless.
    pub endless: u64,
    /// How many lasted as many turns as they may.
    pub undecided: u64,
    /// How many finished games took how many turns.
    pub turns: Histogram,
    /// The sum of the pairs of cards put in all finished games.
    pub pairs: u64,
    /// How many endless games have which period.
    pub periods: Histogram,
    /// The finished game with the most turns.
    pub most_turns: Option<Longest>,
    /// The finished game with the most pairs of cards put.
    pub most_pairs: Option<Longest>,
}

/// A longest game; of several, the one whose hands come first in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Longest {
    /// Its turns.
    pub turns: u32,
    /// The pairs of cards put in it.
    pub pairs: u64,
    /// The hands dealt, top card first.
    pub hands: [Vec<Rank>; 2],
}

impl Exact {
    /// Adds what other deals come to.
    pub fn add(&mut self, other: &Self) {
        let [first, second] = &mut self.won;
        for (sum, count) in [
            (&mut self.deals, other.deals),
            (first, other.won[0]),
            (second, other.won[1]),
            (&mut self.drawn, other.drawn),
            (&mut self.endless, other.endless),
            (&mut self.undecided, other.undecided),
            (&mut self.pairs, other.pairs),
        ] {
            *sum = sum.saturating_add(count);
        }
        self.turns.add(&other.turns);
        self.periods.add(&other.periods);
        self.see_turns(other.most_turns.as_ref());
        self.see_pairs(other.most_pairs.as_ref());
    }

    /// Looks at a game that may be the one with the most turns.
    pub(super) fn see_turns(&mut self, game: Option<&Longest>) {
        keep(&mut self.most_turns, game, |game| game.turns.into());
    }

    /// Looks at a game that may be the one with the most pairs.
    pub(super) fn see_pairs(&mut self, game: Option<&Longest>) {
        keep(&mut self.most_pairs, game, |game| game.pairs);
    }

    /// The number of games that were won or drawn.
    #[must_use]
    pub const fn finished_games(&self) -> u64 {
        let won = self.won[0].saturating_add(self.won[1]);
        won.saturating_add(self.drawn)
    }

    /// The sum of the turns of all finished games.
    #[must_use]
    pub fn sum_of_turns(&self) -> u64 {
        let turns = self.turns.iter();
        let turns = turns.map(|(turns, games)| games.saturating_mul(turns.into()));
        turns.fold(0, u64::saturating_add)
    }
}

/// Keeps the longer of two games, or the one that comes first.
fn keep(kept: &mut Option<Longest>, game: Option<&Longest>, length: impl Fn(&Longest) -> u64) {
    let place = |game: &Longest| (Reverse(length(game)), game.hands.clone());
    if let Some(game) = game
        && kept.as_ref().is_none_or(|kept| place(game) < place(kept))
    {
        *kept = Some(game.clone());
    }
}
