//! The core's errors in words for people: each typed error gets its message in the catalogues,
//! with a file for each part.
//!
//! The messages for a bad field, which the card table needs too, are in [`crate::i18n`].

mod header;
mod import;
mod journal;
mod scenario;
mod verdict;

pub(crate) use header::{format_texts, header_text};
pub(crate) use journal::proof_text;
pub(crate) use verdict::{divergence_text, outcome_text};
