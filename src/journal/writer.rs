use super::digest::{Chain, ConsoleDigest};
use super::header::{Header, JournalFormat};
use super::judgement::{End, GameEndReason};
use super::kind::JournaledGame;
use super::v1::{Record, to_json};
use super::v2::CompactRecord;
use super::versions::{VersionedEnd, VersionedHeader};
use crate::engine::Projection;
use crate::support::hex::{self, Hex};
use std::io::{self, Write};

/// Destination of a journal.
///
/// # Examples
///
/// A file whose bytes are on the disk when a game is over:
///
/// ```no_run
/// use std::fs::File;
/// use std::io::{self, Write};
/// use war::journal::Medium;
///
/// struct OnDisk(File);
///
/// impl Write for OnDisk {
///     fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
///         self.0.write(bytes)
///     }
///
///     fn flush(&mut self) -> io::Result<()> {
///         self.0.flush()
///     }
/// }
///
/// impl Medium for OnDisk {
///     fn sync(&mut self) -> io::Result<()> {
///         self.0.sync_data()
///     }
/// }
///
/// let medium = OnDisk(File::create_new("game.json").unwrap());
/// ```
pub trait Medium: Write {
    /// Makes sure that everything written so far survives a crash.
    ///
    /// # Errors
    ///
    /// If that can't be ensured.
    fn sync(&mut self) -> io::Result<()>;
}

impl<M: Medium + ?Sized> Medium for &mut M {
    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

impl<M: Medium + ?Sized> Medium for Box<M> {
    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }
}

/// Discards the journal, for games where only the digest matters.
impl Medium for io::Sink {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps the journal in memory.
impl Medium for Vec<u8> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records a game. Each event is one write, made before its screen is shown.
pub struct Writer<M> {
    medium: M,
    format: JournalFormat,
    /// True if the journal is synced after every event, not only at the end.
    syncs_events: bool,
    chain: Chain,
    /// The bytes of the next write.
    pending: Vec<u8>,
    /// Scratch space for hashing states.
    buffer: Vec<u8>,
    events: u64,
    turn: u32,
}

/// Error of writing a journal.
#[derive(Debug, thiserror::Error)]
#[error("the journal could not be written in turn {turn}")]
pub struct WriteError {
    /// The turn of the event that was being recorded.
    pub turn: u32,
    /// The number of events recorded before.
    pub events: u64,
    /// The error of the medium.
    pub source: io::Error,
}

impl<M: Medium> Writer<M> {
    /// Starts a journal. The header is written together with the first event, and the journal is
    /// synced at its end.
    #[must_use]
    pub fn new(medium: M, header: &Header) -> Self {
        let mut chain = Chain::default();
        let link = chain.link(&VersionedHeader::new(header));
        let mut pending = Vec::new();
        append_linked(&mut pending, chain.canonical_record(), link);
        if header.format == JournalFormat::V1 {
            // The object stays open: it also holds the events and the end.
            pending.pop();
            pending.extend_from_slice(b",\"events\":[");
        }
        pending.push(b'\n');
        Self {
            medium,
            format: header.format.clone(),
            syncs_events: false,
            chain,
            pending,
            buffer: Vec::new(),
            events: 0,
            turn: 0,
        }
    }

    /// Syncs the journal after every event, too.
    #[must_use]
    pub fn sync_every_event(mut self) -> Self {
        self.syncs_events = true;
        self
    }

    /// Records an event, with the state of the game after it.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the medium fails. The game must stop then, because events that are missing
    /// from the journal can't be replayed.
    pub fn record<S: JournaledGame>(
        &mut self,
        event: &S::Event,
        state: &S,
    ) -> Result<(), WriteError> {
        self.turn = state.turn();
        let link = self.chain.link(&Record {
            seq: self.events,
            turn: self.turn,
            event: S::event_record(event),
            state: state.hash(&mut self.buffer),
            chain: Hex::ZERO,
        });
        if self.events > 0 && self.format == JournalFormat::V1 {
            self.pending.push(b',');
        }
        if self.format.is_compact() {
            let event = S::event_record(event);
            let compact = to_json(&CompactRecord { event });
            self.pending.extend_from_slice(compact.as_bytes());
        } else {
            append_linked(&mut self.pending, self.chain.canonical_record(), link);
        }
        self.pending.push(b'\n');
        self.write(self.syncs_events)?;
        self.events += 1;
        Ok(())
    }

