//! Opening the file of a store.
#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use super::copy::keep_old;
use super::finished;
use super::marks::away;
use super::schema::{APPLICATION, KEEPS_GAMES, SCHEMA, STEPS, VERSION};
use crate::server::store::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
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
