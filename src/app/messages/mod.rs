//! The message for each error that a command can end with.
//!
//! The parts have typed errors with English for programmers; here each of them gets its message
//! in the catalogues, with a file for each part. The messages for a bad field, which the
//! card table needs too, are in [`crate::i18n`].

mod config;
mod files;
mod import;
mod io;
mod journal;
mod recording;
mod scenario;

pub(crate) use io::{io_text, unreadable};
pub(crate) use recording::{cannot_create, import_failed, repair_failed, write_failed};
