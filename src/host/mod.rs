//! The machine around the program: configuration, log files, journal files, signals, progress.
//!
//! Together with the commands of [`app`](crate::app) and the edges of the server, this is the
//! only place with files, a clock and a terminal.

pub(crate) mod audit_log;
pub(crate) mod colors;
pub(crate) mod config;
pub(crate) mod journal_file;
pub(crate) mod progress;
pub(crate) mod signals;
