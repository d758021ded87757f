//! How the records of a journal follow one another in its file: where each begins and ends, and
//! what a file ends with that was cut off.

mod document;
mod found;
mod lines;
mod records;

pub(super) use found::{EventLine, Shape};
pub(super) use records::Records;
