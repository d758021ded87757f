//! JSON documents of simulations, for other programs and to join the parts of a run.

mod document;
mod enumeration;
mod run;

pub use document::RunFileError;
