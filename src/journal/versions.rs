//! The records that differ between the versions of the format: the header and the end.

use super::digest::{Chain, ConsoleDigest};
use super::header::{Header, JournalFormat};
use super::judgement::{End, GameEndReason};
use super::problem::HeaderError;
use super::{v1, v2};
use crate::rules::Rulebook;
use crate::support::hex::Hex;
use serde::Serialize;

/// A header of either version.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum VersionedHeader {
    V1(v1::HeaderRecord),
    V2(v2::HeaderLine),
}

impl VersionedHeader {
    pub(super) fn new(header: &Header) -> Self {
        match header.format {
            JournalFormat::V1 => Self::V1(v1::HeaderRecord::new(header)),
            JournalFormat::V2 { .. } => Self::V2(v2::HeaderLine::new(header)),
        }
    }

    /// The link stored in the record.
    pub(super) const fn link(&self) -> Hex<16> {
        match self {
            Self::V1(record) => record.chain,
            Self::V2(record) => record.chain,
        }
    }

    /// Converts the record; `compact` is true if the journal's events are compact.
    pub(super) fn into_domain(self, compact: bool, book: &Rulebook) -> Result<Header, HeaderError> {
        match self {
            Self::V1(record) => record.into_domain(book),
            Self::V2(record) => record.into_domain(compact, book),
        }
    }
}

/// An end record of either version.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum VersionedEnd {
    V1(v1::EndRecord),
    V2(v2::EndLine),
}

impl VersionedEnd {
    pub(super) fn new(
        format: &JournalFormat,
        reason: GameEndReason,
        turns: u32,
        events: u64,
        console: ConsoleDigest,
    ) -> Self {
        let end = v1::EndRecord::new(reason, turns, events, console);
        match format {
            JournalFormat::V1 => Self::V1(end),
            JournalFormat::V2 { .. } => Self::V2(v2::EndLine::new(end)),
        }
    }

    /// The link stored in the record.
    pub(super) const fn link(&self) -> Hex<16> {
        match self {
            Self::V1(record) => record.chain,
            Self::V2(record) => record.chain,
        }
    }

    /// Converts the record; `None` if its reason and its winner contradict each other.
    pub(super) fn into_domain(self) -> Option<End> {
        match self {
            Self::V1(record) => record.into_domain(),
            Self::V2(record) => record.into_domain(),
        }
    }
}

/// Starts the chain of a version 1 journal of the game with this header.
pub(super) fn start_v1_chain(header: &Header) -> Chain {
    let mut chain = Chain::default();
    chain.link(&v1::HeaderRecord::new(header));
    chain
}

/// Ends a chain of version 1, and returns the final digest.
pub(super) fn finish_v1_chain(chain: &mut Chain, end: &End) -> Hex<16> {
    let End {
        reason,
        turns,
        events,
        console,
        ..
    } = *end;
    chain.link(&v1::EndRecord::new(reason, turns, events, console))
}

/// Converts a header to JSON as in its journal, without its link.
#[must_use]
pub fn header_to_json(header: &Header) -> String {
    v1::to_json(&VersionedHeader::new(header))
}

/// Converts an end record to JSON as in version 1, without its link.
#[must_use]
pub fn end_to_json(end: &End) -> String {
    let (turns, events) = (end.turns, end.events);
    v1::to_json(&v1::EndRecord::new(end.reason, turns, events, end.console))
}