    /// Ends the journal, syncs it, and returns its end record.
    ///
    /// `console` is the digest of the printed game.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the medium fails. The journal may be incomplete then.
    pub fn finish(
        mut self,
        reason: GameEndReason,
        console: ConsoleDigest,
    ) -> Result<End, WriteError> {
        let (turns, events) = (self.turn, self.events);
        let end = VersionedEnd::new(&self.format, reason, turns, events, console);
        let digest = self.chain.link(&end);
        let is_document = self.format == JournalFormat::V1;
        if is_document {
            self.pending.extend_from_slice(b"],\"end\":");
        }
        append_linked(&mut self.pending, self.chain.canonical_record(), digest);
        if is_document {
            self.pending.push(b'}');
        }
        self.pending.push(b'\n');
        self.write(true)?;
        Ok(End {
            reason,
            turns,
            events,
            console,
            digest,
        })
    }

    fn write(&mut self, sync: bool) -> Result<(), WriteError> {
        let mut written = self.medium.write_all(&self.pending);
        if sync {
            written = written.and_then(|()| self.medium.sync());
        }
        self.pending.clear();
        let turn = self.turn;
        let events = self.events;
        written.map_err(|source| WriteError {
            turn,
            events,
            source,
        })
    }
}

/// Appends a record, with its link as the last field.
fn append_linked(out: &mut Vec<u8>, canonical: &[u8], link: Hex<16>) {
    out.extend_from_slice(&canonical[..canonical.len() - 1]);
    out.extend_from_slice(b",\"chain\":\"");
    out.extend_from_slice(link.write_digits(&mut [0; hex::MAX_DIGITS]).as_bytes());
    out.extend_from_slice(b"\"}");
}

/// Projection that copies a journal into a new one, up to the first error.
///
/// Pass it to a [`Replay`](crate::replay::Replay), with the header of the new journal.
///
/// # Examples
///
/// ```
/// use war::journal::{JournalCopier, JournalFormat, Header, Meta};
/// use war::replay::Replay;
///
/// let old = std::fs::read("journals/classic_dealt_won.json").unwrap();
/// let replay = Replay::open(&old[..], None).unwrap();
/// let format = JournalFormat::V2 { compact: true, meta: Meta::default(), upgraded_from: None };
/// let header = Header { format, ..replay.header().clone() };
/// let mut new = Vec::new();
/// let mut copying = JournalCopier::new(&mut new, &header);
/// let judgement = replay.verify(&mut copying).unwrap();
/// let end = judgement.end().unwrap();
/// let copied = copying.finish(end.reason, end.console).unwrap();
/// assert_eq!(copied.events, end.events);
/// assert!(new.len() < old.len());
/// ```
pub struct JournalCopier<M> {
    writer: Writer<M>,
    error: Option<WriteError>,
}

impl<M: Medium> JournalCopier<M> {
    /// Starts a journal with this header.
    pub fn new(medium: M, header: &Header) -> Self {
        Self {
            writer: Writer::new(medium, header),
            error: None,
        }
    }

    /// Returns true after an error; nothing more is recorded then.
    pub const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Ends the journal, and returns its end record. `console` is the digest of the printed game.
    ///
    /// # Errors
    ///
    /// [`WriteError`] if the journal could not be written.
    pub fn finish(self, reason: GameEndReason, console: ConsoleDigest) -> Result<End, WriteError> {
        match self.error {
            Some(error) => Err(error),
            None => self.writer.finish(reason, console),
        }
    }
}

impl<S: JournaledGame, M: Medium> Projection<S> for JournalCopier<M> {
    fn project(&mut self, event: &S::Event, state: &S) {
        if self.error.is_none() {
            self.error = self.writer.record(event, state).err();
        }
    }
}
