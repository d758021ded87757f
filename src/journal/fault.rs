use super::problem::{FaultCode, Problem, Verdict};
use std::{fmt, io};

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the line, counted from 1.
    pub column: u64,
}

impl Position {
    /// The start of a file, and the place of faults of the whole file.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// Problem of a journal, and its place in the file.
///
/// # Examples
///
/// ```
/// use war::journal::{FaultCode, ReadError, Reader};
///
/// let Err(ReadError::Fault(fault)) = Reader::open(&b"{}"[..]) else { panic!("no journal") };
/// assert_eq!(fault.code(), FaultCode::NotJournal);
/// assert_eq!(fault.verdict().name(), "DAMAGED");
/// assert_eq!(fault.at.to_string(), "1:1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {} {problem}", problem.code())]
pub struct Fault {
    /// The place of the problem in the file.
    pub at: Position,
    /// The problem of the journal.
    pub problem: Problem,
    /// The recorded event and the event that the rules decide, if the journal diverges from the
    /// rules.
    pub divergence: Option<Box<Divergence>>,
}

/// Event at which a journal diverges from the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The sequence number of the event.
    pub seq: u64,
    /// The turn of the event.
    pub turn: u32,
    /// The event recorded in the journal.
    pub journal: String,
    /// The event that the rules decide; empty if the game is over by the rules.
    pub rules: String,
    /// The hands after the journal's event, top card first; empty if this event can't happen.
    pub journal_hands: String,
    /// The hands after the rules' event, top card first; empty if there is no such event.
    pub rules_hands: String,
}

impl Fault {
    /// A fault at this place.
    #[must_use]
    pub fn new(at: Position, problem: impl Into<Problem>) -> Self {
        Self {
            at,
            problem: problem.into(),
            divergence: None,
        }
    }

    /// The code of the problem in the documentation.
    #[must_use]
    pub const fn code(&self) -> FaultCode {
        self.problem.code()
    }

    /// The verdict on a journal with this fault.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        self.problem.verdict()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Error of reading a journal.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Fault of the journal.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Input error: the file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}
