//! Key file of a card table: created if missing, never overwritten, and read only if nobody else
//! can read it.

use super::input;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use war::journal::sync_directory_of;
use war::signing::{TableKey, TableKeyError};
use war::support::encoding::{EncodingError, decode_utf8};

/// Maximum size of a file, in bytes: a key takes about 300.
const MAX_FILE_SIZE: u64 = 1 << 16;

/// Error for a table key that can't be loaded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableKeyFileError {
    /// Failure to read the file.
    #[error("the key can't be read")]
    Unreadable(#[source] io::Error),
    /// Failure to create the file.
    #[error("the key can't be made")]
    NotCreated(#[source] io::Error),
    /// File with this mode, which gives access to other users than the owner.
    #[error("others can read the key")]
    AccessibleToOthers(u32),
    /// File that is not UTF-8.
    #[error(transparent)]
    NotUtf8(#[from] EncodingError),
    /// Empty file.
    #[error("the key's file is empty")]
    Empty,
    /// File that is not a table's key.
    #[error(transparent)]
    Unusable(#[from] TableKeyError),
}

/// Loads a key, or creates it if the file does not exist; also returns true if it was created.
///
/// # Errors
///
/// If the file is not a table's key, if other users than the owner have access to it, or if it
/// can't be read or created. An existing file is never changed.
pub(crate) fn load_or_create(file: &Path) -> Result<(TableKey, bool), TableKeyFileError> {
    let is_new = match create(file) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
        Err(error) => return Err(TableKeyFileError::NotCreated(error)),
    };
    Ok((load(file)?, is_new))
}

/// Loads a key.
///
/// # Errors
///
/// If the file is not a table's key, if other users than the owner have access to it, or if it
/// can't be read.
pub(crate) fn load(file: &Path) -> Result<TableKey, TableKeyFileError> {
    let found = fs::metadata(file).map_err(TableKeyFileError::Unreadable)?;
    if found.is_dir() {
        let error = io::ErrorKind::IsADirectory.into();
        return Err(TableKeyFileError::Unreadable(error));
    }
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(TableKeyFileError::AccessibleToOthers(mode));
    }
    let read = input::read_limited(file, MAX_FILE_SIZE).map_err(TableKeyFileError::Unreadable)?;
    let bytes = read.unwrap_or_default();
    let text = decode_utf8(&bytes)?;
    if text.trim().is_empty() {
        return Err(TableKeyFileError::Empty);
    }
    Ok(TableKey::parse_file(text)?)
}

/// Loads the public part of a key; `None` if there is no such file.
///
/// # Errors
///
/// As for [`load`].
pub(crate) fn load_public_key(file: &Path) -> Result<Option<[u8; 32]>, TableKeyFileError> {
    let exists = file.try_exists().map_err(TableKeyFileError::Unreadable)?;
    let key = exists.then(|| load(file)).transpose()?;
    Ok(key.map(|key| key.ed25519().verifying_key().to_bytes()))
}

/// Default key file of a table with this store.
pub(crate) fn default_path(store: &Path) -> PathBuf {
    let mut name = OsString::from(store);
    name.push(".key");
    name.into()
}

/// Creates the key file atomically, readable by its owner alone.
fn create(file: &Path) -> io::Result<()> {
    if fs::symlink_metadata(file).is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let directory = match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Temporary files are accessible to their owner alone.
    let mut made = tempfile::NamedTempFile::new_in(directory)?;
    made.write_all(TableKey::generate_file()?.as_bytes())?;
    made.as_file().sync_all()?;
    made.persist_noclobber(file).map_err(|error| error.error)?;
    sync_directory_of(file)
}

#[cfg(test)]
mod tests {
    use super::{TableKeyFileError, load_or_create, load_public_key};
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    use war::signing::TableKeyError;

    #[test]
    fn a_key_is_created_once_for_its_owner_alone() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("table.db.key");
        let (key, is_new) = load_or_create(&file).expect("a key");
        assert!(is_new);
        let mode = fs::metadata(&file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let before = fs::read(&file).expect("a file");
        let (loaded, is_new) = load_or_create(&file).expect("a key");
        assert_eq!((loaded.fingerprint(), is_new), (key.fingerprint(), false));
        assert_eq!(fs::read(&file).expect("a file"), before);
        // No temporary file is left.
        assert_eq!(fs::read_dir(place.path()).expect("a directory").count(), 1);
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("table.key");
        load_or_create(&file).expect("a key");
        for mode in [0o640, 0o604, 0o620, 0o602, 0o601] {
            fs::set_permissions(&file, Permissions::from_mode(mode)).expect("a mode");
            let refused = load_or_create(&file);
            assert!(
                matches!(refused, Err(TableKeyFileError::AccessibleToOthers(found)) if found == mode),
                "{mode:o}"
            );
        }
        fs::set_permissions(&file, Permissions::from_mode(0o400)).expect("a mode");
        assert!(load_or_create(&file).is_ok());
    }

    #[test]
    fn a_file_that_is_not_a_key_is_left_alone() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("table.key");
        for (content, expected) in [
            ("not a key", TableKeyError::Malformed),
            (
                include_str!("../../../../tests/keys/protected.key"),
                TableKeyError::Protected,
            ),
        ] {
            fs::write(&file, content).expect("a file");
            fs::set_permissions(&file, Permissions::from_mode(0o600)).expect("a mode");
            match load_or_create(&file) {
                Err(TableKeyFileError::Unusable(error)) => assert_eq!(error, expected),
                other => panic!("{content}: {other:?}"),
            }
            assert_eq!(fs::read_to_string(&file).expect("a file"), content);
        }
        // A dangling link is not followed: that would create a key elsewhere.
        let link = place.path().join("link.key");
        symlink(place.path().join("nowhere"), &link).expect("a link");
        assert!(matches!(
            load_or_create(&link),
            Err(TableKeyFileError::Unreadable(_))
        ));
        assert!(!place.path().join("nowhere").exists());
        // Neither is a name that the file system does not accept taken for a missing key.
        let long = place.path().join("k".repeat(256));
        assert!(matches!(
            load_public_key(&long),
            Err(TableKeyFileError::Unreadable(_))
        ));
        let none = load_or_create(&place.path().join("none/table.key"));
        assert!(matches!(none, Err(TableKeyFileError::NotCreated(_))));
    }
}
