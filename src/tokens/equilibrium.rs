//! The equilibrium of a token game: a strategy that no other strategy beats.
//!
//! The game is symmetric, and only the ranks of a hand matter. The equilibrium has a threshold
//! hand: both players play every better hand, fold every worse one, and play the threshold hand
//! itself always or with some probability. After a tie new hands are dealt, so a tie is worth as
//! much as the whole game.
//!
//! Against an opponent who follows a strategy, each [decision on a hand](HandValues) and each
//! [other strategy](Strategy::value_against) has a value in tokens.

use super::{Decision, Hand, Kind, compare_hands};
use crate::cards::Card;
use std::cmp::Reverse;

/// Tolerance of an equilibrium, in tokens per game: a smaller gain against it counts as zero.
const ACCURACY: f64 = 1e-9;

/// A strategy: the probability of playing each hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    kind: Kind,
    /// A hand of each class of equal hands, in ascending order.
    classes: Vec<Hand>,
    play_probabilities: Vec<f64>,
}

/// Expected tokens of both decisions on a hand, against an opponent who follows a strategy.
#[derive(Debug, Clone, PartialEq)]
pub struct HandValues {
    /// Example of the hands with these ranks, the highest card first.
    pub hand: Hand,
    /// Expected tokens if the hand is played.
    pub play: f64,
    /// Expected tokens if the hand is folded.
    pub fold: f64,
}

/// Numbers of deals of each pair of hand classes: a row for each class of the player's hand, in
/// ascending order, with an entry for each class of the other player's hand.
struct DealCounts(Vec<Vec<f64>>);

impl Strategy {
    /// Computes the equilibrium of a game.
    ///
    /// Its [`exploitability`](Strategy::exploitability) is less than 10⁻⁹ tokens.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Kind, equilibrium::Strategy};
    ///
    /// let strategy = Strategy::compute_equilibrium(Kind::Single);
    /// let plays = |card: &str| strategy.play_probability(&[card.parse().unwrap()]);
    /// assert_eq!(plays("As"), 1.0);
    /// assert_eq!(plays("2c"), 0.0);
    /// assert!(strategy.exploitability() < 1e-9);
    /// ```
    ///
    /// # Panics
    ///
    /// If no threshold strategy is an equilibrium, which tests rule out for both games.
    #[must_use]
    pub fn compute_equilibrium(kind: Kind) -> Self {
        let classes = classes(kind);
        let deals = DealCounts::of(&classes);
        let threshold = |lowest: usize, probability: f64| Self {
            kind,
            classes: classes.clone(),
            play_probabilities: (0..classes.len())
                .map(|class| match class.cmp(&lowest) {
                    std::cmp::Ordering::Less => 0.0,
                    std::cmp::Ordering::Equal => probability,
                    std::cmp::Ordering::Greater => 1.0,
                })
                .collect(),
        };
        // If playing the threshold hand gains against a strategy that never plays it, and loses
        // against one that always does, the gain is zero at some probability in between.
        for lowest in 0..classes.len() {
            let pure = threshold(lowest, 1.0);
            if pure.exploitability_over(&deals) < ACCURACY {
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
            if strategy.exploitability_over(&deals) < ACCURACY {
                return strategy;
            }
        }
        panic!("no threshold is an equilibrium");
    }

    /// Strategy that makes the same decision on every hand.
    #[must_use]
    pub fn always(kind: Kind, decision: Decision) -> Self {
        let classes = classes(kind);
        let probability = f64::from(decision == Decision::Play);
        Self {
            kind,
            play_probabilities: vec![probability; classes.len()],
            classes,
        }
    }

    /// Probability of playing these cards, which must be a whole hand.
    #[must_use]
    pub fn play_probability(&self, cards: &[Card]) -> f64 {
        let mut classes = self.classes.iter();
        let class = classes.position(|class| compare_hands(class, cards).is_eq());
        class.map_or(0.0, |class| self.play_probabilities[class])
    }

    /// Decides on these cards, which must be a whole hand, by a uniformly random number.
    #[must_use]
    pub fn decide(&self, cards: &[Card], chance: u32) -> Decision {
        let plays = self.play_probability(cards);
        if f64::from(chance) < plays * (f64::from(u32::MAX) + 1.0) {
            Decision::Play
        } else {
            Decision::Fold
        }
    }

    /// Value of the game for each player, in tokens, if both follow this strategy.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value_against(self)
    }

    /// Value of the game for a player who follows this strategy, in tokens, if the opponent follows
    /// another one for the same kind of game.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Decision, Kind, equilibrium::Strategy};
    ///
    /// let house = Strategy::compute_equilibrium(Kind::Single);
    /// let bold = Strategy::always(Kind::Single, Decision::Play);
    /// assert!(bold.value_against(&house) < house.value());
    /// ```
    #[must_use]
    pub fn value_against(&self, opponent: &Self) -> f64 {
        self.value_over(&DealCounts::of(&self.classes), opponent)
    }

    /// Values of both decisions on every hand against an opponent who follows this strategy, from
    /// the lowest hand to the highest. After a tie, both players follow the strategy.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::tokens::{Kind, equilibrium::Strategy};
    ///
    /// let values = Strategy::compute_equilibrium(Kind::Single).hand_values();
    /// let [two, .., ace] = &values[..] else { panic!("few hands") };
    /// assert!(two.play < two.fold);
    /// assert!(ace.play > ace.fold);
    /// ```
    #[must_use]
    pub fn hand_values(&self) -> Vec<HandValues> {
        let deals = DealCounts::of(&self.classes);
        let tie = self.value_over(&deals, self);
        let hands = self.classes.iter().enumerate();
        hands
            .map(|(class, hand)| HandValues {
                hand: hand.clone(),
                play: self.value_played(&deals, class, tie),
                fold: self.value_folded(&deals, class),
            })
            .collect()
    }

