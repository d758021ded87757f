//! The core's errors and verdicts in words for people: each typed error gets its message in the
//! catalogues, with a file for each part.
//!
//! The messages for a bad field, which the card table needs too, are in [`crate::i18n`].

#[cfg(feature = "table")]
mod fair;
mod fault;
mod header;
mod import;
mod journal;
mod literature;
#[cfg(feature = "table")]
mod load;
#[cfg(feature = "table")]
mod log;
mod scenario;
mod simulation;
#[cfg(feature = "table")]
mod store;
mod verdict;

pub(crate) use fault::{divergence_text, fault_line};
pub(crate) use header::{header_texts, summary_text};
pub(crate) use literature::{PLACES, figure_name, rounded};
#[cfg(feature = "table")]
pub(crate) use load::{phase_text, trouble_text};
#[cfg(feature = "table")]
pub(crate) use log::log_fault_line;
pub(crate) use simulation::summary_lines;
#[cfg(feature = "table")]
pub(crate) use store::{address_text, database_text, reason};
pub(crate) use verdict::verdict_text;
