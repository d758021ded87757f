//! Moving a table into a file or out of it.
#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use super::open::{self, sync_file};
use super::schema::{APPLICATION_ID, CREATE_TABLES, SCHEMA_VERSION};
use super::{finished, marks};
use crate::server::store::moving::{
    ColumnValue, MAX_BATCH_ROWS, MoveSource, MoveTarget, RowKind, RowValues, TableMetadata,
    TargetContent,
};
use crate::server::store::{Damage, Sequence, StoreError, StoreSecret};
use crate::time::{TableTime, WallTime};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params_from_iter};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// First bytes of every `SQLite` database.
const SQLITE_HEADER: &[u8; 16] = b"SQLite format 3\0";

/// File to which a table moves. It has a temporary name until it is complete.
pub struct SqliteMoveTarget {
    path: PathBuf,
    cursor: RowCursor,
    unfinished: Option<UnfinishedFile>,
}

/// File that is being filled.
struct UnfinishedFile {
    path: PathBuf,
    connection: Option<Connection>,
    /// Locked, so that no other move fills it as well.
    file: File,
}

impl SqliteMoveTarget {
    /// Creates the target for a new file at this path.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            cursor: RowCursor::default(),
            unfinished: None,
        }
    }

    fn connection(&self) -> Result<&Connection, StoreError> {
        let unfinished = self.unfinished.as_ref();
        let connection = unfinished.and_then(|unfinished| unfinished.connection.as_ref());
        connection.ok_or_else(|| StoreError::Copy(io::ErrorKind::NotFound.into()))
    }

    /// Returns the temporary path of the file.
    fn unfinished_path(&self) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(".moving");
        name.into()
    }
}

impl MoveTarget for SqliteMoveTarget {
    fn content(&mut self) -> Result<TargetContent, StoreError> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(TargetContent::Empty);
            }
            found => found.map_err(StoreError::Copy)?,
        };
        match fs::metadata(&self.path) {
            Ok(found) if found.is_file() => {}
            // A link may lead nowhere.
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(StoreError::Copy(error));
            }
            Ok(_) | Err(_) => return Ok(TargetContent::Other),
        }
        match open::diagnose_locks(&self.path, || read_id(&self.path)) {
            Ok(id) => {
                let id = id.and_then(|id| id.parse().ok());
                Ok(id.map_or(TargetContent::Other, TargetContent::Table))
            }
            Err(
                StoreError::Foreign
                | StoreError::NewerVersion
                | StoreError::Leaving { .. }
                | StoreError::Moved { .. }
                | StoreError::Damaged(_),
            ) => Ok(TargetContent::Other),
            Err(error) => Err(error),
        }
    }

    fn create(&mut self) -> Result<(), StoreError> {
        let path = self.unfinished_path();
        let file = create_unfinished(&path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = open::diagnose_locks(&path, || {
            let connection = Connection::open_with_flags(&path, flags)?;
            connection.pragma_update(None, "journal_mode", "MEMORY")?;
            // The whole file is synced once, before it gets its final name.
            connection.pragma_update(None, "synchronous", "OFF")?;
            connection.execute_batch(&format!("BEGIN; {CREATE_TABLES}"))?;
            Ok(connection)
        })?;
        self.unfinished = Some(UnfinishedFile {
            path,
            connection: Some(connection),
            file,
        });
        Ok(())
    }

    fn write(&mut self, kind: RowKind, rows: Vec<RowValues>) -> Result<(), StoreError> {
        write(self.connection()?, kind, &rows)
    }

    fn write_metadata(&mut self, metadata: TableMetadata) -> Result<(), StoreError> {
        let connection = self.connection()?;
        let sql = "UPDATE about SET id = ?1, time = ?2, dated = ?3, secret = ?4";
        let params = rusqlite::params![
            metadata.id.to_string(),
            metadata.time.as_millis(),
            metadata.messages_dated_since.as_millis(),
            metadata.secret.reveal()
        ];
        connection.execute(sql, params)?;
        if let Some(key) = metadata.public_key {
            marks::set_public_key(connection, key)?;
        }
        let numbered = [Sequence::Players, Sequence::Games];
        for (of, next) in numbered.into_iter().zip(metadata.next) {
            marks::skip_to(connection, of, next)?;
        }
        finished::rebuild_game_records(connection)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", SCHEMA_VERSION)?;
        Ok(connection.execute_batch("COMMIT")?)
    }

    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError> {
        let mut cursor = std::mem::take(&mut self.cursor);
        let read = cursor.read(self.connection()?, kind);
        self.cursor = cursor;
        read
    }

    fn publish(&mut self) -> Result<(), StoreError> {
        let Some(mut unfinished) = self.unfinished.take() else {
            return Ok(());
        };
        if let Some(connection) = unfinished.connection.take() {
            connection.close().map_err(|(_, error)| error)?;
        }
        unfinished.file.sync_all().map_err(StoreError::Copy)?;
        // Unlike renaming, linking does not replace a file created in the meantime.
        fs::hard_link(&unfinished.path, &self.path).map_err(StoreError::Copy)?;
        drop(unfinished);
        let file = File::open(&self.path).map_err(StoreError::Copy)?;
        sync_file(&file, &self.path)
    }
}

