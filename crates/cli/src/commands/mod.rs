//! The commands: the arguments of each, what it does, and its words.

pub(crate) mod duels;
pub(crate) mod games;
pub(crate) mod play;
pub(crate) mod session;
pub(crate) mod simulate;
#[cfg(feature = "table")]
pub(crate) mod table;
#[cfg(feature = "watch")]
pub(crate) mod watch;
pub(crate) mod xy;
