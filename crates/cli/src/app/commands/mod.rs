//! The commands, one file each.

pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod man;
pub(crate) mod repair;
pub(crate) mod replay;
pub(crate) mod show;
pub(crate) mod signing;
pub(crate) mod stats;
pub(crate) mod upgrade;
pub(crate) mod view;
