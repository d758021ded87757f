//! The commands, one file each.

#[cfg(feature = "table")]
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod duels;
pub(crate) mod export;
pub(crate) mod import;
#[cfg(feature = "table")]
pub(crate) mod log;
pub(crate) mod man;
#[cfg(feature = "table")]
pub(crate) mod moving;
#[cfg(feature = "table")]
pub(crate) mod operator;
pub(crate) mod play;
pub(crate) mod repair;
pub(crate) mod replay;
#[cfg(feature = "table")]
pub(crate) mod restored;
#[cfg(feature = "table")]
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod signing;
pub(crate) mod stats;
#[cfg(feature = "table")]
mod table_home;
#[cfg(feature = "table")]
pub(crate) mod table_load;
pub(crate) mod upgrade;
pub(crate) mod view;
#[cfg(feature = "watch")]
pub(crate) mod watch;
pub(crate) mod xy;
