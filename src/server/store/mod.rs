//! The embedded store: every event of the room, and what follows from it, in one file.
//!
//! Events, ledger, messages and answers of a batch of commands are one transaction, synced
//! before anybody is told. This is the one place that knows SQL.

mod batch;
mod reader;

pub(super) use batch::Batch;
pub(super) use reader::Reader;

use crate::hex::Hex;
use crate::room::{AccessToken, Place, Player, PlayerId, RequestId, Room, RoomEvent, Timeouts};
use crate::tokens::{Kind, Name};
use reader::{event, messages};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The layout of the tables; a file of a newer one is refused.
const VERSION: u32 = 2;
/// How much of the file is kept in memory: a negative number is one of kilobytes. Each
/// player's messages lie together, so that those of many players are many places.
const CACHE: i64 = -65_536;
/// Marks the file as a card table: the letters W, a, r and T.
const APPLICATION: u32 = 0x5761_7254;

const SCHEMA: &str = "
CREATE TABLE player (
    id INTEGER PRIMARY KEY, token BLOB NOT NULL UNIQUE, name TEXT NOT NULL,
    balance INTEGER NOT NULL, seq INTEGER NOT NULL, house INTEGER NOT NULL
) STRICT;
CREATE TABLE event (
    id INTEGER PRIMARY KEY, at INTEGER NOT NULL, game INTEGER, body TEXT NOT NULL
) STRICT;
CREATE INDEX event_of_game ON event (game) WHERE game IS NOT NULL;
CREATE TABLE ledger (
    id INTEGER PRIMARY KEY, event INTEGER NOT NULL, debit INTEGER NOT NULL,
    credit INTEGER NOT NULL, tokens INTEGER NOT NULL CHECK (tokens > 0)
) STRICT;
CREATE TABLE outbox (
    player INTEGER NOT NULL, seq INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (player, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE request (
    number INTEGER PRIMARY KEY, player INTEGER NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL,
    digest BLOB NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, UNIQUE (player, id)
) STRICT;
CREATE TABLE waiting (player INTEGER PRIMARY KEY, kind TEXT NOT NULL, since INTEGER NOT NULL) STRICT;
CREATE TABLE seat (player INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;
CREATE INDEX player_of_house ON player (id) WHERE house;
";

/// Makes a store of version 2 of one of version 1, which kept no seats.
const FROM_VERSION_1: &str = "
CREATE TABLE seat (player INTEGER PRIMARY KEY, game INTEGER NOT NULL) STRICT;
CREATE INDEX player_of_house ON player (id) WHERE house;
INSERT INTO seat SELECT seats.value, event.game FROM event, json_each(body, '$.matched.seats') AS seats
    WHERE event.game IN (SELECT game FROM running);
DROP TABLE running;
";

/// A store that fails, or that holds what this program can't read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database failed.
    #[error(transparent)]
    Sql(#[from] rusqlite::Error),
    /// The lock beside the file can't be made.
    #[error(transparent)]
    Lock(#[from] std::io::Error),
    /// Another server has it open.
    #[error("another server uses this store")]
    InUse,
    /// The file is a database of another program.
    #[error("this is no store of a card table")]
    Foreign,
    /// The file is a store of a newer version.
    #[error("this is a store of a newer version")]
    Newer,
    /// The thread that writes the store is gone.
    #[error("the store's thread is gone")]
    Panicked,
    /// What is stored does not fit together. It is not told what: it may be secret.
    #[error("the store holds what does not fit together: {0}")]
    Damaged(&'static str),
}

/// The store of a card table, open for its one writer.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    /// The file, locked as long as the store is open, so that no other server opens it. It is
    /// closed last: that would end the locks of the database too.
    _lock: File,
}

/// What was answered to a request.
pub(super) struct Answer {
    pub(super) digest: Hex<16>,
    /// The first and the last of the messages that the player got for it.
    pub(super) messages: (u64, u64),
}

impl Store {
    /// Opens a store, and makes it where there is none.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file is in use, or is no store that this program can read.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // It holds the seeds of running games.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let lock = options.open(path)?;
        lock.try_lock().map_err(|_| StoreError::InUse)?;
        let path = &path.canonicalize()?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(Duration::from_secs(1))?;
        let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get(0));
        let (application, version): (u32, u32) =
            (number("application_id")?, number("user_version")?);
        let tables: u32 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        let fresh = (application, version, tables) == (0, 0, 0);
        if !fresh && application != APPLICATION {
            return Err(StoreError::Foreign);
        }
        if version > VERSION {
            return Err(StoreError::Newer);
        }
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "cache_size", CACHE)?;
        let missing = match version {
            0 if fresh => Some(SCHEMA),
            1 => Some(FROM_VERSION_1),
            _ => None,
        };
        if let Some(missing) = missing {
            connection.execute_batch(&format!(
                "BEGIN IMMEDIATE; {missing} PRAGMA application_id = {APPLICATION}; \
                 PRAGMA user_version = {VERSION}; COMMIT;"
            ))?;
        }
        connection.set_prepared_statement_cache_capacity(32);
        Ok(Self {
            connection,
            path: path.to_owned(),
            _lock: lock,
        })
    }

    /// The store for a reader of its own.
    pub(super) fn reader(&self) -> Result<Reader, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(Reader(connection))
    }

    /// The time in milliseconds since 1970, by the clock that deadlines are kept by.
    pub(super) fn now(&self) -> Result<u64, StoreError> {
        let sql = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";
        let mut statement = self.connection.prepare_cached(sql)?;
        Ok(statement.query_row([], |row| row.get(0))?)
    }

    /// Moves all into the one file.
    pub(super) fn close(self) -> Result<(), StoreError> {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        Ok(self.connection.query_row(sql, [], |_| Ok(()))?)
    }

    /// The room as it was after the last command.
    ///
    /// In it are the house players, those who wait, and those who play.
    pub(super) fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let next = |sql: &str| self.connection.query_row(sql, [], |row| row.get(0));
        let next_player = next("SELECT coalesce(max(id), 0) + 1 FROM player")?;
        let next_game =
            next("SELECT coalesce(max(game), 0) + 1 FROM event WHERE game IS NOT NULL")?;
        let mut room = Room::new(timeouts, next_player, next_game);
        let mut statement = self
            .connection
            .prepare("SELECT id FROM player WHERE house")?;
        for id in statement.query_map([], |row| row.get(0))? {
            self.admit(&mut room, PlayerId(id?))?;
        }
        let sql = "SELECT player, kind, since FROM waiting ORDER BY since, player";
        let mut statement = self.connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (player, at) = (PlayerId(row.get(0)?), row.get(2)?);
            let kind: String = row.get(1)?;
            let kind = Kind::named(&kind).ok_or(StoreError::Damaged("a game of no kind"))?;
            self.admit(&mut room, player)?;
            apply(&mut room, &RoomEvent::Chose { player, kind, at })?;
        }
        let sql = "SELECT body FROM event WHERE game IN (SELECT game FROM seat) ORDER BY id";
        let mut statement = self.connection.prepare(sql)?;
        for body in statement.query_map([], |row| row.get::<_, String>(0))? {
            let event = event(&body?)?;
            if let RoomEvent::Matched { seats, .. } = &event {
                for seat in seats {
                    self.admit(&mut room, *seat)?;
                }
            }
            apply(&mut room, &event)?;
        }
        Ok(room)
    }

    /// Brings a player of the store into the room.
    fn admit(&self, room: &mut Room, id: PlayerId) -> Result<(), StoreError> {
        let sql = "SELECT name, balance, seq, house FROM player WHERE id = ?1";
        let mut statement = self.connection.prepare_cached(sql)?;
        let (name, balance, seq, house) = statement.query_row([id.0], |row| {
            let name: String = row.get(0)?;
            Ok((name, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
        let name = Name::new(&name).map_err(|_| StoreError::Damaged("a bad name"))?;
        let player = Player {
            name,
            balance,
            seq,
            house,
            place: Place::Free,
        };
        room.admit(id, player);
        Ok(())
    }

    /// Brings the player of this token into the room, where there is one.
    pub(super) fn admit_by_token(
        &self,
        room: &mut Room,
        token: &AccessToken,
    ) -> Result<Option<PlayerId>, StoreError> {
        let sql = "SELECT id FROM player WHERE token = ?1 AND NOT house";
        let mut statement = self.connection.prepare_cached(sql)?;
        let id = statement.query_row([hashed(token)], |row| row.get(0));
        let Some(id) = id.optional()?.map(PlayerId) else {
            return Ok(None);
        };
        if room.player(id).is_none() {
            self.admit(room, id)?;
        }
        Ok(Some(id))
    }

    /// What was answered to this request of a player.
    pub(super) fn answer(
        &self,
        player: PlayerId,
        id: &RequestId,
    ) -> Result<Option<Answer>, StoreError> {
        let sql = "SELECT digest, first, last FROM request WHERE player = ?1 AND id = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let answer = statement.query_row(params![player.0, id.as_str()], |row| {
            Ok(Answer {
                digest: Hex::new(row.get(0)?),
                messages: (row.get(1)?, row.get(2)?),
            })
        });
        Ok(answer.optional()?)
    }

    /// The messages from `first` to `last` to a player, also those not committed yet.
    pub(super) fn messages(
        &self,
        player: PlayerId,
        (first, last): (u64, u64),
    ) -> Result<Vec<(u64, String)>, StoreError> {
        messages(&self.connection, player, (first, last))
    }

    /// Begins a transaction; it ends with [`Transaction::commit`], or with nothing done.
    ///
    /// The result is `None` where another program writes into the store for too long.
    pub(super) fn begin(&self) -> Result<Option<Batch<'_>>, StoreError> {
        // One that only reads at first could not write any more after somebody else did.
        let behavior = TransactionBehavior::Immediate;
        match Transaction::new_unchecked(&self.connection, behavior) {
            Ok(transaction) => Ok(Some(Batch(transaction))),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn apply(room: &mut Room, event: &RoomEvent) -> Result<(), StoreError> {
    room.apply(event)
        .map_err(|_| StoreError::Damaged("an event that does not follow from those before it"))
}

/// A token as the store knows it: whoever reads the store can't act for a player.
fn hashed(token: &AccessToken) -> Vec<u8> {
    Sha256::digest(token.bytes()).to_vec()
}
