use super::parameters::Parameters;
use crate::cards::{Deck, Rank};

/// A variant of War: an edition, an edition with a strategy requested by name, or custom rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// Name and version that identify the rules in a journal.
    pub id: &'static str,
    /// Minimum and maximum number of players.
    pub players: (u8, u8),
    /// Decks that the variant can be played with; empty for any deck.
    pub decks: &'static [Deck],
    /// Limits on hand-made deals.
    pub scenario_limits: ScenarioLimits,
    /// Values that a player types to set up a game.
    pub setup_arguments: SetupArguments,
    /// Style of the screens.
    pub screens: ScreenStyle,
    /// Parameters of the flow of play.
    pub parameters: Parameters,
}

impl Variant {
    /// Name without the version, such as `classic`.
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

    /// Returns `true` for an edition, as opposed to an edition with a strategy requested by name.
    #[must_use]
    pub fn is_edition(&self) -> bool {
        !matches!(self.screens, ScreenStyle::Battles { strategy: Some(_) })
    }

    /// Returns `true` if the variant can be played with this deck.
    #[must_use]
    pub fn allows_deck(&self, deck: Deck) -> bool {
        self.decks.is_empty() || self.decks.contains(&deck)
    }
}

/// Values that a player types to set up a game: the number of players, the deck, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SetupArguments {
    /// No value.
    Nothing,
    /// Both values.
    Both,
    /// Either value, both, or none.
    Either,
}

/// Style of the screens of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScreenStyle {
    /// A screen for each turn and for each round of a war.
    Turns,
    /// A screen for each battle, and one for each finished duel.
    Battles {
        /// Strategy, if it was requested by name.
        strategy: Option<&'static str>,
    },
    /// A table with a row for each round.
    Rows,
}

/// Limits on hand-made deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScenarioLimits {
    /// 24 or 52 cards, as many as in the small or the large deck, of ranks from 2 to the ace.
    Decks,
    /// Any number of cards up to [`ScenarioLimits::MAX_CARDS`], of ranks from 1 to the ace.
    Any,
    /// Any number of cards from 2 to [`Deck::MAX_CARDS`], of any rank.
    AnyRank,
}

impl ScenarioLimits {
    /// Maximum number of cards of a deal.
    pub const MAX_CARDS: usize = 10_000;

    /// Deck that hands count as, or `None` if they exceed the limits.
    ///
    /// Except with [`ScenarioLimits::Decks`], up to 24 cards count as the small deck, and more
    /// cards as the large deck.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::{Deck, Rank};
    /// use war::rules::ScenarioLimits;
    ///
    /// let hands = vec![vec![Rank::ACE; 12], vec![Rank::new(9).unwrap(); 12]];
    /// assert_eq!(ScenarioLimits::Decks.find_deck(&hands), Some(Deck::Small));
    /// assert_eq!(ScenarioLimits::Decks.find_deck(&hands[..1]), None);
    /// assert_eq!(ScenarioLimits::Any.find_deck(&hands[..1]), Some(Deck::Small));
    /// ```
    #[must_use]
    pub fn find_deck(self, hands: &[Vec<Rank>]) -> Option<Deck> {
        let total = hands.iter().map(Vec::len).sum();
        let lowest = hands.iter().flatten().min()?.get();
        let highest = hands.iter().flatten().max().copied();
        match self {
            Self::Decks | Self::Any if highest > Some(Rank::ACE) => None,
            Self::Decks => Deck::from_size(total).filter(|_| lowest >= Deck::Large.lowest_rank()),
            Self::Any if total > Self::MAX_CARDS => None,
            Self::AnyRank if !(2..=Deck::MAX_CARDS).contains(&total) => None,
            Self::Any | Self::AnyRank if total <= Deck::Small.size() => Some(Deck::Small),
            Self::Any | Self::AnyRank => Some(Deck::Large),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ScenarioLimits;
    use crate::cards::{Deck, Rank};

    #[test]
    fn hands_count_as_a_deck_by_the_number_of_their_cards() {
        for (scenarios, sizes) in [
            (ScenarioLimits::Decks, [None, None, Some(Deck::Large), None]),
            (
                ScenarioLimits::Any,
                [
                    Some(Deck::Small),
                    Some(Deck::Large),
                    Some(Deck::Large),
                    Some(Deck::Large),
                ],
            ),
            (
                ScenarioLimits::AnyRank,
                [None, Some(Deck::Large), Some(Deck::Large), None],
            ),
        ] {
            let of_size = |size| scenarios.find_deck(&[vec![Rank::ACE; size]]);
            assert_eq!([1, 25, 52, 10_000].map(of_size), sizes, "{scenarios:?}");
            assert_eq!(of_size(24), Some(Deck::Small), "{scenarios:?}");
            assert_eq!(of_size(10_001), None, "{scenarios:?}");
        }
    }
}
