use crate::server::store::StoreError;
use std::ffi::OsString;
use std::fs;
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
}

fn identity(path: &Path) -> io::Result<Identity> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}
