//! Version 1 of the format, frozen: its own types, field for field.
//!
//! The order of the fields is the canonical order. A `chain` is read and checked, but is never part
//! of the form that is hashed, so it is not serialized. These types and the hashes of states never
//! change.

mod canonical;
mod end;
mod event;
mod form;
mod header;
mod tokens;

pub(super) use canonical::{CanonicalRecord, RecordedEvent, parse_canonical_record};
pub(super) use end::{ConsoleRecord, EndReason, EndRecord};
pub(super) use event::{EventRecord, PlayerRecord, Record, deserialize_required, to_json};
pub(super) use form::RecordForm;
pub(super) use header::{
    DealRecord, DeckRecord, FORMAT, HeaderRecord, RulesRecord, ScreensRecord, VERSION,
    deserialize_present, is_known_rules_id,
};
pub(super) use tokens::{TokenEventRecord, find_invalid_value};
