//! Version 1 of the format, frozen: its own types, field for field.
//!
//! The order of the fields is the canonical order. A `chain` is read and checked but
//! never part of the form that is hashed, so it is not serialized. Whatever changes
//! elsewhere in the program, these types and the hashes of states stay as they are.

mod end;
mod event;
mod form;
mod header;
mod quick;
mod tokens;

pub(super) use end::{Console, EndReason, EndRecord};
pub(super) use event::{EventRecord, Player, Record, json, required};
pub(super) use form::Form;
pub(super) use header::{
    Console as HeaderConsole, DealRecord, Deck, FORMAT, HeaderRecord, RulesRecord, VERSION, given,
    knows_rules,
};
pub(super) use quick::{Quick, Recorded, quick};
pub(super) use tokens::{TokenEventRecord, broken_rule};
