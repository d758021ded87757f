//! Rows in a form that every store knows.

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// None.
    Nothing,
    /// A number; 1 or 0 where something is so or is not.
    Number(i64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// The values of a row, in the order of its columns.
pub type Row = Vec<Cell>;

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// Numbers.
    Number,
    /// Whether something is so.
    Flag,
    /// Texts.
    Text,
    /// Bytes.
    Bytes,
}

/// A kind of rows. What they hold stands at [`Part::columns`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Players: number, token, name, balance, the number of the last message, whether they are of
    /// the house, whether their name is fixed, their standing, the number of the first message that
    /// is kept, whether others may watch their games.
    Players,
    /// Events: their place among all of them from 1 on, when, game, body.
    Events,
    /// The ledger: place of the event, debit, credit, tokens.
    Transfers,
    /// Messages: player, number, body, when by the wall clock, where that is known.
    Messages,
    /// Answers: player, request, when, digest, first and last message, refusal.
    Answers,
    /// Who waits: player, kind, since when, seed hash, for whom.
    Waiting,
    /// Who plays: player, game.
    Seats,
    /// The log: number, hash, game, body.
    Leaves,
    /// What journals say besides their events: game, engine, language, renderer, bytes and hash
    /// of what was printed, digest.
    Settlements,
}

impl Part {
    /// All of them, in the order in which they are moved.
    pub const ALL: [Self; 9] = [
        Self::Players,
        Self::Events,
        Self::Transfers,
        Self::Messages,
        Self::Answers,
        Self::Waiting,
        Self::Seats,
        Self::Leaves,
        Self::Settlements,
    ];

    /// What is in its rows.
    #[must_use]
    pub const fn columns(self) -> &'static [Column] {
        use Column::{Bytes, Flag, Number, Text};
        match self {
            Self::Players => &[
                Number, Bytes, Text, Number, Number, Flag, Flag, Text, Number, Flag,
            ],
            Self::Events => &[Number, Number, Number, Text],
            Self::Transfers => &[Number, Number, Number, Number],
            Self::Messages => &[Number, Number, Text, Number],
            Self::Answers => &[Number, Text, Number, Bytes, Number, Number, Text],
            Self::Waiting => &[Number, Text, Number, Bytes, Text],
            Self::Seats => &[Number, Number],
            Self::Leaves => &[Number, Bytes, Number, Text],
            Self::Settlements => &[Number, Text, Text, Number, Number, Bytes, Bytes],
        }
    }
}
