//! What all deals come to, and whole numbers of any size, as far as counting deals needs them.

use crate::tally::Histogram;
use std::cmp::Reverse;
use std::fmt;
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

/// What a digit can't reach: nine decimal digits are one here.
const BASE: u64 = 1_000_000_000;

/// A whole number of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Natural {
    /// The digits, the lowest first; the highest is 0 in 0 alone.
    digits: Vec<u64>,
}

impl Natural {
    /// One.
    pub(super) fn one() -> Self {
        Self { digits: vec![1] }
    }

    /// The number times a small one.
    pub(super) fn times(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = *digit * u64::from(factor) + carry;
            (*digit, carry) = (product % BASE, product / BASE);
        }
        self.digits.push(carry);
        self.shortened()
    }

    /// The number divided by a small one, without the rest.
    pub(super) fn divided_by(mut self, divisor: u32) -> Self {
        let mut rest = 0;
        for digit in self.digits.iter_mut().rev() {
            let all = rest * BASE + *digit;
            (*digit, rest) = (all / u64::from(divisor), all % u64::from(divisor));
        }
        self.shortened()
    }

    /// The sum of both numbers.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        let length = self.digits.len().max(other.digits.len()) + 1;
        self.digits.resize(length, 0);
        let others = other.digits.iter().copied().chain(std::iter::repeat(0));
        let mut carry = 0;
        for (digit, other) in self.digits.iter_mut().zip(others) {
            let sum = *digit + other + carry;
            (*digit, carry) = (sum % BASE, sum / BASE);
        }
        self.shortened()
    }

    /// The number, where 64 bits hold it.
    pub(super) fn to_u64(&self) -> Option<u64> {
        let digits = self.digits.iter().rev();
        { digits }.try_fold(0_u64, |number, digit| {
            number.checked_mul(BASE)?.checked_add(*digit)
        })
    }

    fn shortened(mut self) -> Self {
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = self.digits.iter().rev();
        if let Some(highest) = digits.next() {
            write!(f, "{highest}")?;
        }
        { digits }.try_for_each(|digit| write!(f, "{digit:09}"))
    }
}

#[cfg(test)]
mod tests {
    use super::Natural;

    // The numbers are those of the system's `bc`.
    #[test]
    fn sums_products_and_parts_are_exact() {
        let factorial = |n: u32| (1..=n).fold(Natural::one(), Natural::times);
        assert_eq!(factorial(20).to_u64(), Some(2_432_902_008_176_640_000));
        assert_eq!(factorial(21).to_u64(), None);
        let big = "30414093201713378043612608166064768844377641568960512000000000000";
        assert_eq!(factorial(50).to_string(), big);
        let back = (2..=50).fold(factorial(50), Natural::divided_by);
        assert_eq!(back, Natural::one());
        let sum = factorial(50).plus(&factorial(20));
        let expected = "30414093201713378043612608166064768844377641571393414008176640000";
        assert_eq!(sum.to_string(), expected);
        assert_eq!(factorial(20).plus(&factorial(50)), sum);
        assert_eq!(Natural::one().divided_by(2).to_u64(), Some(0));
    }
}