    /// Tokens per game that the best response gains against this strategy.
    #[must_use]
    pub fn exploitability(&self) -> f64 {
        self.exploitability_over(&DealCounts::of(&self.classes))
    }

    fn exploitability_over(&self, deals: &DealCounts) -> f64 {
        let lost = self.gains(deals).into_iter().zip(&self.play_probabilities);
        let lost = lost.map(|(gain, plays)| gain.max(0.0) - gain * plays);
        deals
            .weights()
            .zip(lost)
            .map(|(weight, lost)| weight * lost)
            .sum()
    }

    /// Gain of each hand from being played instead of folded.
    fn gains(&self, deals: &DealCounts) -> Vec<f64> {
        let tie = self.value_over(deals, self);
        let gain = |class| self.value_played(deals, class, tie) - self.value_folded(deals, class);
        (0..self.classes.len()).map(gain).collect()
    }

    /// Expected tokens of a hand that is played against this strategy; a tie counts as `tie`.
    fn value_played(&self, deals: &DealCounts, class: usize, tie: f64) -> f64 {
        let stakes = self.kind.stakes();
        #[expect(clippy::cast_precision_loss, reason = "stakes are small")]
        let (steal, showdown) = (stakes.one_folds as f64, stakes.showdown as f64);
        deals.expected(class, |other| {
            let compared = match class.cmp(&other) {
                std::cmp::Ordering::Less => -showdown,
                std::cmp::Ordering::Equal => tie,
                std::cmp::Ordering::Greater => showdown,
            };
            let plays = self.play_probabilities[other];
            (1.0 - plays) * steal + plays * compared
        })
    }

    /// Expected tokens of a hand that is folded against this strategy.
    fn value_folded(&self, deals: &DealCounts, class: usize) -> f64 {
        let stakes = self.kind.stakes();
        #[expect(clippy::cast_precision_loss, reason = "stakes are small")]
        let (both_fold, one_folds) = (stakes.both_fold as f64, stakes.one_folds as f64);
        deals.expected(class, |other| {
            let plays = self.play_probabilities[other];
            -(1.0 - plays) * both_fold - plays * one_folds
        })
    }

    /// Value of the game against an opponent: the fixed point at which a tie is worth the whole
    /// game.
    fn value_over(&self, deals: &DealCounts, opponent: &Self) -> f64 {
        let of = |tie: f64| -> f64 {
            let each = (0..self.classes.len()).map(|class| {
                let plays = self.play_probabilities[class];
                plays * opponent.value_played(deals, class, tie)
                    + (1.0 - plays) * opponent.value_folded(deals, class)
            });
            deals
                .weights()
                .zip(each)
                .map(|(weight, value)| weight * value)
                .sum()
        };
        let (without, with_one) = (of(0.0), of(1.0));
        without / (1.0 - (with_one - without))
    }
}

impl DealCounts {
    fn of(classes: &[Hand]) -> Self {
        let row = |own: &Hand| {
            let other = |other: &Hand| combinations(own, &[]) * combinations(other, own);
            classes.iter().map(other).collect()
        };
        Self(classes.iter().map(row).collect())
    }

    /// Probability of each class of the player's hand.
    fn weights(&self) -> impl Iterator<Item = f64> {
        let all: f64 = self.0.iter().flatten().sum();
        self.0.iter().map(move |row| row.iter().sum::<f64>() / all)
    }

    /// Expected value over the other player's hands, given the value of each class.
    fn expected(&self, own: usize, value: impl Fn(usize) -> f64) -> f64 {
        let row = &self.0[own];
        let sum: f64 = row
            .iter()
            .enumerate()
            .map(|(other, count)| count * value(other))
            .sum();
        sum / row.iter().sum::<f64>()
    }
}

/// A hand of each class of equal hands of a game, in ascending order.
fn classes(kind: Kind) -> Vec<Hand> {
    let mut deck = Card::deck();
    deck.sort_by_key(|card| Reverse(card.rank()));
    let mut hands: Vec<Hand> = match kind {
        Kind::Single => deck.iter().map(|card| vec![*card]).collect(),
        Kind::Double => {
            let pairs = deck.iter().enumerate();
            pairs
                .flat_map(|(at, one)| deck[at + 1..].iter().map(|other| vec![*one, *other]))
                .collect()
        }
    };
    hands.sort_by(|one, other| compare_hands(one, other));
    hands.dedup_by(|one, other| compare_hands(one, other).is_eq());
    hands
}

/// Number of hands with the ranks of `hand` once the cards `gone` have been dealt.
fn combinations(hand: &[Card], gone: &[Card]) -> f64 {
    let left = |card: &Card| {
        4.0 - gone
            .iter()
            .filter(|other| other.rank() == card.rank())
            .fold(0.0, |n, _| n + 1.0)
    };
    match hand {
        [one, other] if one.rank() == other.rank() => left(one) * (left(one) - 1.0) / 2.0,
        _ => hand.iter().map(left).product(),
    }
}
