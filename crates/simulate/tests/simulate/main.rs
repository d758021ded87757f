//! Tests of the simulator.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]

mod enumerations;
mod figure_documents;
mod fuzz_corpus;
mod literature;
#[path = "../../../../tests/war/shared.rs"]
mod shared;
mod simulate;
