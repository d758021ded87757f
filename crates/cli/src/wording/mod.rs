//! Verdicts, figures and errors in words for people, with a file for each part.

mod difference;
mod fault;
mod header;
mod statistics;
mod verdict;
mod view;

pub(crate) use difference::difference_text;
pub(crate) use fault::{divergence_text, fault_line};
pub(crate) use header::{header_texts, summary_text};
pub(crate) use statistics::{drawing_titles, statistics_text};
pub(crate) use verdict::verdict_text;
pub(crate) use view::view_lines;
