//! Arguments that several commands take, and how a command line is read.

pub(crate) mod journal;
pub(crate) mod parsing;
pub(crate) mod values;
