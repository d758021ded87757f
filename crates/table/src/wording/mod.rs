//! Errors of the card table in words for people, each with its message in the catalogues.

mod fair;
mod log;
