use super::moved_rows::{self, Place};
use super::{marks, open};
use crate::server::store::moving::{About, Departure, Part, Row};
use crate::server::store::{Damage, Numbered, StoreError};
use rusqlite::Connection;
use std::fs::File;
use std::path::Path;

/// The store in a file that a table leaves.
pub struct SqliteDeparture {
    connection: Connection,
    /// Where the table goes, as it is shown to people.
    to: String,
    about: About,
    was_leaving: bool,
    place: Place,
    _lock: File,
}

impl SqliteDeparture {
    /// Opens a store that nobody serves; what is done in it is one transaction. `to` is where
    /// the table goes, as it is shown to people, and `public_key` is the public part of its key.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file is in use, is not a store that this program can read, where
    /// its table has moved, or is about to go somewhere else, or has another key.
    pub fn open(path: &Path, to: &str, public_key: Option<[u8; 32]>) -> Result<Self, StoreError> {
        let lock = open::existing(path)?;
        let path = path.canonicalize().map_err(StoreError::Lock)?;
        let open = || match open::writer(&path) {
            Ok(connection) => Ok((connection, false)),
            Err(StoreError::Leaving { to: before }) if before == to => {
                Ok((open::marked(&path)?, true))
            }
            Err(error) => Err(error),
        };
        let ((connection, was_leaving), _) = open::privately(&lock, open)?;
        let known = marks::public_key(&connection)?;
        if public_key
            .zip(known)
            .is_some_and(|(given, known)| given != known)
        {
            return Err(StoreError::OtherKey);
        }
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let sql = "SELECT id, time, dated FROM about";
        let read =
            |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?));
        let (id, time, dated) = connection.query_row(sql, [], read)?;
        let about = About {
            id: id.parse().map_err(|_| Damage::Leaf)?,
            time,
            dated,
            public_key: public_key.or(known),
            next: [
                marks::next(&connection, Numbered::Players)?,
                marks::next(&connection, Numbered::Games)?,
            ],
        };
        Ok(Self {
            connection,
            to: to.to_owned(),
            about,
            was_leaving,
            place: Place::default(),
            _lock: lock,
        })
    }
}

impl Departure for SqliteDeparture {
    fn about(&self) -> About {
        self.about
    }

    fn was_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, part: Part) -> Result<u64, StoreError> {
        moved_rows::count(&self.connection, part)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Row>, StoreError> {
        self.place.read(&self.connection, part)
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        marks::leave(&self.connection, &self.to)?;
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    fn left(&mut self) -> Result<(), StoreError> {
        marks::left(&self.connection, &self.to)?;
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }
}
