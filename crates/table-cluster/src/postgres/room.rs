use super::schema::{About, VERSION};
use super::session::{Line, Trouble};
use super::statements::{Sql, Statements, number, signed};
use super::tenure::{self, Heights, Tenure};
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
use war_table::server::rooms::{Location, RoomNumber};
use war_table::server::store::{Numbered, Store, StoreError, Transaction};

/// How many numbers are taken at once: enough to go on for a while.
const BLOCK: i64 = 2 * NUMBER_RESERVE.cast_signed();

/// All that a batch reads and changes is found by keys, whatever the database believes of tables that
/// it has not looked at lately: it must not read them whole, nor plan the same statement again. A
/// forbidden way counts as so dear that the plan would be compiled. It is so once the room is loaded,
/// which may need much at once.
const BY_KEY: &str = "
    SET plan_cache_mode = force_generic_plan;
    SET enable_seqscan = off;
    SET enable_bitmapscan = off;
    SET enable_hashjoin = off;
    SET enable_mergejoin = off;
    SET jit = off;
";

/// A room of a card table in a PostgreSQL database, as its owner in one epoch sees it, with a
/// connection of its own.
pub struct PostgresRoom {
    tenure: Tenure,
    line: Arc<Line>,
    about: About,
}

impl PostgresRoom {
    /// Takes a room that is still as it was seen.
    pub(super) fn take(
        line: &Arc<Line>,
        heights: &Arc<Heights>,
        about: About,
        seen: &RoomRecord,
        node: &NodeAddress,
    ) -> Result<Option<Self>, StoreError> {
        let session = line.connect(&name(seen.room))?;
        if seen.owner.is_some() {
            session.wait(end_owner(session.client(), seen))?;
        }
        let (room, epoch, beat) = key(seen);
        let sql = "UPDATE room SET epoch = epoch + 1, beat = beat + 1, owner = $4, \
                   version = $5, versioned = epoch + 1, \
                   pid = pg_backend_pid() WHERE id = $1 AND epoch = $2 AND beat = $3 \
                   AND (SELECT min_version FROM about) <= $5 \
                   RETURNING epoch, next_seq, time";
        let params: [&(dyn ToSql + Sync); 5] = [&room, &epoch, &beat, &node.0, &VERSION];
        let row = match session.wait(session.client().query_opt(sql, &params)) {
            // The owner is still about to commit.
            Err(trouble) if trouble.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => None,
            taken => taken?,
        };
        let Some(row) = row else {
            session.close();
            return Ok(None);
        };
        let (epoch, next_seq): (i64, i64) = (row.get(0), row.get(1));
        let time = number(row.get(2))?;
        // It had been taken before, in an epoch of its own.
        heights.note(seen.room, (epoch - 1, next_seq))?;
        heights.note(seen.room, (epoch, next_seq))?;
        let statements = session.wait(Statements::prepare(session.client()))?;
        let tenure = Tenure {
            session,
            statements,
            heights: Arc::clone(heights),
            number: seen.room,
            epoch,
            next_seq: Cell::new(next_seq),
            time: Cell::new(time),
            numbered: Cell::new(0),
            spent: Cell::new(false),
            running: RefCell::default(),
        };
        Ok(Some(Self {
            tenure,
            line: Arc::clone(line),
            about,
        }))
    }

    /// Why the fence let nobody through.
    fn shut_out(&self) -> StoreError {
        self.tenure.spent.set(true);
        let sql = "SELECT epoch, next_seq FROM war.room WHERE id = $1";
        let room = self.tenure.id();
        let asked = async |client: &Client| client.query_opt(sql, &[&room]).await;
        match self.line.ask(asked) {
            Ok(Some(row)) => {
                let found: (i64, i64) = (row.get(0), row.get(1));
                if found.0 < self.tenure.epoch || found.1 < self.tenure.next_seq.get() {
                    StoreError::WentBack
                } else if found.0 > self.tenure.epoch {
                    StoreError::Lost
                } else {
                    StoreError::Twice
                }
            }
            Ok(None) => StoreError::WentBack,
            Err(error) => error,
        }
    }
}

