use crate::support::hex::{self, Hex};
use serde::Serialize;

/// Number and BLAKE3 hash of the bytes that a game printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsoleDigest {
    /// The number of bytes printed.
    pub bytes: u64,
    /// The BLAKE3 hash of the bytes.
    pub blake3: Hex<32>,
}

/// Hasher of the bytes that a game prints.
///
/// # Examples
///
/// ```
/// use war::journal::ConsoleHasher;
///
/// let mut hasher = ConsoleHasher::default();
/// hasher.update("WAR");
/// assert_eq!(hasher.digest().bytes, 3);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ConsoleHasher {
    bytes: u64,
    hasher: blake3::Hasher,
    /// Bytes that are not hashed yet: large pieces hash faster.
    pending: Vec<u8>,
}

/// Number of bytes to hash at once.
const BATCH: usize = 1 << 16;

impl ConsoleHasher {
    /// Adds the text printed next.
    pub fn update(&mut self, printed: &str) {
        self.bytes += printed.len() as u64;
        self.pending.extend_from_slice(printed.as_bytes());
        if self.pending.len() >= BATCH {
            self.hasher.update(&self.pending);
            self.pending.clear();
        }
    }

    /// The digest of everything printed so far.
    #[must_use]
    pub fn digest(&self) -> ConsoleDigest {
        ConsoleDigest {
            bytes: self.bytes,
            blake3: Hex::from_hash(&self.hasher.clone().update(&self.pending).finalize()),
        }
    }
}

/// Hash chain of a journal.
///
/// A link is BLAKE3-128 over the previous link, as its 32 hexadecimal digits, followed by the
/// record's canonical form; the first link covers the header alone. The hash is not keyed: it
/// reveals accidents and naive edits, not forgery.
#[derive(Debug, Default)]
pub(super) struct Chain {
    last: Option<Hex<16>>,
    /// The input of the last hash: the digits of a link, and a record.
    hashed: Vec<u8>,
    /// The start of the record in `hashed`.
    record_start: usize,
}

impl Chain {
    /// Appends a record, and returns its link.
    pub(super) fn link(&mut self, record: &impl Serialize) -> Hex<16> {
        self.begin();
        serde_json::to_writer(&mut self.hashed, record)
            .expect("records are plain values, and memory takes every byte");
        self.append()
    }

    /// Appends a record, given in parts of its canonical form, and returns its link.
    pub(super) fn link_canonical(&mut self, parts: &[&[u8]]) -> Hex<16> {
        self.begin();
        for part in parts {
            self.hashed.extend_from_slice(part);
        }
        self.append()
    }

    /// Computes the link of a record without appending it; `None` if the record can't be written as
    /// JSON.
    pub(super) fn preview_link(&self, record: &impl Serialize) -> Option<Hex<16>> {
        let canonical = serde_json::to_vec(record).ok()?;
        let last = self.last;
        let mut next = Self {
            last,
            ..Self::default()
        };
        Some(next.link_canonical(&[&canonical]))
    }

    fn begin(&mut self) {
        self.hashed.clear();
        if let Some(last) = self.last {
            let mut room = [0; hex::MAX_DIGITS];
            self.hashed
                .extend_from_slice(last.write_digits(&mut room).as_bytes());
        }
        self.record_start = self.hashed.len();
    }

    fn append(&mut self) -> Hex<16> {
        let link = Hex::from_hash(&blake3::hash(&self.hashed));
        self.last = Some(link);
        link
    }

    /// Appends the last record of another chain.
    pub(super) fn link_to_last(&mut self, other: &Self) {
        self.link_canonical(&[other.canonical_record()]);
    }

    /// The canonical form of the last record: compact JSON, without its link.
    pub(super) fn canonical_record(&self) -> &[u8] {
        &self.hashed[self.record_start..]
    }
}
