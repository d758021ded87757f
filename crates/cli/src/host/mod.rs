//! The machine around the program: environment, configuration, all kinds of files, signals,
//! progress.
//!
//! Together with the commands of [`app`](crate::app) and the edges of the server, this is the
//! only place with files, a clock and a terminal.

#[cfg(feature = "watch")]
pub(crate) mod followed_game;
#[cfg(feature = "watch")]
pub(crate) mod full_screen;
#[cfg(feature = "watch")]
pub(crate) mod happenings;
#[cfg(feature = "watch")]
pub(crate) mod paced;
pub(crate) mod tables;
pub(crate) mod view_files;
#[cfg(feature = "watch")]
pub(crate) mod watching;
