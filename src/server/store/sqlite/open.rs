//! Opening the file of a store.

use super::schema::{APPLICATION, SCHEMA, STEPS, VERSION};
use crate::server::store::StoreError;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// How much of the file is kept in memory: a negative number is one of kilobytes. Each
/// player's messages lie together, so that those of many players are many places.
const CACHE: i64 = -65_536;
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
    let file = options.open(path).map_err(StoreError::Lock)?;
    file.try_lock().map_err(|_| StoreError::InUse)?;
    Ok(file)
}

/// The store's one connection that writes, with the tables of today.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(WRITER_PATIENCE)?;
    let missing = missing(&connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "cache_size", CACHE)?;
    if let Some(missing) = missing {
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {missing} PRAGMA application_id = {APPLICATION}; \
             PRAGMA user_version = {VERSION}; COMMIT;"
        ))?;
    }
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// A connection that only reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(READER_PATIENCE)?;
    Ok(connection)
}

/// The statements that bring an empty file, or one of an older version, up to date.
fn missing(connection: &Connection) -> Result<Option<String>, StoreError> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
    let (application, version): (u32, u32) = (number("application_id")?, number("user_version")?);
    let tables: u32 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    let fresh = (application, version, tables) == (0, 0, 0);
    if !fresh && application != APPLICATION {
        return Err(StoreError::Foreign);
    }
    match version {
        0 if fresh => Ok(Some(SCHEMA.to_owned())),
        VERSION => Ok(None),
        newer if newer > VERSION => Err(StoreError::Newer),
        older => Ok(Some(STEPS[older.saturating_sub(1) as usize..].concat())),
    }
}
