//! Exact figures of all deals, and whole numbers of any size to count deals.

use crate::tally::Histogram;
use std::cmp::Reverse;
use std::fmt;
use war::cards::Rank;

/// Exact figures of all deals.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExactFigures {
    /// Number of deals played.
    pub deals: u64,
    /// Games won by player 1 and by player 2.
    ///
    /// If only one of two deals that differ by swapping the players is played, every win counts for
    /// player 1.
    pub won: [u64; 2],
    /// Games drawn.
    pub drawn: u64,
    /// Endless games.
    pub endless: u64,
    /// Games stopped by the limit of turns.
    pub undecided: u64,
    /// Finished games by their number of turns.
    pub turns: Histogram,
    /// Total number of pairs of cards put in all finished games.
    pub pairs: u64,
    /// Endless games by period.
    pub periods: Histogram,
    /// Finished game with the most turns.
    pub most_turns: Option<LongestGame>,
    /// Finished game with the most pairs of cards put.
    pub most_pairs: Option<LongestGame>,
}

/// Longest game; among several, the one whose hands come first in lexicographic order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LongestGame {
    /// Number of turns.
    pub turns: u32,
    /// Pairs of cards put.
    pub pairs: u64,
    /// Hands dealt, top card first.
    pub hands: [Vec<Rank>; 2],
}

impl ExactFigures {
    /// Adds the figures of other deals.
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
        self.update_most_turns(other.most_turns.as_ref());
        self.update_most_pairs(other.most_pairs.as_ref());
    }

    /// Keeps `game` if it has the most turns.
    pub(super) fn update_most_turns(&mut self, game: Option<&LongestGame>) {
        keep_longest(&mut self.most_turns, game, |game| game.turns.into());
    }

    /// Keeps `game` if it has the most pairs.
    pub(super) fn update_most_pairs(&mut self, game: Option<&LongestGame>) {
        keep_longest(&mut self.most_pairs, game, |game| game.pairs);
    }

    /// Returns the number of games won or drawn.
    #[must_use]
    pub const fn finished_games(&self) -> u64 {
        let won = self.won[0].saturating_add(self.won[1]);
        won.saturating_add(self.drawn)
    }

    /// Returns the total number of turns of all finished games.
    #[must_use]
    pub fn sum_of_turns(&self) -> u64 {
        let turns = self.turns.iter();
        let turns = turns.map(|(turns, games)| games.saturating_mul(turns.into()));
        turns.fold(0, u64::saturating_add)
    }
}

/// Keeps the longer of two games or, if they are equally long, the one that comes first in order.
fn keep_longest(
    kept: &mut Option<LongestGame>,
    game: Option<&LongestGame>,
    length: impl Fn(&LongestGame) -> u64,
) {
    let place = |game: &LongestGame| (Reverse(length(game)), game.hands.clone());
    if let Some(game) = game
        && kept.as_ref().is_none_or(|kept| place(game) < place(kept))
    {
        *kept = Some(game.clone());
    }
}

/// Base of the digits: each holds nine decimal digits.
const BASE: u64 = 1_000_000_000;

/// Natural number of any size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NaturalNumber {
    /// Digits, the lowest first; the highest is 0 only in the number 0.
    digits: Vec<u64>,
}

impl NaturalNumber {
    /// Returns 1.
    pub(super) fn one() -> Self {
        Self { digits: vec![1] }
    }

    /// Multiplies by a small number.
    pub(super) fn multiply_by(mut self, factor: u32) -> Self {
        let mut carry = 0;
        for digit in &mut self.digits {
            let product = *digit * u64::from(factor) + carry;
            (*digit, carry) = (product % BASE, product / BASE);
        }
        self.digits.push(carry);
        self.trim()
    }

    /// Divides by a small number, without the remainder.
    pub(super) fn divide_by(mut self, divisor: u32) -> Self {
        let mut rest = 0;
        for digit in self.digits.iter_mut().rev() {
            let all = rest * BASE + *digit;
            (*digit, rest) = (all / u64::from(divisor), all % u64::from(divisor));
        }
        self.trim()
    }

    /// Adds another number.
    pub(super) fn add(mut self, other: &Self) -> Self {
        let length = self.digits.len().max(other.digits.len()) + 1;
        self.digits.resize(length, 0);
        let others = other.digits.iter().copied().chain(std::iter::repeat(0));
        let mut carry = 0;
        for (digit, other) in self.digits.iter_mut().zip(others) {
            let sum = *digit + other + carry;
            (*digit, carry) = (sum % BASE, sum / BASE);
        }
        self.trim()
    }

    /// Returns the number if 64 bits hold it.
    pub(super) fn to_u64(&self) -> Option<u64> {
        let digits = self.digits.iter().rev();
        { digits }.try_fold(0_u64, |number, digit| {
            number.checked_mul(BASE)?.checked_add(*digit)
        })
    }

    fn trim(mut self) -> Self {
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }
}

impl fmt::Display for NaturalNumber {
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
    use super::NaturalNumber;

    // The expected numbers were computed with `bc`.
    #[test]
    fn sums_products_and_quotients_are_exact() {
        let factorial = |n: u32| (1..=n).fold(NaturalNumber::one(), NaturalNumber::multiply_by);
        assert_eq!(factorial(20).to_u64(), Some(2_432_902_008_176_640_000));
        assert_eq!(factorial(21).to_u64(), None);
        let big = "30414093201713378043612608166064768844377641568960512000000000000";
        assert_eq!(factorial(50).to_string(), big);
        let back = (2..=50).fold(factorial(50), NaturalNumber::divide_by);
        assert_eq!(back, NaturalNumber::one());
        let sum = factorial(50).add(&factorial(20));
        let expected = "30414093201713378043612608166064768844377641571393414008176640000";
        assert_eq!(sum.to_string(), expected);
        assert_eq!(factorial(20).add(&factorial(50)), sum);
        assert_eq!(NaturalNumber::one().divide_by(2).to_u64(), Some(0));
    }
}
