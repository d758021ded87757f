use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// An event alone, in a journal that leaves out what follows from it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::journal) struct CompactRecord<E> {
    pub(in crate::journal) event: E,
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
