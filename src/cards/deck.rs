use super::Rank;

/// One of the two decks of the console editions.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
///
/// assert_eq!(Deck::Small.size(), 24);
/// assert_eq!(Deck::Large.cards().len(), 52);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deck {
    /// 24 cards: four of each rank from 9 to the ace.
    Small,
    /// 52 cards: four of each rank from 2 to the ace.
    Large,
}

impl Deck {
    /// Both decks, the small one first.
    pub const ALL: [Self; 2] = [Self::Small, Self::Large];

    /// The deck of this name, in any letter case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|deck| name.eq_ignore_ascii_case(deck.name()))
    }

    /// The deck with this number of cards.
    #[must_use]
    pub fn of_size(cards: usize) -> Option<Self> {
        Self::ALL.into_iter().find(|deck| deck.size() == cards)
    }

    /// The name in small letters: `small` or `large`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
        }
    }

    /// The number of cards: 24 or 52.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Small => 24,
            Self::Large => 52,
        }
    }

    /// The lowest rank of the deck: 9 or 2.
    #[must_use]
    pub const fn lowest(self) -> u8 {
        match self {
            Self::Small => 9,
            Self::Large => 2,
        }
    }

    /// The unshuffled deck: the ranks in ascending order, four times over.
    #[must_use]
    pub fn cards(self) -> Vec<Rank> {
        let suit = (self.lowest()..=Rank::ACE.get()).filter_map(Rank::new);
        (0..4).flat_map(|_| suit.clone()).collect()
    }
}

/// Deals cards one at a time, the first to player 1.
///
/// `cards` are in dealing order and `players` is at least 1. The result has a hand
/// for each player, top card first: the first card dealt to a player is the top of
/// his hand. Cards that do not divide evenly go to the lowest numbers.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, deal};
///
/// let hands = deal(&Deck::Small.cards(), 5);
/// assert_eq!(hands.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5, 5, 5, 4]);
/// ```
///
/// # Panics
///
/// If `players` is 0.
#[must_use]
pub fn deal(cards: &[Rank], players: usize) -> Vec<Vec<Rank>> {
    assert!(players > 0, "cards are dealt to at least one player");
    (0..players)
        .map(|first| cards.iter().skip(first).step_by(players).copied().collect())
        .collect()
}
