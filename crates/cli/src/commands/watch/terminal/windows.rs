//! Console of Windows.

use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode, size};
use std::fs::File;
use std::io::{self, IsTerminal, Write, stdout};

/// Returns true if there is a console to draw on and a console for input.
pub(crate) fn is_available() -> bool {
    stdout().is_terminal() && File::open("CONIN$").is_ok()
}

/// Handle of the console to draw on.
pub(crate) struct Terminal(File);

/// Proof that the console was in raw mode: crossterm knows the modes to restore.
pub(crate) struct SavedModes(());

impl Terminal {
    /// Opens the console of this process.
    pub(crate) fn open() -> io::Result<Self> {
        File::options()
            .read(true)
            .write(true)
            .open("CONOUT$")
            .map(Self)
    }

    pub(crate) fn try_clone(&self) -> io::Result<Self> {
        self.0.try_clone().map(Self)
    }

    /// Returns a writer for pictures, for the thread that keeps standard output locked: only the
    /// standard library's own stream writes Unicode in every code page.
    pub(crate) fn writer(&self) -> io::Result<impl Write + use<>> {
        Ok(stdout())
    }

    /// Returns the numbers of columns and of rows.
    pub(crate) fn size(&self) -> io::Result<(u16, u16)> {
        size()
    }

    /// Makes keys arrive one by one, without an echo. Ctrl-C becomes a key, too.
    pub(crate) fn enter_raw_mode(&self) -> io::Result<SavedModes> {
        enable_raw_mode().map(SavedModes)
    }

    pub(crate) fn restore_modes(&self, _: &SavedModes) -> io::Result<()> {
        disable_raw_mode()
    }

    /// Always returns false: Windows ends a process together with its console.
    pub(crate) const fn is_gone(&self) -> bool {
        false
    }
}

/// Writes control sequences: they are ASCII, which is the same in every code page.
impl Write for &Terminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&self.0).flush()
    }
}

/// Does nothing: Windows ends a process together with its console.
pub(crate) fn watch_for_hangup(_: &Terminal, _: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}
