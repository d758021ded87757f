//! What a command says when it can't go on: its message, and the code that it ends with.
//!
//! The messages for the errors of the core are in [`crate::wording`].

pub(crate) mod config;
pub(crate) mod files;
pub(crate) mod io;
pub(crate) mod keys;
pub(crate) mod recording;

pub(crate) use io::unreadable;
#[cfg(feature = "table")]
pub(crate) use keys::unusable_key;
pub(crate) use recording::{cannot_create, copy_failed, not_made, write_failed};
