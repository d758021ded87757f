//! Message catalogues, and the texts made from them.
//!
//! Code contains no sentences. It names a message and its arguments with [`text!`], and the
//! [`Catalogue`] of a [`Lang`] formats it. The catalogues are the Fluent files `i18n/en.ftl` and
//! `i18n/pl.ftl`, built into the program.

mod catalogue;
pub mod messages;
mod numbers;
mod text;

pub use crate::lang::Lang;
pub use catalogue::Catalogue;
pub use text::{Count, Message, Placeholder, Template, Text, Value, text};
