//! Moving a table into or out of a database.

use super::exclusive_access::ExclusiveAccess;
use super::schema::{self, SchemaState};
use super::session::{DatabaseSession, QueryError};
use super::statements::{to_i64, to_u64};
use super::{DatabaseAddress, finished, pooler, relocation_marks};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war_table::server::store::rows::MAX_BATCH_ROWS;
use war_table::server::store::{
    ColumnType, ColumnValue, MoveSource, MoveTarget, RowKind, RowValues, TableMetadata,
    TargetContent,
};
use war_table::server::store::{Damage, StoreError, StoreSecret};
use war_table::time::{TableTime, WallTime};

/// Database that a table moves to. The whole store is created in one transaction.
pub struct PostgresMoveTarget {
    session: DatabaseSession,
    cursor: RowCursor,
}

impl PostgresMoveTarget {
    /// Opens the database as the destination of a move.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached or used.
    pub fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let session = pooler::connect_directly(address, "war table move")?;
        session.raise_time_limits()?;
        Ok(Self {
            session,
            cursor: RowCursor::default(),
        })
    }
}

impl MoveTarget for PostgresMoveTarget {
    fn content(&mut self) -> Result<TargetContent, StoreError> {
        let client = self.session.client();
        let found = self.session.wait(async {
            schema::begin_opening(client).await?;
            schema::inspect(client).await
        })?;
        match found {
            SchemaState::Absent => Ok(TargetContent::Empty),
            SchemaState::Foreign => Ok(TargetContent::Other),
            SchemaState::Store { .. } => {
                let sql = "SELECT id FROM war.about";
                let row = self.session.wait(client.query_one(sql, &[]))?;
                let id = row.get::<_, &str>(0).parse().ok();
                Ok(id.map_or(TargetContent::Other, TargetContent::Table))
            }
        }
    }

    fn create(&mut self) -> Result<(), StoreError> {
        let made = schema::create_tables(self.session.client(), schema::DEFAULT_ROOM_COUNT);
        Ok(self.session.wait(made)?)
    }

    fn write(&mut self, part: RowKind, rows: Vec<RowValues>) -> Result<(), StoreError> {
        write(&self.session, part, rows)
    }

    fn write_metadata(&mut self, about: TableMetadata) -> Result<(), StoreError> {
        let client = self.session.client();
        let (id, time) = (about.id.to_string(), to_i64(about.time.as_millis()));
        let key = about.public_key.as_ref().map(<[u8; 32]>::as_slice);
        let secret = &about.secret.reveal()[..];
        let dated = to_i64(about.messages_dated_since.as_millis());
        let finished = async {
            client.batch_execute(COMPLETE_ROOM).await?;
            let sql = "UPDATE about SET id = $1, public_key = $2, dated = $3, secret = $4";
            client.execute(sql, &[&id, &key, &dated, &secret]).await?;
            let sql = "UPDATE room SET time = $1";
            client.execute(sql, &[&time]).await?;
            let sql = "UPDATE numbers SET next = greatest(next, CASE of WHEN 'players' \
                       THEN $1::bigint ELSE $2::bigint END)";
            let [players, games] = about.next.map(to_i64);
            client.execute(sql, &[&players, &games]).await?;
            finished::backfill_games(client).await?;
            Ok::<_, QueryError>(())
        };
        Ok(self.session.wait(finished)?)
    }

    fn read(&mut self, part: RowKind) -> Result<Vec<RowValues>, StoreError> {
        self.cursor.read(&self.session, part)
    }

    fn publish(&mut self) -> Result<(), StoreError> {
        let settled = self.session.client().batch_execute("COMMIT");
        Ok(self.session.wait(settled)?)
    }
}

/// Database that a table moves from.
pub struct PostgresMoveSource {
    session: DatabaseSession,
    /// Destination of the move, as displayed.
    to: String,
    metadata: TableMetadata,
    was_leaving: bool,
    cursor: RowCursor,
}

