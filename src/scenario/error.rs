/// Why a scenario file can't be played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScenarioError {
    /// It is not JSON.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// It is JSON, but not the hands of a game: `SpecialCodeFileMangledException`.
    #[error(transparent)]
    Content(#[from] ContentError),
}

/// Why a scenario file is not JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// There is nothing in it.
    #[error("line 1, column 1: the file is empty")]
    Empty,
    /// It begins with a byte-order mark.
    #[error("line 1, column 1: the file begins with a byte-order mark")]
    ByteOrderMark,
    /// Something stands where it can't.
    #[error("line {line}, column {column}: {found}")]
    At {
        /// The line, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// What is there.
        found: Found,
    },
}

/// What stands where the syntax of JSON ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// Nothing: the file ends too early.
    #[error("the file ends too early")]
    End,
    /// A character that can't stand there; one that can't be seen is escaped.
    #[error("unexpected `{0}`")]
    Character(String),
    /// Bytes that are no text.
    #[error("invalid UTF-8")]
    NotUtf8,
}

/// Why JSON is no scenario: what was expected, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// It is no list of rows.
    #[error("expected a list of rows, found {found}")]
    NoRows {
        /// Its beginning.
        found: String,
    },
    /// A row is no list.
    #[error("row {row}: expected a list of whole numbers, found {found}")]
    NoRow {
        /// The row, counted from 1.
        row: usize,
        /// Its beginning.
        found: String,
    },
    /// A card is no whole number.
    #[error("row {row}: expected a whole number, found {found}")]
    NoNumber {
        /// The row, counted from 1.
        row: usize,
        /// The beginning of what stands for the card.
        found: String,
    },
    /// A card is none of the cards that there are.
    #[error("row {row}: expected a card from {lowest} to 14, found {found}")]
    Value {
        /// The row, counted from 1.
        row: usize,
        /// The lowest card that there is.
        lowest: u8,
        /// The number.
        found: String,
    },
    /// Too few or too many play.
    #[error("expected {fewest} to {most} players, found {found}")]
    Players {
        /// How many there are.
        found: usize,
        /// The fewest that can play.
        fewest: u8,
        /// The most that can play.
        most: u8,
    },
    /// Nobody holds a card.
    #[error("there is no card")]
    NoCard,
    /// They are more or fewer than a deck of any ranks has.
    #[error("expected 2 to 255 cards, found {found}")]
    Cards {
        /// How many there are.
        found: usize,
    },
    /// They are more than any game is played with.
    #[error("expected 10,000 cards at most, found {found}")]
    TooManyCards {
        /// How many there are.
        found: usize,
    },
    /// They are no deck: neither 24 nor 52.
    #[error("expected 24 or 52 cards, found {found}")]
    NoDeck {
        /// How many there are.
        found: usize,
    },
    /// There are more different values than there are ranks.
    #[error("expected 64 different values at most, found {found}")]
    Values {
        /// How many there are.
        found: usize,
    },
}
