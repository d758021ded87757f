use super::code::Verdict;
use super::end::{End, Reason};
use super::fault::{Fault, ReadError};
use super::header::Header;
use super::proof::Proof;
use std::{fmt, io};

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
    events: u64,
    found: Result<End, Fault>,
    claimed: Option<Proof>,
}

impl Judgement {
    /// What a journal is that was read with this result; `events` is how many were verified,
    /// after this header if any.
    pub(crate) fn of(
        result: Result<End, ReadError>,
        header: Option<&Header>,
        events: u64,
    ) -> io::Result<Self> {
        let found = match result {
            Ok(found) => Ok(found),
            Err(ReadError::Fault(fault)) => Err(fault),
            Err(ReadError::Io(error)) => return Err(error),
        };
        // The first event is what proves where the cards are from.
        let claimed = header.filter(|_| events > 0).map(Header::proof);
        Ok(Self {
            events,
            found,
            claimed,
        })
    }

    /// The verdict. A recording that was cut off and repaired is incomplete.
    #[must_use]
    pub const fn verdict(&self) -> Verdict {
        match &self.found {
            Ok(end) => match end.reason {
                Reason::CutOff => Verdict::Incomplete,
                _ => Verdict::Verified,
            },
            Err(fault) => fault.verdict(),
        }
    }

    /// The number of events that were verified.
    #[must_use]
    pub const fn events(&self) -> u64 {
        self.events
    }

    /// What the end record says; `None` where there is a fault.
    #[must_use]
    pub fn end(&self) -> Option<&End> {
        self.found.as_ref().ok()
    }

    /// What is proven of the cards; `None` where the journal is not intact.
    #[must_use]
    pub const fn proof(&self) -> Option<Proof> {
        match self.verdict() {
            Verdict::Verified | Verdict::Incomplete | Verdict::Unexpected => self.claimed,
            Verdict::Damaged | Verdict::Diverged | Verdict::Unsupported => None,
        }
    }

    /// What is wrong, and where; `None` where nothing is.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.found.as_ref().err()
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict().word())?;
        match &self.found {
            Ok(_) => Ok(()),
            Err(fault) => write!(f, " at {fault}"),
        }
    }
}
