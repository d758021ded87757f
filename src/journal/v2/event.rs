use crate::journal::v1::Recorded;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// An event alone, in a journal that leaves out what follows from it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct CompactRecord<E> {
    pub(in crate::journal) event: E,
}

/// What stands before an event that is alone.
const BEFORE: &[u8] = b"{\"event\":";

/// The event of a line in its canonical form, and how long the line is without its last bracket.
pub(in crate::journal) fn quick_alone<E: Recorded>(line: &[u8]) -> Option<(E, usize)> {
    let (event, after) = E::quick(line.strip_prefix(BEFORE)?)?;
    (after == b"}\n").then(|| (event, line.len() - after.len()))
}

/// The event in a line that is so long without its last bracket.
pub(in crate::journal) fn event_in(line: &[u8], length: usize) -> &[u8] {
    &line[BEFORE.len()..length]
}

/// Whether the line of an event holds the event alone.
pub(in crate::journal) fn is_compact(line: &[u8]) -> bool {
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
