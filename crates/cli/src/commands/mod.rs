//! The commands: the arguments of each, what it does, and its words.

pub(crate) mod simulate;
#[cfg(feature = "table")]
pub(crate) mod table;
