#![expect(clippy::disallowed_methods, reason = "a database is a file")]

use super::copy::sync;
use super::moved_rows::{self, Place};
use super::schema::{APPLICATION, SCHEMA, VERSION};
use super::{finished, marks, open};
use crate::server::store::moving::{About, Arrival, Occupant, Part, Row};
use crate::server::store::{Numbered, StoreError};
use rusqlite::{Connection, OpenFlags};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// How every database of `SQLite` begins in its file.
const BEGINNING: &[u8; 16] = b"SQLite format 3\0";

/// The store in a file that a table moves to. It has another name until all is there.
pub struct SqliteArrival {
    path: PathBuf,
    place: Place,
    made: Option<Made>,
}

/// A file that is being filled.
struct Made {
    path: PathBuf,
    connection: Option<Connection>,
    /// Locked, so that no other move fills it too.
    file: File,
}

impl SqliteArrival {
    /// A store that is to be in this file.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            place: Place::default(),
            made: None,
        }
    }

    fn made(&self) -> Result<&Connection, StoreError> {
        let made = self.made.as_ref();
        let connection = made.and_then(|made| made.connection.as_ref());
        connection.ok_or_else(|| StoreError::Copy(io::ErrorKind::NotFound.into()))
    }

    /// The name of the file until all is there.
    fn unfinished(&self) -> PathBuf {
        let mut name = OsString::from(&self.path);
        name.push(".moving");
        name.into()
    }
}

impl Arrival for SqliteArrival {
    fn occupant(&mut self) -> Result<Occupant, StoreError> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Occupant::Nobody),
            found => found.map_err(StoreError::Copy)?,
        };
        let id = || {
            let store = open::reader(&self.path)?;
            open::version(&store)?;
            let sql = "SELECT id FROM about";
            Ok::<String, StoreError>(store.query_row(sql, [], |row| row.get(0))?)
        };
        let id = id().ok().and_then(|id| id.parse().ok());
        Ok(id.map_or(Occupant::Other, Occupant::Table))
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        let path = self.unfinished();
        let file = emptied(&path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&path, flags)?;
        connection.pragma_update(None, "journal_mode", "MEMORY")?;
        // All of it is synced at once, before it gets its name.
        connection.pragma_update(None, "synchronous", "OFF")?;
        connection.execute_batch(&format!("BEGIN; {SCHEMA}"))?;
        self.made = Some(Made {
            path,
            connection: Some(connection),
            file,
        });
        Ok(())
    }

    fn write(&mut self, part: Part, rows: Vec<Row>) -> Result<(), StoreError> {
        moved_rows::write(self.made()?, part, &rows)
    }

    fn finish(&mut self, about: About) -> Result<(), StoreError> {
        let connection = self.made()?;
        let sql = "UPDATE about SET id = ?1, time = ?2, dated = ?3";
        let params = rusqlite::params![about.id.to_string(), about.time, about.dated];
        connection.execute(sql, params)?;
        if let Some(key) = about.public_key {
            marks::keep_public_key(connection, key)?;
        }
        let numbered = [Numbered::Players, Numbered::Games];
        for (of, next) in numbered.into_iter().zip(about.next) {
            marks::skip_to(connection, of, next)?;
        }
        finished::fold(connection)?;
        connection.pragma_update(None, "application_id", APPLICATION)?;
        connection.pragma_update(None, "user_version", VERSION)?;
        Ok(connection.execute_batch("COMMIT")?)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError> {
        let mut place = std::mem::take(&mut self.place);
        let read = place.read(self.made()?, part);
        self.place = place;
        read
    }

    fn settle(&mut self) -> Result<(), StoreError> {
        let Some(mut made) = self.made.take() else {
            return Ok(());
        };
        if let Some(connection) = made.connection.take() {
            connection.close().map_err(|(_, error)| error)?;
        }
        made.file.sync_all().map_err(StoreError::Copy)?;
        // A file that was made there meanwhile is not replaced.
        fs::hard_link(&made.path, &self.path).map_err(StoreError::Copy)?;
        drop(made);
        let file = File::open(&self.path).map_err(StoreError::Copy)?;
        sync(&file, &self.path)
    }
}

/// The file that a store is put together in, empty, for its owner alone and locked. What an
/// earlier attempt left there goes; anything else stays as it is.
fn emptied(path: &Path) -> Result<File, StoreError> {
    let in_the_way = || StoreError::InTheWay(path.to_owned());
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(in_the_way());
    }
    let mut options = OpenOptions::new();
    options.create(true).read(true).append(true).mode(0o600);
    let file = options.open(path).map_err(StoreError::Copy)?;
    file.try_lock().map_err(|_| StoreError::InUse)?;
    let mut beginning = [0; BEGINNING.len()];
    let read = file.read_at(&mut beginning, 0).map_err(StoreError::Copy)?;
    // The first page may have been written last.
    if beginning != *BEGINNING && beginning[..read].iter().any(|byte| *byte != 0) {
        return Err(in_the_way());
    }
    file.set_len(0).map_err(StoreError::Copy)?;
    open::make_private(&file)?;
    Ok(file)
}

impl Drop for Made {
    fn drop(&mut self) {
        // Where it can't be removed, the next move empties it.
        let _ = fs::remove_file(&self.path);
    }
}
