//! Full-screen use of the terminal, with its settings restored in all cases.

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::{ResetColor, force_color_output};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::layout::Rect;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    LocalModes, OptionalActions, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr,
};
use std::fs::File;
use std::io::{self, BufWriter, stdin, stdout};
use std::os::fd::AsFd;
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Terminal to restore.
static SAVED_TERMINAL: Mutex<Option<SavedTerminal>> = Mutex::new(None);

/// Terminal with its original settings.
struct SavedTerminal {
    terminal: File,
    settings: Termios,
}

/// Full-screen terminal to draw on.
pub(crate) struct FullScreen {
    terminal: File,
    backend: CrosstermBackend<BufWriter<File>>,
    /// Picture that is on the terminal.
    shown: Buffer,
}

/// Returns true if there is a terminal to draw on and a terminal for input.
pub(crate) fn is_available() -> bool {
    let types = isatty(stdin()) || File::open("/dev/tty").is_ok();
    isatty(stdout()) && types
}

impl FullScreen {
    /// Takes over the terminal of standard output. A panic restores the terminal first.
    pub(crate) fn open(colors: bool) -> io::Result<Self> {
        // A duplicate, because the main thread keeps standard output itself locked.
        Self::open_on(File::from(stdout().as_fd().try_clone_to_owned()?), colors)
    }

    fn open_on(terminal: File, colors: bool) -> io::Result<Self> {
        let screen = Self {
            backend: CrosstermBackend::new(BufWriter::new(terminal.try_clone()?)),
            terminal,
            shown: Buffer::default(),
        };
        force_color_output(colors);
        restore_on_panic();
        screen.enter()?;
        Ok(screen)
    }

    /// Takes over the terminal again, after it was restored.
    pub(crate) fn reopen(&mut self) -> io::Result<()> {
        restore_terminal();
        self.shown = Buffer::default();
        self.enter()
    }

    fn enter(&self) -> io::Result<()> {
        let terminal = self.terminal.try_clone()?;
        let settings = tcgetattr(&terminal)?;
        let mut raw = settings.clone();
        raw.make_raw();
        // Ctrl-C and Ctrl-Z keep their meaning, for all processes of the job.
        raw.local_modes |= LocalModes::ISIG;
        *lock_saved_terminal() = Some(SavedTerminal { terminal, settings });
        tcsetattr(&self.terminal, OptionalActions::Now, &raw)?;
        execute!(&self.terminal, EnterAlternateScreen, Hide)
    }

    /// Draws a picture on an empty buffer of the terminal's current size. Does nothing while the
    /// terminal is restored.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if lock_saved_terminal().is_none() {
            return Ok(());
        }
        let size = tcgetwinsize(&self.terminal)?;
        let area = Rect::new(0, 0, size.ws_col, size.ws_row);
        if self.shown.area != area {
            self.backend.clear()?;
            self.shown = Buffer::empty(area);
        }
        let mut picture = Buffer::empty(area);
        draw(&mut picture);
        self.backend.draw(self.shown.diff(&picture).into_iter())?;
        self.backend.flush()?;
        self.shown = picture;
        Ok(())
    }

    pub(crate) fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&self.terminal, PollFlags::empty())];
        let looked = poll(&mut fds, Some(&Timespec::default()));
        looked.is_ok_and(|gone| gone > 0)
    }

    /// Duplicates the handle of the terminal, which can be polled for a hangup.
    pub(crate) fn try_clone_terminal(&self) -> io::Result<File> {
        self.terminal.try_clone()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Restores the terminal, if it is taken over.
pub(crate) fn restore_terminal() {
    if let Some(SavedTerminal { terminal, settings }) = lock_saved_terminal().take() {
        // Both calls fail only if the terminal is gone, and then there is nothing to restore.
        let _ = execute!(&terminal, ResetColor, Show, LeaveAlternateScreen);
        let _ = tcsetattr(&terminal, OptionalActions::Now, &settings);
    }
}

fn lock_saved_terminal() -> MutexGuard<'static, Option<SavedTerminal>> {
    SAVED_TERMINAL
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
}

/// Makes a panic restore the terminal before the panic message is printed: else the message would
/// vanish with the picture.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let say = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore_terminal();
            say(panic);
        }));
    });
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::FullScreen;
    use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
    use rustix::termios::{LocalModes, tcgetattr};
    use std::fs::File;
    use std::io::Read;
    use std::thread::spawn;

    #[test]
    fn a_panic_in_any_thread_restores_the_terminal() {
        let both = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let keyboard = openpt(both).expect("a terminal");
        grantpt(&keyboard).expect("a terminal");
        unlockpt(&keyboard).expect("a terminal");
        let line = ioctl_tiocgptpeer(&keyboard, both).expect("its line");
        let line = File::from(line);
        let modes = || tcgetattr(&line).expect("its settings").local_modes;
        let before = modes();
        let terminal = line.try_clone().expect("the line");
        let mut screen = FullScreen::open_on(terminal, false).expect("the terminal");
        assert!(!modes().intersects(LocalModes::ICANON | LocalModes::ECHO));
        assert!(modes().contains(LocalModes::ISIG));
        let panicked = spawn(|| panic!("as a test wants it")).join();
        assert!(panicked.is_err());
        assert_eq!(modes(), before);
        // A restored terminal is not drawn on.
        let drawn = screen.draw(|_| unreachable!("the terminal is given back"));
        drawn.expect("nothing to do");
        drop((screen, line));
        let mut sent = Vec::new();
        // After the last handle is closed, reading ends with an error.
        let _ = File::from(keyboard).read_to_end(&mut sent);
        let sent = String::from_utf8_lossy(&sent);
        assert!(sent.starts_with("\u{1b}[?1049h"), "{sent:?}");
        assert!(sent.ends_with("\u{1b}[?25h\u{1b}[?1049l"), "{sent:?}");
    }
}
