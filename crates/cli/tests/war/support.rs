//! Runs the program in an empty directory with an empty environment.
//!
//! The directory is the program's home too: a user configuration exists only if a test puts it into
//! `.config/war/` there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

pub(crate) use super::shared::*;

/// Source folders of all crates.
pub(crate) fn source_folders() -> Vec<PathBuf> {
    let crates = fs::read_dir(project().join("crates")).expect("the crates");
    let sources = crates.map(|entry| entry.expect("a crate").path().join("src"));
    [project().join("src")].into_iter().chain(sources).collect()
}

/// Files of a folder and its subfolders.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| {
        if path.is_dir() {
            files_below(&path)
        } else {
            vec![path]
        }
    });
    files.collect()
}

/// Temporary directory to run in, without scenarios.
pub(crate) struct Sandbox {
    directory: TempDir,
}

/// Output and exit status of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        fs::create_dir(directory.path().join("no_scenarios")).expect("an empty directory");
        Self { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file, and creates its parent directories.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("its directory");
        fs::write(&path, content).expect("the file");
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("the file")
    }

    /// Command that runs the program in this directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_war"));
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .env("TZ", "UTC")
            .env("HOME", self.directory.path())
            .env("WAR_SCENARIOS", "no_scenarios")
            .stdin(Stdio::null());
        command
    }

    /// Command that runs the program in this directory with a limit on file sizes, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn limited(&self, bytes: u64, arguments: &[&str]) -> Command {
        let command = self.command(&[]);
        let mut limited = Command::new("prlimit");
        limited
            .arg(format!("--fsize={bytes}"))
            .arg(command.get_program())
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .envs(
                command
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdin(Stdio::null());
        limited
    }

    pub(crate) fn war(&self, arguments: &[&str]) -> Run {
        Run::of(&mut self.command(arguments))
    }

    /// Runs the program with this standard input.
    pub(crate) fn war_reading(&self, input: &[u8], arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = start(|| command.spawn());
        let mut stdin = child.stdin.take().expect("its input");
        // Fails if the program refuses early, without reading everything.
        let _ = stdin.write_all(input);
        drop(stdin);
        Run::from(child.wait_with_output().expect("its output"))
    }

    /// Checks the output of a game, live and replayed from its journal.
    #[track_caller]
    pub(crate) fn prints_and_replays(&self, game: &[&str], expected: &str) {
        let recorded = [game, &["--journal", "game.json"]].concat();
        let live = self.war(&recorded).exits_with(0);
        assert!(live.stdout == expected, "{game:?} prints something else");
        let replay = self.war(&["replay", "game.json"]).exits_with(0);
        let replay = replay.reports("VERIFIED");
        assert!(
            replay.stdout == expected,
            "{game:?} replays to something else"
        );
    }

    /// Contents of the log files, in the order in which they were written.
    pub(crate) fn logs(&self) -> Vec<String> {
        let mut paths: Vec<_> = match fs::read_dir(self.path("logs")) {
            Ok(entries) => entries.map(|entry| entry.expect("a file").path()).collect(),
            Err(_) => Vec::new(),
        };
        paths.sort();
        let read = |path| fs::read_to_string(path).expect("a log");
        paths.into_iter().map(read).collect()
    }
}

/// Starts a program. Wine now and then fails to start one, with an internal error and before the
/// program has done anything; then it is started again.
fn start<T>(mut start: impl FnMut() -> io::Result<T>) -> T {
    const ERROR_INTERNAL_ERROR: i32 = 1359;
    for _ in 0..5 {
        match start() {
            Err(error) if cfg!(windows) && error.raw_os_error() == Some(ERROR_INTERNAL_ERROR) => {}
            started => return started.expect("the program"),
        }
    }
    start().expect("the program")
}

impl Run {
    pub(crate) fn of(command: &mut Command) -> Self {
        Self::from(start(|| command.output()))
    }

    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn exits_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:#?}");
        self
    }

    /// Checks that standard error contains this text.
    #[track_caller]
    pub(crate) fn reports(self, what: &str) -> Self {
        assert!(self.stderr.contains(what), "`{what}` in {self:#?}");
        self
    }
}

impl From<std::process::Output> for Run {
    fn from(output: std::process::Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout).expect("UTF-8 output"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8 errors"),
            code: output.status.code().expect("an exit code, not a signal"),
        }
    }
}
