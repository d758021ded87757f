//! The languages: catalogues of messages, and the texts made from them.
//!
//! Code never holds a sentence. It names a message and gives its arguments with
//! [`text!`]; the [`Catalogue`] of a [`Lang`] makes the words. The catalogues
//! are the Fluent files `i18n/en.ftl` and `i18n/pl.ftl`, built into the program.

mod catalogue;
pub mod messages;
mod numbers;
mod text;

pub use crate::lang::Lang;
pub use catalogue::Catalogue;
pub use text::{Count, Hole, Message, Template, Text, Value, text};
