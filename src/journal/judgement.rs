use super::digest::ConsoleDigest;
use super::fault::{Fault, Position, ReadError};
use super::header::{Header, Proof};
use super::problem::{Problem, Verdict};
use crate::engine::{Outcome, Seat, Table};
use crate::support::hex::Hex;
use crate::tokens::TokenGame;
use std::fmt;
use std::io;

/// Result of reading a journal to its end or to its first fault.
///
/// # Examples
///
/// ```
/// use war::journal::Verdict;
/// use war::replay::verify;
///
/// let judgement = verify(&b"{}"[..]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Damaged);
/// let text = "DAMAGED at 1:1: WJ002 the file is JSON, but not a journal";
/// assert_eq!(judgement.to_string(), text);
/// ```
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    header: Option<Box<Header>>,
    events: u64,
    result: Result<End, Box<Fault>>,
    /// The reason that an intact journal is not the expected one.
    unexpected: Option<Box<Fault>>,
}

/// A journal that can't be read to its end, for a reason other than its content.
#[derive(Debug)]
pub struct UnreadableJournal {
    /// The header, if that could be read.
    pub header: Option<Box<Header>>,
    /// The number of verified events.
    pub events: u64,
    /// The error of the reader.
    pub error: io::Error,
}

impl From<UnreadableJournal> for io::Error {
    fn from(unread: UnreadableJournal) -> Self {
        unread.error
    }
}

impl Judgement {
    /// Judges a journal by the result of reading it, the header if that could be read, and the
    /// number of verified events.
    ///
    /// # Errors
    ///
    /// If the journal could not be read to its end or its first fault.
    pub fn from_result(
        result: Result<End, ReadError>,
        header: Option<&Header>,
        events: u64,
    ) -> Result<Self, UnreadableJournal> {
        let header = header.cloned().map(Box::new);
        let result = match result {
            Ok(found) => Ok(found),
            Err(ReadError::Fault(fault)) => Err(Box::new(fault)),
            Err(ReadError::Io(error)) => {
                return Err(UnreadableJournal {
                    header,
                    events,
                    error,
                });
            }
        };
        Ok(Self {
            header,
            events,
            result,
            unexpected: None,
        })
    }

    /// Marks an intact journal as not the expected one. Has no effect if there is a fault already.
    pub fn mark_unexpected(mut self, at: Position, reason: impl Into<Problem>) -> Self {
        if self.result.is_ok() && self.unexpected.is_none() {
            self.unexpected = Some(Box::new(Fault::new(at, reason)));
        }
        self
    }

    /// The verdict on the journal. A repaired journal of a game that was cut off is incomplete.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (&self.result, &self.unexpected) {
            (Err(fault), _) | (Ok(_), Some(fault)) => fault.verdict(),
            (Ok(end), None) => end.verdict(),
        }
    }

    /// The header of the journal; `None` if it could not be read.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_deref()
    }

    /// The number of verified events.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// The end record; `None` if a fault precedes it.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.result.as_ref().ok()
    }

    /// The proof of the cards; `None` if no event was verified, or if the journal is damaged,
    /// diverged or unsupported.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        match self.verdict() {
            // The first event proves the source of the cards.
            Verdict::Verified | Verdict::Incomplete | Verdict::Unexpected if self.events > 0 => {
                self.header().map(Header::proof)
            }
            _ => None,
        }
    }

    /// The fault of the journal, if there is one.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        let fault = self.result.as_ref().err();
        fault.or(self.unexpected.as_ref()).map(AsRef::as_ref)
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict().name())?;
        match self.fault() {
            None => Ok(()),
            Some(fault) => write!(f, " at {fault}"),
        }
    }
}

/// Summary of a game that a journal holds after the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// The reason that the journal ends.
    pub reason: GameEndReason,
    /// The number of turns played.
    pub turns: u32,
    /// The number of events recorded.
    pub events: u64,
    /// The digest of the printed game.
    pub console: ConsoleDigest,
    /// The last link of the chain, the journal's final digest.
    pub digest: Hex<16>,
}

impl End {
    /// The verdict on a journal with this end and without a fault.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self.reason {
            GameEndReason::CutOff => Verdict::Incomplete,
            _ => Verdict::Verified,
        }
    }
}

/// Reason that a journal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEndReason {
    /// Win of the player at this seat.
    Won(Seat),
    /// Endless game: its hands repeat.
    Endless,
    /// Drawn game, or tie in the daily duel.
    Drawn,
    /// Stopped game, with or without a winner.
    Stopped(Option<Seat>),
    /// Token game in which both players folded.
    Folded,
    /// Recording that was interrupted, or was repaired after a crash.
    CutOff,
}

impl GameEndReason {
    /// The reason for which the game on this table ended; `CutOff` before its end.
    #[must_use]
    pub(super) const fn from_table(table: &Table) -> Self {
        match table.outcome() {
            Some(Outcome::Won(seat)) => Self::Won(seat),
            Some(Outcome::Endless { .. }) => Self::Endless,
            Some(Outcome::Drawn) => Self::Drawn,
            Some(Outcome::Stopped(winner)) => Self::Stopped(winner),
            None => Self::CutOff,
        }
    }

    /// The reason for which this token game ended; `CutOff` before its end.
    #[must_use]
    pub(super) fn from_token_game(game: &TokenGame) -> Self {
        match (game.deltas(), game.winner()) {
            (None, _) => Self::CutOff,
            (Some(_), Some(seat)) => Self::Won(seat),
            (Some([0, 0]), None) => Self::Drawn,
            (Some(_), None) => Self::Folded,
        }
    }
}
