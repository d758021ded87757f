use super::Rank;

/// A source of chance: the one thing that rules do not decide.
///
/// A live game draws from a generator; a replay takes what the journal recorded. What uses a
/// source relies on its numbers being below their bounds, and may panic where they are not.
///
/// # Examples
///
/// ```
/// use war::cards::{Chance, Deck};
///
/// struct Loaded;
///
/// impl Chance for Loaded {
///     fn below(&mut self, bound: u32) -> u32 {
///         bound.saturating_sub(1)
///     }
/// }
///
/// // Each card changes places with itself.
/// let mut cards = Deck::Small.cards();
/// Loaded.shuffle(&mut cards);
/// assert_eq!(cards, Deck::Small.cards());
/// ```
pub trait Chance {
    /// A number from 0 to `bound - 1`, each as likely as any other; 0 for a bound of 0.
    fn below(&mut self, bound: u32) -> u32;

    /// Puts the cards into random order: Fisher–Yates from the end.
    ///
    /// For `i` from the last index down to 1, the card at `i` changes places with
    /// the one at `below(i + 1)`; fewer than two cards draw nothing. Cards beyond the first
    /// 2³² - 1 stay where they are: no deck has as many.
    fn shuffle(&mut self, cards: &mut [Rank]) {
        fisher_yates(cards, |bound| self.below(bound));
    }

    /// One of two orders of the same cards, by a coin: the first one if `below(2)` is 0.
    fn either(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        if self.below(2) == 0 { first } else { second }
    }

    /// Leaves cards as they lie, where others of the same event are shuffled.
    ///
    /// It draws nothing. A record of chance that has an order for these cards too goes on to the
    /// next one.
    fn leave(&mut self) {}
}

/// Puts items into random order, from the end: the one shuffle there is.
///
/// For `i` from the last index down to 1, the item at `i` changes places with the one at
/// `below(i + 1)`. Items beyond the first 2³² - 1 stay where they are.
pub(super) fn fisher_yates<T>(items: &mut [T], mut below: impl FnMut(u32) -> u32) {
    let most = u32::try_from(items.len()).unwrap_or(u32::MAX);
    for last in (1..most).rev() {
        items.swap(last as usize, below(last + 1) as usize);
    }
}

/// Puts the cards into this order, if it is an order of these cards.
///
/// The result says whether it is; otherwise the cards stay as they are.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, reorder};
///
/// let mut cards = Deck::Small.cards();
/// let reversed: Vec<_> = cards.iter().copied().rev().collect();
/// assert!(reorder(&mut cards, &reversed));
/// assert_eq!(cards, reversed);
/// assert!(!reorder(&mut cards, &reversed[1..]));
/// ```
pub fn reorder(cards: &mut [Rank], order: &[Rank]) -> bool {
    let fits = sorted(cards) == sorted(order);
    if fits {
        cards.copy_from_slice(order);
    }
    fits
}

/// The cards in ascending order: equal for two orders of the same cards.
///
/// # Examples
///
/// ```
/// use war::cards::{Rank, sorted};
///
/// let cards = [14, 9, 12].map(|card| Rank::new(card).unwrap());
/// assert_eq!(sorted(&cards).first(), Some(&cards[1]));
/// ```
#[must_use]
pub fn sorted(cards: &[Rank]) -> Vec<Rank> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

/// No chance at all: everything stays in its order.
impl Chance for () {
    fn below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, _cards: &mut [Rank]) {}
}
