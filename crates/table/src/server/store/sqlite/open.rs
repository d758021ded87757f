//! Opening, locking and copying the file of a store.
#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use super::finished;
use super::marks::{find_moved_error, is_unconfirmed_copy, mark_copy};
use super::schema::{
    APPLICATION_ID, CREATE_TABLES, FIRST_VERSION_WITH_GAMES, MIGRATIONS, SCHEMA_VERSION,
};
use crate::server::store::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use rustix::fs::{FlockOperation, fcntl_lock};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use war::journal::sync_directory_of;

/// Size of the page cache; a negative number means kilobytes. The messages of many players are
/// spread over many pages.
const PAGE_CACHE: i64 = -65_536;
/// Number of pages in the write-ahead log that triggers a checkpoint: 64 megabytes. Messages of a
/// player change the same pages again and again, and a checkpoint copies each page only once.
const LOG_PAGES: i64 = 16_384;
/// Capacity of the cache of prepared statements.
const STATEMENT_CACHE: usize = 32;
/// Time that the writer waits for another program's lock.
const WRITER_BUSY_TIMEOUT: Duration = Duration::from_secs(1);
/// Time that readers wait for another program's lock.
const READER_BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the file of a store, creating it if necessary, and locks it until it is closed.
pub(super) fn lock_or_create_file(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    // The file holds the seeds of running games, so only its owner may read it.
    options.create(true).append(true).mode(0o600);
    open_locked(&options, path)
}

/// Opens the file of an existing store and locks it until it is closed.
pub(super) fn lock_existing_file(path: &Path) -> Result<File, StoreError> {
    let file = open_locked(OpenOptions::new().append(true), path)?;
    match file.metadata().map_err(StoreError::Lock)?.len() {
        0 => Err(StoreError::Missing),
        _ => Ok(file),
    }
}

fn open_locked(options: &OpenOptions, path: &Path) -> Result<File, StoreError> {
    let file = options.open(path).map_err(StoreError::Lock)?;
    lock(&file)?;
    Ok(file)
}

/// Locks a file until it is closed.
///
/// # Errors
///
/// [`StoreError::InUse`] if another program has locked it, [`StoreError::NoLocks`] if the file
/// system locks no files.
pub(super) fn lock(file: &File) -> Result<(), StoreError> {
    file.try_lock().map_err(find_lock_error)
}

fn find_lock_error(error: TryLockError) -> StoreError {
    match error {
        TryLockError::WouldBlock => StoreError::InUse,
        TryLockError::Error(error) => StoreError::NoLocks(Box::new(error)),
    }
}

/// Runs `open`, which opens a database and is done with it if it fails. An error that means a
/// database in use is replaced if the file system refuses the locks of databases: `SQLite` itself
/// can't tell these two apart.
pub(super) fn diagnose_locks<T>(
    path: &Path,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    open().map_err(|error| match error {
        StoreError::InUse => find_refused_lock(path).unwrap_or(error),
        error => error,
    })
}

/// Returns the error of a file system that refuses the locks of databases, if it does.
///
/// Closing the file releases the locks that this program has on it, so no database may be open.
fn find_refused_lock(path: &Path) -> Option<StoreError> {
    let file = File::open(path).ok()?;
    let refused = fcntl_lock(&file, FlockOperation::NonBlockingLockShared).err()?;
    find_record_lock_error(refused)
}

/// Returns the error of a file system that refuses record locks; `None` if another program has
/// locked the file.
fn find_record_lock_error(refused: Errno) -> Option<StoreError> {
    let is_taken = matches!(refused, Errno::ACCESS | Errno::AGAIN);
    (!is_taken).then(|| StoreError::NoLocks(Box::new(io::Error::from(refused))))
}

