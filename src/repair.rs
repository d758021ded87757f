//! Repair: what is proven of a journal, brought to an end in a new one.
//!
//! A journal is read twice: it is only copied once it is known how far it is intact.

use crate::journal::{
    Copying, End, Format, Header, Medium, Position, ReadError, Reason, RecordError, SILENT,
    Verdict, WriteFailed,
};
use crate::replay::Replay;
use crate::support::hex::Hex;
use std::io;
use thiserror::Error;

/// What can be kept of a journal that was cut off or, by choice, damaged.
///
/// # Examples
///
/// ```
/// use war::journal::Verdict;
/// use war::repair::{Refused, Repair};
/// use war::replay::{Replay, verify};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let cut = &journal[..journal.len() / 2];
/// let open = || Replay::open(cut, None).unwrap();
///
/// let repair = Repair::of(&mut open(), false).unwrap();
/// let mut repaired = Vec::new();
/// let (end, kept) = repair.copy(open(), &mut repaired).unwrap();
/// // The line where it was cut off holds no whole event.
/// assert_eq!(kept.line, cut.iter().filter(|&&byte| byte == b'\n').count() as u64);
///
/// let judgement = verify(&repaired[..]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Incomplete);
/// assert_eq!(judgement.end(), Some(&end));
///
/// let again = Repair::of(&mut Replay::open(&repaired[..], None).unwrap(), false);
/// assert!(matches!(again, Err(Refused::Whole(_))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    events: u64,
    format: Format,
}

/// Why there is nothing to repair in a journal.
#[derive(Debug, Error)]
pub enum Refused {
    /// It ends as it should, or was repaired before.
    #[error("the journal ends as it should")]
    Whole(End),
    /// It has no event that could be kept, or must not be repaired.
    #[error(transparent)]
    Faulty(#[from] ReadError),
}

impl Repair {
    /// What can be kept of this journal, which is read to its end or its first fault.
    ///
    /// The new end record has the digest of what the game printed, so this replay must print it:
    /// in the game's language, and by a library with its feature `screens`.
    ///
    /// With `salvage`, a damaged journal is kept as far as it is proven, too.
    ///
    /// # Errors
    ///
    /// [`Refused`] where there is nothing to repair, or the replay prints something else.
    pub fn of(replay: &mut Replay<'_>, salvage: bool) -> Result<Self, Refused> {
        let format = replay.header().format.clone();
        let named = format.upgraded_from();
        let (result, first) = match named {
            Some(_) => read_as_first(replay),
            None => (replay.read_to_end(&mut ()), None),
        };
        let can_be = match &result {
            // Repaired before the end record was given back to a game that is over.
            Ok(end) => end.reason == Reason::CutOff && replay.reason() != Reason::CutOff,
            Err(ReadError::Fault(fault)) => match fault.verdict() {
                Verdict::Incomplete => true,
                // Only the end shows whether the chain holds over events alone.
                Verdict::Damaged if fault.problem == RecordError::CompactChain.into() => false,
                verdict => salvage && matches!(verdict, Verdict::Damaged | Verdict::Diverged),
            },
            Err(ReadError::Io(_)) => false,
        };
        let is_printed = replay.prints_the_same() || replay.header().renderer == SILENT;
        if !can_be || !is_printed || replay.events() == 0 {
            return Err(result.map_or_else(Refused::Faulty, Refused::Whole));
        }
        // A part of a game is not the journal that it was upgraded from.
        let is_all = named == first;
        Ok(Self {
            events: replay.events(),
            format: if is_all {
                format
            } else {
                format.not_upgraded()
            },
        })
    }

    /// Copies what can be kept from another such reading of the same journal, and ends the copy.
    ///
    /// The result is what the new end record says, and the place where the events end that were
    /// kept.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the new journal can't be written.
    pub fn copy(
        self,
        mut replay: Replay<'_>,
        medium: impl Medium,
    ) -> Result<(End, Position), WriteFailed> {
        let header = Header {
            format: self.format,
            ..replay.header().clone()
        };
        let mut copying = Copying::new(medium, &header);
        // It was read to here before: what reads otherwise now ends the copy early.
        while replay.events() < self.events
            && !copying.has_failed()
            && matches!(replay.event(&mut copying), Ok(true))
        {}
        let end = copying.finish(replay.reason(), replay.printed())?;
        Ok((end, replay.reached()))
    }
}

/// Reads a journal to its end; also the final digest that its events give in version 1.
fn read_as_first(replay: &mut Replay<'_>) -> (Result<End, ReadError>, Option<Hex<16>>) {
    let header = Header {
        format: Format::V1,
        ..replay.header().clone()
    };
    let mut first = Copying::new(io::sink(), &header);
    let result = replay.read_to_end(&mut first);
    let end = first.finish(replay.reason(), replay.printed());
    (result, end.ok().map(|end| end.chain))
}
