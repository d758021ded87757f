//! `war simulate`, `war enumerate` and `war literature`, as they are called.

mod cluster;
mod enumeration;
mod figures;
mod foreign;
mod input;
mod interrupted;
mod outputs;

use crate::support::Place;
use std::path::PathBuf;

/// The file that is written beside this one until it is whole, if there is one.
fn unfinished(place: &Place, name: &str) -> Option<PathBuf> {
    let files = place.path(".").read_dir().expect("the directory");
    let mut files = files.map(|file| file.expect("a file").path());
    files.find(|path| {
        let file = path.file_name().expect("a name").to_string_lossy();
        file.starts_with(name) && file.ends_with(".part")
    })
}

/// Rules that the fast kernels play.
const REFERENCE: [&str; 6] = [
    "--rules",
    "bataille",
    "--face-down",
    "1",
    "--collect",
    "winner-first",
];
