use crate::support::hex::{self, Hex};
use serde::Serialize;

/// What a game printed: how many bytes, and their BLAKE3 hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Printed {
    /// The number of bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the bytes.
    pub blake3: Hex<32>,
}

/// The digest of what a game prints, taken along the way.
///
/// # Examples
///
/// ```
/// use war::journal::ConsoleDigest;
///
/// let mut digest = ConsoleDigest::default();
/// digest.update("WAR");
/// assert_eq!(digest.printed().bytes, 3);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ConsoleDigest {
    bytes: u64,
    hasher: blake3::Hasher,
    /// What was printed last and is not hashed yet: much at once is hashed faster.
    waiting: Vec<u8>,
}

/// How many bytes are hashed at once.
const AT_ONCE: usize = 1 << 16;

impl ConsoleDigest {
    /// Takes in what was printed next.
    pub fn update(&mut self, printed: &str) {
        self.bytes += printed.len() as u64;
        self.waiting.extend_from_slice(printed.as_bytes());
        if self.waiting.len() >= AT_ONCE {
            self.hasher.update(&self.waiting);
            self.waiting.clear();
        }
    }

    /// The digest of all that was printed so far.
    #[must_use]
    pub fn printed(&self) -> Printed {
        Printed {
            bytes: self.bytes,
            blake3: Hex::truncated(&self.hasher.clone().update(&self.waiting).finalize()),
        }
    }
}

/// The chain of a journal: each link hashes the link before and a record.
///
/// A link is BLAKE3-128 over the previous link, as its 32 hexadecimal digits, followed
/// by the record's canonical form; the first link covers the header alone. It is not
/// keyed: it shows accidents and naive edits, not forgery.
#[derive(Debug, Default)]
pub(super) struct Chain {
    last: Option<Hex<16>>,
    /// What was hashed last, in one piece: the digits of a link, and a record.
    hashed: Vec<u8>,
    /// Where the record begins.
    record: usize,
}

impl Chain {
    /// Appends a record, and returns its link.
    pub(super) fn link(&mut self, record: &impl Serialize) -> Hex<16> {
        self.begin();
        serde_json::to_writer(&mut self.hashed, record)
            .expect("records are plain values, and memory takes every byte");
        self.append()
    }

    /// Appends a record in its canonical form, whose parts are these, and returns its link.
    pub(super) fn link_canonical(&mut self, parts: &[&[u8]]) -> Hex<16> {
        self.begin();
        for part in parts {
            self.hashed.extend_from_slice(part);
        }
        self.append()
    }

    /// The link that this record would have, which is not appended; `None` where it can't be
    /// written as JSON.
    pub(super) fn next(&self, record: &impl Serialize) -> Option<Hex<16>> {
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
            let mut room = [0; hex::LONGEST];
            self.hashed
                .extend_from_slice(last.digits(&mut room).as_bytes());
        }
        self.record = self.hashed.len();
    }

    fn append(&mut self) -> Hex<16> {
        let link = Hex::truncated(&blake3::hash(&self.hashed));
        self.last = Some(link);
        link
    }

    /// Appends the record that another chain appended last.
    pub(super) fn follow(&mut self, other: &Self) {
        self.link_canonical(&[other.canonical()]);
    }

    /// The canonical form of the record last appended: compact JSON, without its link.
    pub(super) fn canonical(&self) -> &[u8] {
        &self.hashed[self.record..]
    }
}
