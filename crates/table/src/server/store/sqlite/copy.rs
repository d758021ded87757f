#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use crate::server::store::StoreError;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How many pages are copied in one go.
const PAGES: i32 = 4096;
/// The size of a page: a disk that is full has no room for one.
const PAGE: usize = 4096;

/// Copies a store as it is at one moment, even while a table writes into it, and syncs the copy.
///
/// `goes_on` hears how many bytes of how many are copied, and says whether to go on.
///
/// # Errors
///
/// [`StoreError`] where one of them fails or nothing is to go on: there is no copy then. Where
/// there is a file already, it stays as it is.
pub(super) fn copy(
    from: &Connection,
    to: &Path,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    // It holds the seeds of running games.
    let made = options.write(true).create_new(true).mode(0o600).open(to);
    let file = made.map_err(StoreError::Copy)?;
    let copied = fill(from, (&file, to), goes_on).and_then(|()| sync(&file, to));
    copied.inspect_err(|_| {
        // Where it can't be removed either, it is found to be incomplete when it is opened.
        let _ = fs::remove_file(to);
    })
}

/// Why no more pages could be copied: what the disk says of it, where it is the one of the copy.
fn cause(file: &File, error: rusqlite::Error) -> StoreError {
    let end = file.metadata().map_or(0, |copy| copy.len());
    // The copy is given up anyway.
    match file.write_all_at(&[0; PAGE], end) {
        Err(error) => StoreError::Copy(error),
        Ok(()) => error.into(),
    }
}

/// Copies all pages into a file that is empty.
fn fill(
    from: &Connection,
    (file, to): (&File, &Path),
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<(), StoreError> {
    // It lasts until all is copied: a copy of several moments would have to begin again with
    // every write.
    let moment = from.unchecked_transaction()?;
    moment.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let page: u64 = moment.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let bytes = |pages| u64::try_from(pages).unwrap_or(0) * page;
    let mut copy = Connection::open(to)?;
    // A file of the changes would stay behind where the copy is not finished.
    copy.pragma_update(None, "journal_mode", "MEMORY")?;
    let backup = Backup::new(from, &mut copy)?;
    loop {
        // Asked at once: what is given up makes room.
        match backup.step(PAGES).map_err(|error| cause(file, error))? {
            StepResult::Done => break,
            StepResult::More => {}
            _ => return Err(StoreError::InUse),
        }
        let left = backup.progress();
        let copied = left.pagecount - left.remaining;
        if !goes_on(bytes(copied), bytes(left.pagecount)) {
            return Err(StoreError::Copy(io::ErrorKind::Interrupted.into()));
        }
    }
    drop(backup);
    copy.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Syncs a file and its place in the directory.
pub(super) fn sync(file: &File, path: &Path) -> Result<(), StoreError> {
    file.sync_all().map_err(StoreError::Copy)?;
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = File::open(directory.unwrap_or(Path::new(".")));
    let synced = directory.and_then(|directory| directory.sync_all());
    synced.map_err(StoreError::Copy)
}

/// Copies a store of an older version beside it, before it is changed: to the first name that
/// is free.
pub(super) fn keep_old(from: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let mut attempt = 0;
    loop {
        match copy(from, &kept(path, version, attempt), &mut |_, _| true) {
            Err(StoreError::Copy(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                attempt += 1;
            }
            copied => return copied,
        }
    }
}

/// The name of a copy of an older version.
fn kept(path: &Path, version: u32, attempt: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".v{version}"));
    if attempt > 0 {
        name.push(format!("-{}", attempt + 1));
    }
    name.push(".bak");
    name.into()
}
