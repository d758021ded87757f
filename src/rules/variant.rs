use super::parameters::Parameters;
use crate::cards::{Deck, Rank};

/// A named kind of War.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// The name and version under which a journal records the rules.
    pub id: &'static str,
    /// The fewest and the most who can play.
    pub players: (u8, u8),
    /// The decks that it is played with; none stands for any.
    pub decks: &'static [Deck],
    /// Which hands made by hand can be played.
    pub scenarios: Scenarios,
    /// What a player types to set it up.
    pub typed: Typed,
    /// How its games are shown.
    pub screens: ScreenStyle,
    /// What it sets the flow to.
    pub parameters: Parameters,
}

impl Variant {
    /// The name without the version: `classic`.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(war::rules::DUELS_SHUFFLE.name(), "duels-shuffle");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(name, _)| name)
    }

    /// Whether it is an edition, and not a strategy of one that was asked for by name.
    #[must_use]
    pub fn is_an_edition(&self) -> bool {
        !matches!(self.screens, ScreenStyle::Battles { strategy: Some(_) })
    }

    /// Whether the rules are played with this deck.
    #[must_use]
    pub fn is_played_with(&self, deck: Deck) -> bool {
        self.decks.is_empty() || self.decks.contains(&deck)
    }
}

/// Which of the two values that set up a game, players and deck, are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// None of them.
    Nothing,
    /// Both.
    Both,
    /// Either, both or none.
    Either,
}

/// The screens that show a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenStyle {
    /// A screen for each turn and for each round of a war.
    Turns,
    /// A screen for each battle, and one for each duel when it is over.
    Battles {
        /// The strategy, where it was asked for by name.
        strategy: Option<&'static str>,
    },
    /// A table with a row for each round.
    Rows,
}

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
        let highest = hands.iter().flatten().max().copied();
        match self {
            Self::Decks | Self::Any if highest > Some(Rank::ACE) => None,
            Self::Decks => Deck::of_size(total).filter(|_| lowest >= Deck::Large.lowest()),
            Self::Any if total > Self::MOST_CARDS => None,
            Self::AnyRank if !(2..=Deck::MOST_CARDS).contains(&total) => None,
            Self::Any | Self::AnyRank if total <= Deck::Small.size() => Some(Deck::Small),
            Self::Any | Self::AnyRank => Some(Deck::Large),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scenarios;
    use crate::cards::{Deck, Rank};

    #[test]
    fn hands_count_as_a_deck_by_the_number_of_their_cards() {
        for (scenarios, sizes) in [
            (Scenarios::Decks, [None, None, Some(Deck::Large), None]),
            (
                Scenarios::Any,
                [
                    Some(Deck::Small),
                    Some(Deck::Large),
                    Some(Deck::Large),
                    Some(Deck::Large),
                ],
            ),
            (
                Scenarios::AnyRank,
                [None, Some(Deck::Large), Some(Deck::Large), None],
            ),
        ] {
            let of_size = |size| scenarios.deck(&[vec![Rank::ACE; size]]);
            assert_eq!([1, 25, 52, 10_000].map(of_size), sizes, "{scenarios:?}");
            assert_eq!(of_size(24), Some(Deck::Small), "{scenarios:?}");
            assert_eq!(of_size(10_001), None, "{scenarios:?}");
        }
    }
}
