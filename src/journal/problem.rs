//! Problems of journals: a type for each stage of reading, and the codes in the documentation.

use super::expected_game::GameMismatch;
use super::header::MetaError;
use crate::engine::Seat;
use crate::support::fields::FieldError;
use crate::support::hex::Hex;
use crate::tokens::{Seats, TextError};
use std::fmt;

/// Problem of a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// File that is not a journal.
    #[error(transparent)]
    File(#[from] FileError),
    /// Header that can't be understood.
    #[error(transparent)]
    Header(#[from] HeaderError),
    /// Damaged record.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Game that diverges from the rules.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Journal of a game other than the expected one.
    #[error(transparent)]
    Unexpected(#[from] GameMismatch),
}

/// Reason that a file is not a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Empty file.
    #[error("the file is empty")]
    Empty,
    /// Byte-order mark of UTF-8 at the start of the file.
    #[error("the file starts with a byte-order mark")]
    ByteOrderMark,
    /// File that is UTF-16.
    #[error("the file is UTF-16, not UTF-8")]
    Utf16,
    /// File that is not JSON.
    #[error("the file is not JSON")]
    NotJson,
    /// JSON that is not a journal.
    #[error("the file is JSON, but not a journal")]
    OtherJson,
    /// File that starts with an event or the end of a journal.
    #[error("the beginning of the journal is missing")]
    NoBeginning {
        /// True if that event or end is JSON by itself, as each line of version 2 is.
        is_json: bool,
    },
}

/// Reason that a well-formed header can't be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// Unsupported version of the journal.
    #[error("this journal has version {version}, but versions up to {known} are supported")]
    Version {
        /// The version of the journal, a whole number.
        version: String,
        /// The newest version supported.
        known: u32,
    },
    /// Unknown rules, or known rules with unsupported parameters.
    #[error("the rules `{0}` with these parameters are not supported")]
    UnknownRules(String),
    /// Rules that belong to another program.
    #[error("the rules `{0}` belong to another program")]
    ForeignRules(String),
    /// Generator that this program doesn't know.
    #[error("unknown generator `{0}`")]
    UnknownGenerator(String),
    /// Seed that is invalid for the generator.
    #[error("`{seed}` is not a valid seed for the generator `{generator}`")]
    BadSeed {
        /// The name of the generator.
        generator: String,
        /// The seed in the header.
        seed: String,
    },
    /// Name that a scenario file can't have.
    #[error("a scenario file can't be named `{0}`")]
    BadName(String),
    /// Language that this program doesn't know.
    #[error("unknown language `{0}`")]
    UnknownLanguage(String),
    /// Renderer that this program doesn't know.
    #[error("unknown renderer {0}")]
    UnknownRenderer(u32),
    /// Kind of deal that the rules don't allow.
    #[error("these rules don't allow this kind of deal")]
    BadDeal,
    /// Corrections that were not needed or lead to another game.
    #[error("the corrections in the header were not needed or lead to a different game")]
    BadCorrection,
    /// Invalid notes of the recorder.
    #[error("invalid `meta`: {0}")]
    Meta(#[from] MetaError),
    /// End of the file inside the header.
    #[error("the file ends inside the header")]
    CutOff,
}

/// Damage of a record, or between records.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Record that is not JSON.
    #[error("invalid JSON")]
    Syntax,
    /// Field that is missing, unknown or duplicate, or has an invalid value.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// Unknown name that the recorder wrote, as the link shows.
    #[error("{0}, written by a newer version")]
    NewerVersion(FieldError),
    /// Document whose fields were sorted.
    #[error("the file is not canonical: its fields were sorted")]
    NotCanonical,
    /// Invalid name or seed that a player chose.
    #[error("expected {0}")]
    Text(#[from] TextError),
    /// Invalid public numbers of the players.
    #[error(
        "expected the public numbers of two different players, from 1 to {}",
        Seats::HIGHEST_NUMBER
    )]
    PlayerNumbers,
    /// List in the place of an object, or the other way round.
    #[error("expected an object but found a list, or the other way round")]
    ListForObject,
    /// Value of a type that doesn't fit the field.
    #[error("this value doesn't fit the field")]
    WrongType,
    /// Line with less or more than one record.
    #[error("expected one whole record on each line")]
    NotOneRecord,
    /// Compact event in a journal whose first event is full, or the other way round.
    #[error("the event is written in another form than the first one")]
    MixedForms,
    /// Record longer than 1 MiB.
    #[error("a record is longer than 1 MB")]
    TooLong,
    /// Header longer than 2 MiB.
    #[error("the header is longer than 2 MB")]
    HeaderTooLong,
    /// Record nested deeper than 64 levels.
    #[error("a record is nested deeper than 64 levels")]
    TooDeep,
    /// End of the file inside the record.
    #[error("the file ends inside event {events}")]
    CutOff {
        /// The number of complete events.
        events: u64,
    },
    /// End of the file before the end record is complete.
    #[error("the file ends after {events} events, without an end record")]
    NoEnd {
        /// The number of complete events.
        events: u64,
    },
    /// Sequence number that is not the next one.
    #[error("expected event {expected}, found event {found}")]
    Sequence {
        /// The number of the next event.
        expected: u64,
        /// The number found in the record.
        found: u64,
    },
    /// Wrong link of an event.
    #[error("the hash chain doesn't match at event {seq}")]
    Chain {
        /// The number of the event.
        seq: u64,
    },
    /// Wrong link of the header.
    #[error("the hash chain doesn't match the header")]
    HeaderChain,
    /// Wrong link of the end record.
    #[error("the hash chain doesn't match the end record")]
    EndChain,
    /// Wrong link of the end record in a compact journal, where no event has a link.
    #[error("the hash chain of the compact journal doesn't match the end record")]
    CompactChain,
    /// Final digest other than the expected one.
    #[error("the final digest is {found}, expected {expected}")]
    Digest {
        /// The expected digest.
        expected: Hex<16>,
        /// The digest of the journal.
        found: Hex<16>,
    },
    /// Detached signature made with another key, which has this number.
    #[error("the signature was made with another key, {0}")]
    OtherKey(String),
    /// Detached signature that doesn't match the file.
    #[error("the signature doesn't match the file")]
    Signature,
    /// Contradiction between the reason and the winner in the end record.
    #[error("the reason and the winner in the end record contradict each other")]
    EndWinner,
    /// Wrong `upgraded_from` in the header, which must be the final digest of the same game's
    /// journal in version 1.
    #[error("the journal was upgraded from {found}, but the events give {expected}")]
    UpgradedFrom {
        /// The digest in the header.
        found: Hex<16>,
        /// The final digest of the same game's journal in version 1.
        expected: Hex<16>,
    },
    /// Data after the end of the journal.
    #[error("unexpected data after the end of the journal")]
    DataAfterEnd,
}

