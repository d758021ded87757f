//! Programs that run while a test signals and observes them.

use crate::support::{Run, Sandbox};
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit for anything that should not take long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Running program, with standard output and standard error in pipes or files.
pub(super) struct RunningProgram(pub(super) Child);

impl RunningProgram {
    /// Starts the program with the streams that the command sets.
    pub(super) fn start(command: &mut Command) -> Self {
        Self(command.spawn().expect("the program"))
    }

    /// Starts the program with both streams in pipes that nobody reads for now.
    pub(super) fn in_pipes(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = sandbox.command(arguments);
        Self::start(command.stdout(Stdio::piped()).stderr(Stdio::piped()))
    }

    /// Sends a signal, unless the program has ended.
    pub(super) fn signal(&mut self, signal: &str) {
        if self.0.try_wait().expect("a child").is_some() {
            return;
        }
        let id = self.0.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(sent.expect("kill").success());
    }

    /// Waits until a file has this many bytes, or the program has ended.
    pub(super) fn wait_for(&mut self, sandbox: &Sandbox, file: &str, bytes: u64) {
        let length = || fs::metadata(sandbox.path(file)).map_or(0, |file| file.len());
        while length() < bytes && self.0.try_wait().expect("a child").is_none() {
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    /// Waits until the program catches all signals that ask it to end.
    #[cfg(target_os = "linux")]
    pub(super) fn wait_until_signals_are_caught(&mut self) {
        let status = format!("/proc/{}/status", self.0.id());
        let listens = || {
            let status = fs::read_to_string(&status).expect("a process");
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
            let caught = u64::from_str_radix(caught.expect("a mask").trim(), 16);
            // SIGHUP is caught last. The mask shows a signal before its handler is in place, but
            // those before it only afterwards.
            let [hangup, interrupt, terminate] = [1, 1 << 1, 1 << 14];
            let all = hangup | interrupt | terminate;
            caught.expect("a mask") & all == all
        };
        let since = Instant::now();
        while !listens() {
            assert!(since.elapsed() < PATIENCE, "it does not listen");
            assert_eq!(self.0.try_wait().expect("a child"), None, "it ended");
            std::thread::sleep(Duration::from_micros(300));
        }
    }

    /// Waits until the program makes no progress, because its writes are blocked.
    #[cfg(target_os = "linux")]
    pub(super) fn wait_until_stuck(&mut self) {
        let since = Instant::now();
        let mut idle = (self.used(), Instant::now());
        while idle.1.elapsed() < Duration::from_millis(500) {
            assert_eq!(self.0.try_wait().expect("a child"), None, "it ended");
            assert!(since.elapsed() < PATIENCE, "it does not wait");
            std::thread::sleep(Duration::from_millis(20));
            if self.used() != idle.0 {
                idle = (self.used(), Instant::now());
            }
        }
    }

    /// Processor time used, and bytes written.
    #[cfg(target_os = "linux")]
    fn used(&self) -> (String, String) {
        let read = |file: &str| {
            let file = format!("/proc/{}/{file}", self.0.id());
            fs::read_to_string(file).expect("a process")
        };
        let stat = read("stat");
        let times: Vec<_> = stat.split(' ').skip(13).take(2).collect();
        let io = read("io");
        let written = io.lines().find(|line| line.starts_with("wchar"));
        (times.join(" "), written.unwrap_or_default().to_owned())
    }

    /// Waits for the program's end while nobody reads its pipes, and reads them afterwards.
    pub(super) fn wait_unread(mut self) -> Run {
        let since = Instant::now();
        let code = loop {
            if let Some(status) = self.0.try_wait().expect("a child") {
                break status.code().expect("an exit code, not a signal");
            }
            if since.elapsed() > PATIENCE {
                let _ = self.0.kill();
                panic!("it does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let (mut stdout, mut stderr) = (String::new(), String::new());
        if let Some(pipe) = &mut self.0.stdout {
            pipe.read_to_string(&mut stdout).expect("UTF-8 output");
        }
        if let Some(pipe) = &mut self.0.stderr {
            pipe.read_to_string(&mut stderr).expect("UTF-8 errors");
        }
        Run {
            stdout,
            stderr,
            code,
        }
    }

    /// Waits for the program's end, and reads its pipes.
    pub(super) fn wait(self) -> Run {
        Run::from(self.0.wait_with_output().expect("its output"))
    }
}
