//! The files that are joined: those that were named, and all of a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What the names of the parts in a directory end with.
const EXTENSION: &str = "json";

/// Why the parts of a directory can't be joined.
#[derive(Debug)]
pub(crate) enum NoParts {
    /// It can't be read.
    Unreadable(PathBuf, io::Error),
    /// There is no part in it.
    Empty(PathBuf),
}

/// The files, and in place of each directory all of its files whose name ends in `.json`, in
/// the order of their names.
pub(crate) fn part_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, NoParts> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let found = parts_in(path);
        let mut found = found.map_err(|error| NoParts::Unreadable(path.clone(), error))?;
        if found.is_empty() {
            return Err(NoParts::Empty(path.clone()));
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn parts_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(directory)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let is_part = |path: &PathBuf| path.extension().is_some_and(|end| end == EXTENSION);
    let wanted = paths.filter(|path| path.as_ref().map_or(true, is_part));
    wanted.collect()
}
