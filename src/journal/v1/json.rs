use super::end::EndRecord;
use super::header::HeaderRecord;
use crate::journal::end::End;
use crate::journal::header::Header;
use serde::Serialize;

/// A header as it is in a journal, without its link.
#[must_use]
pub fn header_json(header: &Header) -> String {
    json(&HeaderRecord::new(header))
}

/// An end record as it is in a journal, without its link.
#[must_use]
pub fn end_json(end: &End) -> String {
    json(&EndRecord::new(
        end.reason,
        end.turns,
        end.events,
        end.console,
    ))
}

/// A record in its canonical form.
pub(super) fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records are plain values")
}
