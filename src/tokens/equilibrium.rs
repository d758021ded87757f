//! The equilibrium of a token game: how to play so that no other play would do better.
//!
//! A game is symmetric, and what matters of a hand is its ranks. The strategy sought
//! plays every hand above some hand, folds every hand below it, and plays that hand always
//! or with a probability; both players keep to it. A tie is dealt again, and counts as much as
//! the whole game is worth.

use super::{Kind, compare};
use crate::cards::{Card, Rank};
use std::cmp::Reverse;

/// How much may be gained against an equilibrium, in tokens a game.
const ACCURACY: f64 = 1e-9;

/// A way to play: with which probability each hand is played.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    kind: Kind,
    classes: Vec<Class>,
    plays: Vec<f64>,
}

/// The hands of the same ranks, the highest first.
type Class = Vec<Rank>;

/// How often two classes of hands are dealt against each other: a row for each hand of
/// one's own, in ascending order of worth.
struct Deals(Vec<Vec<f64>>);

impl Strategy {
    /// The equilibrium of a game, computed to the accuracy of its numbers.
    ///
    /// [`Strategy::gap`] says how much could be gained against it: less than 10⁻⁹ tokens.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Kind, equilibrium::Strategy};
    ///
    /// let strategy = Strategy::equilibrium(Kind::Single);
    /// let plays = |card: &str| strategy.plays(&[card.parse().unwrap()]);
    /// assert_eq!(plays("As"), 1.0);
    /// assert_eq!(plays("2c"), 0.0);
    /// assert!(strategy.gap() < 1e-9);
    /// ```
    ///
    /// # Panics
    ///
    /// If there were none of this form: tests compute both.
    #[must_use]
    pub fn equilibrium(kind: Kind) -> Self {
        let classes = classes(kind);
        let deals = Deals::of(&classes);
        let threshold = |lowest: usize, probability: f64| Self {
            kind,
            classes: classes.clone(),
            plays: (0..classes.len())
                .map(|class| match class.cmp(&lowest) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => probability,
                    std::cmp::Ordering::Greater => 1.0,
                })
                .collect(),
        };
        // What the hand at the threshold gains by being played, when it always is and when
        // it never is: where the sign changes, there is a probability that gains nothing.
        for lowest in 0..classes.len() {
            let pure = threshold(lowest, 1.0);
            if pure.gap_over(&deals) < ACCURACY {
                return pure;
            }
            let gain = |probability| threshold(lowest, probability).gains(&deals)[lowest];
            let (mut low, mut high) = (0.0, 1.0);
            if gain(low) < 0.0 || gain(high) > 0.0 {
                continue;
            }
            for _ in 0..100 {
                let middle = f64::midpoint(low, high);
                if gain(middle) > 0.0 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let strategy = threshold(lowest, low);
            if strategy.gap_over(&deals) < ACCURACY {
                return strategy;
            }
        }
        panic!("no threshold is an equilibrium");
    }

    /// The probability to play these cards, as many as the game deals.
    #[must_use]
    pub fn plays(&self, cards: &[Card]) -> f64 {
        let ranks = sorted(cards.iter().map(|card| card.rank()).collect());
        let class = self.classes.iter().position(|class| *class == ranks);
        class.map_or(0.0, |class| self.plays[class])
    }

