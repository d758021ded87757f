//! The commands `war simulate`, `war enumerate` and `war literature`.

mod cluster;
mod enumeration;
mod figures;
mod foreign;
mod input;
mod interrupted;
mod literature;
mod outputs;
mod readers;

use crate::support::Sandbox;
use std::path::PathBuf;

/// Temporary file beside an output file that is not complete yet, if there is one.
fn unfinished(sandbox: &Sandbox, name: &str) -> Option<PathBuf> {
    let files = sandbox.path(".").read_dir().expect("the directory");
    let mut files = files.map(|file| file.expect("a file").path());
    files.find(|path| {
        let file = path.file_name().expect("a name").to_string_lossy();
        file.starts_with(name) && file.ends_with(".part")
    })
}

/// Rules that the fast kernels support.
const REFERENCE: [&str; 6] = [
    "--rules",
    "bataille",
    "--face-down",
    "1",
    "--collect",
    "winner-first",
];
