use crate::cards::Rank;

/// Why a text is no game that could have been played.
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
    #[error("there is no table")]
    NoTable,
    /// It is no header.
    #[error("expected the header of a table, found {found}")]
    NoHeader {
        /// What was found.
        found: String,
    },
    /// It is no row.
    #[error("expected a row of the table, found {found}")]
    NoRow {
        /// What was found.
        found: String,
    },
    /// It has no cards, and the game goes on.
    #[error("expected a round, for the game is not over yet, found {found}")]
    NoRound {
        /// What was found.
        found: String,
    },
    /// It has a pair with only one card.
    #[error("a pair of cards is cut short in {found}")]
    NoPair {
        /// What was found.
        found: String,
    },
    /// It has a card that there is not.
    #[error("expected a card from 01 to 13, found {found}")]
    NoRank {
        /// What was found.
        found: String,
    },
    /// It follows the end of the game.
    #[error("a row follows the end of the game: {found}")]
    AfterEnd {
        /// What was found.
        found: String,
    },
    /// It is the last one, and the game goes on.
    #[error("the table ends before the game does")]
    NoEnd,
    /// Its war goes on, and it has no more cards.
    #[error("the war in this row goes on, and its cards are missing: {found}")]
    EndsEarly {
        /// What was found.
        found: String,
    },
    /// It has a card that the player can't hold there.
    #[error("{player} can't have {card} there")]
    ImpossibleCard {
        /// The player, X or Y.
        player: &'static str,
        /// The card.
        card: Rank,
    },
    /// Another line should stand there.
    #[error("expected `{expected}`, found `{found}`")]
    OtherRow {
        /// The line that should stand there.
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