    /// What the game is worth to each player when both keep to this strategy, in tokens.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.worth(&Deals::of(&self.classes))
    }

    /// How many tokens a game the best answer to this strategy gains over it.
    #[must_use]
    pub fn gap(&self) -> f64 {
        self.gap_over(&Deals::of(&self.classes))
    }

    /// The gap, where the deals are counted already.
    fn gap_over(&self, deals: &Deals) -> f64 {
        let lost = self.gains(deals).into_iter().zip(&self.plays);
        let lost = lost.map(|(gain, plays)| gain.max(0.0) - gain * plays);
        deals
            .weights()
            .zip(lost)
            .map(|(weight, lost)| weight * lost)
            .sum()
    }

    /// What each hand gains by being played instead of folded.
    fn gains(&self, deals: &Deals) -> Vec<f64> {
        let tie = self.worth(deals);
        let gain = |class| self.played(deals, class, tie) - self.folded(deals, class);
        (0..self.classes.len()).map(gain).collect()
    }

    /// What a hand brings when it is played; a tie counts as `tie`.
    fn played(&self, deals: &Deals, class: usize, tie: f64) -> f64 {
        let stakes = self.kind.stakes();
        #[expect(clippy::cast_precision_loss, reason = "stakes are small")]
        let (steal, showdown) = (stakes.one_folds as f64, stakes.showdown as f64);
        deals.expected(class, |other| {
            let compared = match class.cmp(&other) {
                std::cmp::Ordering::Less => -showdown,
                std::cmp::Ordering::Equal => tie,
                std::cmp::Ordering::Greater => showdown,
            };
            let plays = self.plays[other];
            (1.0 - plays) * steal + plays * compared
        })
    }

    /// What a hand brings when it is folded.
    fn folded(&self, deals: &Deals, class: usize) -> f64 {
        let stakes = self.kind.stakes();
        #[expect(clippy::cast_precision_loss, reason = "stakes are small")]
        let (both_fold, one_folds) = (stakes.both_fold as f64, stakes.one_folds as f64);
        deals.expected(class, |other| {
            let plays = self.plays[other];
            -(1.0 - plays) * both_fold - plays * one_folds
        })
    }

    /// The value of the game: what a deal brings with ties at nothing, and of that as much
    /// more as ties bring another deal.
    fn worth(&self, deals: &Deals) -> f64 {
        let of = |tie: f64| -> f64 {
            let each = (0..self.classes.len()).map(|class| {
                let plays = self.plays[class];
                plays * self.played(deals, class, tie) + (1.0 - plays) * self.folded(deals, class)
            });
            deals
                .weights()
                .zip(each)
                .map(|(weight, worth)| weight * worth)
                .sum()
        };
        let (without, with_one) = (of(0.0), of(1.0));
        without / (1.0 - (with_one - without))
    }
}

impl Deals {
    /// Counts the deals of two disjoint hands.
    fn of(classes: &[Class]) -> Self {
        let row = |own: &Class| {
            let other = |other: &Class| combinations(own, &[]) * combinations(other, own);
            classes.iter().map(other).collect()
        };
        Self(classes.iter().map(row).collect())
    }

    /// How likely each hand of one's own is.
    fn weights(&self) -> impl Iterator<Item = f64> {
        let all: f64 = self.0.iter().flatten().sum();
        self.0.iter().map(move |row| row.iter().sum::<f64>() / all)
    }

    /// What is expected over the other's hands, by what each of them brings.
    fn expected(&self, own: usize, brings: impl Fn(usize) -> f64) -> f64 {
        let row = &self.0[own];
        let sum: f64 = row
            .iter()
            .enumerate()
            .map(|(other, count)| count * brings(other))
            .sum();
        sum / row.iter().sum::<f64>()
    }
}

/// Every class of hands of a game, in ascending order of worth.
fn classes(kind: Kind) -> Vec<Class> {
    let deck = Card::deck();
    let hands: Vec<Vec<Card>> = match kind {
        Kind::Single => deck.iter().map(|card| vec![*card]).collect(),
        Kind::Double => {
            let pairs = deck.iter().enumerate();
            pairs
                .flat_map(|(at, one)| deck[..at].iter().map(|other| vec![*one, *other]))
                .collect()
        }
    };
    let mut hands = hands;
    hands.sort_by(|one, other| compare(one, other));
    hands.dedup_by(|one, other| compare(one, other).is_eq());
    let ranks = |hand: Vec<Card>| sorted(hand.iter().map(|card| card.rank()).collect());
    hands.into_iter().map(ranks).collect()
}

fn sorted(mut ranks: Class) -> Class {
    ranks.sort_unstable_by_key(|&rank| Reverse(rank));
    ranks
}

/// In how many ways a hand of these ranks is dealt when cards of the ranks `gone` are.
fn combinations(ranks: &[Rank], gone: &[Rank]) -> f64 {
    let left = |rank: Rank| {
        4.0 - gone
            .iter()
            .filter(|&&other| other == rank)
            .fold(0.0, |n, _| n + 1.0)
    };
    match *ranks {
        [one, other] if one == other => left(one) * (left(one) - 1.0) / 2.0,
        _ => ranks.iter().map(|&rank| left(rank)).product(),
    }
}
