//! Verdicts, figures and errors in words for people, with a file for each part.

mod difference;
mod fault;
mod header;
#[cfg(feature = "table")]
mod load;
#[cfg(feature = "table")]
mod log;
#[cfg(feature = "table")]
mod operator;
mod statistics;
#[cfg(feature = "table")]
mod store;
mod verdict;
mod view;

pub(crate) use difference::difference_text;
pub(crate) use fault::{divergence_text, fault_line};
pub(crate) use header::{header_texts, summary_text};
#[cfg(feature = "table")]
pub(crate) use load::{phase_text, report_text, trouble_texts};
#[cfg(feature = "table")]
pub(crate) use log::{log_fault_line, log_texts};
#[cfg(feature = "table")]
pub(crate) use operator::{StoreFindings, done_text, listed_text, refused_text, store_fault_text};
pub(crate) use statistics::{drawing_titles, statistics_text};
#[cfg(feature = "table")]
pub(crate) use store::{
    database_text, failed_text, move_text, moved_text, place_text, reason, restored_text,
    store_text,
};
pub(crate) use verdict::verdict_text;
pub(crate) use view::view_lines;
