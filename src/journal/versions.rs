//! What the versions of the format write otherwise: the header and the end.

use super::digest::{Chain, Printed};
use super::header::{Format, Header};
use super::judgement::{End, Reason};
use super::problem::HeaderError;
use super::{v1, v2};
use crate::rules::Rulebook;
use crate::support::hex::Hex;
use serde::Serialize;

/// A header of any version.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum HeaderRecord {
    V1(v1::HeaderRecord),
    V2(v2::HeaderRecord),
}

impl HeaderRecord {
    pub(super) fn new(header: &Header) -> Self {
        match header.format {
            Format::V1 => Self::V1(v1::HeaderRecord::new(header)),
            Format::V2 { .. } => Self::V2(v2::HeaderRecord::new(header)),
        }
    }

    /// The link that is written with it.
    pub(super) const fn chain(&self) -> Hex<16> {
        match self {
            Self::V1(record) => record.chain,
            Self::V2(record) => record.chain,
        }
    }

    /// The header of a journal whose events are written in this form.
    pub(super) fn into_domain(self, compact: bool, book: &Rulebook) -> Result<Header, HeaderError> {
        match self {
            Self::V1(record) => record.into_domain(book),
            Self::V2(record) => record.into_domain(compact, book),
        }
    }
}

/// An end record of any version.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum EndRecord {
    V1(v1::EndRecord),
    V2(v2::EndRecord),
}

impl EndRecord {
    pub(super) fn new(
        format: &Format,
        reason: Reason,
        turns: u32,
        events: u64,
        console: Printed,
    ) -> Self {
        let end = v1::EndRecord::new(reason, turns, events, console);
        match format {
            Format::V1 => Self::V1(end),
            Format::V2 { .. } => Self::V2(v2::EndRecord::new(end)),
        }
    }

    /// The link that is written with it.
    pub(super) const fn chain(&self) -> Hex<16> {
        match self {
            Self::V1(record) => record.chain,
            Self::V2(record) => record.chain,
        }
    }

    /// The end, or `None` where reason and winner do not go together.
    pub(super) fn into_domain(self) -> Option<End> {
        match self {
            Self::V1(record) => record.into_domain(),
            Self::V2(record) => record.into_domain(),
        }
    }
}

/// The chain that the game of this header would have in a journal of version 1.
pub(super) fn first_chain(header: &Header) -> Chain {
    let mut chain = Chain::default();
    chain.link(&v1::HeaderRecord::new(header));
    chain
}

/// The final digest that a game with this end would have in a journal of version 1, whose chain
/// this is.
pub(super) fn first_digest(chain: &mut Chain, end: &End) -> Hex<16> {
    let End {
        reason,
        turns,
        events,
        console,
        ..
    } = *end;
    chain.link(&v1::EndRecord::new(reason, turns, events, console))
}

/// A header as it is in a journal, without its link.
#[must_use]
pub fn header_json(header: &Header) -> String {
    v1::json(&HeaderRecord::new(header))
}

/// What an end record says, as it is in a journal, without its link.
#[must_use]
pub fn end_json(end: &End) -> String {
    let (turns, events) = (end.turns, end.events);
    v1::json(&v1::EndRecord::new(end.reason, turns, events, end.console))
}