/// Divergence of a game from the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// Event other than the one that the rules decide.
    #[error("event {seq} in turn {turn} doesn't follow the rules")]
    Event {
        /// The number of the event.
        seq: u64,
        /// The recorded turn.
        turn: u32,
    },
    /// Wrong recorded turn of an event.
    #[error("event {seq} has turn {found}, but the events give {expected}")]
    Turn {
        /// The number of the event.
        seq: u64,
        /// The recorded turn.
        found: u32,
        /// The actual turn.
        expected: u32,
    },
    /// Wrong recorded state after an event.
    #[error(
        "the state after event {seq} in turn {turn} is {found}, but the events give {expected}"
    )]
    State {
        /// The number of the event.
        seq: u64,
        /// The recorded turn.
        turn: u32,
        /// The recorded state.
        found: Hex<8>,
        /// The actual state.
        expected: Hex<8>,
    },
    /// Wrong field of the end record.
    #[error("the end record has `{field}` {found}, but the events give {expected}")]
    End {
        /// The name of the field.
        field: &'static str,
        /// The recorded value.
        found: String,
        /// The actual value.
        expected: String,
    },
    /// Wrong recorded digest of the screens.
    #[error(
        "the console digest is {found} ({found_bytes} bytes), but the events print {expected} ({expected_bytes} bytes)"
    )]
    Console {
        /// The recorded hash.
        found: Hex<32>,
        /// The recorded number of bytes.
        found_bytes: u64,
        /// The hash of the bytes that the events print.
        expected: Hex<32>,
        /// The number of bytes that the events print.
        expected_bytes: u64,
    },
    /// First event that doesn't deal cards.
    #[error("the first event doesn't deal cards")]
    NotDealt,
    /// First event that doesn't start a token game.
    #[error("the first event doesn't start a game")]
    NotStarted,
    /// Wrong number of players dealt in: it differs from the header.
    #[error("cards are dealt to {found} players, but the header has {expected}")]
    Players {
        /// The number of players dealt in.
        found: usize,
        /// The number of players in the header.
        expected: u8,
    },
    /// Number of players that the rules don't allow.
    #[error("cards are dealt to {found} players, but these rules are for {fewest} to {most}")]
    PlayersOfRules {
        /// The number of players dealt in.
        found: usize,
        /// The minimum number of players.
        fewest: u8,
        /// The maximum number of players.
        most: u8,
    },
    /// Cards that are not a deck for this game.
    #[error("the cards dealt are not a deck for this game")]
    NotDeck,
    /// Cards other than those that the generator deals.
    #[error("the generator doesn't deal these cards from this seed")]
    Generator,
    /// Order of cards other than the one that the generator gives.
    #[error("the generator doesn't produce this order of cards")]
    Chance,
    /// Cards that chance can't produce, in a game whose header names no generator.
    #[error("event {seq} in turn {turn} records a draw that can't happen")]
    Impossible {
        /// The number of the event.
        seq: u64,
        /// The recorded turn.
        turn: u32,
    },
    /// Revealed seed that doesn't match the commitment.
    #[error("the revealed seed doesn't match the commitment")]
    Commitment,
    /// Opened seed that doesn't match the player's commitment.
    #[error("the seed opened at seat {0} doesn't match their seed hash")]
    OpenedSeed(Seat),
}

