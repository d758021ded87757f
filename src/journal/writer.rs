use super::digest::{Chain, Printed};
use super::header::{Format, Header};
use super::judgement::{End, Reason};
use super::kind::Journaled;
use super::v1::{Record, json};
use super::v2::CompactRecord;
use super::versions::{EndRecord, HeaderRecord};
use crate::engine::Projection;
use crate::support::hex::{self, Hex};
use std::io::{self, Write};

/// Where a journal is written to.
///
/// # Examples
///
/// A file, whose bytes are on the disk when a game is over:
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
    /// Makes sure that all that was written survives a crash.
    ///
    /// # Errors
    ///
    /// Where that cannot be made sure.
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

/// Nothing, for a game of which only the digest counts.
impl Medium for io::Sink {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Memory, for a journal that no file needs to hold.
impl Medium for Vec<u8> {
    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Records a game: each event is one write, made before anybody sees its screen.
pub struct Writer<M> {
    medium: M,
    format: Format,
    durable: bool,
    chain: Chain,
    /// What goes out with the next write.
    pending: Vec<u8>,
    state: Vec<u8>,
    events: u64,
    turn: u32,
}

/// A journal could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the journal could not be written in turn {turn}")]
pub struct WriteFailed {
    /// The turn that was being recorded.
    pub turn: u32,
    /// How many events were recorded before.
    pub events: u64,
    /// What the medium said.
    pub source: io::Error,
}

impl<M: Medium> Writer<M> {
    /// A journal with this header; it is written together with the first event.
    ///
    /// `durable` syncs every event, and not only the end.
    #[must_use]
    pub fn new(medium: M, header: &Header, durable: bool) -> Self {
        let mut chain = Chain::default();
        let link = chain.link(&HeaderRecord::new(header));
        let mut pending = Vec::new();
        put_linked(&mut pending, chain.canonical(), link);
        if header.format == Format::V1 {
            // The header stays open: the events and the end belong to the same object.
            pending.pop();
            pending.extend_from_slice(b",\"events\":[");
        }
        pending.push(b'\n');
        Self {
            medium,
            format: header.format.clone(),
            durable,
            chain,
            pending,
            state: Vec::new(),
            events: 0,
            turn: 0,
        }
    }

    /// Records an event, with the state of the game as it is after it.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`]; the game must not go on then, for nobody could replay it.
    pub fn record<S: Journaled>(&mut self, event: &S::Event, state: &S) -> Result<(), WriteFailed> {
        self.turn = state.turn();
        let link = self.chain.link(&Record {
            seq: self.events,
            turn: self.turn,
            event: S::record(event),
            state: state.hash(&mut self.state),
            chain: Hex::ZERO,
        });
        if self.events > 0 && self.format == Format::V1 {
            self.pending.push(b',');
        }
        if self.format.is_compact() {
            let event = S::record(event);
            let alone = json(&CompactRecord { event });
            self.pending.extend_from_slice(alone.as_bytes());
        } else {
            put_linked(&mut self.pending, self.chain.canonical(), link);
        }
        self.pending.push(b'\n');
        self.write(self.durable)?;
        self.events += 1;
        Ok(())
    }

    /// Ends the journal, syncs it, and returns what its end record says.
    ///
    /// `console` is the digest of what the game printed.
    ///
    /// # Errors
    ///
    /// [`WriteFailed`]; the journal may be incomplete then.
    pub fn finish(mut self, reason: Reason, console: Printed) -> Result<End, WriteFailed> {
        let (turns, events) = (self.turn, self.events);
        let end = EndRecord::new(&self.format, reason, turns, events, console);
        let chain = self.chain.link(&end);
        let is_document = self.format == Format::V1;
        if is_document {
            self.pending.extend_from_slice(b"],\"end\":");
        }
        put_linked(&mut self.pending, self.chain.canonical(), chain);
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
            chain,
        })
    }

    fn write(&mut self, sync: bool) -> Result<(), WriteFailed> {
        let mut written = self.medium.write_all(&self.pending);
        if sync {
            written = written.and_then(|()| self.medium.sync());
        }
        self.pending.clear();
        let turn = self.turn;
        let events = self.events;
        written.map_err(|source| WriteFailed {
            turn,
            events,
            source,
        })
    }
}

/// Writes a record with its link as the last field.
fn put_linked(out: &mut Vec<u8>, canonical: &[u8], link: Hex<16>) {
    out.extend_from_slice(&canonical[..canonical.len() - 1]);
    out.extend_from_slice(b",\"chain\":\"");
    out.extend_from_slice(link.digits(&mut [0; hex::LONGEST]).as_bytes());
    out.extend_from_slice(b"\"}");
}

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
    fn project(&mut self, event: &S::Event, state: &S) {
        if self.failed.is_none() {
            self.failed = self.writer.record(event, state).err();
        }
    }
}
