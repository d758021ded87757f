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
    #[error("line 1, column 1: the file starts with a byte-order mark")]
    ByteOrderMark,
    /// Something is where it can't be.
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

/// What is found where the syntax of JSON ends.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Found {
    /// Nothing: the file ends unexpectedly.
    #[error("unexpected end of file")]
    End,
    /// A character that can't be there; one that can't be seen is escaped.
    #[error("unexpected `{0}`")]
    Character(String),
    /// Bytes that are not text.
    #[error("invalid UTF-8")]
    NotUtf8,
}

/// Why JSON is not a scenario: what was expected, and what was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ContentError {
    /// It is not a list of rows.
    #[error("expected a list of rows, found {found}")]
    NoRows {
        /// Its beginning.
        found: String,
    },
    /// A row is not a list.
    #[error("row {row}: expected a list of whole numbers, found {found}")]
    NoRow {
        /// The row, counted from 1.
        row: usize,
        /// Its beginning.
        found: String,
    },
    /// A card is not a whole number.
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
    #[error("there are no cards")]
    NoCard,
    /// They are more or fewer than a deck of any ranks has.
    #[error("expected 2 to 255 cards, found {found}")]
    Cards {
        /// How many there are.
        found: usize,
    },
    /// They are more than any game is played with.
    #[error("expected at most 10,000 cards, found {found}")]
    TooManyCards {
        /// How many there are.
        found: usize,
    },
    /// They are not a deck: neither 24 nor 52.
    #[error("expected 24 or 52 cards, found {found}")]
    NoDeck {
        /// How many there are.
        found: usize,
    },
    /// There are more different values than there are ranks.
    #[error("expected at most 64 different values, found {found}")]
    Values {
        /// How many there are.
        found: usize,
    },
}
