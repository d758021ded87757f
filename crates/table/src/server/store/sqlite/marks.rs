//! Notes in a store, such as the marks of a table that has moved and of a copy.

use super::schema::SCHEMA_VERSION;
use crate::server::store::{Damage, Sequence, StoreError};
use rusqlite::{Connection, OptionalExtension};

/// Note in a copy of a store until it is confirmed.
const COPY: &str = "copy";
/// Number added to the version of a store from which a table moves or has moved. Earlier programs
/// take the sum for a newer version and refuse the store.
const MOVED_VERSION: u32 = 1_000_000;
/// Note with the target of a move that has begun.
const LEAVING: &str = "leaving";
/// Note with the target of a completed move.
const MOVED: &str = "moved";
/// Note with the public part of the table's signing key.
const PUBLIC_KEY: &str = "public key";

/// Finds the error for a store whose `version` marks it as moved or moving; `None` for any other
/// store.
pub(super) fn find_moved_error(connection: &Connection, version: u32) -> Option<StoreError> {
    version.checked_sub(MOVED_VERSION)?;
    let read = || {
        Ok::<_, StoreError>(
            match (note(connection, MOVED)?, note(connection, LEAVING)?) {
                (Some(to), _) => StoreError::Moved { to },
                (None, Some(to)) if version == MOVED_VERSION + SCHEMA_VERSION => {
                    StoreError::Leaving { to }
                }
                (None, Some(_)) => StoreError::NewerVersion,
                (None, None) => Damage::Layout.into(),
            },
        )
    };
    Some(read().unwrap_or_else(|error| error))
}

/// Marks a store whose table is about to move.
pub(super) fn mark_leaving(connection: &Connection, to: &str) -> Result<(), StoreError> {
    write_note(connection, LEAVING, to)?;
    Ok(connection.pragma_update(None, "user_version", MOVED_VERSION + SCHEMA_VERSION)?)
}

/// Marks a store whose table has moved.
pub(super) fn mark_moved(connection: &Connection, to: &str) -> Result<(), StoreError> {
    write_note(connection, MOVED, to)
}

/// Marks a copy of a store.
pub(super) fn mark_copy(connection: &Connection) -> Result<(), StoreError> {
    write_note(connection, COPY, "unconfirmed")
}

/// Removes the mark of a copy, if there is one.
pub(super) fn confirm_copy(connection: &Connection) -> Result<(), StoreError> {
    if is_unconfirmed_copy(connection)? {
        connection.execute("DELETE FROM note WHERE name = ?1", [COPY])?;
    }
    Ok(())
}

/// Returns true if the store is a copy that is not confirmed yet.
pub(super) fn is_unconfirmed_copy(connection: &Connection) -> Result<bool, StoreError> {
    Ok(note(connection, COPY)?.is_some())
}

/// Reads the public part of the table's key, as noted when the table was moved.
pub(super) fn read_public_key(connection: &Connection) -> Result<Option<[u8; 32]>, StoreError> {
    let key = note(connection, PUBLIC_KEY)?;
    let read = |key: String| {
        let key: war::support::hex::Hex<32> = key.parse().map_err(|_| Damage::Layout)?;
        Ok(*key.bytes())
    };
    key.map(read).transpose()
}

/// Notes the public part of the table's key.
pub(super) fn set_public_key(connection: &Connection, key: [u8; 32]) -> Result<(), StoreError> {
    let key = war::support::hex::Hex::new(key).to_string();
    write_note(connection, PUBLIC_KEY, &key)
}

/// Reads the next free number: after the last one in use, and after those that may have been used
/// before the store was restored.
pub(super) fn read_next_number(connection: &Connection, of: Sequence) -> Result<u64, StoreError> {
    let sql = match of {
        Sequence::Players => "SELECT coalesce(max(id), 0) + 1 FROM player",
        Sequence::Games => "SELECT coalesce(max(game), 0) + 1 FROM event WHERE game IS NOT NULL",
    };
    let first: u64 = connection.query_row(sql, [], |row| row.get(0))?;
    let skipped = note(connection, sequence_note(of))?.map(|number| number.parse::<u64>());
    let skipped = skipped.transpose().map_err(|_| Damage::Layout)?;
    Ok(first.max(skipped.unwrap_or(0)))
}

/// Skips all numbers below this one.
pub(super) fn skip_to(
    connection: &Connection,
    of: Sequence,
    number: u64,
) -> Result<(), StoreError> {
    if number > read_next_number(connection, of)? {
        write_note(connection, sequence_note(of), &number.to_string())?;
    }
    Ok(())
}

const fn sequence_note(of: Sequence) -> &'static str {
    match of {
        Sequence::Players => "next player",
        Sequence::Games => "next game",
    }
}

/// Reads the note of this name.
fn note(connection: &Connection, name: &str) -> Result<Option<String>, StoreError> {
    let sql = "SELECT count(*) FROM sqlite_schema WHERE name = 'note'";
    if connection.query_row(sql, [], |row| row.get::<_, u32>(0))? == 0 {
        return Ok(None);
    }
    let sql = "SELECT value FROM note WHERE name = ?1";
    let value = connection.query_row(sql, [name], |row| row.get(0));
    Ok(value.optional()?)
}

fn write_note(connection: &Connection, name: &str, value: &str) -> Result<(), StoreError> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS note (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    )?;
    let sql = "INSERT OR REPLACE INTO note (name, value) VALUES (?1, ?2)";
    connection.execute(sql, [name, value])?;
    Ok(())
}
