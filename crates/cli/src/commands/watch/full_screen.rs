//! The whole terminal: taken for pictures, and given back whatever happens.

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

/// The terminal that was taken, until it is given back.
static SAVED: Mutex<Option<SavedTerminal>> = Mutex::new(None);

/// A terminal with the settings that it had before.
struct SavedTerminal {
    terminal: File,
    before: Termios,
}

/// The whole terminal, for one who draws on it.
pub(crate) struct FullScreen {
    terminal: File,
    backend: CrosstermBackend<BufWriter<File>>,
    /// What is on the terminal.
    shown: Buffer,
}

/// Whether there is a terminal to draw on, and one to type on.
pub(crate) fn is_available() -> bool {
    let types = isatty(stdin()) || File::open("/dev/tty").is_ok();
    isatty(stdout()) && types
}

impl FullScreen {
    /// Takes the terminal of standard output. A panic gives it back before it says anything.
    pub(crate) fn open(colors: bool) -> io::Result<Self> {
        // Not by way of standard output itself, which the main thread keeps locked.
        Self::on(File::from(stdout().as_fd().try_clone_to_owned()?), colors)
    }

    fn on(terminal: File, colors: bool) -> io::Result<Self> {
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

    /// Takes the terminal again, which was given back for a while.
    pub(crate) fn reopen(&mut self) -> io::Result<()> {
        restore_terminal();
        self.shown = Buffer::default();
        self.enter()
    }

    fn enter(&self) -> io::Result<()> {
        let terminal = self.terminal.try_clone()?;
        let before = tcgetattr(&terminal)?;
        let mut raw = before.clone();
        raw.make_raw();
        // Ctrl-C and Ctrl-Z mean what they mean elsewhere, for all processes of the job.
        raw.local_modes |= LocalModes::ISIG;
        *saved() = Some(SavedTerminal { terminal, before });
        tcsetattr(&self.terminal, OptionalActions::Now, &raw)?;
        execute!(&self.terminal, EnterAlternateScreen, Hide)
    }

    /// Draws a picture: `draw` draws on an empty buffer as large as the terminal is now. Nothing
    /// is drawn on a terminal that was given back.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if saved().is_none() {
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

    /// Whether the terminal is gone.
    pub(crate) fn is_gone(&self) -> bool {
        let mut fds = [PollFd::new(&self.terminal, PollFlags::empty())];
        let looked = poll(&mut fds, Some(&Timespec::default()));
        looked.is_ok_and(|gone| gone > 0)
    }

    /// The terminal, to see whether it is still there.
    pub(crate) fn terminal(&self) -> io::Result<File> {
        self.terminal.try_clone()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Gives the terminal back as it was, if it is taken.
pub(crate) fn restore_terminal() {
    if let Some(SavedTerminal { terminal, before }) = saved().take() {
        // Where this fails, the terminal is gone, and there is nobody to tell.
        let _ = execute!(&terminal, ResetColor, Show, LeaveAlternateScreen);
        let _ = tcsetattr(&terminal, OptionalActions::Now, &before);
    }
}

fn saved() -> MutexGuard<'static, Option<SavedTerminal>> {
    SAVED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets a panic give the terminal back first: what it says would be lost with the picture.
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
    fn a_panic_of_any_thread_gives_the_terminal_back() {
        let both = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let keyboard = openpt(both).expect("a terminal");
        grantpt(&keyboard).expect("a terminal");
        unlockpt(&keyboard).expect("a terminal");
        let line = ioctl_tiocgptpeer(&keyboard, both).expect("its line");
        let line = File::from(line);
        let modes = || tcgetattr(&line).expect("its settings").local_modes;
        let before = modes();
        let terminal = line.try_clone().expect("the line");
        let mut screen = FullScreen::on(terminal, false).expect("the terminal");
        assert!(!modes().intersects(LocalModes::ICANON | LocalModes::ECHO));
        assert!(modes().contains(LocalModes::ISIG));
        let panicked = spawn(|| panic!("as a test wants it")).join();
        assert!(panicked.is_err());
        assert_eq!(modes(), before);
        // Nobody would see it.
        let drawn = screen.draw(|_| unreachable!("the terminal is given back"));
        drawn.expect("nothing to do");
        drop((screen, line));
        let mut sent = Vec::new();
        // Where no line is open any more, the rest is followed by an error.
        let _ = File::from(keyboard).read_to_end(&mut sent);
        let sent = String::from_utf8_lossy(&sent);
        assert!(sent.starts_with("\u{1b}[?1049h"), "{sent:?}");
        assert!(sent.ends_with("\u{1b}[?25h\u{1b}[?1049l"), "{sent:?}");
    }
}
