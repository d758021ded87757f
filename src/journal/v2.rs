//! Version 2 of the format: JSON Lines.
//!
//! Rules, deals, events and states have the same form as in version 1, and use the types of that
//! version.

use super::header::{Header, JournalFormat, Meta, MetaError};
use super::judgement::End;
use super::problem::HeaderError;
use super::v1::{
    self, ConsoleRecord, DealRecord, DeckRecord, EndReason, FORMAT, PlayerRecord, RecordedEvent,
    RulesRecord, ScreensRecord, deserialize_present, deserialize_required,
};
use crate::rules::Rulebook;
use crate::support::hex::Hex;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

pub(super) const VERSION: u32 = 2;

/// The first line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderLine {
    format: String,
    version: u32,
    engine: String,
    rules: RulesRecord,
    players: u8,
    deck: DeckRecord,
    deal: DealRecord,
    console: ScreensRecord,
    meta: MetaRecord,
    #[serde(
        default,
        deserialize_with = "deserialize_present",
        skip_serializing_if = "Option::is_none"
    )]
    upgraded_from: Option<Hex<16>>,
    #[serde(skip_serializing)]
    pub(super) chain: Hex<16>,
}

/// The recorder's notes, in the order of the file.
struct MetaRecord(Vec<(String, String)>);

impl HeaderLine {
    pub(super) fn new(header: &Header) -> Self {
        let of_v1 = v1::HeaderRecord::new(header);
        let entries = header.format.meta().map(Meta::entries);
        let meta = entries.into_iter().flatten();
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: of_v1.engine,
            rules: of_v1.rules,
            players: of_v1.players,
            deck: of_v1.deck,
            deal: of_v1.deal,
            console: of_v1.console,
            meta: MetaRecord(
                meta.map(|(key, value)| (key.clone(), value.clone()))
                    .collect(),
            ),
            upgraded_from: header.format.upgraded_from(),
            chain: Hex::ZERO,
        }
    }

    /// Checks the notes before the chain is checked, so that their own error comes first.
    pub(super) fn check_meta(&self) -> Result<(), MetaError> {
        Meta::from_sorted(self.meta.0.clone()).map(drop)
    }

    /// Converts the record; `compact` is true if the journal's events are compact.
    pub(super) fn into_domain(self, compact: bool, book: &Rulebook) -> Result<Header, HeaderError> {
        let format = JournalFormat::V2 {
            compact,
            meta: Meta::from_sorted(self.meta.0)?,
            upgraded_from: self.upgraded_from,
        };
        let of_v1 = v1::HeaderRecord {
            format: self.format,
            version: v1::VERSION,
            engine: self.engine,
            rules: self.rules,
            players: self.players,
            deck: self.deck,
            deal: self.deal,
            console: self.console,
            chain: self.chain,
        };
        let header = of_v1.into_domain(book)?;
        Ok(Header { format, ..header })
    }
}

impl Serialize for MetaRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for MetaRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = MetaRecord;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of texts")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MetaRecord, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(MetaRecord(entries))
    }
}

/// Line of a compact journal: an event without the values that follow from it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CompactRecord<E> {
    pub(super) event: E,
}

/// Start of a compact line in its canonical form.
const COMPACT_PREFIX: &[u8] = b"{\"event\":";

/// Parses a compact line in its canonical form. The second value is the length of the line without
/// its last brace.
pub(super) fn parse_compact_line<E: RecordedEvent>(line: &[u8]) -> Option<(E, usize)> {
    let (event, after) = E::parse_canonical(line.strip_prefix(COMPACT_PREFIX)?)?;
    (after == b"}\n").then(|| (event, line.len() - after.len()))
}

/// The event in a compact line that has this length without its last brace.
pub(super) fn compact_event(line: &[u8], length: usize) -> &[u8] {
    &line[COMPACT_PREFIX.len()..length]
}

/// Returns true if a line is an object with an event and without the values that follow from it.
pub(super) fn is_compact(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Fields {
        seq: Option<IgnoredAny>,
        turn: Option<IgnoredAny>,
        event: Option<IgnoredAny>,
        state: Option<IgnoredAny>,
        chain: Option<IgnoredAny>,
    }
    serde_json::from_slice(line).is_ok_and(|fields: Fields| {
        let others = [fields.seq, fields.turn, fields.state, fields.chain];
        fields.event.is_some() && others.iter().all(Option::is_none)
    })
}

/// The last line of a journal.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EndLine {
    end: EndFields,
    #[serde(skip_serializing)]
    pub(super) chain: Hex<16>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EndFields {
    reason: EndReason,
    #[serde(deserialize_with = "deserialize_required")]
    winner: Option<PlayerRecord>,
    turns: u32,
    events: u64,
    console: ConsoleRecord,
}

impl EndLine {
    /// Converts the end record of version 1, without its link.
    pub(super) fn new(end: v1::EndRecord) -> Self {
        Self {
            end: EndFields {
                reason: end.reason,
                winner: end.winner,
                turns: end.turns,
                events: end.events,
                console: end.console,
            },
            chain: Hex::ZERO,
        }
    }

    /// Converts the record; `None` if its reason and its winner contradict each other.
    pub(super) fn into_domain(self) -> Option<End> {
        let record = v1::EndRecord {
            reason: self.end.reason,
            winner: self.end.winner,
            turns: self.end.turns,
            events: self.end.events,
            console: self.end.console,
            chain: self.chain,
        };
        record.into_domain()
    }
}
