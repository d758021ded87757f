use crate::server::store::StoreError;
use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Copies a store as it is at one moment, even while a table writes into it, and syncs the copy.
///
/// # Errors
///
/// [`StoreError`] where one of them fails, or where there is a file already, which stays as
/// it is.
pub(super) fn copy(from: &Connection, to: &Path) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    // It holds the seeds of running games.
    let made = options.write(true).create_new(true).mode(0o600).open(to);
    let file = made.map_err(StoreError::Copy)?;
    let mut copy = Connection::open(to)?;
    let backup = Backup::new(from, &mut copy)?;
    let all = -1;
    if backup.step(all)? != StepResult::Done {
        return Err(StoreError::InUse);
    }
    drop(backup);
    copy.close().map_err(|(_, error)| error)?;
    file.sync_all().map_err(StoreError::Copy)?;
    let directory = to.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = File::open(directory.unwrap_or(Path::new(".")));
    let synced = directory.and_then(|directory| directory.sync_all());
    synced.map_err(StoreError::Copy)
}

/// Copies a store of an older version beside it, before it is changed: to the first name that
/// is free.
pub(super) fn keep_old(from: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let mut attempt = 0;
    loop {
        match copy(from, &kept(path, version, attempt)) {
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
