//! Terminal of Unix.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{
    LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::fs::File;
use std::io::{self, Write, stdin, stdout};
use std::os::fd::AsFd;
use std::thread::Builder;

/// Returns true if there is a terminal to draw on and a terminal for input.
pub(crate) fn is_available() -> bool {
    let types = isatty(stdin()) || File::open("/dev/tty").is_ok();
    isatty(stdout()) && types
}

/// Handle of the terminal to draw on.
pub(crate) struct Terminal(File);

/// Modes to restore.
pub(crate) struct SavedModes(Termios);

impl Terminal {
    /// Opens the terminal of standard output.
    pub(crate) fn open() -> io::Result<Self> {
        // A duplicate, because the main thread keeps standard output itself locked.
        Ok(Self(File::from(stdout().as_fd().try_clone_to_owned()?)))
    }

    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Returns a writer for pictures.
    pub(crate) fn writer(&self) -> io::Result<impl Write + use<>> {
        self.0.try_clone()
    }

    /// Returns the numbers of columns and of rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        let size = tcgetwinsize(&self.0)?;
        Ok((size.ws_col, size.ws_row))
    }

    /// Makes keys arrive one by one, without an echo. Returns the modes until now.
    pub(crate) fn enter_raw_mode(&self) -> io::Result<SavedModes> {
        let modes = tcgetattr(&self.0)?;
        let mut raw = modes.clone();
        raw.make_raw();
        // Ctrl-C and Ctrl-Z keep their meaning, for all processes of the job.
        raw.local_modes |= LocalModes::ISIG;
        tcsetattr(&self.0, OptionalActions::Now, &raw)?;
        Ok(SavedModes(modes))
    }

    pub(crate) fn restore_modes(&self, modes: &SavedModes) -> io::Result<()> {
        Ok(tcsetattr(&self.0, OptionalActions::Now, &modes.0)?)
    }

    pub(crate) fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&self.0, PollFlags::empty())];
        let looked = poll(&mut fds, Some(&Timespec::default()));
        looked.is_ok_and(|gone| gone > 0)
    }
}

/// Writes control sequences.
impl Write for &Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.0).flush()
    }
}

/// Calls `act` in a background thread once the terminal that is drawn on, or the terminal for input,
/// is gone.
///
/// The loss of a terminal doesn't send a signal to every process that uses the terminal, and a read
/// of keys would then wait forever.
pub(crate) fn watch_for_hangup(
    terminal: &Terminal,
    act: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    let mut terminals = vec![terminal.0.try_clone()?];
    if isatty(stdin()) {
        terminals.push(File::from(stdin().as_fd().try_clone_to_owned()?));
    }
    let wait = move || {
        let nothing = PollFlags::empty();
        let fds = terminals.iter();
        let mut fds: Vec<_> = fds.map(|file| PollFd::new(file, nothing)).collect();
        while poll(&mut fds, None) == Err(Errno::INTR) {}
        act();
    };
    let thread = Builder::new().name("terminal".to_owned());
    thread.spawn(wait).map(drop)
}

#[cfg(test)]
impl From<File> for Terminal {
    fn from(file: File) -> Self {
        Self(file)
    }
}
