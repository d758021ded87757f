//! The program on a pseudo-terminal, whose screen can be inspected.

use crate::support::Sandbox;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use rustix::termios::{LocalModes, Termios, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};
use vt100::{Color, Parser};

/// Time limit for anything that should not take long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Interval between two checks.
const MOMENT: Duration = Duration::from_millis(10);

/// Ctrl-C and Ctrl-Z as typed.
pub(super) const CTRL_C: &str = "\u{3}";
pub(super) const CTRL_Z: &str = "\u{1a}";

/// Keys that send more than one character.
pub(super) const LEFT: &str = "\u{1b}[D";
pub(super) const RIGHT: &str = "\u{1b}[C";
pub(super) const HOME: &str = "\u{1b}[H";
pub(super) const END: &str = "\u{1b}[F";

/// Output on the terminal.
struct TerminalOutput {
    screen: Parser,
    /// All bytes sent to the terminal.
    sent: Vec<u8>,
}

/// Pseudo-terminal, used only by the program.
pub(super) struct Terminal {
    program: Child,
    keyboard: File,
    /// Settings of the terminal before the program started.
    before: Termios,
    shown: Arc<Mutex<TerminalOutput>>,
    /// True once nobody reads the screen any more.
    is_off: Arc<AtomicBool>,
    viewer: Option<JoinHandle<()>>,
}

