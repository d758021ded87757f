use super::Rank;

/// A source of randomness for everything that the rules leave to chance.
///
/// A live game draws from a generator; a replay repeats what the journal recorded. Callers rely
/// on each number being below its bound, and may panic if it is not.
///
/// # Examples
///
/// ```
/// use war::cards::{Chance, Deck};
///
/// struct Loaded;
///
/// impl Chance for Loaded {
///     fn draw_below(&mut self, bound: u32) -> u32 {
///         bound.saturating_sub(1)
///     }
/// }
///
/// // Each card is swapped with itself.
/// let mut cards = Deck::Small.cards();
/// Loaded.shuffle(&mut cards);
/// assert_eq!(cards, Deck::Small.cards());
/// ```
pub trait Chance {
    /// Draws a uniform number from 0 to `bound - 1`; 0 for a bound of 0.
    fn draw_below(&mut self, bound: u32) -> u32;

    /// Shuffles the cards: Fisher–Yates from the end.
    ///
    /// For `i` from the last index down to 1, the card at `i` is swapped with the one at
    /// `draw_below(i + 1)`; fewer than two cards draw nothing. Cards beyond the first 2³² - 1 stay
    /// where they are, but no deck has that many.
    fn shuffle(&mut self, cards: &mut [Rank]) {
        shuffle_items(cards, |bound| self.draw_below(bound));
    }

    /// Tosses a coin for one of two orders of the same cards: the first if `draw_below(2)` is 0.
    fn choose(&mut self, first: Vec<Rank>, second: Vec<Rank>) -> Vec<Rank> {
        if self.draw_below(2) == 0 {
            first
        } else {
            second
        }
    }

    /// Skips cards that keep their order while others of the same event are shuffled.
    ///
    /// Draws nothing. A source that replays recorded orders moves on to its next order.
    fn skip_order(&mut self) {}
}

/// Shuffles items of any type, as documented at [`Chance::shuffle`].
pub(super) fn shuffle_items<T>(items: &mut [T], mut below: impl FnMut(u32) -> u32) {
    let most = u32::try_from(items.len()).unwrap_or(u32::MAX);
    for last in (1..most).rev() {
        items.swap(last as usize, below(last + 1) as usize);
    }
}

/// Puts the cards into this order and returns `true`, or leaves them alone and returns `false`
/// if `order` does not consist of the same cards.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, reorder_if_same_cards};
///
/// let mut cards = Deck::Small.cards();
/// let reversed: Vec<_> = cards.iter().copied().rev().collect();
/// assert!(reorder_if_same_cards(&mut cards, &reversed));
/// assert_eq!(cards, reversed);
/// assert!(!reorder_if_same_cards(&mut cards, &reversed[1..]));
/// ```
pub fn reorder_if_same_cards(cards: &mut [Rank], order: &[Rank]) -> bool {
    let fits = sort_cards(cards) == sort_cards(order);
    if fits {
        cards.copy_from_slice(order);
    }
    fits
}

/// Returns the cards in ascending order. Two orders of the same cards have equal results.
///
/// # Examples
///
/// ```
/// use war::cards::{Rank, sort_cards};
///
/// let cards = [14, 9, 12].map(|card| Rank::new(card).unwrap());
/// assert_eq!(sort_cards(&cards).first(), Some(&cards[1]));
/// ```
#[must_use]
pub fn sort_cards(cards: &[Rank]) -> Vec<Rank> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}

/// A source that keeps every order and draws only zeros.
impl Chance for () {
    fn draw_below(&mut self, _bound: u32) -> u32 {
        0
    }

    fn shuffle(&mut self, _cards: &mut [Rank]) {}
}
