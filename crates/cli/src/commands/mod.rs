//! The commands: the arguments, the code and the messages of each.

pub(crate) mod completions;
pub(crate) mod duels;
mod game_figures;
pub(crate) mod games;
pub(crate) mod help;
pub(crate) mod import;
pub(crate) mod journal;
pub(crate) mod man;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod simulate;
pub(crate) mod stats;
#[cfg(feature = "table")]
pub(crate) mod table;
pub(crate) mod view;
#[cfg(feature = "watch")]
pub(crate) mod watch;
pub(crate) mod xy;