/// Restricts access to the file, and to the files that `SQLite` creates next to it, to the owner.
///
/// Returns true if others had access before.
pub(super) fn make_private(file: &File) -> Result<bool, StoreError> {
    let mut permissions = file.metadata().map_err(StoreError::Lock)?.permissions();
    let open = permissions.mode() & 0o077 != 0;
    if open {
        permissions.set_mode(0o600);
        file.set_permissions(permissions)
            .map_err(StoreError::Lock)?;
    }
    Ok(open)
}

/// Restricts access to the file to the owner and opens the store in it. If that fails, the
/// permissions are restored.
///
/// Also returns true if others had access before.
pub(super) fn open_private<T>(
    file: &File,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<(T, bool), StoreError> {
    let before = file.metadata().map_err(StoreError::Lock)?.permissions();
    let was_open = make_private(file)?;
    let opened = open().inspect_err(|_| {
        // A failure here is ignored, since the first error is the one to report.
        let _ = file.set_permissions(before);
    });
    Ok((opened?, was_open))
}

/// Opens the store's only writing connection, and creates or upgrades its tables.
///
/// # Errors
///
/// [`StoreError`] if the store fails, if this program can't read it, or if it is an unconfirmed
/// copy.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_unchecked(path)?;
    read_version(&connection)?;
    if is_unconfirmed_copy(&connection)? {
        return Err(StoreError::UnconfirmedCopy);
    }
    open_copy_writer(path)
}

/// Opens a writing connection to a store that may be an unconfirmed copy.
pub(super) fn open_copy_writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_unchecked(path)?;
    let older = read_version(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", PAGE_CACHE)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // Overwrites deleted names in pages that are written anyway.
    connection.pragma_update(None, "secure_delete", "FAST")?;
    // Without this setting, statements are planned again for each value that may affect the plan.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    if older != SCHEMA_VERSION {
        let missing = match older {
            0 => CREATE_TABLES.to_owned(),
            older => {
                back_up_old_version(&connection, path, older)?;
                MIGRATIONS[older as usize - 1..].concat()
            }
        };
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {missing} PRAGMA application_id = {APPLICATION_ID}; \
             PRAGMA user_version = {SCHEMA_VERSION};"
        ))?;
        if (1..FIRST_VERSION_WITH_GAMES).contains(&older) {
            finished::rebuild_game_records(&connection)?;
        }
        connection.execute_batch("COMMIT")?;
    }
    // The first read opens the write-ahead log.
    connection.query_row("SELECT count(*) FROM about", [], |_| Ok(()))?;
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    Ok(connection)
}

/// Opens a writing connection without checking marks or version.
pub(super) fn open_unchecked(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WRITER_BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Opens a read-only connection.
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(READER_BUSY_TIMEOUT)?;
    Ok(connection)
}

/// Opens a connection that only reads, but may be closed last. The last connection to be closed
/// removes the extra files next to the store, which a read-only one would not.
pub(super) fn open_cleanup_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = open_unchecked(path)?;
    connection.busy_timeout(READER_BUSY_TIMEOUT)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// Reads the version of a store, which is 0 for an empty file.
pub(super) fn read_version(connection: &Connection) -> Result<u32, StoreError> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
    let (application, version): (u32, u32) = (number("application_id")?, number("user_version")?);
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let fresh = (application, version, tables) == (0, 0, 0);
    if let Some(error) = find_moved_error(connection, version) {
        return Err(error);
    }
    match version {
        newer if newer > SCHEMA_VERSION => Err(StoreError::NewerVersion),
        0 if !fresh => Err(StoreError::Foreign),
        version => Ok(version),
    }
}

/// Number of pages copied in one go.
const PAGES_PER_STEP: i32 = 4096;
/// Size of a page in bytes. A full disk has no space for another page.
const PAGE_SIZE: usize = 4096;