impl Store for PostgresRoom {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let found = self
            .tenure
            .session
            .wait(tenure::find(self.tenure.session.client(), self.tenure.id()))?;
        let players = NumberPool::block(self.block(Numbered::Players)?);
        let games = NumberPool::block(self.block(Numbered::Games)?);
        let mut room = Room::new(timeouts, players, games);
        *self.tenure.running.borrow_mut() = tenure::load(&found, &mut room)?;
        let session = &self.tenure.session;
        session.wait(session.client().batch_execute(BY_KEY))?;
        Ok(room)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(self.about.id)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.tenure.time.get())
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn location(&self) -> Location {
        Location {
            room: self.tenure.number,
            rooms: self.about.rooms,
        }
    }

    /// It is committed in a transaction of its own, before anybody uses one of them.
    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        let of = match of {
            Numbered::Players => "players",
            Numbered::Games => "games",
        };
        let sql = "UPDATE war.numbers SET next = next + $2 WHERE of = $1 RETURNING next";
        let asked = async |client: &Client| client.query_one(sql, &[&of, &BLOCK]).await;
        let next: i64 = self.line.ask(asked)?.get(0);
        Ok(number(next - BLOCK)?..number(next)?)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        if self.tenure.spent.get() {
            return Err(StoreError::Lost);
        }
        let client = self.tenure.session.client();
        let (room, next_seq) = (self.tenure.id(), self.tenure.next_seq.get());
        let begun = async {
            let start = client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
            let fence = self.tenure.statements.of(Sql::Fence);
            let params: [&(dyn ToSql + Sync); 3] = [&room, &self.tenure.epoch, &next_seq];
            let fence = client.execute(fence, &params);
            let (started, passed) = tokio::join!(biased; start, fence);
            started?;
            passed.map_err(Trouble::from)
        };
        match self.tenure.session.wait(begun) {
            Ok(1) => Ok(Some(Box::new(PostgresTransaction::new(&self.tenure)))),
            Ok(_) => {
                self.tenure.roll_back();
                Err(self.shut_out())
            }
            // Somebody is about to take it: it is seen next time.
            Err(trouble) if trouble.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                self.tenure.roll_back();
                Ok(None)
            }
            Err(trouble) => {
                self.tenure.roll_back();
                Err(trouble.into())
            }
        }
    }

    /// Hands the room over to the next who takes it.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        let sql = "UPDATE room SET owner = NULL, pid = NULL, beat = beat + 1 \
                   WHERE id = $1 AND epoch = $2";
        let client = self.tenure.session.client();
        let room = self.tenure.id();
        let released = async { client.execute(sql, &[&room, &self.tenure.epoch]).await };
        self.tenure.session.wait(released)?;
        self.tenure.session.close();
        Ok(())
    }
}

/// What the database shows its operators of the connection of a room's owner.
fn name(room: RoomNumber) -> String {
    format!("war room {room}")
}

/// What a room is found by as it was seen.
fn key(seen: &RoomRecord) -> (i32, i64, i64) {
    let room = i32::from(seen.room.0);
    (room, signed(seen.epoch.0), signed(seen.beat.0))
}

/// Ends the connection of the owner that was seen, unless it has shown since that it is there.
async fn end_owner(client: &Client, seen: &RoomRecord) -> Result<(), Trouble> {
    let (room, epoch, beat) = key(seen);
    let sql = "SELECT pg_terminate_backend(owner.pid) FROM room \
               JOIN pg_stat_activity AS owner ON owner.pid = room.pid \
               WHERE id = $1 AND epoch = $2 AND beat = $3 AND application_name = $4 \
               AND datname = current_database() AND usename = current_user";
    client
        .query(sql, &[&room, &epoch, &beat, &name(seen.room)])
        .await?;
    Ok(())
}
