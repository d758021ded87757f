use crate::i18n::{Catalogue, Lang, Text};
use std::{fmt, io};

/// What a journal turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The game was played by the rules, and everything recorded of it is true.
    Verified,
    /// The recording was cut off; what is there is intact.
    Incomplete,
    /// The file is not what was recorded.
    Damaged,
    /// The file is whole, but the game was not played by the rules.
    Diverged,
    /// The journal comes from a newer version, or has rules unknown here.
    Unsupported,
}

impl Verdict {
    /// The word in capitals, the same in every language.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "VERIFIED",
            Self::Incomplete => "INCOMPLETE",
            Self::Damaged => "DAMAGED",
            Self::Diverged => "DIVERGED",
            Self::Unsupported => "UNSUPPORTED",
        }
    }
}

/// The code of a fault in a journal.
///
/// The variants bear the numbers under which the README lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum Code {
    /// Not JSON.
    NotJson = 1,
    /// JSON, but no war-journal.
    NoJournal = 2,
    /// A version or rules unknown here.
    Version = 3,
    /// Cut off inside an event or the header.
    CutOff = 101,
    /// No end record.
    NoEnd = 102,
    /// A field that is unknown, duplicate, missing, of the wrong type or too long.
    Field = 103,
    /// A gap, duplicate or reorder in the sequence of events.
    Sequence = 201,
    /// The chain does not fit.
    Chain = 202,
    /// The end record is wrong, or data follow it.
    End = 203,
    /// An event is not what the rules say.
    Event = 301,
    /// A state is not what the events make it.
    State = 302,
    /// The dealt cards are not those of the generator, or no deck.
    Deal = 303,
    /// The console output is not what was recorded.
    Console = 304,
    /// The journal can't be created.
    Create = 401,
    /// The journal can't be written.
    Write = 402,
}

impl Code {
    /// What a journal with such a fault is; `None` for the codes of recording.
    #[must_use]
    pub const fn verdict(self) -> Option<Verdict> {
        Some(match self {
            Self::NotJson
            | Self::NoJournal
            | Self::Field
            | Self::Sequence
            | Self::Chain
            | Self::End => Verdict::Damaged,
            Self::Version => Verdict::Unsupported,
            Self::CutOff | Self::NoEnd => Verdict::Incomplete,
            Self::Event | Self::State | Self::Deal | Self::Console => Verdict::Diverged,
            Self::Create | Self::Write => return None,
        })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WJ{:03}", *self as u16)
    }
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u64,
    /// The byte in the line, counted from 1.
    pub column: u64,
}

/// What is wrong with a journal, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The kind of fault.
    pub code: Code,
    /// Where it shows.
    pub at: Position,
    /// What was found, in any language; its message has a hint.
    pub text: Text,
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
    /// A fault of this kind, at this place.
    #[must_use]
    pub const fn new(code: Code, at: Position, text: Text) -> Self {
        Self {
            code,
            at,
            text,
            divergence: None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column } = self.at;
        let english = Catalogue::of(Lang::En).map_err(|_| fmt::Error)?;
        let text = english.text(&self.text);
        write!(f, "{line}:{column}: {} {text}", self.code)
    }
}

impl std::error::Error for Fault {}

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
