//! Conversion of rows to values.

use crate::protocol::{PlayerId, RequestId};
use crate::room::{Activity, Player, PlayerStatus, RoomEvent};
use crate::server::store::{
    Damage, FriendLinkRecord, MessageRange, StoreError, StoreSecret, StoredMessage,
};
use rusqlite::{Connection, ErrorCode, Params, Row, ffi, params};
use war::support::hex::Hex;
use war::tokens::{Kind, Name};

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::ReadOnly) => Self::ReadOnly(Box::new(error)),
            Some(ErrorCode::DiskFull) => Self::Full(Box::new(error)),
            Some(ErrorCode::NotADatabase) => Self::Foreign,
            Some(ErrorCode::DatabaseCorrupt) => Damage::Pages.into(),
            Some(ErrorCode::DatabaseBusy) => Self::InUse,
            Some(ErrorCode::CannotOpen) => Self::CannotOpen(Box::new(error)),
            _ => find_file_system_error(error),
        }
    }
}

/// Error of the files beside the database, which are told apart by the extended code alone.
fn find_file_system_error(error: rusqlite::Error) -> StoreError {
    let code = error.sqlite_error().map(|error| error.extended_code);
    match code.unwrap_or_default() {
        // On Unix, only locks have the first error. A file that can't be opened has another one.
        ffi::SQLITE_PERM
        | ffi::SQLITE_PROTOCOL
        | ffi::SQLITE_IOERR_LOCK
        | ffi::SQLITE_IOERR_RDLOCK
        | ffi::SQLITE_IOERR_UNLOCK
        | ffi::SQLITE_IOERR_CHECKRESERVEDLOCK
        | ffi::SQLITE_IOERR_SHMLOCK
        | ffi::SQLITE_IOERR_SHMMAP => StoreError::NoLocks(Box::new(error)),
        ffi::SQLITE_IOERR_SHMOPEN => StoreError::CannotOpen(Box::new(error)),
        // The file of the shared memory grows with the log, and there is no room for it.
        ffi::SQLITE_IOERR_SHMSIZE => StoreError::Full(Box::new(error)),
        _ => StoreError::Database(Box::new(error)),
    }
}

/// Finds the player that matches a condition, if there is one.
pub(super) fn find_player(
    connection: &Connection,
    condition: &str,
    params: impl Params,
) -> Result<Option<(PlayerId, Player)>, StoreError> {
    let sql = format!("SELECT {PLAYER_COLUMNS} FROM player WHERE {condition}");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params)?;
    rows.next()?.map(parse_player).transpose()
}

/// Columns of a player, in the order that [`parse_player`] expects.
pub(super) const PLAYER_COLUMNS: &str =
    "id, name, balance, seq, house, name_is_fixed, standing, watchable";

/// Parses a player from a row.
pub(super) fn parse_player(row: &Row<'_>) -> Result<(PlayerId, Player), StoreError> {
    let (name, standing): (String, String) = (row.get(1)?, row.get(6)?);
    let standing = PlayerStatus::from_name(&standing);
    let player = Player {
        name: Name::new(&name).map_err(|_| Damage::Name)?,
        balance: row.get(2)?,
        seq: row.get(3)?,
        house: row.get(4)?,
        name_is_fixed: row.get(5)?,
        status: standing.ok_or(Damage::Player)?,
        watchable: row.get(7)?,
        activity: Activity::Free,
    };
    Ok((PlayerId(row.get(0)?), player))
}

/// Reads a player by number.
pub(super) fn read_player(connection: &Connection, id: PlayerId) -> Result<Player, StoreError> {
    let found = find_player(connection, "id = ?1", [id.0])?;
    let (_, player) = found.ok_or(Damage::Player)?;
    Ok(player)
}

