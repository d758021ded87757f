use std::fmt;

/// The value of a card, from 1 to 64: 11 is a jack, 12 a queen, 13 a king, 14 an ace.
///
/// Only decks made for simulation have ranks above the ace.
///
/// Colours never matter to the console editions, so there a card *is* its rank
/// and prints as its number.
///
/// # Examples
///
/// ```
/// use war::cards::Rank;
///
/// let valet = Rank::new(11).unwrap();
/// assert_eq!(valet.to_string(), "11");
/// assert!(valet < Rank::ACE);
/// assert_eq!(Rank::new(65), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace, 14: the highest rank of a deck of cards as they are sold.
    pub const ACE: Self = Self(14);

    /// The highest rank there is, 64.
    pub const HIGHEST: Self = Self(64);

    /// The rank of this value, or `None` outside 1 to 64.
    #[must_use]
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= Self::HIGHEST.0 {
            Some(Self(value))
        } else {
            None
        }
    }

    /// The value, 1 to 64.
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
