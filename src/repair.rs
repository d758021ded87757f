//! Repair: copies the intact part of a journal into a new one, and adds an end record to the copy.
//!
//! The journal is read twice: first to find the end of the intact part, then to copy it.

use crate::journal::{
    End, GameEndReason, Header, JournalCopier, JournalFormat, Medium, NO_RENDERER, Position,
    ReadError, RecordError, Verdict, WriteError,
};
use crate::replay::Replay;
use crate::support::hex::Hex;
use std::io;
use thiserror::Error;

/// Intact part of a journal that was cut off or is damaged.
///
/// # Examples
///
/// ```
/// use war::journal::Verdict;
/// use war::repair::{RepairError, Repair};
/// use war::replay::{Replay, verify};
///
/// let journal = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let cut = &journal[..journal.len() / 2];
/// let open = || Replay::open(cut, None).unwrap();
///
/// let repair = Repair::prepare(&mut open()).unwrap();
/// let mut repaired = Vec::new();
/// let (end, kept) = repair.copy(open(), &mut repaired).unwrap();
/// // The last line was cut off, so it holds no complete event.
/// assert_eq!(kept.line, cut.iter().filter(|&&byte| byte == b'\n').count() as u64);
///
/// let judgement = verify(&repaired[..]).unwrap();
/// assert_eq!(judgement.verdict(), Verdict::Incomplete);
/// assert_eq!(judgement.end(), Some(&end));
///
/// let again = Repair::prepare(&mut Replay::open(&repaired[..], None).unwrap());
/// assert!(matches!(again, Err(RepairError::AlreadyComplete(_))));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    events: u64,
    format: JournalFormat,
}

/// Reason not to repair a journal.
#[derive(Debug, Error)]
pub enum RepairError {
    /// Journal that is complete, or was repaired before.
    #[error("the journal ends as it should")]
    AlreadyComplete(End),
    /// Journal that has no event to keep, or must not be repaired.
    #[error(transparent)]
    Faulty(#[from] ReadError),
}

/// Error of a repair that began.
#[derive(Debug, Error)]
pub enum CopyError {
    /// Journal that can't be read again, or that has changed since it was read.
    #[error("the journal can't be read again")]
    Unreadable(#[source] ReadError),
    /// Journal that has become shorter since it was read.
    #[error("the journal has changed")]
    Changed,
    /// New journal that can't be written.
    #[error(transparent)]
    Unwritable(#[from] WriteError),
}

impl Repair {
    /// Reads a journal to its end or its first fault, and finds the part to keep.
    ///
    /// The new end record holds the digest of the game's screens, so this replay must print them:
    /// in the language of the game, and with the library's feature `screens`.
    ///
    /// # Errors
    ///
    /// [`RepairError`] if the journal was not cut off, or the replay prints other screens.
    pub fn prepare(replay: &mut Replay<'_>) -> Result<Self, RepairError> {
        Self::keep_part(replay, &[Verdict::Incomplete])
    }

    /// Prepares a repair like [`prepare`](Self::prepare), and also one that keeps the intact part
    /// of a damaged journal.
    ///
    /// # Errors
    ///
    /// [`RepairError`] if there is nothing to repair, or the replay prints other screens.
    pub fn prepare_salvage(replay: &mut Replay<'_>) -> Result<Self, RepairError> {
        let repairable = [Verdict::Incomplete, Verdict::Damaged, Verdict::Diverged];
        Self::keep_part(replay, &repairable)
    }

    fn keep_part(replay: &mut Replay<'_>, repairable: &[Verdict]) -> Result<Self, RepairError> {
        let format = replay.header().format.clone();
        let upgraded_from = format.upgraded_from();
        let (result, v1_digest) = match upgraded_from {
            Some(_) => read_with_v1_digest(replay),
            None => (replay.read_to_end(&mut ()), None),
        };
        let can_be_repaired = match &result {
            // The journal was cut off between the last event of the game and the end record, and
            // was repaired since.
            Ok(end) => {
                end.reason == GameEndReason::CutOff && replay.reason() != GameEndReason::CutOff
            }
            // Only the link of the end record can prove the events of a compact journal.
            Err(ReadError::Fault(fault)) if fault.problem == RecordError::CompactChain.into() => {
                false
            }
            Err(ReadError::Fault(fault)) => repairable.contains(&fault.verdict()),
            Err(ReadError::Io(_)) => false,
        };
        let is_printed = replay.reproduces_live_output() || replay.header().renderer == NO_RENDERER;
        if !can_be_repaired || !is_printed || replay.events() == 0 {
            return Err(result.map_or_else(RepairError::Faulty, RepairError::AlreadyComplete));
        }
        // Only the journal of a complete game keeps the digest of the journal that it was upgraded
        // from.
        let is_complete = upgraded_from == v1_digest;
        Ok(Self {
            events: replay.events(),
            format: if is_complete {
                format
            } else {
                format.without_upgraded_from()
            },
        })
    }

    /// Copies the intact part from a second replay of the same journal, and ends the copy.
    ///
    /// Returns the new end record, and the place where the copied events end.
    ///
    /// # Errors
    ///
    /// [`CopyError`] if the journal can't be read to the same end again, or the new one can't be
    /// written. The new journal is incomplete then.
    pub fn copy(
        self,
        mut replay: Replay<'_>,
        medium: impl Medium,
    ) -> Result<(End, Position), CopyError> {
        let header = Header {
            format: self.format,
            ..replay.header().clone()
        };
        let mut copying = JournalCopier::new(medium, &header);
        while replay.events() < self.events && !copying.has_failed() {
            let has_event = replay.next_event(&mut copying);
            if !has_event.map_err(CopyError::Unreadable)? {
                return Err(CopyError::Changed);
            }
        }
        let end = copying.finish(replay.reason(), replay.console_digest())?;
        Ok((end, replay.end_position()))
    }
}

/// Reads a journal to its end, and computes the final digest that its events give in version 1.
fn read_with_v1_digest(replay: &mut Replay<'_>) -> (Result<End, ReadError>, Option<Hex<16>>) {
    let header = Header {
        format: JournalFormat::V1,
        ..replay.header().clone()
    };
    let mut copy = JournalCopier::new(io::sink(), &header);
    let result = replay.read_to_end(&mut copy);
    let end = copy.finish(replay.reason(), replay.console_digest());
    (result, end.ok().map(|end| end.digest))
}
