//! Directory in which a program's writes and syncs are recorded.

use crate::support::Sandbox;
use std::path::Path;
use std::process::Command;

/// Directory with the library that records the writes and syncs of a program there.
pub(crate) struct SpiedSandbox {
    pub(crate) sandbox: Sandbox,
}

impl SpiedSandbox {
    pub(crate) fn new() -> Self {
        let sandbox = Sandbox::new();
        let compiled = Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
            .arg(sandbox.path("spy.so"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/war/durability/spy.rs"))
            .status()
            .expect("the compiler that built this test");
        assert!(compiled.success());
        Self { sandbox }
    }

    /// Command that runs the program in this directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.sandbox.command(arguments);
        command
            .env("LD_PRELOAD", self.sandbox.path("spy.so"))
            .env("SPY_NOTES", self.sandbox.path("notes"))
            .env("SPY_HARM", self.sandbox.path("harm"));
        command
    }

    /// Makes every write to a database fail from now on, with this error number.
    #[cfg(feature = "table")]
    pub(crate) fn fail_with(&self, error: u32) {
        self.sandbox.write("coming", error.to_string());
        let whole = std::fs::rename(self.sandbox.path("coming"), self.sandbox.path("harm"));
        whole.expect("a file");
    }

    /// Writes and syncs of these files, each under the name paired with its path.
    pub(crate) fn notes(&self, names: &[(&str, &str)]) -> Vec<String> {
        let sandbox = self.sandbox.path(".").canonicalize().expect("a place");
        let short = |line: &str| {
            let (call, path) = line.split_once(' ').expect("a call and a path");
            let (_, name) = names.iter().find(|(name, _)| sandbox.join(name) == *path)?;
            Some(format!("{call} {name}"))
        };
        self.sandbox
            .read("notes")
            .lines()
            .filter_map(short)
            .collect()
    }
}
