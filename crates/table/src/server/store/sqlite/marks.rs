//! What is noted in a store besides the table, and what marks one whose table has moved.

use super::schema::VERSION;
use crate::server::store::{Damage, Numbered, StoreError};
use rusqlite::{Connection, OptionalExtension};

/// Added to the layout of a store whose table moves or has moved: earlier programs take it for a
/// newer one, and leave it alone.
const AWAY: u32 = 1_000_000;
/// The note of where a table is about to go.
const LEAVING: &str = "leaving";
/// The note of where a table has gone.
const MOVED: &str = "moved";
/// The note of the public part of the key that the table signs with.
const PUBLIC_KEY: &str = "public key";

/// Why a store is not served that is marked, by what its version says.
pub(super) fn away(connection: &Connection, version: u32) -> Option<StoreError> {
    version.checked_sub(AWAY)?;
    let read = || {
        Ok::<_, StoreError>(
            match (note(connection, MOVED)?, note(connection, LEAVING)?) {
                (Some(to), _) => StoreError::Moved { to },
                (None, Some(to)) if version == AWAY + VERSION => StoreError::Leaving { to },
                (None, Some(_)) => StoreError::Newer,
                (None, None) => Damage::Layout.into(),
            },
        )
    };
    Some(read().unwrap_or_else(|error| error))
}

/// Marks a store whose table is about to leave.
pub(super) fn leave(connection: &Connection, to: &str) -> Result<(), StoreError> {
    keep(connection, LEAVING, to)?;
    Ok(connection.pragma_update(None, "user_version", AWAY + VERSION)?)
}

/// Marks a store whose table has left.
pub(super) fn left(connection: &Connection, to: &str) -> Result<(), StoreError> {
    keep(connection, MOVED, to)
}

/// The public part of the key that the table signed with at its last home.
pub(super) fn public_key(connection: &Connection) -> Result<Option<[u8; 32]>, StoreError> {
    let key = note(connection, PUBLIC_KEY)?;
    let read = |key: String| {
        let key: war::support::hex::Hex<32> = key.parse().map_err(|_| Damage::Layout)?;
        Ok(*key.bytes())
    };
    key.map(read).transpose()
}

/// Keeps the public part of the key that the table signs with.
pub(super) fn keep_public_key(connection: &Connection, key: [u8; 32]) -> Result<(), StoreError> {
    let key = war::support::hex::Hex::new(key).to_string();
    keep(connection, PUBLIC_KEY, &key)
}

/// The first number that was not given yet: behind the last one that was, and behind those
/// that may have been given before the store was restored.
pub(super) fn next(connection: &Connection, of: Numbered) -> Result<u64, StoreError> {
    let sql = match of {
        Numbered::Players => "SELECT coalesce(max(id), 0) + 1 FROM player",
        Numbered::Games => "SELECT coalesce(max(game), 0) + 1 FROM event WHERE game IS NOT NULL",
    };
    let first: u64 = connection.query_row(sql, [], |row| row.get(0))?;
    let skipped = note(connection, name(of))?.map(|number| number.parse::<u64>());
    let skipped = skipped.transpose().map_err(|_| Damage::Layout)?;
    Ok(first.max(skipped.unwrap_or(0)))
}

/// Skips all numbers below this one.
pub(super) fn skip_to(
    connection: &Connection,
    of: Numbered,
    number: u64,
) -> Result<(), StoreError> {
    if number > next(connection, of)? {
        keep(connection, name(of), &number.to_string())?;
    }
    Ok(())
}

const fn name(of: Numbered) -> &'static str {
    match of {
        Numbered::Players => "next player",
        Numbered::Games => "next game",
    }
}

/// What is noted under a name.
fn note(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'note'";
    if connection.query_row(sql, [], |row| row.get::<_, u32>(0))? == 0 {
        return Ok(None);
    }
    let sql = "SELECT value FROM note WHERE name = ?1";
    let value = connection.query_row(sql, [name], |row| row.get(0));
    Ok(value.optional()?)
}

fn keep(connection: &Connection, name: &str, value: &str) -> Result<(), StoreError> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    )?;
    let sql = "INSERT OR REPLACE INTO note (name, value) VALUES (?1, ?2)";
    connection.execute(sql, [name, value])?;
    Ok(())
}
