//! Arguments shared by several commands, and the parser of the command line.

pub(crate) mod journal;
pub(crate) mod parsing;
pub(crate) mod values;