/// Reads the ID of the table in a file; `None` if the file holds none.
fn read_id(path: &Path) -> Result<Option<String>, StoreError> {
    let store = open::open_reader(path)?;
    if open::read_version(&store)? == 0 || !store.table_exists(None, "about")? {
        return Ok(None);
    }
    let sql = "SELECT id FROM about";
    Ok(Some(store.query_row(sql, [], |row| row.get(0))?))
}

/// Creates an empty, private and locked file in which a store is assembled. The remains of an
/// earlier attempt are overwritten, but no other file is.
fn create_unfinished(path: &Path) -> Result<File, StoreError> {
    let in_the_way = || StoreError::PathOccupied(path.to_owned());
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(in_the_way());
    }
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true).mode(0o600);
    let file = options.open(path).map_err(StoreError::Copy)?;
    open::lock(&file)?;
    let mut beginning = [0; SQLITE_HEADER.len()];
    let read = file.read_at(&mut beginning, 0).map_err(StoreError::Copy)?;
    // The first page may not have been written yet.
    if beginning != *SQLITE_HEADER && beginning[..read].iter().any(|byte| *byte != 0) {
        return Err(in_the_way());
    }
    file.set_len(0).map_err(StoreError::Copy)?;
    open::make_private(&file)?;
    Ok(file)
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        // If the file can't be removed, the next move empties it.
        let _ = fs::remove_file(&self.path);
    }
}

/// File from which a table moves.
pub struct SqliteMoveSource {
    connection: Connection,
    /// Target of the move, as shown to people.
    to: String,
    metadata: TableMetadata,
    was_leaving: bool,
    cursor: RowCursor,
    _lock: File,
}

impl SqliteMoveSource {
    /// Opens a store that nobody serves, and begins a transaction. `to` is the target of the move
    /// as shown to people, and `public_key` the public part of the table's key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file is in use or is not a store that this program can read, or if its
    /// table has moved, is moving to another target, or has another key.
    pub fn open(path: &Path, to: &str, public_key: Option<[u8; 32]>) -> Result<Self, StoreError> {
        let lock = open::lock_existing_file(path)?;
        let path = path.canonicalize().map_err(StoreError::Lock)?;
        let open = || match open::open_writer(&path) {
            Ok(connection) => Ok((connection, false)),
            Err(StoreError::Leaving { to: before }) if before == to => {
                Ok((open::open_unchecked(&path)?, true))
            }
            Err(error) => Err(error),
        };
        let open = || open::diagnose_locks(&path, open);
        let ((connection, was_leaving), _) = open::open_private(&lock, open)?;
        let known = marks::read_public_key(&connection)?;
        if public_key
            .zip(known)
            .is_some_and(|(given, known)| given != known)
        {
            return Err(StoreError::OtherKey);
        }
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let sql = "SELECT id, time, dated, secret FROM about";
        let read = |row: &rusqlite::Row<'_>| {
            let (id, secret): (String, Option<[u8; 32]>) = (row.get(0)?, row.get(3)?);
            Ok((id, row.get(1)?, row.get(2)?, secret))
        };
        let (id, time, messages_dated_since, secret) = connection.query_row(sql, [], read)?;
        let metadata = TableMetadata {
            id: id.parse().map_err(|_| Damage::Leaf)?,
            time: TableTime::from_millis(time),
            messages_dated_since: WallTime::from_millis(messages_dated_since),
            public_key: public_key.or(known),
            secret: secret.map(StoreSecret::new).ok_or(Damage::Layout)?,
            next: [
                marks::read_next_number(&connection, Sequence::Players)?,
                marks::read_next_number(&connection, Sequence::Games)?,
            ],
        };
        Ok(Self {
            connection,
            to: to.to_owned(),
            metadata,
            was_leaving,
            cursor: RowCursor::default(),
            _lock: lock,
        })
    }
}

impl MoveSource for SqliteMoveSource {
    fn metadata(&self) -> TableMetadata {
        self.metadata
    }

