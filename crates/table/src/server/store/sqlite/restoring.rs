//! What is done with the store in a file that was restored from a backup.

use super::moving::Place;
use super::sqlite_store::SqliteStore;
use super::{marks, open};
use crate::log::Checkpoint;
use crate::server::store::moving::Part;
use crate::server::store::restored::{OTHERS, PLAYERS, all_leaves, leaf};
use crate::server::store::{Damage, Numbered, Restoration, StoreError};
use rusqlite::{Connection, params};
use std::path::Path;

impl SqliteStore {
    /// Lets a store go on that was restored from a backup, while nobody serves it: nothing that
    /// was given out since the backup is given out again.
    ///
    /// The table gets another number, which its log says with its last checkpoint; numbers are
    /// skipped; games that run are void, and nobody waits; and all players are told that what
    /// they heard since may not hold. `now` is what the wall clock shows.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the file is in use, or is not a store that this program can read.
    pub fn restored(path: &Path, now: u64) -> Result<Restoration, StoreError> {
        let lock = open::existing(path)?;
        let path = path.canonicalize().map_err(StoreError::Lock)?;
        let (mut connection, _) = open::privately(&lock, || open::writer(&path))?;
        let store = connection.transaction()?;
        let restoration = restore(&store, now)?;
        store.commit()?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        connection.query_row(sql, [], |_| Ok(()))?;
        Ok(restoration)
    }
}

fn restore(store: &Connection, now: u64) -> Result<Restoration, StoreError> {
    let id = || -> Result<_, StoreError> {
        let id: String = store.query_row("SELECT id FROM about", [], |row| row.get(0))?;
        Ok(id.parse().map_err(|_| Damage::Leaf)?)
    };
    let count = |sql: &str| store.query_row(sql, [], |row| row.get(0));
    let mut place = Place::default();
    let log = all_leaves(|| place.read(store, Part::Leaves))?;
    let last = Checkpoint {
        table: id()?,
        size: log.size(),
        root: log.root(),
    };
    let players = count("SELECT count(*) FROM player WHERE NOT house")?;
    let void = count("SELECT count(DISTINCT game) FROM seat")?;
    let skipped = [(Numbered::Players, PLAYERS), (Numbered::Games, OTHERS)];
    for (of, skipped) in skipped {
        marks::skip_to(store, of, marks::next(store, of)? + u64::from(skipped))?;
    }
    store.execute_batch(&format!(
        "DELETE FROM seat; DELETE FROM waiting; DELETE FROM request; DELETE FROM outbox;
         UPDATE about SET id = lower(hex(randomblob(16)));
         UPDATE player SET seq = seq + {OTHERS}, first_seq = seq + {OTHERS} WHERE NOT house;
         INSERT INTO outbox (player, seq, at, body) SELECT id, seq, {now}, json_object(
             'seq', seq, 'type', 'resync', 'first_seq', seq + 1, 'balance', balance,
             'place', 'free', 'cards', json('[]')
         ) FROM player WHERE NOT house ORDER BY id;"
    ))?;
    let (body, hash) = leaf(last, now);
    let sql = "INSERT INTO leaf (number, hash, game, body) VALUES (?1, ?2, 0, ?3)";
    store.execute(sql, params![last.size, hash.bytes(), body])?;
    Ok(Restoration {
        last,
        table: id()?,
        players,
        void,
    })
}
