//! Preparation of a store for service, after it was restored from a backup.

use super::exclusive_access::ExclusiveAccess;
use super::relocation::RowCursor;
use super::session::QueryError;
use super::statements::{to_i64, to_u64};
use super::{DatabaseAddress, PostgresTable, pooler, schema};
use tokio_postgres::Client;
use war_table::log::Checkpoint;
use war_table::server::store::rows::{
    SKIPPED_NUMBERS, SKIPPED_PLAYER_NUMBERS, build_continuation_leaf, hash_log,
};
use war_table::server::store::{Damage, Restoration, RowKind, StoreError};
use war_table::time::WallTime;

/// Reads the table's id and counts players and running games.
const READ_COUNTS: &str = "SELECT (SELECT id FROM about), \
    (SELECT count(*) FROM player WHERE NOT house), (SELECT count(DISTINCT game) FROM seat)";

impl PostgresTable {
    /// Prepares a store for further play after it was restored from a backup or to a point in time,
    /// like
    /// [`SqliteStore::prepare_restored`](war_table::server::store::SqliteStore::prepare_restored).
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached or used, if a node uses it, or if it is not
    /// a store that this program can read.
    pub fn prepare_restored(
        address: &DatabaseAddress,
        now: WallTime,
    ) -> Result<Restoration, StoreError> {
        let session = pooler::connect_directly(address, "war table restored")?;
        ExclusiveAccess::check(&session, schema::open_copy)?;
        ExclusiveAccess::begin(&session)?;
        let mut cursor = RowCursor::default();
        let log = hash_log(|| cursor.read(&session, RowKind::Leaves))?;
        let client = session.client();
        let row = session.wait(client.query_one(READ_COUNTS, &[]))?;
        let id = |text: &str| text.parse().map_err(|_| Damage::Leaf);
        let last = Checkpoint {
            table: id(row.get(0))?,
            size: log.size(),
            root: log.root(),
        };
        let (players, void) = (to_u64(row.get(1))?, to_u64(row.get(2))?);
        let table = session.wait(prepare_for_play(client, last, now))?;
        session.wait(schema::confirm_cluster(client, session.system()))?;
        session.wait(client.batch_execute("COMMIT"))?;
        Ok(Restoration {
            last,
            table: id(&table)?,
            players,
            void,
        })
    }

    /// Confirms that a store that was copied to another cluster is complete: nobody played after
    /// the copy was made.
    ///
    /// # Errors
    ///
    /// [`StoreError`] like [`prepare_restored`](Self::prepare_restored).
    pub fn confirm_copy(address: &DatabaseAddress) -> Result<(), StoreError> {
        let session = pooler::connect_directly(address, "war table restored")?;
        ExclusiveAccess::check(&session, schema::open_copy)?;
        Ok(session.wait(schema::confirm_cluster(session.client(), session.system()))?)
    }
}

/// Prepares a restored store for further play; returns the new id of the table.
async fn prepare_for_play(
    client: &Client,
    last: Checkpoint,
    now: WallTime,
) -> Result<String, QueryError> {
    let now_ms = now.as_millis();
    client
        .batch_execute(&format!(
            "DELETE FROM seat; DELETE FROM waiting; DELETE FROM request; DELETE FROM outbox;
             DELETE FROM node; DELETE FROM inbox;
             UPDATE numbers SET next = next + CASE of WHEN 'players' THEN {SKIPPED_PLAYER_NUMBERS} ELSE {SKIPPED_NUMBERS} END;
             UPDATE room SET epoch = epoch + 1, beat = beat + 1, next_seq = next_seq + {SKIPPED_NUMBERS} + 1,
                 owner = NULL, pid = NULL;
             UPDATE player SET seq = seq + {SKIPPED_NUMBERS}, first_seq = seq + {SKIPPED_NUMBERS}, room = NULL
                 WHERE NOT house;
             INSERT INTO outbox (player, seq, at, body) SELECT id, seq, {now_ms}, format(
                 '{{\"seq\":%s,\"type\":\"resync\",\"first_seq\":%s,\"balance\":%s,'
                 '\"place\":\"free\",\"cards\":[]}}', seq, seq + 1, balance
             ) FROM player WHERE NOT house;"
        ))
        .await?;
    let (body, hash) = build_continuation_leaf(last, now);
    let (hash, size, now) = (&hash.bytes()[..], to_i64(last.size), to_i64(now_ms));
    let sql = "INSERT INTO leaf (room, seq, part, number, hash, game, body) \
               SELECT id, next_seq - 1, 0, $1, $2, 0, $3 FROM room WHERE id = 0";
    client.execute(sql, &[&size, &hash, &body]).await?;
    let sql = "INSERT INTO batch (room, seq, epoch, at) \
               SELECT id, next_seq - 1, epoch, $1 FROM room WHERE id = 0";
    client.execute(sql, &[&now]).await?;
    let sql = "UPDATE about SET id = replace(gen_random_uuid()::text, '-', '') RETURNING id";
    let row = client.query_one(sql, &[]).await?;
    Ok(row.get(0))
}
