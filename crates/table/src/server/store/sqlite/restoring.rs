//! Preparation of a store for service, after it was restored from a backup.

use super::moving::RowCursor;
use super::sqlite_store::SqliteStore;
use super::{marks, open};
use crate::log::Checkpoint;
use crate::server::store::moving::RowKind;
use crate::server::store::restoration::{
    SKIPPED_NUMBERS, SKIPPED_PLAYER_NUMBERS, build_continuation_leaf, hash_log,
};
use crate::server::store::{Damage, Restoration, Sequence, StoreError};
use crate::time::WallTime;
use rusqlite::{Connection, params};
use std::path::Path;

impl SqliteStore {
    /// Prepares a store that was restored from a backup, while nobody serves it, so that no number
    /// used since the backup is used again.
    ///
    /// The table gets a new ID, and its log gets a leaf with the last checkpoint under the old ID.
    /// Numbers are skipped. Running games become void, and nobody waits. All players are notified
    /// that messages they received since the backup may no longer be valid.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file is in use, or is not a store that this program can read.
    pub fn prepare_restored(path: &Path, now: WallTime) -> Result<Restoration, StoreError> {
        change_copy(path, |store| restore(store, now))
    }

    /// Confirms that a store is complete: a copy after whose making nobody played.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the file is in use, or is not a store that this program can read.
    pub fn confirm_copy(path: &Path) -> Result<(), StoreError> {
        change_copy(path, marks::confirm_copy)
    }
}

/// Changes a store that nobody serves, and that may be an unconfirmed copy, in one transaction.
fn change_copy<T>(
    path: &Path,
    change: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let lock = open::lock_existing_file(path)?;
    let path = path.canonicalize().map_err(StoreError::Lock)?;
    let open = || open::diagnose_locks(&path, || open::open_copy_writer(&path));
    let (mut connection, _) = open::open_private(&lock, open)?;
    let store = connection.transaction()?;
    let changed = change(&store)?;
    store.commit()?;
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    connection.query_row(sql, [], |_| Ok(()))?;
    Ok(changed)
}

fn restore(store: &Connection, now: WallTime) -> Result<Restoration, StoreError> {
    let id = || -> Result<_, StoreError> {
        let id: String = store.query_row("SELECT id FROM about", [], |row| row.get(0))?;
        Ok(id.parse().map_err(|_| Damage::Leaf)?)
    };
    let count = |sql: &str| store.query_row(sql, [], |row| row.get(0));
    let mut cursor = RowCursor::default();
    let log = hash_log(|| cursor.read(store, RowKind::Leaves))?;
    let last = Checkpoint {
        table: id()?,
        size: log.size(),
        root: log.root(),
    };
    let players = count("SELECT count(*) FROM player WHERE NOT house")?;
    let void = count("SELECT count(DISTINCT game) FROM seat")?;
    let skipped = [
        (Sequence::Players, SKIPPED_PLAYER_NUMBERS),
        (Sequence::Games, SKIPPED_NUMBERS),
    ];
    for (of, skipped) in skipped {
        marks::skip_to(
            store,
            of,
            marks::read_next_number(store, of)? + u64::from(skipped),
        )?;
    }
    marks::confirm_copy(store)?;
    let now_ms = now.as_millis();
    store.execute_batch(&format!(
        "DELETE FROM seat; DELETE FROM waiting; DELETE FROM request; DELETE FROM outbox;
         UPDATE about SET id = lower(hex(randomblob(16)));
         UPDATE player SET seq = seq + {SKIPPED_NUMBERS}, first_seq = seq + {SKIPPED_NUMBERS} WHERE NOT house;
         INSERT INTO outbox (player, seq, at, body) SELECT id, seq, {now_ms}, json_object(
             'seq', seq, 'type', 'resync', 'first_seq', seq + 1, 'balance', balance,
             'place', 'free', 'cards', json('[]')
         ) FROM player WHERE NOT house ORDER BY id;"
    ))?;
    let (body, hash) = build_continuation_leaf(last, now);
    let sql = "INSERT INTO leaf (number, hash, game, body) VALUES (?1, ?2, 0, ?3)";
    store.execute(sql, params![last.size, hash.bytes(), body])?;
    Ok(Restoration {
        last,
        table: id()?,
        players,
        void,
    })
}
