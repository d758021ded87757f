//! Opening of the file of a store.
#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use super::finished;
use super::marks::away;
use super::schema::{APPLICATION, KEEPS_GAMES, SCHEMA, STEPS, VERSION};
use crate::server::store::StoreError;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much of the file is kept in memory: a negative number is one of kilobytes. Each
/// player's messages lie together, so that those of many players are many places.
const CACHE: i64 = -65_536;
/// From how many pages on the write-ahead log is copied into the database: 64 megabytes. Each
/// player's messages change the same pages again and again, and a page is copied only once.
const LOG_PAGES: i64 = 16_384;
/// How many statements stay prepared.
const STATEMENTS: usize = 32;
/// How long the writer waits for another program.
const WRITER_PATIENCE: Duration = Duration::from_secs(1);
/// How long readers wait for another program.
const READER_PATIENCE: Duration = Duration::from_secs(5);

/// The file of a store, locked while this lives; it is made where there is none.
pub(super) fn lock(path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    // It holds the seeds of running games.
    options.create(true).append(true).mode(0o600);
    lock_by(&options, path)
}

/// The file of a store that there is, locked while this lives.
pub(super) fn existing(path: &Path) -> Result<File, StoreError> {
    let file = lock_by(OpenOptions::new().append(true), path)?;
    match file.metadata().map_err(StoreError::Lock)?.len() {
        0 => Err(StoreError::Missing),
        _ => Ok(file),
    }
}

fn lock_by(options: &OpenOptions, path: &Path) -> Result<File, StoreError> {
    let file = options.open(path).map_err(StoreError::Lock)?;
    file.try_lock().map_err(|_| StoreError::InUse)?;
    Ok(file)
}

/// Takes the file, and those that belong to it, from everybody but the owner.
///
/// The result says whether others had rights to it.
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

/// Takes the file from everybody but the owner and opens what is in it; where that is not a store
/// that this program can use, the file stays as it was.
///
/// The result says besides whether others had rights to it.
pub(super) fn privately<T>(
    file: &File,
    open: impl FnOnce() -> Result<T, StoreError>,
) -> Result<(T, bool), StoreError> {
    let before = file.metadata().map_err(StoreError::Lock)?.permissions();
    let was_open = make_private(file)?;
    let opened = open().inspect_err(|_| {
        // What went wrong before this is what counts.
        let _ = file.set_permissions(before);
    });
    Ok((opened?, was_open))
}

/// The store's one connection that writes, with the tables of today.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = marked(path)?;
    let older = version(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", CACHE)?;
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // A name that is gone does not stay in a page that is written anyway.
    connection.pragma_update(None, "secure_delete", "FAST")?;
    // Otherwise a statement whose plan may depend on a value is planned again for each value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    if older != VERSION {
        let missing = match older {
            0 => SCHEMA.to_owned(),
            older => {
                keep_old(&connection, path, older)?;
                STEPS[older as usize - 1..].concat()
            }
        };
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {missing} PRAGMA application_id = {APPLICATION}; \
             PRAGMA user_version = {VERSION};"
        ))?;
        if (1..KEEPS_GAMES).contains(&older) {
            finished::fold(&connection)?;
        }
        connection.execute_batch("COMMIT")?;
    }
    // The log is opened by the first look at it.
    connection.query_row("SELECT count(*) FROM about", [], |_| Ok(()))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// A connection that writes, whatever the store says of itself.
pub(super) fn marked(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WRITER_PATIENCE)?;
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(READER_PATIENCE)?;
    Ok(connection)
}

/// A connection that only reads, and may be the last one: that one removes the file beside a store
/// when it is closed, which a connection that can't write does not.
pub(super) fn last_reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = marked(path)?;
    connection.busy_timeout(READER_PATIENCE)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

/// The version of a store; that of an empty file is 0.
pub(super) fn version(connection: &Connection) -> Result<u32, StoreError> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
    let (application, version): (u32, u32) = (number("application_id")?, number("user_version")?);
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let fresh = (application, version, tables) == (0, 0, 0);
    if let Some(away) = away(connection, version) {
        return Err(away);
    }
    match version {
        newer if newer > VERSION => Err(StoreError::Newer),
        0 if !fresh => Err(StoreError::Foreign),
        version => Ok(version),
    }
}

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
fn keep_old(from: &Connection, path: &Path, version: u32) -> Result<(), StoreError> {
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
