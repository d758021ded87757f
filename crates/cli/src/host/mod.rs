//! The machine around the program: environment, configuration, all kinds of files, signals,
//! progress.
//!
//! Together with the commands of [`app`](crate::app) and the edges of the server, this is the
//! only place with files, a clock and a terminal.

pub(crate) mod tables;
pub(crate) mod view_files;
