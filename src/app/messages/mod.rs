//! What the player is told of each error: the one place where errors become messages.
//!
//! The parts have typed errors with English for programmers; here stands which message of
//! the catalogues each of them is, a file for each part.

mod config;
mod fields;
mod import;
mod io;
mod journal;
mod recording;
mod scenario;

pub(crate) use io::{io_text, unreadable};
pub(crate) use recording::{cannot_create, import_failed, repair_failed, write_failed};
