//! A type for each message of `i18n/en.ftl`, with its arguments as public fields.
//!
//! The build script generates these types for [`text!`](macro@crate::i18n::text).

#![allow(
    missing_docs,
    reason = "a message is documented by its text in the catalogue"
)]

use super::{Text, Value};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