/// Reads up to `limit` messages to a player, in order.
pub(super) fn read_messages(
    connection: &Connection,
    player: PlayerId,
    range: MessageRange,
    limit: u32,
) -> Result<Vec<StoredMessage>, StoreError> {
    let sql = "SELECT seq, body, in_reply_to FROM outbox WHERE player = ?1 AND seq BETWEEN ?2 AND ?3 \
               ORDER BY seq LIMIT ?4";
    let mut statement = connection.prepare_cached(sql)?;
    let within = |number: u64| number.min(i64::MAX as u64);
    let range = params![player.0, within(range.first()), within(range.last()), limit];
    let rows = statement.query_map(range, |row| {
        let in_reply_to: Option<String> = row.get(2)?;
        Ok(StoredMessage {
            seq: row.get(0)?,
            body: row.get(1)?,
            in_reply_to: in_reply_to.and_then(|id| RequestId::new(&id)),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Reads the friend links that meet a condition on a parameter, oldest first.
pub(super) fn read_friend_links(
    connection: &Connection,
    condition: &str,
    params: impl Params,
) -> Result<Vec<FriendLinkRecord>, StoreError> {
    let sql = format!(
        "SELECT player, id, kind, secret_hash FROM friend_link WHERE {condition} ORDER BY number"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params)?;
    let mut links = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(2)?;
        links.push(FriendLinkRecord {
            player: PlayerId(row.get(0)?),
            id: Hex::new(row.get(1)?),
            kind: Kind::from_name(&kind).ok_or(Damage::Layout)?,
            secret_hash: Hex::new(row.get(3)?),
        });
    }
    Ok(links)
}

/// Reads the events of a game in order; empty if there is no such game.
pub(super) fn read_game_events(
    connection: &Connection,
    game: u64,
) -> Result<Vec<RoomEvent>, StoreError> {
    let Ok(game) = i64::try_from(game) else {
        return Ok(Vec::new());
    };
    let sql = "SELECT body FROM event WHERE game = ?1 ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let bodies = statement.query_map([game], |row| row.get(0))?;
    bodies
        .map(|body: Result<String, _>| parse_event(&body?))
        .collect()
}

/// Parses the body of an event.
pub(super) fn parse_event(body: &str) -> Result<RoomEvent, StoreError> {
    Ok(serde_json::from_str(body).map_err(|_| Damage::Event)?)
}

/// Reads the secret of the store.
pub(super) fn read_secret(connection: &Connection) -> Result<StoreSecret, StoreError> {
    let sql = "SELECT secret FROM about";
    let secret: Option<[u8; 32]> = connection.query_row(sql, [], |row| row.get(0))?;
    Ok(secret.map(StoreSecret::new).ok_or(Damage::Layout)?)
}

#[cfg(test)]
mod tests {
    use crate::server::store::StoreError;
    use rusqlite::{Connection, ffi};

    #[test]
    fn refused_locks_are_told_from_a_database_in_use_and_a_failing_disk() {
        let error = |code| {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            StoreError::from(error)
        };
        // The numbers are those of the documentation of SQLite's result codes: `SQLITE_BUSY` and
        // `SQLITE_BUSY_SNAPSHOT`.
        for busy in [5, 517] {
            assert!(matches!(error(busy), StoreError::InUse), "{busy}");
        }
        // `SQLITE_PERM`, `SQLITE_PROTOCOL`, and `SQLITE_IOERR_` with `LOCK`, `RDLOCK`, `UNLOCK`,
        // `CHECKRESERVEDLOCK`, `SHMLOCK` and `SHMMAP`.
        for refused in [3, 15, 3850, 2314, 2058, 3594, 5130, 5386] {
            assert!(
                matches!(error(refused), StoreError::NoLocks(_)),
                "{refused}"
            );
        }
        // `SQLITE_CANTOPEN`, its forms `ISDIR` and `FULLPATH`, and `SQLITE_IOERR_SHMOPEN`.
        for closed in [14, 526, 782, 4618] {
            let error = error(closed);
            assert!(matches!(error, StoreError::CannotOpen(_)), "{closed}");
            assert!(error.is_transient(), "there may be too many open files");
        }
        // `SQLITE_IOERR_SHMSIZE`.
        assert!(matches!(error(4874), StoreError::Full(_)));
        // `SQLITE_IOERR_` with `READ`, `WRITE` and `FSYNC`.
        for other in [266, 778, 1034] {
            assert!(matches!(error(other), StoreError::Database(_)), "{other}");
        }
    }

    #[test]
    fn a_store_that_becomes_read_only_or_full_says_so() {
        for (setting, word) in [
            ("query_only = 1", "read_only"),
            ("max_page_count = 1", "full"),
        ] {
            let store = Connection::open_in_memory().expect("a database");
            let sql = format!("PRAGMA {setting}; CREATE TABLE note (x)");
            let error = store.execute_batch(&sql).expect_err(setting);
            assert_eq!(StoreError::from(error).code(), word, "{setting}");
        }
    }
}
