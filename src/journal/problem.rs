//! What can be wrong with a journal: a type for each stage of reading it, and the codes under
//! which the book lists the problems.

use super::expected::Unexpected;
use super::header::MetaError;
use crate::engine::Seat;
use crate::support::fields::FieldError;
use crate::support::hex::Hex;
use crate::tokens::{Seats, TextError};
use std::fmt;

/// What is wrong with a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file is not a journal.
    #[error(transparent)]
    File(#[from] FileError),
    /// The header can't be understood.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// A record is not as it was written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The game is not the one that the rules make of it.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The journal is not that of the game which was demanded.
    #[error(transparent)]
    Unexpected(#[from] Unexpected),
}

/// Why a file is not a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// There is nothing in it.
    #[error("the file is empty")]
    Empty,
    /// It begins with a byte-order mark of UTF-8.
    #[error("the file starts with a byte-order mark")]
    ByteOrderMark,
    /// It begins with a byte-order mark of UTF-16.
    #[error("the file is not UTF-8 text")]
    Utf16,
    /// It is not JSON.
    #[error("the file is not JSON")]
    NotJson,
    /// It is JSON of another kind.
    #[error("the file is JSON, but not a journal")]
    OtherJson,
    /// It begins with an event or the end of a journal.
    #[error("the beginning of the journal is missing")]
    NoBeginning {
        /// Whether that is JSON, as each line of version 2 is.
        is_json: bool,
    },
}

/// Why a header that reads well can't be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// The journal is of this version, and the program knows another one.
    #[error("this journal has version {version}, but versions up to {known} are supported")]
    Version {
        /// The version of the journal, a whole number.
        version: String,
        /// The newest version that is known.
        known: u32,
    },
    /// These rules are not known here.
    #[error("the rules `{0}` with these parameters are not supported")]
    UnknownRules(String),
    /// These rules belong to another program.
    #[error("the rules `{0}` belong to another program")]
    OwnRules(String),
    /// This generator is not known here.
    #[error("unknown generator `{0}`")]
    UnknownGenerator(String),
    /// The generator of this name has no such seed.
    #[error("`{seed}` is not a valid seed for the generator `{generator}`")]
    BadSeed {
        /// Its name.
        generator: String,
        /// The seed.
        seed: String,
    },
    /// No scenario's file can have this name.
    #[error("a scenario file can't be named `{0}`")]
    BadName(String),
    /// This language is not known here.
    #[error("unknown language `{0}`")]
    UnknownLanguage(String),
    /// Screens of this number are not known here.
    #[error("unknown renderer {0}")]
    UnknownRenderer(u32),
    /// These rules do not go with this deal.
    #[error("these rules don't allow this kind of deal")]
    BadDeal,
    /// Corrections that were not needed, or that lead to another game.
    #[error("the corrections in the header were not needed or lead to a different game")]
    BadCorrection,
    /// The recorder's notes are not as they can be.
    #[error("invalid `meta`: {0}")]
    Meta(#[from] MetaError),
    /// The file ends inside the header.
    #[error("the file ends inside the header")]
    CutOff,
}

