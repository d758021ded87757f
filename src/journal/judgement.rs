use super::digest::Printed;
use super::fault::{Fault, Position, ReadError};
use super::header::{Header, Proof};
use super::problem::{Problem, Verdict};
use crate::engine::{Outcome, Seat, Table};
use crate::support::hex::Hex;
use crate::tokens::TokenGame;
use std::fmt;
use std::io;

/// What a journal turned out to be, read to its end or to its first fault.
///
/// # Examples
///
/// ```
/// use war::journal::Verdict;
/// use war::replay::verify;
///
/// let judgement = verify(&b"{}"[..]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Damaged);
/// let told = "DAMAGED at 1:1: WJ002 the file is JSON, but not a journal";
/// assert_eq!(judgement.to_string(), told);
/// ```
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    header: Option<Box<Header>>,
    events: u64,
    found: Result<End, Box<Fault>>,
    /// Why an intact journal is not the one demanded.
    unexpected: Option<Box<Fault>>,
}

/// A journal that can't be read to its end.
#[derive(Debug)]
pub struct Unread {
    /// Its header, where that could be read.
    pub header: Option<Box<Header>>,
    /// How many events were verified.
    pub events: u64,
    /// Why it can't be read on.
    pub error: io::Error,
}

impl From<Unread> for io::Error {
    fn from(unread: Unread) -> Self {
        unread.error
    }
}

impl Judgement {
    /// What a journal is that was read with this result; `events` is how many were verified,
    /// after this header if any.
    ///
    /// # Errors
    ///
    /// Where it could not be read to its end.
    pub fn of(
        result: Result<End, ReadError>,
        header: Option<&Header>,
        events: u64,
    ) -> Result<Self, Unread> {
        let header = header.cloned().map(Box::new);
        let found = match result {
            Ok(found) => Ok(found),
            Err(ReadError::Fault(fault)) => Err(Box::new(fault)),
            Err(ReadError::Io(error)) => {
                return Err(Unread {
                    header,
                    events,
                    error,
                });
            }
        };
        Ok(Self {
            header,
            events,
            found,
            unexpected: None,
        })
    }

    /// The same, where an intact journal is not the one demanded, for this reason. What is wrong
    /// with the journal weighs more.
    pub fn unexpected(mut self, at: Position, reason: impl Into<Problem>) -> Self {
        if self.found.is_ok() && self.unexpected.is_none() {
            self.unexpected = Some(Box::new(Fault::new(at, reason)));
        }
        self
    }

    /// The verdict. A recording that was cut off and repaired is incomplete.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        match (&self.found, &self.unexpected) {
            (Err(fault), _) | (Ok(_), Some(fault)) => fault.verdict(),
            (Ok(end), None) => end.verdict(),
        }
    }

    /// The header; `None` where it could not be read.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_deref()
    }

    /// The number of events that were verified.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// What the end record says; `None` where a fault comes before it.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.found.as_ref().ok()
    }

    /// What is proven of the cards; `None` where the journal is not intact.
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        match self.verdict() {
            // The first event is what proves where the cards are from.
            Verdict::Verified | Verdict::Incomplete | Verdict::Unexpected if self.events > 0 => {
                self.header().map(Header::proof)
            }
            _ => None,
        }
    }

    /// What is wrong, and where; `None` where nothing is.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        let fault = self.found.as_ref().err();
        fault.or(self.unexpected.as_ref()).map(AsRef::as_ref)
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict().word())?;
        match self.fault() {
            None => Ok(()),
            Some(fault) => write!(f, " at {fault}"),
        }
    }
}

/// What a journal says of its game after the last event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct End {
    /// Why the journal ends.
    pub reason: Reason,
    /// The number of turns played.
    pub turns: u32,
    /// The number of events recorded.
    pub events: u64,
    /// What the game printed.
    pub console: Printed,
    /// The last link of the chain, the journal's final digest.
    pub chain: Hex<16>,
}

impl End {
    /// What a journal is that ends like this, where nothing is wrong with it.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match self.reason {
            Reason::CutOff => Verdict::Incomplete,
            _ => Verdict::Verified,
        }
    }
}

/// Why a journal ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The game was won by this player.
    Won(Seat),
    /// The game would go on for ever.
    Endless,
    /// The game was drawn.
    Drawn,
    /// The game was stopped, with this winner or none.
    Stopped(Option<Seat>),
    /// Both players of a token game folded, and nobody won.
    Folded,
    /// The recording was cut off: by an interruption, or by a crash and repaired afterwards.
    CutOff,
}

impl Reason {
    /// How the game on this table ended, or that it was cut off.
    #[must_use]
    pub(super) const fn of(table: &Table) -> Self {
        match table.outcome() {
            Some(Outcome::Won(seat)) => Self::Won(seat),
            Some(Outcome::Endless { .. }) => Self::Endless,
            Some(Outcome::Drawn) => Self::Drawn,
            Some(Outcome::Stopped(winner)) => Self::Stopped(winner),
            None => Self::CutOff,
        }
    }

    /// How this token game ended, or that it was cut off.
    #[must_use]
    pub(super) fn of_tokens(game: &TokenGame) -> Self {
        match (game.deltas(), game.winner()) {
            (None, _) => Self::CutOff,
            (Some(_), Some(seat)) => Self::Won(seat),
            (Some(_), None) => Self::Folded,
        }
    }
}
