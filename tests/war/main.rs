//! Tests of the engine.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::too_many_lines,
    reason = "tests build short texts and long tables, and say so plainly"
)]

mod cards;
mod durability;
mod engine;
mod frames;
mod properties;
mod shared;
mod vectors;
