use crate::cards::Generator;

/// What a journal that verifies proves of its cards.
///
/// That the game was played by the rules is proven in every case.
///
/// # Examples
///
/// ```
/// use war::cards::Generator;
/// use war::journal::{Proof, Reader};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let reader = Reader::open(&journal[..]).unwrap();
/// let generator = Generator::ChaCha8 { seed: 1 };
/// assert_eq!(reader.header().proof(), Proof::Seed(generator));
/// assert_eq!(reader.header().proof().name(), "seed");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// This generator deals these cards from its seed, and gives all else that is left to chance.
    Seed(Generator),
    /// The cards are those that were committed to before the game.
    Commitment,
    /// Nothing: the cards are what the journal says, as those of a scenario or an import.
    Journal,
}

impl Proof {
    /// The word for it, the same in every language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seed(_) => "seed",
            Self::Commitment => "commitment",
            Self::Journal => "journal",
        }
    }
}
