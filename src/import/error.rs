use crate::cards::Rank;

/// Why a text is not a game that could have been played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ImportError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: LineError,
}

/// What is wrong with a line of a printed table; `found` is its beginning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// There is no line at all.
    #[error("no table found")]
    NoTable,
    /// It is not a header.
    #[error("expected the header of a table, found {found}")]
    NoHeader {
        /// What was found.
        found: String,
    },
    /// It is not a row.
    #[error("expected a row of the table, found {found}")]
    NoRow {
        /// What was found.
        found: String,
    },
    /// It has no cards, and the game goes on.
    #[error("expected another round because the game is not over, found {found}")]
    NoRound {
        /// What was found.
        found: String,
    },
    /// It has a pair with only one card.
    #[error("incomplete pair of cards in {found}")]
    NoPair {
        /// What was found.
        found: String,
    },
    /// It has a card that does not exist.
    #[error("expected a card from 01 to 13, found {found}")]
    NoRank {
        /// What was found.
        found: String,
    },
    /// It follows the end of the game.
    #[error("unexpected row after the end of the game: {found}")]
    AfterEnd {
        /// What was found.
        found: String,
    },
    /// It is the last one, and the game goes on.
    #[error("the table ends before the game is over")]
    NoEnd,
    /// Its war goes on, and it has no more cards.
    #[error("the war in this row continues, but its cards are missing: {found}")]
    EndsEarly {
        /// What was found.
        found: String,
    },
    /// It has a card that the player can't hold there.
    #[error("{player} can't have {card} here")]
    ImpossibleCard {
        /// The player, X or Y.
        player: &'static str,
        /// The card.
        card: Rank,
    },
    /// Another line should be there.
    #[error("expected `{expected}`, found `{found}`")]
    OtherRow {
        /// The line that should be there.
        expected: String,
        /// What was found.
        found: String,
    },
}

impl LineError {
    /// That this is wrong with a line.
    pub(super) const fn on(self, line: usize) -> ImportError {
        ImportError {
            line,
            problem: self,
        }
    }
}
