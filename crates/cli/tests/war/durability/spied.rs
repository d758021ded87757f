//! A place where a program's writes and syncs are noted.

use crate::support::Place;
use std::path::Path;
use std::process::Command;

/// A place with the library that notes what a program there writes and syncs.
pub(crate) struct Spied {
    pub(crate) place: Place,
}

impl Spied {
    pub(crate) fn new() -> Self {
        let place = Place::new();
        let compiled = Command::new("rustc")
            .args(["--edition", "2024", "--crate-type", "cdylib", "-o"])
            .arg(place.path("spy.so"))
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/war/durability/spy.rs"))
            .status()
            .expect("the compiler that built this test");
        assert!(compiled.success());
        Self { place }
    }

    /// The program, to be run here.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.place.command(arguments);
        command
            .env("LD_PRELOAD", self.place.path("spy.so"))
            .env("SPY_NOTES", self.place.path("notes"))
            .env("SPY_HARM", self.place.path("harm"));
        command
    }

    /// Lets every write to a database fail from now on, with the error of this number.
    #[cfg(feature = "table")]
    pub(crate) fn fail_with(&self, error: u32) {
        self.place.write("coming", error.to_string());
        let whole = std::fs::rename(self.place.path("coming"), self.place.path("harm"));
        whole.expect("a file");
    }

    /// What was written and synced among these files, by the names given to them here.
    pub(crate) fn notes(&self, names: &[(&str, &str)]) -> Vec<String> {
        let place = self.place.path(".").canonicalize().expect("a place");
        let short = |line: &str| {
            let (call, path) = line.split_once(' ').expect("a call and a path");
            let (_, name) = names.iter().find(|(name, _)| place.join(name) == *path)?;
            Some(format!("{call} {name}"))
        };
        self.place.read("notes").lines().filter_map(short).collect()
    }
}
