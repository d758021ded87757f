use super::room_lease::{self, HighWaterMarks, RoomLease};
use super::schema::{SCHEMA_VERSION, StoreProperties};
use super::session::{QueryError, ReconnectingSession};
use super::statements::{PreparedStatements, StatementName, to_i64, to_u64};
use super::transaction::PostgresTransaction;
use crate::leases::{NodeAddress, RoomRecord};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use war_table::log::TableId;
use war_table::room::{NUMBER_RESERVE, NumberPool, Room, Timeouts};
use war_table::server::rooms::{RoomNumber, RoomPosition};
use war_table::server::store::{Sequence, Store, StoreError, Transaction};
use war_table::time::TableTime;

/// Size of a reserved block of player or game numbers.
const BLOCK_SIZE: i64 = 2 * NUMBER_RESERVE.cast_signed();

/// Forces index lookups for the statements of batches, even if the database's statistics are
/// outdated: no statement may scan a whole table or be planned again. JIT is off since the cost of
/// the disabled plans would trigger it. Applied after the room is loaded, since loading reads many
/// rows.
const FORCE_INDEX_LOOKUPS: &str = "
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET jit = off;
";

/// Number of digests in a scratch row, of 32 characters each: 64 KB, as many as a large batch.
const SCRATCH_DIGESTS: u32 = 2_048;

/// Store of a room in a PostgreSQL database, used by the room's owner during one epoch over a
/// separate connection.
pub struct PostgresRoom {
    lease: RoomLease,
    connection: Arc<ReconnectingSession>,
    properties: StoreProperties,
    /// The table's ID, as a parameter.
    table_id: String,
}

impl PostgresRoom {
    /// Takes a room; returns `None` if it has changed since it was observed.
    pub(super) fn take(
        connection: &Arc<ReconnectingSession>,
        progress: &Arc<HighWaterMarks>,
        properties: StoreProperties,
        seen: &RoomRecord,
        node: &NodeAddress,
    ) -> Result<Option<Self>, StoreError> {
        let session = connection.connect(&application_name(seen.room))?;
        if seen.owner.is_some() {
            session.wait(terminate_owner(session.client(), seen))?;
        }
        session.wait(commit_scratch_row(session.client(), seen.room))?;
        let RowKey { room, epoch, beat } = RowKey::from(seen);
        let sql = "UPDATE room SET epoch = epoch + 1, beat = beat + 1, owner = $4, \
                   version = $5, versioned = epoch + 1, \
                   pid = pg_backend_pid() WHERE id = $1 AND epoch = $2 AND beat = $3 \
                   AND (SELECT min_version FROM about) <= $5 \
                   AND (SELECT id FROM about) = $6 \
                   RETURNING epoch, next_seq, time";
        let table = properties.id.to_string();
        let params: [&(dyn ToSql + Sync); 6] =
            [&room, &epoch, &beat, &node.0, &SCHEMA_VERSION, &table];
        let row = match session.wait(session.client().query_opt(sql, &params)) {
            // The previous owner is still committing.
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => None,
            taken => taken?,
        };
        let Some(row) = row else {
            let is_same = session.wait(is_same_table(session.client(), properties.id));
            session.close();
            return if is_same? {
                Ok(None)
            } else {
                Err(StoreError::TableReplaced)
            };
        };
        let (epoch, next_seq): (i64, i64) = (row.get(0), row.get(1));
        let time = TableTime::from_millis(to_u64(row.get(2))?);
        // Before this update, the row had the previous epoch and the same `next_seq`. Recording
        // both states detects a store that is stale by a single epoch.
        progress.record(seen.room, (epoch - 1, next_seq))?;
        progress.record(seen.room, (epoch, next_seq))?;
        let statements = session.wait(PreparedStatements::prepare(session.client()))?;
        let lease = RoomLease {
            session,
            statements,
            progress: Arc::clone(progress),
            number: seen.room,
            epoch,
            next_seq: Cell::new(next_seq),
            time: Cell::new(time),
            last_numbering: Cell::new(TableTime::ZERO),
            is_lost: Cell::new(false),
            running: RefCell::default(),
        };
        Ok(Some(Self {
            lease,
            connection: Arc::clone(connection),
            properties,
            table_id: table,
        }))
    }

    /// Marks the room as lost and returns the reason why the fence, which checks the room's epoch
    /// and batch number and the table's ID, has failed.
    fn fence_error(&self) -> StoreError {
        self.lease.is_lost.set(true);
        let sql = "SELECT epoch, next_seq, (SELECT id FROM war.about) = $2 FROM war.room \
                   WHERE id = $1";
        let room = self.lease.id();
        let query = async |client: &Client| client.query_opt(sql, &[&room, &self.table_id]).await;
        match self.connection.query(query) {
            Ok(Some(row)) if !row.get::<_, bool>(2) => StoreError::TableReplaced,
            Ok(Some(row)) => {
                let found: (i64, i64) = (row.get(0), row.get(1));
                if found.0 < self.lease.epoch || found.1 < self.lease.next_seq.get() {
                    StoreError::StaleCopy
                } else if found.0 > self.lease.epoch {
                    StoreError::RoomLost
                } else {
                    StoreError::DuplicateBatch
                }
            }
            Ok(None) => StoreError::StaleCopy,
            Err(error) => error,
        }
    }
}