impl Problem {
    /// The code of the problem in the documentation.
    #[must_use]
    pub const fn code(&self) -> FaultCode {
        match self {
            Self::File(FileError::OtherJson | FileError::NoBeginning { is_json: true }) => {
                FaultCode::NotJournal
            }
            Self::File(_) => FaultCode::NotJson,
            Self::Header(error) => error.code(),
            Self::Record(error) => error.code(),
            Self::Game(error) => error.code(),
            Self::Unexpected(_) => FaultCode::UnexpectedGame,
        }
    }

    /// The verdict on a journal with this problem.
    ///
    /// # Panics
    ///
    /// Never: only a journal that is being recorded has no verdict.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self {
            // A full disk leaves an empty file.
            Self::File(FileError::Empty) => Verdict::Incomplete,
            problem => {
                let verdict = problem.code().verdict();
                verdict.expect("a journal that was read has a verdict")
            }
        }
    }
}

impl HeaderError {
    const fn code(&self) -> FaultCode {
        match self {
            Self::Version { .. }
            | Self::UnknownRules(_)
            | Self::ForeignRules(_)
            | Self::UnknownGenerator(_)
            | Self::UnknownLanguage(_)
            | Self::UnknownRenderer(_) => FaultCode::Unsupported,
            Self::BadSeed { .. }
            | Self::BadName(_)
            | Self::BadDeal
            | Self::BadCorrection
            | Self::Meta(_) => FaultCode::Field,
            Self::CutOff => FaultCode::CutOff,
        }
    }
}

impl RecordError {
    const fn code(&self) -> FaultCode {
        match self {
            Self::Syntax => FaultCode::NotJson,
            Self::NewerVersion(_) => FaultCode::Unsupported,
            Self::Field(_)
            | Self::NotCanonical
            | Self::Text(_)
            | Self::PlayerNumbers
            | Self::ListForObject
            | Self::WrongType
            | Self::NotOneRecord
            | Self::MixedForms
            | Self::TooLong
            | Self::HeaderTooLong
            | Self::TooDeep => FaultCode::Field,
            Self::CutOff { .. } => FaultCode::CutOff,
            Self::NoEnd { .. } => FaultCode::NoEnd,
            Self::Sequence { .. } => FaultCode::Sequence,
            Self::Chain { .. } | Self::HeaderChain | Self::EndChain | Self::CompactChain => {
                FaultCode::Chain
            }
            Self::Digest { .. } => FaultCode::Digest,
            Self::OtherKey(_) | Self::Signature => FaultCode::Signature,
            Self::EndWinner | Self::UpgradedFrom { .. } | Self::DataAfterEnd => FaultCode::End,
        }
    }
}