impl PostgresMoveSource {
    /// Opens the database as the source of a move, and begins the transaction that reads it. `to`
    /// is the destination as displayed.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached or used, if a node uses it, if it is not a
    /// store that this program can read, or if its table has moved or is being moved elsewhere.
    pub fn open(address: &DatabaseAddress, to: &str) -> Result<Self, StoreError> {
        let session = pooler::connect_directly(address, "war table move")?;
        let open = |session: &DatabaseSession| schema::open_store(session, None).map(drop);
        let was_leaving = match ExclusiveAccess::check(&session, open) {
            Ok(()) => false,
            Err(StoreError::Leaving { to: before }) if before == to => true,
            Err(error) => return Err(error),
        };
        ExclusiveAccess::begin(&session)?;
        let about = session.wait(read_metadata(session.client()))?;
        Ok(Self {
            session,
            to: to.to_owned(),
            metadata: about.ok_or(Damage::Layout)?,
            was_leaving,
            cursor: RowCursor::default(),
        })
    }
}

/// Reads the properties of a table other than its rows; returns `None` if they are invalid.
async fn read_metadata(client: &Client) -> Result<Option<TableMetadata>, QueryError> {
    let sql = "SELECT about.id, public_key, (SELECT max(time) FROM room), \
               (SELECT next FROM numbers WHERE of = 'players'), \
               (SELECT next FROM numbers WHERE of = 'games'), dated, secret FROM about";
    let row = client.query_one(sql, &[]).await?;
    let key: Option<&[u8]> = row.get(1);
    let read = || {
        Some(TableMetadata {
            id: row.get::<_, &str>(0).parse().ok()?,
            public_key: key.map(<[u8; 32]>::try_from).transpose().ok()?,
            time: TableTime::from_millis(to_u64(row.get::<_, Option<i64>>(2)?).ok()?),
            next: [to_u64(row.get(3)).ok()?, to_u64(row.get(4)).ok()?],
            messages_dated_since: WallTime::from_millis(to_u64(row.get(5)).ok()?),
            secret: StoreSecret::new(row.get::<_, &[u8]>(6).try_into().ok()?),
        })
    };
    Ok(read())
}

impl MoveSource for PostgresMoveSource {
    fn metadata(&self) -> TableMetadata {
        self.metadata
    }

    fn is_marked_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, part: RowKind) -> Result<u64, StoreError> {
        count(&self.session, part)
    }

    fn read(&mut self, part: RowKind) -> Result<Vec<RowValues>, StoreError> {
        self.cursor.read(&self.session, part)
    }

    fn mark_leaving(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            relocation_marks::mark_leaving(client, &self.to).await?;
            Ok::<_, QueryError>(client.batch_execute("COMMIT").await?)
        };
        Ok(self.session.wait(marked)?)
    }

    fn mark_moved(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            // If no transaction has begun, `COMMIT` only causes a warning.
            client.batch_execute("COMMIT").await?;
            relocation_marks::mark_moved(client, &self.to).await
        };
        Ok(self.session.wait(marked)?)
    }
}

/// Statement that finds all rows of a kind. Table times are converted to the time of the room whose
/// time is latest.
const fn select_statement(part: RowKind) -> &'static str {
    match part {
        RowKind::Players => {
            "SELECT id, token, name, balance, seq, house, name_is_fixed, standing, first_seq,
                 watchable
             FROM player ORDER BY id"
        }
        RowKind::Events => {
            "SELECT row_number() OVER (ORDER BY room, seq, part), at, game, body FROM event
             ORDER BY room, seq, part"
        }
        RowKind::Transfers => {
            "SELECT place, debit, credit, tokens FROM ledger LEFT JOIN (
                 SELECT room, seq, part, row_number() OVER (ORDER BY room, seq, part) AS place
                 FROM event
             ) AS placed USING (room, seq, part) ORDER BY place, debit"
        }
        RowKind::Messages => {
            "SELECT player, seq, body, at, in_reply_to FROM outbox ORDER BY player, seq"
        }
        RowKind::Answers => {
            "SELECT player, request.id, at + (SELECT max(time) FROM room) - time AS at, digest,
                 first, last, refusal
             FROM request JOIN room ON room.id = room ORDER BY at, player, request.id"
        }
        RowKind::Waiting => {
            // For players forwarded to another room, `since` is the time that they have waited.
            "SELECT waiting.player, kind, CASE WHEN player.room = waiting.room
                 THEN since + (SELECT max(time) FROM room) - time
                 ELSE greatest((SELECT max(time) FROM room) - since, 0) END AS since, seed_hash,
                 meeting
             FROM waiting JOIN room ON room.id = waiting.room
             JOIN player ON player.id = waiting.player ORDER BY 3, 1"
        }
        RowKind::Seats => "SELECT player, game FROM seat ORDER BY player",
        RowKind::FriendLinks => {
            "SELECT player, id, kind, secret_hash FROM friend_link ORDER BY number"
        }
        RowKind::Leaves => "SELECT number, hash, game, body FROM leaf ORDER BY number",
        RowKind::Settlements => {
            "SELECT game, engine, lang, renderer, printed, blake3, digest FROM settlement
             ORDER BY game"
        }
    }
}

