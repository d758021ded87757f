use crate::cards::{Card, Rank};
use std::cmp::{Ordering, Reverse};

/// The cards that a player was dealt, in the order of the deck.
pub type Hand = Vec<Card>;

/// Compares two hands of as many cards: the highest ranks first, then the lower ones.
///
/// # Examples
///
/// ```
/// use std::cmp::Ordering;
/// use war::tokens::compare;
///
/// let hand = |cards: [&str; 2]| cards.map(|card| card.parse().unwrap());
/// let ordering = compare(&hand(["Jc", "9h"]), &hand(["Jd", "Td"]));
/// assert_eq!(ordering, Ordering::Less);
/// ```
#[must_use]
pub fn compare(one: &[Card], other: &[Card]) -> Ordering {
    ranks(one).cmp(&ranks(other))
}

/// The ranks of a hand, the highest first.
fn ranks(hand: &[Card]) -> Vec<Rank> {
    let mut ranks: Vec<_> = hand.iter().map(|card| card.rank()).collect();
    ranks.sort_unstable_by_key(|&rank| Reverse(rank));
    ranks
}