/// What is wrong with a record, or with what is between records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It is not JSON.
    #[error("invalid JSON")]
    Syntax,
    /// A field is not as it should be.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// A name that is not known here, in a record that its recorder wrote so: its chain holds.
    #[error("{0}, written by a newer version")]
    Newer(FieldError),
    /// The fields of the document are not in the order of the format.
    #[error("the file is not canonical: its fields were sorted")]
    NotCanonical,
    /// A field holds no text of a player's.
    #[error("expected {0}")]
    Text(#[from] TextError),
    /// A field holds no public numbers of two players.
    #[error(
        "expected the public numbers of two different players, from 1 to {}",
        Seats::HIGHEST_NUMBER
    )]
    Numbers,
    /// A list was found where an object should be, or the other way round.
    #[error("expected an object but found a list, or the other way round")]
    Shape,
    /// A value was found where one of another kind should be.
    #[error("this value doesn't fit the field")]
    Unfit,
    /// It is not all that stands on its line, or not all of it does.
    #[error("expected one whole record on each line")]
    Line,
    /// It is written in another form than the first event.
    #[error("the event is written in another form than the first one")]
    Form,
    /// It is longer than any event.
    #[error("a record is longer than 1 MB")]
    TooLong,
    /// The header is longer than any.
    #[error("the header is longer than 2 MB")]
    HeaderTooLong,
    /// It is nested deeper than any record.
    #[error("a record is nested deeper than 64 levels")]
    TooDeep,
    /// The file ends inside it.
    #[error("the file ends inside event {events}")]
    CutOff {
        /// How many events are whole.
        events: u64,
    },
    /// The file ends before the end record does.
    #[error("the file ends after {events} events, without an end record")]
    NoEnd {
        /// How many events are whole.
        events: u64,
    },
    /// It is not the next one.
    #[error("expected event {expected}, found event {found}")]
    Sequence {
        /// The number of the next event.
        expected: u64,
        /// The number found.
        found: u64,
    },
    /// The chain does not fit at this event.
    #[error("the hash chain doesn't match at event {seq}")]
    Chain {
        /// The number of the event.
        seq: u64,
    },
    /// The chain does not fit the header.
    #[error("the hash chain doesn't match the header")]
    HeaderChain,
    /// The chain does not fit the end record.
    #[error("the hash chain doesn't match the end record")]
    EndChain,
    /// The chain of a compact journal, whose only link behind the header this is, does not fit
    /// the end record.
    #[error("the hash chain of the compact journal doesn't match the end record")]
    CompactChain,
    /// The final digest is another one than was asked for.
    #[error("the final digest is {found}, expected {expected}")]
    Digest {
        /// The digest asked for.
        expected: Hex<16>,
        /// The digest of the journal.
        found: Hex<16>,
    },
    /// The detached signature was made with the key of this number, which is another one.
    #[error("the signature was made with another key, {0}")]
    OtherKey(String),
    /// The detached signature is not that of the file.
    #[error("the signature doesn't match the file")]
    Signature,
    /// The reason of the end record and its winner do not go together.
    #[error("the reason and the winner in the end record contradict each other")]
    EndWinner,
    /// The journal names another one that it was made from than the events show.
    #[error("the journal was upgraded from {found}, but the events give {expected}")]
    UpgradedFrom {
        /// The digest that it names.
        found: Hex<16>,
        /// The final digest of the game's journal of version 1.
        expected: Hex<16>,
    },
    /// Something follows the end of the journal.
    #[error("unexpected data after the end of the journal")]
    DataAfterEnd,
}

/// Where a game is not the one that the rules make of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// An event is not the one that the rules decide.
    #[error("event {seq} in turn {turn} doesn't follow the rules")]
    Event {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
    },
    /// An event was recorded in another turn than it happened in.
    #[error("event {seq} has turn {found}, but the events give {expected}")]
    Turn {
        /// The number of the event.
        seq: u64,
        /// The turn recorded.
        found: u32,
        /// The turn of the game.
        expected: u32,
    },
    /// The state after an event is another one.
    #[error(
        "the state after event {seq} in turn {turn} is {found}, but the events give {expected}"
    )]
    State {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
        /// The state recorded.
        found: Hex<8>,
        /// The state of the game.
        expected: Hex<8>,
    },
    /// The end record says something about the game that is not true.
    #[error("the end record has `{field}` {found}, but the events give {expected}")]
    End {
        /// The field.
        field: &'static str,
        /// What it says.
        found: String,
        /// What is true.
        expected: String,
    },
    /// The events print something else.
    #[error(
        "the console digest is {found} ({found_bytes} bytes), but the events print {expected} ({expected_bytes} bytes)"
    )]
    Console {
        /// The digest recorded.
        found: Hex<32>,
        /// The length recorded.
        found_bytes: u64,
        /// The digest of what the events print.
        expected: Hex<32>,
        /// Its length.
        expected_bytes: u64,
    },
    /// The first event deals no cards.
    #[error("the first event doesn't deal cards")]
    NotDealt,
    /// The first event starts no token game.
    #[error("the first event doesn't start a game")]
    NotStarted,
    /// Cards are dealt to more or fewer players than the header has.
    #[error("cards are dealt to {found} players, but the header has {expected}")]
    Players {
        /// How many are dealt cards.
        found: usize,
        /// How many the header has.
        expected: u8,
    },
    /// Cards are dealt to more or fewer players than the rules are for.
    #[error("cards are dealt to {found} players, but these rules are for {fewest} to {most}")]
    PlayersOfRules {
        /// How many are dealt cards.
        found: usize,
        /// The fewest who can play.
        fewest: u8,
        /// The most who can play.
        most: u8,
    },
    /// The cards are not a deck for this game.
    #[error("the cards dealt are not a deck for this game")]
    NoDeck,
    /// The generator deals other cards.
    #[error("the generator doesn't deal these cards from this seed")]
    Generator,
    /// The generator gives another order of cards.
    #[error("the generator doesn't produce this order of cards")]
    Chance,
    /// Without a generator, chance is as recorded; but this can't have come of it.
    #[error("event {seq} in turn {turn} records a draw that can't happen")]
    Impossible {
        /// The number of the event.
        seq: u64,
        /// The turn it was recorded in.
        turn: u32,
    },
    /// The revealed seed is not the one that was committed to.
    #[error("the revealed seed doesn't match the commitment")]
    Commitment,
    /// A player opened another seed than the one that they are committed to.
    #[error("the seed opened at seat {0} doesn't match their seed hash")]
    OpenedSeed(Seat),
}