/// Statement that inserts rows of a kind; all belong to room 0, in batches of ten rows.
const fn insert_statement(part: RowKind) -> &'static str {
    match part {
        RowKind::Players => {
            "INSERT INTO player (id, token, name, balance, seq, house, name_is_fixed, standing,
                                 first_seq, watchable)
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::bigint[],
                                  $5::bigint[], $6::bool[], $7::bool[], $8::text[], $9::bigint[],
                                  $10::bool[])"
        }
        RowKind::Events => {
            "INSERT INTO event (room, seq, part, at, game, body)
             SELECT 0, (place - 1) / 10 + 1, (place - 1) % 10, at, game, body
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])
                 AS new (place, at, game, body)"
        }
        RowKind::Transfers => {
            "INSERT INTO ledger (room, seq, part, debit, credit, tokens)
             SELECT 0, (place - 1) / 10 + 1, (place - 1) % 10, debit, credit, tokens
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                 AS new (place, debit, credit, tokens)"
        }
        RowKind::Messages => {
            "INSERT INTO outbox (player, seq, body, at, in_reply_to)
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[],
                                  $5::text[])"
        }
        RowKind::Answers => {
            "INSERT INTO request (room, player, id, at, digest, first, last, refusal)
             SELECT 0, * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[],
                                     $5::bigint[], $6::bigint[], $7::text[])"
        }
        RowKind::Waiting => {
            "INSERT INTO waiting (room, player, kind, since, seed_hash, meeting)
             SELECT 0, * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[],
                                     $5::text[])"
        }
        RowKind::Seats => {
            "INSERT INTO seat (room, player, game)
             SELECT 0, * FROM unnest($1::bigint[], $2::bigint[])"
        }
        RowKind::FriendLinks => {
            "INSERT INTO friend_link (player, id, kind, secret_hash)
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::bytea[])"
        }
        RowKind::Leaves => {
            "INSERT INTO leaf (room, seq, part, number, hash, game, body)
             SELECT 0, number / 10 + 1, number % 10, number, hash, game, body
             FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[])
                 AS new (number, hash, game, body)"
        }
        RowKind::Settlements => {
            "INSERT INTO settlement (game, engine, lang, renderer, printed, blake3, digest)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[],
                                  $5::bigint[], $6::bytea[], $7::bytea[])"
        }
    }
}

/// Completes room 0 after all rows were inserted: sets its batches, its players, and the next
/// player and game numbers.
const COMPLETE_ROOM: &str = "
INSERT INTO batch (room, seq, epoch, at)
    SELECT 0, seq, 0, max(at) FROM (
        SELECT seq, at FROM event UNION ALL SELECT seq, 0 FROM leaf
    ) AS written GROUP BY seq;
UPDATE room SET next_seq = (SELECT coalesce(max(seq), 0) + 1 FROM batch) WHERE id = 0;
UPDATE player SET room = 0 WHERE house OR id IN (
    SELECT player FROM waiting UNION ALL SELECT player FROM seat
);
UPDATE numbers SET next = (SELECT coalesce(max(id), 0) + 1 FROM player) WHERE of = 'players';
UPDATE numbers SET next = (SELECT coalesce(max(game), 0) + 1 FROM event) WHERE of = 'games';
ANALYZE player, event, ledger, outbox, request, leaf, settlement;
";

/// Cursor over the rows of a kind; remembers the kind that it was opened for.
#[derive(Default)]
pub(super) struct RowCursor(Option<RowKind>);

