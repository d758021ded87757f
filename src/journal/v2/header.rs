use crate::journal::format::Format;
use crate::journal::header::Header;
use crate::journal::meta::{Meta, MetaError};
use crate::journal::problem::HeaderError;
use crate::journal::v1::{self, DealRecord, Deck, FORMAT, HeaderConsole, RulesRecord, given};
use crate::rules::Rulebook;
use crate::support::hex::Hex;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The version that these types are.
pub(in crate::journal) const VERSION: u32 = 2;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct HeaderRecord {
    format: String,
    version: u32,
    engine: String,
    rules: RulesRecord,
    players: u8,
    deck: Deck,
    deal: DealRecord,
    console: HeaderConsole,
    meta: MetaRecord,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    upgraded_from: Option<Hex<16>>,
    #[serde(skip_serializing)]
    pub(in crate::journal) chain: Hex<16>,
}

/// The recorder's notes, in the order in which they are written.
struct MetaRecord(Vec<(String, String)>);

impl HeaderRecord {
    pub(in crate::journal) fn new(header: &Header) -> Self {
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

    /// Checks that the notes are as they can be, whatever the chain says.
    pub(in crate::journal) fn check_meta(&self) -> Result<(), MetaError> {
        Meta::in_order(self.meta.0.clone()).map(drop)
    }

    /// The header of a journal whose events are written in this form.
    pub(in crate::journal) fn into_domain(
        self,
        compact: bool,
        book: &Rulebook,
    ) -> Result<Header, HeaderError> {
        let format = Format::V2 {
            compact,
            meta: Meta::in_order(self.meta.0)?,
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
        deserializer.deserialize_map(Entries)
    }
}

struct Entries;

impl<'de> Visitor<'de> for Entries {
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
