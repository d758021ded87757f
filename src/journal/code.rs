use std::fmt;

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
    /// The file is whole and true, but not the journal that was demanded, or not signed as
    /// demanded.
    Unexpected,
    /// The journal comes from a newer version, or has rules or names unknown here.
    Unsupported,
}

impl Verdict {
    /// The word in capitals, the same in every language.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::journal::Verdict;
    ///
    /// assert_eq!(Verdict::Incomplete.word(), "INCOMPLETE");
    /// ```
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Verified => "VERIFIED",
            Self::Incomplete => "INCOMPLETE",
            Self::Damaged => "DAMAGED",
            Self::Diverged => "DIVERGED",
            Self::Unexpected => "UNEXPECTED",
            Self::Unsupported => "UNSUPPORTED",
        }
    }
}

/// The code of a fault in a journal.
///
/// The variants have the numbers under which the book lists them.
///
/// # Examples
///
/// ```
/// use war::journal::{Code, Verdict};
///
/// assert_eq!(Code::Chain.to_string(), "WJ202");
/// assert_eq!(Code::Chain.verdict(), Some(Verdict::Damaged));
/// assert_eq!(Code::Write.verdict(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum Code {
    /// Not JSON.
    NotJson = 1,
    /// JSON, but no war-journal.
    NoJournal = 2,
    /// A version, rules or a name unknown here.
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
    /// The final digest is not the one demanded.
    Digest = 204,
    /// The detached signature does not match.
    Signature = 205,
    /// It is not the journal of the token game that was demanded.
    Game = 206,
    /// An event is not what the rules say.
    Event = 301,
    /// A state is not what the events make it.
    State = 302,
    /// The cards are not those of the generator, not a deck, or not what chance can bring.
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
    ///
    /// An empty file has the code of one that is not JSON, but is [`Verdict::Incomplete`].
    #[must_use]
    pub const fn verdict(self) -> Option<Verdict> {
        Some(match self {
            Self::NotJson
            | Self::NoJournal
            | Self::Field
            | Self::Sequence
            | Self::Chain
            | Self::End => Verdict::Damaged,
            Self::Digest | Self::Signature | Self::Game => Verdict::Unexpected,
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
