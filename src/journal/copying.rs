use super::end::{End, Reason};
use super::kind::Journaled;
use super::writer::{Medium, WriteFailed, Writer};
use super::{Header, Printed};
use crate::engine::Projection;

/// Records a game again that is read from a journal, up to the first failure.
///
/// It is a projection: hand it to a [`Replay`](crate::replay::Replay), with a header as the new
/// journal is to have it.
///
/// # Examples
///
/// ```
/// use war::journal::{Copying, Format, Header, Meta};
/// use war::replay::Replay;
///
/// let old = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&old[..], None).unwrap();
/// let format = Format::V2 { compact: true, meta: Meta::default(), upgraded_from: None };
/// let header = Header { format, ..replay.header().clone() };
/// let mut new = Vec::new();
/// let mut copying = Copying::new(&mut new, &header);
/// let judgement = replay.verify(&mut copying).unwrap();
/// let end = judgement.end().unwrap();
/// let copied = copying.finish(end.reason, end.console).unwrap();
/// assert_eq!(copied.events, end.events);
/// assert!(new.len() < old.len());
/// ```
pub struct Copying<M> {
    writer: Writer<M>,
    failed: Option<WriteFailed>,
}

impl<M: Medium> Copying<M> {
    /// A journal with this header, on this medium.
    pub fn new(medium: M, header: &Header) -> Self {
        Self {
            writer: Writer::new(medium, header, false),
            failed: None,
        }
    }

    /// Whether the journal could not be written: nothing is recorded any more.
    pub const fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Ends the journal, and returns what its end record says; `console` is the digest of what
    /// the game printed.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`] where the journal could not be written.
    pub fn finish(self, reason: Reason, console: Printed) -> Result<End, WriteFailed> {
        match self.failed {
            Some(error) => Err(error),
            None => self.writer.finish(reason, console),
        }
    }
}

impl<S: Journaled, M: Medium> Projection<S> for Copying<M> {
    fn project(&mut self, event: &S::Event, state: &S, _: &mut String) {
        if self.failed.is_none() {
            self.failed = self.writer.record(event, state).err();
        }
    }
}
