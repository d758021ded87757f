use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// A card of a 52-card deck: a rank from 2 to ace, and a suit.
///
/// Its text form is two characters, the rank first: `2` to `9`, `T`, `J`, `Q`, `K` or `A`, then
/// `c`, `d`, `h` or `s`.
///
/// # Examples
///
/// ```
/// use war::cards::Card;
///
/// let jack: Card = "Jc".parse().unwrap();
/// let nine: Card = "9h".parse().unwrap();
/// assert!(jack.rank() > nine.rank());
/// assert_eq!(jack.to_string(), "Jc");
/// assert!("1c".parse::<Card>().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Cow<'_, str>", into = "String")]
pub struct Card {
    rank: Rank,
    suit: Suit,
}

/// Error for a text that does not name a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a card such as Jc, Th or 9s")]
pub struct ParseCardError;

/// Characters of the ranks, from 2 up.
const RANKS: &[u8; 13] = b"23456789TJQKA";

impl Card {
    const LOWEST: u8 = 2;

    /// All 52 cards in order: clubs from 2 to ace, then diamonds, hearts and spades.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::cards::Card;
    ///
    /// let deck = Card::deck();
    /// assert_eq!(deck.len(), 52);
    /// assert_eq!((deck[0].to_string(), deck[51].to_string()), ("2c".into(), "As".into()));
    /// ```
    #[must_use]
    pub fn deck() -> Vec<Self> {
        let ranks = (Self::LOWEST..=Rank::ACE.get()).filter_map(Rank::new);
        let of_suit = |suit| ranks.clone().map(move |rank| Self { rank, suit });
        Suit::ALL.into_iter().flat_map(of_suit).collect()
    }

    /// Rank of the card, 2 to 14.
    #[must_use]
    pub const fn rank(self) -> Rank {
        self.rank
    }

    /// Suit of the card.
    #[must_use]
    pub const fn suit(self) -> Suit {
        self.suit
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = RANKS[usize::from(self.rank.get() - Self::LOWEST)];
        write!(f, "{}{}", char::from(rank), self.suit.letter())
    }
}

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(text: &str) -> Result<Self, ParseCardError> {
        let &[rank, suit] = text.as_bytes() else {
            return Err(ParseCardError);
        };
        let rank = (Self::LOWEST..)
            .zip(RANKS)
            .find(|(_, letter)| **letter == rank);
        let rank = rank.and_then(|(value, _)| Rank::new(value));
        let suit = Suit::ALL
            .into_iter()
            .find(|known| known.letter() == char::from(suit));
        match (rank, suit) {
            (Some(rank), Some(suit)) => Ok(Self { rank, suit }),
            _ => Err(ParseCardError),
        }
    }
}

impl TryFrom<Cow<'_, str>> for Card {
    type Error = ParseCardError;

    fn try_from(text: Cow<'_, str>) -> Result<Self, ParseCardError> {
        text.parse()
    }
}

impl From<Card> for String {
    fn from(card: Card) -> Self {
        card.to_string()
    }
}

/// Rank of a card, from 1 to 64: 11 is a jack, 12 a queen, 13 a king, 14 an ace.
///
/// Only decks made for simulation have ranks above the ace.
///
/// Suits never matter in the console editions, so there a card *is* its rank and prints as a
/// number.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
///
/// let jack = Rank::new(11).unwrap();
/// assert_eq!(jack.to_string(), "11");
/// assert!(jack < Rank::ACE);
/// assert_eq!(Rank::new(65), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace, 14: the highest rank of an ordinary deck.
    pub const ACE: Self = Self(14);

    /// The highest rank of any deck, 64.
    pub const HIGHEST: Self = Self(64);

    /// Rank with this value, or `None` outside 1 to 64.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= Self::HIGHEST.0 {
            Some(Self(value))
        } else {
            None
        }
    }

    /// Value of the rank, 1 to 64.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Suit of a card, in alphabetical order.
///
/// # Examples
///
/// ```
/// use war::cards::Suit;
///
/// let letters: String = Suit::ALL.iter().map(|suit| suit.letter()).collect();
/// assert_eq!(letters, "cdhs");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Suit {
    /// Clubs, ♣.
    Clubs,
    /// Diamonds, ♦.
    Diamonds,
    /// Hearts, ♥.
    Hearts,
    /// Spades, ♠.
    Spades,
}

impl Suit {
    /// Every suit, clubs first.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Letter of the suit: `c`, `d`, `h` or `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        }
    }
}
