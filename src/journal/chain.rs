use crate::hex::{self, Hex};
use serde::Serialize;

/// The chain of a journal: each link hashes the link before and a record.
///
/// A link is BLAKE3-128 over the previous link, as its 32 hexadecimal digits, followed
/// by the record's canonical form; the first link covers the header alone. It is not
/// keyed: it shows accidents and naive edits, not forgery.
#[derive(Debug, Default)]
pub(super) struct Chain {
    last: Option<Hex<16>>,
    canonical: Vec<u8>,
}

impl Chain {
    /// Appends a record, and returns its link.
    pub(super) fn link(&mut self, record: &impl Serialize) -> Hex<16> {
        self.canonical.clear();
        serde_json::to_writer(&mut self.canonical, record)
            .expect("records are plain values, and memory takes every byte");
        let link = self.over(&self.canonical);
        self.last = Some(link);
        link
    }

    /// The link that this record would have, which is not appended; `None` where it can't be
    /// written as JSON.
    pub(super) fn next(&self, record: &impl Serialize) -> Option<Hex<16>> {
        let canonical = serde_json::to_vec(record).ok()?;
        Some(self.over(&canonical))
    }

    fn over(&self, canonical: &[u8]) -> Hex<16> {
        let mut hasher = blake3::Hasher::new();
        if let Some(last) = self.last {
            hasher.update(last.digits(&mut [0; hex::LONGEST]).as_bytes());
        }
        hasher.update(canonical);
        Hex::truncated(&hasher.finalize())
    }

    /// Appends the record that another chain appended last.
    pub(super) fn follow(&mut self, other: &Self) {
        self.last = Some(self.over(&other.canonical));
    }

    /// The canonical form of the record last appended: compact JSON, without its link.
    pub(super) fn canonical(&self) -> &[u8] {
        &self.canonical
    }
}
