//! Full-screen use of the terminal, with its modes restored in all cases.

use super::terminal::{SavedModes, Terminal};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::{ResetColor, force_color_output};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen};
use ratatui::layout::Rect;
use std::io::{self, BufWriter, Write};
use std::panic;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// Terminal to restore.
static SAVED_TERMINAL: Mutex<Option<SavedTerminal>> = Mutex::new(None);

/// Terminal with its original modes.
struct SavedTerminal {
    terminal: Terminal,
    modes: SavedModes,
}

/// Full-screen terminal to draw on.
pub(crate) struct FullScreen {
    terminal: Terminal,
    backend: CrosstermBackend<BufWriter<Box<dyn Write>>>,
    /// Picture that is on the terminal.
    shown: Buffer,
}

impl FullScreen {
    /// Takes over the terminal of standard output. A panic restores the terminal first.
    pub(crate) fn open(colors: bool) -> io::Result<Self> {
        Self::open_on(Terminal::open()?, colors)
    }

    fn open_on(terminal: Terminal, colors: bool) -> io::Result<Self> {
        let writer: Box<dyn Write> = Box::new(terminal.writer()?);
        let screen = Self {
            backend: CrosstermBackend::new(BufWriter::new(writer)),
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
        // A panic in another thread finds either no terminal to restore, or all that it needs.
        let mut saved = lock_saved_terminal();
        let modes = self.terminal.enter_raw_mode()?;
        *saved = Some(SavedTerminal { terminal, modes });
        drop(saved);
        execute!(&self.terminal, EnterAlternateScreen, Hide)
    }

    /// Draws a picture on an empty buffer of the terminal's current size. Does nothing while the
    /// terminal is restored.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if lock_saved_terminal().is_none() {
            return Ok(());
        }
        let (columns, rows) = self.terminal.size()?;
        let area = Rect::new(0, 0, columns, rows);
        if self.shown.area != area {
            self.backend.clear()?;
            self.shown = Buffer::empty(area);
        }
        let mut picture = Buffer::empty(area);
        draw(&mut picture);
        self.backend.draw(self.shown.diff(&picture).into_iter())?;
        Backend::flush(&mut self.backend)?;
        self.shown = picture;
        Ok(())
    }

    /// Terminal that is drawn on.
    pub(crate) const fn terminal(&self) -> &Terminal {
        &self.terminal
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Restores the terminal, if it is taken over.
pub(crate) fn restore_terminal() {
    if let Some(SavedTerminal { terminal, modes }) = lock_saved_terminal().take() {
        // Both calls fail only if the terminal is gone, and then there is nothing to restore.
        let _ = execute!(&terminal, ResetColor, Show, LeaveAlternateScreen);
        let _ = terminal.restore_modes(&modes);
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
        let mut screen = FullScreen::open_on(terminal.into(), false).expect("the terminal");
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