impl Problem {
    /// The code under which the book lists the problem.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::File(FileError::OtherJson | FileError::NoBeginning { is_json: true }) => {
                Code::NoJournal
            }
            Self::File(_) => Code::NotJson,
            Self::Header(error) => error.code(),
            Self::Record(error) => error.code(),
            Self::Game(error) => error.code(),
            Self::Unexpected(_) => Code::Game,
        }
    }

    /// What a journal with this problem is.
    ///
    /// # Panics
    ///
    /// Never: only a journal that is being recorded has no verdict.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            // A full disk leaves that.
            Self::File(FileError::Empty) => Verdict::Incomplete,
            problem => {
                let verdict = problem.code().verdict();
                verdict.expect("a journal that was read has a verdict")
            }
        }
    }
}

impl HeaderError {
    const fn code(&self) -> Code {
        match self {
            Self::Version { .. }
            | Self::UnknownRules(_)
            | Self::OwnRules(_)
            | Self::UnknownGenerator(_)
            | Self::UnknownLanguage(_)
            | Self::UnknownRenderer(_) => Code::Version,
            Self::BadSeed { .. }
            | Self::BadName(_)
            | Self::BadDeal
            | Self::BadCorrection
            | Self::Meta(_) => Code::Field,
            Self::CutOff => Code::CutOff,
        }
    }
}

impl RecordError {
    const fn code(&self) -> Code {
        match self {
            Self::Syntax => Code::NotJson,
            Self::Newer(_) => Code::Version,
            Self::Field(_)
            | Self::NotCanonical
            | Self::Text(_)
            | Self::Numbers
            | Self::Shape
            | Self::Unfit
            | Self::Line
            | Self::Form
            | Self::TooLong
            | Self::HeaderTooLong
            | Self::TooDeep => Code::Field,
            Self::CutOff { .. } => Code::CutOff,
            Self::NoEnd { .. } => Code::NoEnd,
            Self::Sequence { .. } => Code::Sequence,
            Self::Chain { .. } | Self::HeaderChain | Self::EndChain | Self::CompactChain => {
                Code::Chain
            }
            Self::Digest { .. } => Code::Digest,
            Self::OtherKey(_) | Self::Signature => Code::Signature,
            Self::EndWinner | Self::UpgradedFrom { .. } | Self::DataAfterEnd => Code::End,
        }
    }
}

impl GameError {
    const fn code(&self) -> Code {
        match self {
            Self::Event { .. } | Self::Turn { .. } => Code::Event,
            Self::State { .. } => Code::State,
            Self::End { .. } => Code::End,
            Self::Console { .. } => Code::Console,
            Self::NotDealt
            | Self::NotStarted
            | Self::Players { .. }
            | Self::PlayersOfRules { .. }
            | Self::NoDeck
            | Self::Generator
            | Self::Chance
            | Self::Impossible { .. }
            | Self::Commitment
            | Self::OpenedSeed(_) => Code::Deal,
        }
    }
}

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