    fn is_marked_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, kind: RowKind) -> Result<u64, StoreError> {
        count(&self.connection, kind)
    }

    fn read(&mut self, kind: RowKind) -> Result<Vec<RowValues>, StoreError> {
        self.cursor.read(&self.connection, kind)
    }

    fn mark_leaving(&mut self) -> Result<(), StoreError> {
        marks::mark_leaving(&self.connection, &self.to)?;
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    fn mark_moved(&mut self) -> Result<(), StoreError> {
        marks::mark_moved(&self.connection, &self.to)?;
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }
}

/// Returns the table, key and columns of a kind of rows.
const fn row_source(kind: RowKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        RowKind::Players => (
            "player",
            "id",
            "id, token, name, balance, seq, house, name_is_fixed, standing, first_seq, watchable",
        ),
        RowKind::Events => ("event", "id", "id, at, game, body"),
        RowKind::Transfers => ("ledger", "id", "event, debit, credit, tokens"),
        RowKind::Messages => ("outbox", "number", "player, seq, body, at, in_reply_to"),
        RowKind::Answers => (
            "request",
            "number",
            "player, id, at, digest, first, last, refusal",
        ),
        RowKind::Waiting => (
            "waiting",
            "player",
            "player, kind, since, seed_hash, meeting",
        ),
        RowKind::Seats => ("seat", "player", "player, game"),
        RowKind::FriendLinks => ("friend_link", "number", "player, id, kind, secret_hash"),
        RowKind::Leaves => ("leaf", "number", "number, hash, game, body"),
        RowKind::Settlements => (
            "settlement",
            "game",
            "game, engine, lang, renderer, printed, blake3, digest",
        ),
    }
}

/// Cursor over the rows of one kind after the other.
#[derive(Default)]
pub(super) struct RowCursor {
    kind: Option<RowKind>,
    after: i64,
}

impl RowCursor {
    /// Reads the next rows of a kind, from the beginning if the kind changes.
    pub(super) fn read(
        &mut self,
        connection: &Connection,
        kind: RowKind,
    ) -> Result<Vec<RowValues>, StoreError> {
        if self.kind.replace(kind) != Some(kind) {
            self.after = i64::MIN;
        }
        let (table, key, columns) = row_source(kind);
        let sql = format!(
            "SELECT {key}, {columns} FROM {table} WHERE {key} > ?1 ORDER BY {key} LIMIT {MAX_BATCH_ROWS}"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([self.after])?;
        let mut read = Vec::new();
        while let Some(row) = rows.next()? {
            self.after = row.get(0)?;
            let cells = (1..=kind.column_types().len()).map(|at| cell(row.get_ref(at)?));
            read.push(cells.collect::<Result<_, StoreError>>()?);
        }
        Ok(read)
    }
}

/// Counts the rows of a kind.
fn count(connection: &Connection, kind: RowKind) -> Result<u64, StoreError> {
    let (table, ..) = row_source(kind);
    let sql = format!("SELECT count(*) FROM {table}");
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}

/// Inserts rows of a kind.
fn write(connection: &Connection, kind: RowKind, rows: &[RowValues]) -> Result<(), StoreError> {
    let (table, _, columns) = row_source(kind);
    let places = vec!["?"; kind.column_types().len()].join(", ");
    let sql = format!("INSERT INTO {table} ({columns}) VALUES ({places})");
    let mut statement = connection.prepare_cached(&sql)?;
    for row in rows {
        statement.execute(params_from_iter(row))?;
    }
    Ok(())
}

fn cell(value: ValueRef<'_>) -> Result<ColumnValue, StoreError> {
    match Value::try_from(value).map_err(|_| Damage::Layout)? {
        Value::Null => Ok(ColumnValue::Null),
        Value::Integer(number) => Ok(ColumnValue::Number(number)),
        Value::Text(text) => Ok(ColumnValue::Text(text)),
        Value::Blob(bytes) => Ok(ColumnValue::Bytes(bytes)),
        Value::Real(_) => Err(Damage::Layout.into()),
    }
}

impl ToSql for ColumnValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Null => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}

#[cfg(test)]
mod tests {
    use super::SqliteMoveTarget;
    use crate::server::store::StoreError;
    use crate::server::store::moving::{MoveTarget, TargetContent};
    use std::os::unix::fs::symlink;

    #[test]
    fn a_target_that_cannot_be_read_is_not_another_file() {
        let place = tempfile::tempdir().expect("a directory");
        let content = |name: &str| SqliteMoveTarget::new(&place.path().join(name)).content();
        for (name, to) in [("loop", "loop"), ("lost", "nowhere")] {
            symlink(to, place.path().join(name)).expect("a link");
        }
        assert!(matches!(content("loop"), Err(StoreError::Copy(_))));
        assert!(matches!(content("lost"), Ok(TargetContent::Other)));
        assert!(matches!(content("none"), Ok(TargetContent::Empty)));
    }
}