impl Store for PostgresRoom {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let found = self.lease.session.wait(room_lease::read_room_rows(
            self.lease.session.client(),
            self.lease.id(),
        ))?;
        let players = NumberPool::from_block(self.reserve_numbers(Sequence::Players)?);
        let games = NumberPool::from_block(self.reserve_numbers(Sequence::Games)?);
        let mut room = Room::new(timeouts, players, games);
        *self.lease.running.borrow_mut() = room_lease::restore_room(&found, &mut room)?;
        let session = &self.lease.session;
        session.wait(session.client().batch_execute(FORCE_INDEX_LOOKUPS))?;
        Ok(room)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(self.properties.id)
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        Ok(self.lease.time.get())
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn position(&self) -> RoomPosition {
        RoomPosition {
            room: self.lease.number,
            rooms: self.properties.rooms,
        }
    }

    /// Reserves the block in a separate transaction, committed before any number of the block is
    /// used.
    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        let of = match of {
            Sequence::Players => "players",
            Sequence::Games => "games",
        };
        let sql = "UPDATE war.numbers SET next = next + $2 WHERE of = $1 RETURNING next";
        let query = async |client: &Client| client.query_one(sql, &[&of, &BLOCK_SIZE]).await;
        let next: i64 = self.connection.query(query)?.get(0);
        Ok(to_u64(next - BLOCK_SIZE)?..to_u64(next)?)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        if self.lease.is_lost.get() {
            return Err(StoreError::RoomLost);
        }
        let client = self.lease.session.client();
        let (room, next_seq) = (self.lease.id(), self.lease.next_seq.get());
        let begun = async {
            let start = client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
            let fence = self.lease.statements.get(StatementName::Fence);
            let params: [&(dyn ToSql + Sync); 4] =
                [&room, &self.lease.epoch, &next_seq, &self.table_id];
            let fence = client.execute(fence, &params);
            let (started, passed) = tokio::join!(biased; start, fence);
            started?;
            passed.map_err(QueryError::from)
        };
        match self.lease.session.wait(begun) {
            Ok(1) => Ok(Some(Box::new(PostgresTransaction::new(&self.lease)))),
            Ok(_) => {
                self.lease.roll_back();
                Err(self.fence_error())
            }
            // Another node is taking the room. If that node succeeds, the next transaction fails.
            Err(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                self.lease.roll_back();
                Ok(None)
            }
            Err(error) => {
                self.lease.roll_back();
                Err(error.into())
            }
        }
    }

    /// Releases the room for another node.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        let sql = "UPDATE room SET owner = NULL, pid = NULL, beat = beat + 1 \
                   WHERE id = $1 AND epoch = $2";
        let client = self.lease.session.client();
        let room = self.lease.id();
        let released = async { client.execute(sql, &[&room, &self.lease.epoch]).await };
        self.lease.session.wait(released)?;
        self.lease.session.close();
        Ok(())
    }
}

/// True if the database still has the table with this ID.
async fn is_same_table(client: &Client, id: TableId) -> Result<bool, QueryError> {
    let row = client.query_one("SELECT id FROM about", &[]).await?;
    Ok(row.get::<_, &str>(0).parse() == Ok(id))
}

/// Commits a row of a batch's size that nobody ever sees.
///
/// Taking a room changes a row in its place, which a full disk allows, so it does not prove that
/// batches can be committed. The row is long and random, and so stored apart, in pages that its file
/// has to grow by.
async fn commit_scratch_row(client: &Client, room: RoomNumber) -> Result<(), QueryError> {
    let id = format!("00000000-0000-4000-8000-{:012}", room.0);
    let sql = format!(
        "BEGIN; \
         INSERT INTO inbox (id, taken, ask) SELECT '{id}', true, \
             string_agg(md5(random()::text), '') FROM generate_series(1, {SCRATCH_DIGESTS}); \
         DELETE FROM inbox WHERE id = '{id}'; \
         COMMIT"
    );
    Ok(client.batch_execute(&sql).await?)
}

/// `application_name` of the connection of a room's owner.
fn application_name(room: RoomNumber) -> String {
    format!("war room {room}")
}

/// Key of a room's row with the observed epoch and beat, as parameters.
struct RowKey {
    room: i32,
    epoch: i64,
    beat: i64,
}

impl From<&RoomRecord> for RowKey {
    fn from(seen: &RoomRecord) -> Self {
        Self {
            room: i32::from(seen.room.0),
            epoch: to_i64(seen.epoch.0),
            beat: to_i64(seen.beat.0),
        }
    }
}

/// Terminates the connection of the observed owner, unless the room's epoch or beat has changed.
async fn terminate_owner(client: &Client, seen: &RoomRecord) -> Result<(), QueryError> {
    let RowKey { room, epoch, beat } = RowKey::from(seen);
    let sql = "SELECT pg_terminate_backend(owner.pid) FROM room \
               JOIN pg_stat_activity AS owner ON owner.pid = room.pid \
               WHERE id = $1 AND epoch = $2 AND beat = $3 AND application_name = $4 \
               AND datname = current_database() AND usename = current_user";
    client
        .query(sql, &[&room, &epoch, &beat, &application_name(seen.room)])
        .await?;
    Ok(())
}
