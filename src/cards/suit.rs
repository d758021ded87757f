/// The colour of a card, in the order of the alphabet.
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

    /// The letter that a card is written with: `c`, `d`, `h` or `s`.
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
