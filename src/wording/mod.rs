//! Errors of the engine in words for people, each with its message in the catalogues.

#[cfg(feature = "table")]
mod fair;
mod import;
mod journal;
#[cfg(feature = "table")]
mod log;
mod scenario;
