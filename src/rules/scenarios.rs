use crate::cards::{Deck, Rank};

/// Which hands made by hand can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scenarios {
    /// As many cards as a deck has, from 2 to the ace.
    Decks,
    /// Any number of cards up to 10,000, from 1 to the ace.
    Any,
    /// Any number of cards from 2 to [`Deck::MOST_CARDS`], of any rank.
    AnyRank,
}

impl Scenarios {
    /// The most cards of a scenario of any size.
    pub const MOST_CARDS: usize = 10_000;

    /// The deck that hands of a scenario count as, or `None` where they can't be played.
    ///
    /// Hands of any size count as the small deck up to 24 cards, and as the large one above.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::{Deck, Rank};
    /// use war::rules::Scenarios;
    ///
    /// let hands = vec![vec![Rank::ACE; 12], vec![Rank::new(9).unwrap(); 12]];
    /// assert_eq!(Scenarios::Decks.deck(&hands), Some(Deck::Small));
    /// assert_eq!(Scenarios::Decks.deck(&hands[..1]), None);
    /// assert_eq!(Scenarios::Any.deck(&hands[..1]), Some(Deck::Small));
    /// ```
    #[must_use]
    pub fn deck(self, hands: &[Vec<Rank>]) -> Option<Deck> {
        let total = hands.iter().map(Vec::len).sum();
        let lowest = hands.iter().flatten().min()?.get();
        match self {
            Self::Decks => Deck::of_size(total).filter(|_| lowest >= Deck::Large.lowest()),
            Self::Any if total > Self::MOST_CARDS => None,
            Self::AnyRank if !(2..=Deck::MOST_CARDS).contains(&total) => None,
            Self::Any | Self::AnyRank if total <= Deck::Small.size() => Some(Deck::Small),
            Self::Any | Self::AnyRank => Some(Deck::Large),
        }
    }
}