impl Terminal {
    /// Starts the program on a terminal of 80x24.
    pub(super) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = Command::new("setsid");
        command.arg("--ctty").arg(env!("CARGO_BIN_EXE_war"));
        Self::run(sandbox, command.args(arguments))
    }

    /// Runs a command on a new terminal. The command must start a session, and make the terminal
    /// on its standard input the controlling terminal.
    pub(super) fn run(sandbox: &Sandbox, command: &mut Command) -> Self {
        let both = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let terminal = openpt(both).expect("a terminal");
        grantpt(&terminal).expect("a terminal");
        unlockpt(&terminal).expect("a terminal");
        let line = || {
            let line = ioctl_tiocgptpeer(&terminal, both).expect("a line");
            Stdio::from(line)
        };
        let (stdin, stdout, stderr) = (line(), line(), line());
        let keyboard = File::from(terminal);
        let before = tcgetattr(&keyboard).expect("its settings");
        let shown = Arc::new(Mutex::new(TerminalOutput {
            screen: Parser::new(24, 80, 0),
            sent: Vec::new(),
        }));
        let is_off = Arc::new(AtomicBool::new(false));
        set_size(&keyboard, 24, 80);
        let viewer = {
            let (screen, shown) = (keyboard.try_clone().expect("a screen"), Arc::clone(&shown));
            let is_off = Arc::clone(&is_off);
            std::thread::spawn(move || view(screen, &shown, &is_off))
        };
        let program = sandbox.command(&[]);
        let variables = program.get_envs();
        let variables = variables.filter_map(|(name, value)| Some((name, value?)));
        let own: Vec<_> = command
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
            .collect();
        command
            .current_dir(sandbox.path(""))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("TERM", "xterm-256color")
            .envs(variables)
            .envs(
                own.into_iter()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr);
        let program = command.spawn().expect("the program");
        // The `Command` would keep its descriptors of the terminal open, so the terminal would
        // never be closed.
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Self {
            program,
            keyboard,
            before,
            shown,
            is_off,
            viewer: Some(viewer),
        }
    }

    /// Types these keys.
    pub(super) fn type_keys(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("a reader");
    }

    /// Contents of the screen, without trailing spaces.
    pub(super) fn screen(&self) -> String {
        self.with(|shown| {
            let rows = shown.screen.screen().rows(0, u16::MAX);
            let rows: Vec<_> = rows.map(|row| row.trim_end().to_owned()).collect();
            rows.join("\n")
        })
    }

    /// Returns true if the program draws on the alternate screen.
    pub(super) fn is_full(&self) -> bool {
        self.with(|shown| shown.screen.screen().alternate_screen())
    }

    /// Returns true if some part of the screen has a color.
    pub(super) fn is_colored(&self) -> bool {
        self.with(|shown| {
            let screen = shown.screen.screen();
            let (rows, columns) = screen.size();
            let mut cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            cells.any(|(row, column)| {
                let cell = screen.cell(row, column).expect("a cell");
                [cell.fgcolor(), cell.bgcolor()] != [Color::Default; 2]
            })
        })
    }

    /// Everything sent to the terminal.
    pub(super) fn sent(&self) -> String {
        self.with(|shown| String::from_utf8_lossy(&shown.sent).into_owned())
    }

    fn with<T>(&self, look: impl FnOnce(&TerminalOutput) -> T) -> T {
        look(&self.shown.lock().expect("the screen"))
    }

    /// Waits until this is on the screen.
    #[track_caller]
    pub(super) fn wait_for_text(&self, what: &str) {
        self.wait_until(what, || self.screen().contains(what));
    }

    /// Waits until a condition is true.
    #[track_caller]
    pub(super) fn wait_until(&self, what: &str, is_so: impl Fn() -> bool) {
        let since = Instant::now();
        while !is_so() {
            let screen = self.screen();
            assert!(since.elapsed() < PATIENCE, "no {what}:\n{screen}");
            sleep(MOMENT);
        }
    }

    /// Resizes the terminal.
    pub(super) fn resize(&mut self, rows: u16, columns: u16) {
        let mut shown = self.shown.lock().expect("the screen");
        shown.screen.screen_mut().set_size(rows, columns);
        set_size(&self.keyboard, rows, columns);
    }

    /// Sends the program a signal.
    pub(super) fn signal(&self, signal: &str) {
        let id = self.program.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits until the program is stopped.
    #[track_caller]
    pub(super) fn wait_until_stopped(&self) {
        let status = format!("/proc/{}/stat", self.program.id());
        let is_stopped = || {
            let status = fs::read_to_string(&status).expect("a process");
            let (_, state) = status.rsplit_once(") ").expect("a state");
            state.starts_with('T')
        };
        self.wait_until("stop", is_stopped);
    }

    /// Checks that the terminal is as it was before the program started.
    #[track_caller]
    pub(super) fn assert_restored(&self) {
        self.wait_until("given back", || !self.is_full());
        self.with(|shown| assert!(!shown.screen.screen().hide_cursor(), "no cursor"));
        let now = tcgetattr(&self.keyboard).expect("its settings");
        let modes = LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        assert!(now.local_modes.contains(modes), "{now:?}");
        assert_eq!(now.local_modes, self.before.local_modes);
        assert_eq!(now.input_modes, self.before.input_modes);
        assert_eq!(now.output_modes, self.before.output_modes);
    }

    /// Types `q`, and checks that the verdict on the journal of four players remains.
    pub(super) fn quit_with_verdict(mut self) {
        self.type_keys("q");
        let screen = self.exits_with(0);
        assert!(
            screen.starts_with("VERIFIED game.json: 53 events"),
            "{screen}"
        );
    }

    /// Waits for the program's exit with this code, and checks that it left the terminal as it was.
    /// Returns the screen.
    #[track_caller]
    pub(super) fn exits_with(mut self, code: i32) -> String {
        let ended = self.wait_for_end();
        assert_eq!(ended, Some(code), "{}", self.screen());
        self.assert_restored();
        self.screen()
    }

    /// Closes the terminal.
    pub(super) fn hang_up(mut self) -> OrphanedProgram {
        self.is_off.store(true, Ordering::Relaxed);
        let viewer = self.viewer.take().expect("a viewer");
        viewer.join().expect("no panic");
        let nothing = File::open("/dev/null").expect("nothing");
        drop(std::mem::replace(&mut self.keyboard, nothing));
        OrphanedProgram(self)
    }

    /// Waits for the program's exit, and returns its code.
    #[track_caller]
    fn wait_for_end(&mut self) -> Option<i32> {
        let since = Instant::now();
        loop {
            if let Some(status) = self.program.try_wait().expect("a child") {
                return status.code();
            }
            assert!(since.elapsed() < PATIENCE, "it goes on:\n{}", self.screen());
            sleep(MOMENT);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.is_off.store(true, Ordering::Relaxed);
        // Fails if the program has already ended.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Program whose terminal is gone.
pub(super) struct OrphanedProgram(Terminal);

impl OrphanedProgram {
    /// Waits for the program's exit, and returns its code if no signal ended it.
    #[track_caller]
    pub(super) fn wait(mut self) -> Option<i32> {
        self.0.wait_for_end()
    }
}

/// Resizes the terminal, and notifies the program.
fn set_size(terminal: &File, rows: u16, columns: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).expect("a size");
}

/// Updates the screen with the program's output until the terminal is closed.
fn view(mut screen: File, shown: &Mutex<TerminalOutput>, is_off: &AtomicBool) {
    let moment = Timespec {
        tv_sec: 0,
        tv_nsec: 20_000_000,
    };
    let mut piece = [0; 4096];
    while !is_off.load(Ordering::Relaxed) {
        let mut fds = [PollFd::new(&screen, PollFlags::IN)];
        let ready = poll(&mut fds, Some(&moment)).unwrap_or(0);
        if ready == 0 {
            continue;
        }
        // While no program has the terminal open, there is nothing to read.
        let Ok(read @ 1..) = screen.read(&mut piece) else {
            sleep(MOMENT);
            continue;
        };
        let mut shown = shown.lock().expect("the screen");
        shown.screen.process(&piece[..read]);
        shown.sent.extend_from_slice(&piece[..read]);
    }
}