impl GameError {
    const fn code(&self) -> FaultCode {
        match self {
            Self::Event { .. } | Self::Turn { .. } => FaultCode::Event,
            Self::State { .. } => FaultCode::State,
            Self::End { .. } => FaultCode::End,
            Self::Console { .. } => FaultCode::Console,
            Self::NotDealt
            | Self::NotStarted
            | Self::Players { .. }
            | Self::PlayersOfRules { .. }
            | Self::NotDeck
            | Self::Generator
            | Self::Chance
            | Self::Impossible { .. }
            | Self::Commitment
            | Self::OpenedSeed(_) => FaultCode::Deal,
        }
    }
}

/// Verdict on a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Intact journal of a game played by the rules, in which everything recorded is true.
    Verified,
    /// Recording that was cut off, and is intact so far.
    Incomplete,
    /// File that was changed after the recording.
    Damaged,
    /// Intact file of a game that was not played by the rules.
    Diverged,
    /// File that is intact and true, but not the expected journal or not signed as expected.
    Unexpected,
    /// Journal from a newer version, or with unknown rules or names.
    Unsupported,
}

impl Verdict {
    /// The verdict in capitals, the same in every language.
    ///
    /// # Examples
    ///
    /// ```
    /// use war::journal::Verdict;
    ///
    /// assert_eq!(Verdict::Incomplete.name(), "INCOMPLETE");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
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

/// Code of a fault in a journal, with its number in the documentation.
///
/// # Examples
///
/// ```
/// use war::journal::{FaultCode, Verdict};
///
/// assert_eq!(FaultCode::Chain.to_string(), "WJ202");
/// assert_eq!(FaultCode::Chain.verdict(), Some(Verdict::Damaged));
/// assert_eq!(FaultCode::Write.verdict(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u16)]
pub enum FaultCode {
    /// File that is not JSON.
    NotJson = 1,
    /// File that is JSON, but not a journal.
    NotJournal = 2,
    /// An unknown version, unknown rules or an unknown name.
    Unsupported = 3,
    /// File that was cut off inside an event or the header.
    CutOff = 101,
    /// File without an end record.
    NoEnd = 102,
    /// A field that is unknown, duplicate, missing, of the wrong type or too long.
    Field = 103,
    /// A gap, duplicate or reorder in the sequence of events.
    Sequence = 201,
    /// A wrong link of the chain.
    Chain = 202,
    /// A wrong end record, or data after it.
    End = 203,
    /// A final digest other than the expected one.
    Digest = 204,
    /// A detached signature that doesn't match.
    Signature = 205,
    /// A token game other than the expected one.
    UnexpectedGame = 206,
    /// An event against the rules.
    Event = 301,
    /// A wrong state after an event.
    State = 302,
    /// Cards that the generator doesn't deal, that are not a deck, or that chance can't produce.
    Deal = 303,
    /// A wrong digest of the screens.
    Console = 304,
    /// A journal that can't be created.
    Create = 401,
    /// A journal that can't be written.
    Write = 402,
}

impl FaultCode {
    /// The verdict on a journal with a fault of this code; `None` for the codes of recording.
    ///
    /// The one exception is an empty file: it has the code of a file that is not JSON, but is
    /// [`Verdict::Incomplete`].
    #[must_use]
    pub const fn verdict(self) -> Option<Verdict> {
        Some(match self {
            Self::NotJson
            | Self::NotJournal
            | Self::Field
            | Self::Sequence
            | Self::Chain
            | Self::End => Verdict::Damaged,
            Self::Digest | Self::Signature | Self::UnexpectedGame => Verdict::Unexpected,
            Self::Unsupported => Verdict::Unsupported,
            Self::CutOff | Self::NoEnd => Verdict::Incomplete,
            Self::Event | Self::State | Self::Deal | Self::Console => Verdict::Diverged,
            Self::Create | Self::Write => return None,
        })
    }
}

impl fmt::Display for FaultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WJ{:03}", *self as u16)
    }
}
