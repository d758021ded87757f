//! Version 1 of the format, frozen: its own types, field for field.
//!
//! The order of the fields is the canonical order. A `chain` is read and checked but
//! never part of the form that is hashed, so it is not serialized. Whatever changes
//! elsewhere in the program, these types, [`state()`] and [`token_state()`] stay as they are.

mod correction;
mod end;
mod event;
mod header;
mod rules;
mod state;
mod tokens;

pub(super) use end::EndRecord;
pub(super) use event::{EventRecord, Record};
pub(super) use header::{HeaderRecord, knows_rules};
pub(super) use state::state;
pub(super) use tokens::{TokenEventRecord, token_state};

use super::{End, Event, Header};
use serde::Serialize;

pub(super) const FORMAT: &str = "war-journal";
pub(super) const VERSION: u32 = 1;

/// An event as it stands in a journal.
#[must_use]
pub fn event_json(event: &Event) -> String {
    match event {
        Event::War(event) => json(&<EventRecord>::new(event)),
        Event::Tokens(event) => json(&TokenEventRecord::new(event)),
    }
}

/// A header as it stands in a journal, without its link.
#[must_use]
pub fn header_json(header: &Header) -> String {
    json(&HeaderRecord::new(header))
}

/// An end record as it stands in a journal, without its link.
#[must_use]
pub fn end_json(end: &End) -> String {
    json(&EndRecord::new(
        end.reason,
        end.turns,
        end.events,
        end.console,
    ))
}

fn json(record: &impl Serialize) -> String {
    serde_json::to_string(record).expect("records are plain values")
}
