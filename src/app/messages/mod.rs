//! What the player sees of each error that a command meets.
//!
//! The parts have typed errors with English for programmers; here stands which message of
//! the catalogues each of them is, a file for each part. The words of a bad field, which the
//! card table needs too, stand in [`crate::i18n`].

mod config;
mod files;
mod import;
mod io;
mod journal;
mod recording;
mod scenario;

pub(crate) use io::{io_text, unreadable};
pub(crate) use recording::{cannot_create, import_failed, repair_failed, write_failed};
