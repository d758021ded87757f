//! Version 2 of the format: its header and its lines.
//!
//! Rules, deals, events and states are those of version 1, whose types it takes.

mod end;
mod event;
mod header;

pub(super) use end::EndRecord;
pub(super) use event::{CompactRecord, event_in, is_compact, quick_alone};
pub(super) use header::{HeaderRecord, VERSION};
