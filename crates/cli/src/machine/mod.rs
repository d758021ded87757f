//! The program's environment: variables, configuration, files, signals, progress.
//!
//! Together with [`commands`](crate::commands), this is the only module that uses files, a clock
//! and a terminal.

#[cfg(feature = "table")]
pub(crate) mod addresses;
pub(crate) mod audit_log;
mod bar;
pub(crate) mod browser;
pub(crate) mod config;
pub(crate) mod environment;
pub(crate) mod follow;
pub(crate) mod input;
mod interruptible_writer;
pub(crate) mod journal_files;
pub(crate) mod kept_rows;
pub(crate) mod keys;
mod log_file;
pub(crate) mod output_files;
pub(crate) mod page_server;
pub(crate) mod progress;
#[cfg(feature = "table")]
mod repeated_warnings;
pub(crate) mod scenario_files;
pub(crate) mod shell;
pub(crate) mod signals;
pub(crate) mod state_file;
pub(crate) mod stdout;
#[cfg(feature = "table")]
pub(crate) mod table_key;
pub(crate) mod terminal;
pub(crate) mod text;
