//! The core's errors in words for people: each typed error gets its message in the catalogues,
//! with a file for each part.
//!
//! The messages for a bad field, which the card table needs too, are in [`crate::i18n`].

mod header;
mod import;
mod journal;
mod scenario;

pub(crate) use header::{header_texts, summary_text};
pub(crate) use journal::proof_text;
