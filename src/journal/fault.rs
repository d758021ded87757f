use super::problem::{Code, Problem, Verdict};
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
    /// Where a file begins: the place of what concerns it as a whole, too.
    pub const START: Self = Self { line: 1, column: 1 };
}

/// What is wrong with a journal, and where.
///
/// # Examples
///
/// ```
/// use war::journal::{Code, ReadError, Reader};
///
/// let Err(ReadError::Fault(fault)) = Reader::open(&b"{}"[..]) else { panic!("no journal") };
/// assert_eq!(fault.code(), Code::NoJournal);
/// assert_eq!(fault.verdict().word(), "DAMAGED");
/// assert_eq!(fault.at.to_string(), "1:1");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {} {problem}", problem.code())]
pub struct Fault {
    /// Where it shows.
    pub at: Position,
    /// What was found.
    pub problem: Problem,
    /// The two sides, where the journal and the rules part.
    pub divergence: Option<Box<Divergence>>,
}

/// The event at which a journal and the rules part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Divergence {
    /// The sequence number of the event.
    pub seq: u64,
    /// The turn it belongs to.
    pub turn: u32,
    /// The event as the journal has it.
    pub journal: String,
    /// The event as the rules have it; empty where they say that the game is over.
    pub rules: String,
    /// The hands after the journal's event, top card first; empty where it cannot happen.
    pub journal_hands: String,
    /// The hands after the rules' event, top card first.
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

    /// The code under which the book lists the problem.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.problem.code()
    }

    /// What a journal with this fault is.
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

/// Why a journal could not be read on.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Something is wrong with the journal.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}
