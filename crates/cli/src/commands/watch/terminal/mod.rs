//! Terminal of the system: its modes, its size, and its loss.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::{SavedModes, Terminal, is_available, watch_for_hangup};

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::{SavedModes, Terminal, is_available, watch_for_hangup};
