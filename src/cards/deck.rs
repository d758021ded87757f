use super::Rank;

/// A deck of cards.
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
    /// 52 cards of the X/Y edition: four of each rank from 1 to 13.
    Thirteen,
}

impl Deck {
    /// The decks that a player may name, the small one first.
    const CHOICES: [Self; 2] = [Self::Small, Self::Large];

    /// The small or the large deck by its name, in any letter case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_named = |deck: &Self| name.eq_ignore_ascii_case(deck.name());
        Self::CHOICES.into_iter().find(is_named)
    }

    /// The small or the large deck by its number of cards.
    #[must_use]
    pub fn of_size(cards: usize) -> Option<Self> {
        Self::CHOICES.into_iter().find(|deck| deck.size() == cards)
    }

    /// The name in small letters: `small`, `large` or `thirteen`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Large => "large",
            Self::Thirteen => "thirteen",
        }
    }

    /// The number of cards: 24 or 52.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Small => 24,
            Self::Large | Self::Thirteen => 52,
        }
    }

    /// The lowest rank of the deck: 9, 2 or 1.
    #[must_use]
    pub const fn lowest(self) -> u8 {
        match self {
            Self::Small => 9,
            Self::Large => 2,
            Self::Thirteen => 1,
        }
    }

    /// The highest rank of the deck: the ace, or 13.
    #[must_use]
    pub const fn highest(self) -> u8 {
        match self {
            Self::Small | Self::Large => Rank::ACE.get(),
            Self::Thirteen => 13,
        }
    }

    /// The unshuffled deck: the ranks in ascending order, four times over.
    #[must_use]
    pub fn cards(self) -> Vec<Rank> {
        let suit = (self.lowest()..=self.highest()).filter_map(Rank::new);
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
