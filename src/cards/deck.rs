use super::{Chance, Rank};
use std::fmt;

/// A deck of cards.
///
/// # Examples
///
/// ```
/// use war::cards::Deck;
///
/// assert_eq!(Deck::Small.size(), 24);
/// assert_eq!(Deck::Large.cards().len(), 52);
/// assert_eq!(Deck::from_shape("2x4").map(Deck::size), Some(8));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deck {
    /// 24 cards: four of each rank from 9 to the ace.
    Small,
    /// 52 cards: four of each rank from 2 to the ace.
    Large,
    /// 52 cards of the X/Y edition: four of each rank from 1 to 13.
    Thirteen,
    /// A deck of any shape; see [`Deck::from_shape`].
    Shaped(DeckShape),
}

/// Number of ranks of a deck, and of cards of each rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeckShape {
    ranks: u8,
    suits: u8,
}

impl Deck {
    /// Maximum number of cards of a deck of any shape.
    pub const MAX_CARDS: usize = 255;

    /// The decks that players choose from, the small one first.
    const CHOICES: [Self; 2] = [Self::Small, Self::Large];

    /// The small or the large deck, by its name in any letter case.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    ///
    /// assert_eq!(Deck::from_name("Large"), Some(Deck::Large));
    /// assert_eq!(Deck::from_name("thirteen"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let is_named = |deck: &Self| name.eq_ignore_ascii_case(&deck.name());
        Self::CHOICES.into_iter().find(is_named)
    }

    /// Any deck, by its name or shape in lower case.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    ///
    /// assert_eq!(Deck::parse("thirteen"), Some(Deck::Thirteen));
    /// assert_eq!(Deck::parse("13x4"), Some(Deck::Large));
    /// assert_eq!(Deck::parse("Large"), None);
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let named = [Self::Small, Self::Large, Self::Thirteen];
        let named = named.into_iter().find(|deck| deck.name() == name);
        named.or_else(|| Self::from_shape(name))
    }

    /// Deck with a number of ranks and suits, written like `13x4`.
    ///
    /// With up to 14 ranks the highest is the ace; with more the lowest is 1. `6x4` is the small
    /// deck and `13x4` the large one. Returns `None` if the text is not a shape, or the deck
    /// would have more than 64 ranks, fewer than 2 cards or more than [`Deck::MAX_CARDS`].
    #[must_use]
    pub fn from_shape(text: &str) -> Option<Self> {
        let (ranks, suits) = text.split_once('x')?;
        let number = |text: &str| {
            let number: u8 = text.parse().ok()?;
            (number.to_string() == text).then_some(number)
        };
        let (ranks, suits) = (number(ranks)?, number(suits)?);
        let size = usize::from(ranks) * usize::from(suits);
        match (ranks, suits) {
            (6, 4) => Some(Self::Small),
            (13, 4) => Some(Self::Large),
            _ if ranks > Rank::HIGHEST.get() => None,
            _ if !(2..=Self::MAX_CARDS).contains(&size) => None,
            _ => Some(Self::Shaped(DeckShape { ranks, suits })),
        }
    }

    /// The small or the large deck, by its number of cards.
    #[must_use]
    pub fn from_size(cards: usize) -> Option<Self> {
        Self::CHOICES.into_iter().find(|deck| deck.size() == cards)
    }

    /// Name in lower case: `small`, `large`, `thirteen`, or a shape like `2x4`.
    #[must_use]
    pub fn name(self) -> String {
        self.to_string()
    }

    /// Number of cards in the deck.
    #[must_use]
    pub const fn size(self) -> usize {
        let shape = self.shape();
        shape.ranks as usize * shape.suits as usize
    }

    /// Lowest rank of the deck: 9, 2 or 1 for the named decks.
    #[must_use]
    pub const fn lowest_rank(self) -> u8 {
        self.highest_rank() - self.shape().ranks + 1
    }

    /// Highest rank of the deck: the ace, 13 for [`Deck::Thirteen`], or the number of ranks if
    /// that is more than 14.
    #[must_use]
    pub const fn highest_rank(self) -> u8 {
        match self {
            Self::Thirteen => 13,
            Self::Shaped(DeckShape { ranks, .. }) if ranks > Rank::ACE.get() => ranks,
            _ => Rank::ACE.get(),
        }
    }

    /// The unshuffled cards: the ranks in ascending order, once for each suit.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Deck;
    ///
    /// let cards = Deck::Small.cards();
    /// let first: Vec<_> = cards[..7].iter().map(|card| card.get()).collect();
    /// assert_eq!(first, [9, 10, 11, 12, 13, 14, 9]);
    /// ```
    #[must_use]
    pub fn cards(self) -> Vec<Rank> {
        let suit = (self.lowest_rank()..=self.highest_rank()).filter_map(Rank::new);
        let suits = 0..self.shape().suits;
        suits.flat_map(|_| suit.clone()).collect()
    }

    const fn shape(self) -> DeckShape {
        let (ranks, suits) = match self {
            Self::Small => (6, 4),
            Self::Large | Self::Thirteen => (13, 4),
            Self::Shaped(shape) => return shape,
        };
        DeckShape { ranks, suits }
    }
}

impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small => f.write_str("small"),
            Self::Large => f.write_str("large"),
            Self::Thirteen => f.write_str("thirteen"),
            Self::Shaped(shape) => write!(f, "{}x{}", shape.ranks, shape.suits),
        }
    }
}

/// Deals cards one at a time, the first to player 1.
///
/// `cards` are in dealing order. The result has a hand for each player, top card first: the
/// first card dealt to a player is the top of their hand. Cards that do not divide evenly go to
/// the lowest seats.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, deal};
///
/// let hands = deal(&Deck::Small.cards(), 5);
/// assert_eq!(hands.iter().map(Vec::len).collect::<Vec<_>>(), [5, 5, 5, 5, 4]);
/// ```
#[must_use]
pub fn deal(cards: &[Rank], players: usize) -> Vec<Vec<Rank>> {
    (0..players)
        .map(|first| cards.iter().skip(first).step_by(players).copied().collect())
        .collect()
}

/// Shuffles and deals cards when one player's hand is fixed except for its order.
///
/// `index` is that player's index, counted from 0, `fixed` is their hand, and `rest` are all other
/// cards in their order before the shuffle. First the hand is shuffled, then the rest, which is
/// dealt one card at a time to the other players, the lowest seat first.
///
/// Returns `None` if `index` is not below `players`, or there is no other player.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Rank, deal_with_fixed_hand, sort_cards, remove_cards};
///
/// let aces = vec![Rank::ACE; 4];
/// let rest = remove_cards(Deck::Small.cards(), &aces).unwrap();
/// // `()` shuffles nothing.
/// let hands = deal_with_fixed_hand((1, aces.clone()), rest, 3, &mut ()).unwrap();
/// assert_eq!(hands[1], aces);
/// assert_eq!((hands[0].len(), hands[2].len()), (10, 10));
/// assert_eq!(sort_cards(&hands.concat()), sort_cards(&Deck::Small.cards()));
/// ```
#[must_use]
pub fn deal_with_fixed_hand(
    (index, mut fixed): (usize, Vec<Rank>),
    mut rest: Vec<Rank>,
    players: usize,
    chance: &mut dyn Chance,
) -> Option<Vec<Vec<Rank>>> {
    if index >= players || players < 2 {
        return None;
    }
    chance.shuffle(&mut fixed);
    chance.shuffle(&mut rest);
    let mut hands = deal(&rest, players - 1);
    hands.insert(index, fixed);
    Some(hands)
}

/// Removes cards from a deck and keeps the order of the rest; `None` if the deck lacks one of
/// them.
///
/// Of equal cards the first are removed.
///
/// # Examples
///
/// ```
/// use war::cards::{Deck, Rank, remove_cards};
///
/// let no_aces = remove_cards(Deck::Large.cards(), &[Rank::ACE; 4]).unwrap();
/// assert_eq!(no_aces.len(), 48);
/// assert_eq!(remove_cards(no_aces, &[Rank::ACE]), None);
/// ```
#[must_use]
pub fn remove_cards(mut deck: Vec<Rank>, cards: &[Rank]) -> Option<Vec<Rank>> {
    for card in cards {
        let at = deck.iter().position(|other| other == card)?;
        deck.remove(at);
    }
    Some(deck)
}
