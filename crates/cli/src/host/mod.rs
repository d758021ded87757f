//! The machine around the program: environment, configuration, all kinds of files, signals,
//! progress.
//!
//! Together with the commands of [`app`](crate::app) and the edges of the server, this is the
//! only place with files, a clock and a terminal.

#[cfg(feature = "table")]
pub(crate) mod admin;
pub(crate) mod audit_log;
mod bar;
pub(crate) mod checkpoint;
pub(crate) mod claim;
pub(crate) mod colors;
pub(crate) mod config;
pub(crate) mod environment;
pub(crate) mod followed;
#[cfg(feature = "watch")]
pub(crate) mod followed_game;
pub(crate) mod forecast;
#[cfg(feature = "watch")]
pub(crate) mod full_screen;
#[cfg(feature = "watch")]
pub(crate) mod happenings;
pub(crate) mod interruptible;
pub(crate) mod io_text;
pub(crate) mod journal_file;
pub(crate) mod journal_stream;
pub(crate) mod keys;
#[cfg(feature = "table")]
pub(crate) mod listen;
#[cfg(feature = "table")]
pub(crate) mod log_source;
#[cfg(feature = "table")]
pub(crate) mod operator;
pub(crate) mod output;
pub(crate) mod outputs;
#[cfg(feature = "watch")]
pub(crate) mod paced;
pub(crate) mod part_files;
#[cfg(feature = "table")]
pub(crate) mod peering;
pub(crate) mod printer;
pub(crate) mod progress;
pub(crate) mod scenario_files;
pub(crate) mod signals;
pub(crate) mod slurm;
#[cfg(feature = "table")]
pub(crate) mod sockets;
pub(crate) mod standard;
#[cfg(feature = "table")]
pub(crate) mod table_key;
pub(crate) mod tables;
pub(crate) mod terminal;
pub(crate) mod text;
pub(crate) mod twice;
pub(crate) mod view_files;
#[cfg(feature = "watch")]
pub(crate) mod watching;