impl RowCursor {
    /// Reads the next rows of a kind.
    pub(super) fn read(
        &mut self,
        session: &DatabaseSession,
        part: RowKind,
    ) -> Result<Vec<RowValues>, StoreError> {
        let begin = if self.0.replace(part) == Some(part) {
            String::new()
        } else {
            let sql = select_statement(part);
            format!("CLOSE ALL; DECLARE moved NO SCROLL CURSOR FOR {sql}")
        };
        let fetch = format!("FETCH {MAX_BATCH_ROWS} FROM moved");
        let client = session.client();
        let rows = session.wait(async {
            client.batch_execute(&begin).await?;
            client.query(&fetch, &[]).await
        })?;
        rows.iter().map(|row| parse_cells(row, part)).collect()
    }
}

/// Counts the rows of a kind.
fn count(session: &DatabaseSession, part: RowKind) -> Result<u64, StoreError> {
    let table = match part {
        RowKind::Players => "player",
        RowKind::Events => "event",
        RowKind::Transfers => "ledger",
        RowKind::Messages => "outbox",
        RowKind::Answers => "request",
        RowKind::Waiting => "waiting",
        RowKind::Seats => "seat",
        RowKind::FriendLinks => "friend_link",
        RowKind::Leaves => "leaf",
        RowKind::Settlements => "settlement",
    };
    let sql = format!("SELECT count(*) FROM {table}");
    let row = session.wait(session.client().query_one(&sql, &[]))?;
    super::statements::to_u64(row.get(0))
}

/// Inserts rows of a kind.
fn write(session: &DatabaseSession, part: RowKind, rows: Vec<RowValues>) -> Result<(), StoreError> {
    let columns = part.column_types();
    let mut by_column: Vec<Vec<ColumnValue>> = columns.iter().map(|_| Vec::new()).collect();
    for row in rows {
        for (column, cell) in by_column.iter_mut().zip(row) {
            column.push(cell);
        }
    }
    let params = columns.iter().zip(by_column);
    let params = params.map(|(column, cells)| to_param(*column, cells));
    let params: Vec<_> = params.collect::<Result<_, _>>()?;
    let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| &**param).collect();
    session.wait(session.client().execute(insert_statement(part), &params))?;
    Ok(())
}

/// Parses the cells of a row.
fn parse_cells(row: &Row, part: RowKind) -> Result<RowValues, StoreError> {
    let cell = |(at, column): (usize, &ColumnType)| {
        let cell = match column {
            ColumnType::Number => row.try_get::<_, Option<i64>>(at)?.map(ColumnValue::Number),
            ColumnType::Flag => {
                let flag: Option<bool> = row.try_get(at)?;
                flag.map(|flag| ColumnValue::Number(flag.into()))
            }
            ColumnType::Text => row.try_get::<_, Option<_>>(at)?.map(ColumnValue::Text),
            ColumnType::Bytes => row.try_get::<_, Option<_>>(at)?.map(ColumnValue::Bytes),
        };
        Ok::<_, tokio_postgres::Error>(cell.unwrap_or(ColumnValue::Null))
    };
    let cells = part.column_types().iter().enumerate().map(cell);
    Ok(cells.collect::<Result<_, _>>().map_err(QueryError::from)?)
}

/// Converts a column of cells to a parameter of a statement.
fn to_param(
    column: ColumnType,
    cells: Vec<ColumnValue>,
) -> Result<Box<dyn ToSql + Sync>, StoreError> {
    /// Converts each cell that is not null.
    fn convert<T>(
        cells: Vec<ColumnValue>,
        read: impl Fn(ColumnValue) -> Option<T>,
    ) -> Result<Vec<Option<T>>, StoreError> {
        let read = |cell| match cell {
            ColumnValue::Null => Ok(None),
            cell => Ok(Some(read(cell).ok_or(Damage::Layout)?)),
        };
        cells.into_iter().map(read).collect()
    }
    let number = |cell| match cell {
        ColumnValue::Number(number) => Some(number),
        _ => None,
    };
    Ok(match column {
        ColumnType::Number => Box::new(convert(cells, number)?),
        ColumnType::Flag => Box::new(convert(cells, |cell| Some(number(cell)? != 0))?),
        ColumnType::Text => Box::new(convert(cells, |cell| match cell {
            ColumnValue::Text(text) => Some(text),
            _ => None,
        })?),
        ColumnType::Bytes => Box::new(convert(cells, |cell| match cell {
            ColumnValue::Bytes(bytes) => Some(bytes),
            _ => None,
        })?),
    })
}