/// Copies a snapshot of a store, even while a table writes to it, and syncs the copy.
///
/// `goes_on` is called with the number of bytes copied and their total, and returns false to stop.
/// `marks` is true for a copy that has to be confirmed before it is served.
///
/// # Errors
///
/// [`StoreError`] if reading or writing fails or the copy is stopped, which leaves no file behind.
/// An existing file is not changed.
pub(super) fn copy_snapshot(
    from: &Connection,
    to: &Path,
    marks: bool,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<(), StoreError> {
    let mut options = OpenOptions::new();
    // The file holds the seeds of running games, so only its owner may read it.
    let made = options.write(true).create_new(true).mode(0o600).open(to);
    let file = made.map_err(StoreError::Copy)?;
    let copied = copy_pages(from, (&file, to), marks, goes_on).and_then(|()| sync_file(&file, to));
    copied.inspect_err(|_| {
        // Marking the copy opens a write-ahead log.
        for suffix in ["", "-wal", "-shm"] {
            let mut name = OsString::from(to);
            name.push(suffix);
            // If the copy can't be removed either, opening it will show that it is incomplete.
            let _ = fs::remove_file(name);
        }
    })
}

/// Finds the cause of a failed copy: an I/O error if the copy can't be written, else `error`.
fn find_copy_error(file: &File, error: rusqlite::Error) -> StoreError {
    let end = file.metadata().map_or(0, |copy| copy.len());
    // The copy is discarded anyway, so that a test write does no harm.
    match file.write_all_at(&[0; PAGE_SIZE], end) {
        Err(error) => StoreError::Copy(error),
        Ok(()) => error.into(),
    }
}

/// Copies all pages into an empty file.
fn copy_pages(
    from: &Connection,
    (file, to): (&File, &Path),
    marks: bool,
    goes_on: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<(), StoreError> {
    // The transaction lasts until all pages are copied. Without it, every write would restart the
    // copy.
    let snapshot = from.unchecked_transaction()?;
    snapshot.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let page: u64 = snapshot.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let bytes = |pages| u64::try_from(pages).unwrap_or(0) * page;
    let mut copy = Connection::open(to)?;
    // A journal file would stay behind if the copy is not finished.
    copy.pragma_update(None, "journal_mode", "MEMORY")?;
    let backup = Backup::new(from, &mut copy)?;
    loop {
        // The cause of an error is looked for before anything frees space on the disk.
        match backup
            .step(PAGES_PER_STEP)
            .map_err(|error| find_copy_error(file, error))?
        {
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
    if marks {
        mark_copy(&copy).map_err(|error| match error {
            StoreError::Full(_) => StoreError::Copy(io::ErrorKind::StorageFull.into()),
            error => error,
        })?;
    }
    copy.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Syncs a file and its directory entry.
pub(super) fn sync_file(file: &File, path: &Path) -> Result<(), StoreError> {
    file.sync_all().map_err(StoreError::Copy)?;
    sync_directory_of(path).map_err(StoreError::Copy)
}

/// Backs up a store of an older version before an upgrade, to the first free name next to the
/// store.
fn back_up_old_version(from: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
    let mut attempt = 0;
    loop {
        match copy_snapshot(
            from,
            &backup_path(path, version, attempt),
            false,
            &mut |_, _| true,
        ) {
            Err(StoreError::Copy(error)) if error.kind() == io::ErrorKind::AlreadyExists => {
                attempt += 1;
            }
            copied => return copied,
        }
    }
}

/// Returns the path for the backup of an older version.
fn backup_path(path: &Path, version: u32, attempt: u32) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".v{version}"));
    if attempt > 0 {
        name.push(format!("-{}", attempt + 1));
    }
    name.push(".bak");
    name.into()
}

/// Files of an open store. Once they are deleted, moved or replaced, writes to them are lost.
pub(super) struct StoreFiles(Vec<(PathBuf, FileId)>);

/// Numbers of a file's device and inode.
type FileId = (u64, u64);

impl StoreFiles {
    /// Notes the identities of the database and its write-ahead log, which must both exist.
    pub(super) fn new(path: &Path) -> Result<Self, StoreError> {
        let mut log = OsString::from(path);
        log.push("-wal");
        let files = [path.to_owned(), log.into()].map(|path| {
            let file_id = file_id(&path).map_err(StoreError::Lock)?;
            Ok((path, file_id))
        });
        let files: Result<Vec<_>, StoreError> = files.into_iter().collect();
        Ok(Self(files?))
    }

    /// Checks that the files are still in place.
    ///
    /// # Errors
    ///
    /// [`StoreError::FileGone`] if a file was deleted, moved or replaced, or the error if the file
    /// system does not tell.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        for (path, known) in &self.0 {
            match file_id(path) {
                Ok(found) if found == *known => {}
                Ok(_) => return Err(StoreError::FileGone),
                Err(error) => return Err(find_access_error(error)),
            }
        }
        Ok(())
    }

    /// Finds the cause of a failed write. `SQLite` itself can't tell that a disk has become
    /// read-only.
    pub(super) fn find_cause(&self, error: rusqlite::Error) -> StoreError {
        // Only the write-ahead log is opened, since opening and closing the database would release
        // the database's locks.
        let log = self.0.last();
        if log.is_some_and(|(path, _)| is_read_only(path)) {
            return StoreError::ReadOnly(Box::new(error));
        }
        error.into()
    }
}

