//! Errors of the engine in words for people, each with its message in the catalogues.

mod import;
mod journal;
mod scenario;
