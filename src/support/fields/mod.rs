//! Why data that are well-formed do not fit the type they are read into.
//!
//! The libraries that read JSON and TOML say it in English, and where. [`Tree::check`]
//! reads the data a second time, with an error type of its own: what is wrong then needs no
//! reading of sentences. Sound data are only read once.

mod error;
mod tree;
mod written;

pub use error::FieldError;
pub use tree::Tree;
