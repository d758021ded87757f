#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use crate::server::store::StoreError;
use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The files of a store that is open: what is written into them is lost once they are not at
/// their places any more.
pub(super) struct Watch(Vec<(PathBuf, Identity)>);

/// Device and inode.
type Identity = (u64, u64);

impl Watch {
    /// Watches the database and its log, which both must be there.
    pub(super) fn over(path: &Path) -> Result<Self, StoreError> {
        let mut log = OsString::from(path);
        log.push("-wal");
        let files = [path.to_owned(), log.into()].map(|path| {
            let identity = identity(&path).map_err(StoreError::Lock)?;
            Ok((path, identity))
        });
        let files: Result<Vec<_>, StoreError> = files.into_iter().collect();
        Ok(Self(files?))
    }

    /// Checks that the files are still at their places.
    ///
    /// # Errors
    ///
    /// [`StoreError::Gone`] where one was deleted, moved or replaced.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let stays = |(path, known): &(PathBuf, Identity)| {
            identity(path).is_ok_and(|identity| identity == *known)
        };
        if self.0.iter().all(stays) {
            Ok(())
        } else {
            Err(StoreError::Gone)
        }
    }

    /// The cause of a write that failed: a disk that can only be read any more is only
    /// one that fails to the database.
    pub(super) fn cause(&self, error: rusqlite::Error) -> StoreError {
        // The log alone: to open and close the database would end its locks.
        let log = self.0.last();
        if log.is_some_and(|(path, _)| is_read_only(path)) {
            return StoreError::ReadOnly(Box::new(error));
        }
        error.into()
    }
}

/// Whether the file system of a file can only be read.
fn is_read_only(path: &Path) -> bool {
    let opened = OpenOptions::new().append(true).open(path);
    opened.is_err_and(|error| error.kind() == io::ErrorKind::ReadOnlyFilesystem)
}

fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}
