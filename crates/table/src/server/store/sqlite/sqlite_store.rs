use super::marks;
use super::open::{self, Watch, copy};
use super::reader::SqliteReader;
use super::rows::{event, player_by_id};
use super::transaction::SqliteTransaction;
use crate::log::TableId;
use crate::room::{Match, Numbers, PlayerId, Room, RoomEvent, Timeouts};
use crate::server::store::meeting::meeting;
use crate::server::store::{Damage, Numbered, Store, StoreError, Transaction};
use rusqlite::{Connection, ErrorCode, TransactionBehavior};
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use war::support::hex::Hex;
use war::tokens::Kind;

/// The store of a card table in a file, open for its one writer.
pub struct SqliteStore {
    connection: Connection,
    path: PathBuf,
    watch: Watch,
    /// Whether others could read the file until now.
    was_open: bool,
    /// The file, locked as long as the store is open, so that no other server opens it. It is
    /// closed last: that would end the locks of the database too.
    _lock: File,
}

impl SqliteStore {
    /// Opens a store, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file is in use, or is not a store that this program can read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let lock = open::lock(path)?;
        let path = path.canonicalize().map_err(StoreError::Lock)?;
        let (connection, was_open) = open::privately(&lock, || open::writer(&path))?;
        Ok(Self {
            connection,
            watch: Watch::over(&path)?,
            path,
            was_open,
            _lock: lock,
        })
    }

    /// Copies the store in a file as it is at one moment, even while a table writes into it, and
    /// syncs the copy, which only its owner may read.
    ///
    /// `goes_on` hears how many bytes of how many are copied, and says whether to go on.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where one of them fails, where the store is not one that this program can
    /// read, or where there is a file at `to` already: that stays as it is.
    pub fn back_up(
        path: &Path,
        to: &Path,
        mut goes_on: impl FnMut(u64, u64) -> bool,
    ) -> Result<(), StoreError> {
        let store = open::reader(path)?;
        match open::version(&store)? {
            // It is empty.
            0 => Err(StoreError::Foreign),
            _ => copy(&store, to, &mut goes_on),
        }
    }

    /// The public part of the key that the table signed with before it moved here; `None` where it
    /// did not move.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    pub fn public_key(&self) -> Result<Option<[u8; 32]>, StoreError> {
        marks::public_key(&self.connection)
    }

    /// The same of a store that is not open.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file can't be read, or is not a store that this program can read,
    /// or where its table has moved.
    pub fn public_key_in(path: &Path) -> Result<Option<[u8; 32]>, StoreError> {
        if path.is_dir() {
            return Err(StoreError::Lock(io::ErrorKind::IsADirectory.into()));
        }
        let store = open::reader(path)?;
        open::version(&store)?;
        marks::public_key(&store)
    }

    /// Whether others than its owner had rights to the file, until it was opened.
    #[must_use]
    pub const fn was_open_to_others(&self) -> bool {
        self.was_open
    }

    /// The store for a reader of its own.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file can't be opened.
    pub fn reader(&self) -> Result<SqliteReader, StoreError> {
        Ok(SqliteReader::new(open::reader(&self.path)?))
    }

    /// The store for a reader of its own that reads all the time, and is closed after the store.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file can't be opened.
    pub fn last_reader(&self) -> Result<SqliteReader, StoreError> {
        Ok(SqliteReader::new(open::last_reader(&self.path)?))
    }

    /// Brings a player of the store into the room.
    fn admit(&self, room: &mut Room, id: PlayerId) -> Result<(), StoreError> {
        room.admit(id, player_by_id(&self.connection, id)?);
        Ok(())
    }

    fn admit_the_house(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT id FROM player WHERE house";
        let mut statement = self.connection.prepare(sql)?;
        for id in statement.query_map([], |row| row.get(0))? {
            self.admit(room, PlayerId(id?))?;
        }
        Ok(())
    }

    fn admit_waiting(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT player, kind, since, seed_hash, meeting FROM waiting \
                   ORDER BY since, player";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (player, at) = (PlayerId(row.get(0)?), row.get(2)?);
            let kind: String = row.get(1)?;
            let kind = Kind::named(&kind).ok_or(Damage::Kind)?;
            self.admit(room, player)?;
            let seed_hash: Option<[u8; 32]> = row.get(3)?;
            let with: Option<String> = row.get(4)?;
            let chose = RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash: seed_hash.map(Hex::new),
                with: meeting(with.as_deref())?,
            };
            room.apply(&chose).map_err(Damage::from)?;
        }
        Ok(())
    }

    fn resume_games(&self, room: &mut Room) -> Result<(), StoreError> {
        let sql = "SELECT body FROM event WHERE game IN (SELECT game FROM seat) ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        for body in statement.query_map([], |row| row.get::<_, String>(0))? {
            let event = event(&body?)?;
            if let RoomEvent::Matched(Match { seats, .. }) = &event {
                for seat in seats {
                    self.admit(room, *seat)?;
                }
            }
            room.apply(&event).map_err(Damage::from)?;
        }
        Ok(())
    }
}

impl Store for SqliteStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let numbers = |of| self.block(of).map(Numbers::block);
        let (players, games) = (numbers(Numbered::Players)?, numbers(Numbered::Games)?);
        let mut room = Room::new(timeouts, players, games);
        self.admit_the_house(&mut room)?;
        self.admit_waiting(&mut room)?;
        self.resume_games(&mut room)?;
        Ok(room)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        let sql = "SELECT id FROM about";
        let id: String = self.connection.query_row(sql, [], |row| row.get(0))?;
        Ok(id.parse().map_err(|_| Damage::Leaf)?)
    }

    fn time(&self) -> Result<u64, StoreError> {
        let sql = "SELECT time FROM about";
        Ok(self.connection.query_row(sql, [], |row| row.get(0))?)
    }

    fn is_shared(&self) -> bool {
        false
    }

    /// All that were not given yet: nobody else gives any.
    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        Ok(marks::next(&self.connection, of)?..u64::MAX)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        // One that only reads at first could not write any more after another program did.
        let behavior = TransactionBehavior::Immediate;
        match rusqlite::Transaction::new_unchecked(&self.connection, behavior) {
            Ok(transaction) => {
                self.watch.check()?;
                let transaction = SqliteTransaction::new(transaction, &self.watch);
                Ok(Some(Box::new(transaction)))
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Moves all into the one file.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }
}

#[cfg(test)]
mod tests;