/// Returns true if the file system of a file is read-only.
fn is_read_only(path: &Path) -> bool {
    let opened = OpenOptions::new().append(true).open(path);
    opened.is_err_and(|error| error.kind() == io::ErrorKind::ReadOnlyFilesystem)
}

/// Finds the cause of a failed look at a file of an open store.
fn find_access_error(error: io::Error) -> StoreError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => StoreError::FileGone,
        _ => StoreError::Database(Box::new(error)),
    }
}

fn file_id(path: &Path) -> io::Result<FileId> {
    let metadata = fs::metadata(path)?;
    Ok((metadata.dev(), metadata.ino()))
}

#[cfg(test)]
mod tests {
    use super::{diagnose_locks, find_access_error, find_lock_error, find_record_lock_error, lock};
    use crate::server::store::StoreError;
    use rustix::io::Errno;
    use std::fs::{File, TryLockError};
    use std::io::{self, ErrorKind};

    #[test]
    fn only_a_lock_that_is_taken_means_a_store_in_use() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("table.db");
        let [first, second] = [(); 2].map(|()| File::create(&path).expect("a file"));
        assert!(matches!(lock(&first), Ok(())));
        assert!(matches!(lock(&second), Err(StoreError::InUse)));
        for refused in [Errno::NOLCK, Errno::OPNOTSUPP, Errno::NOSYS, Errno::INVAL] {
            let error = find_lock_error(TryLockError::Error(refused.into()));
            assert!(matches!(error, StoreError::NoLocks(_)), "{refused}");
            let error = find_record_lock_error(refused);
            assert!(matches!(error, Some(StoreError::NoLocks(_))), "{refused}");
        }
        for taken in [Errno::ACCESS, Errno::AGAIN] {
            assert!(find_record_lock_error(taken).is_none(), "{taken}");
        }
    }

    #[test]
    fn a_database_in_use_is_not_blamed_on_the_file_system() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("table.db");
        File::create(&path).expect("a file");
        let opened = diagnose_locks(&path, || Err::<(), _>(StoreError::InUse));
        assert!(matches!(opened, Err(StoreError::InUse)));
    }

    #[test]
    fn a_file_is_gone_only_if_the_file_system_says_so() {
        for gone in [ErrorKind::NotFound, ErrorKind::NotADirectory] {
            let error = find_access_error(gone.into());
            assert!(matches!(error, StoreError::FileGone), "{gone}");
        }
        for unknown in [Errno::IO, Errno::STALE, Errno::ACCESS] {
            let error = find_access_error(io::Error::from(unknown));
            assert!(matches!(error, StoreError::Database(_)), "{unknown}");
        }
    }
}
