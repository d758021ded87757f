//! The rows of a database, in a form that every store knows.

use super::cause::Trouble;
use super::session::Session;
use crate::server::store::moving::{AT_ONCE, Cell, Column, Part, Row as Moved};
use crate::server::store::{Damage, StoreError};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// Finds all rows of a kind. Times are those of the room that is the furthest; what is due in
/// another one is due a little sooner, and those who are awaited get time when the table opens.
const fn select(part: Part) -> &'static str {
    match part {
        Part::Players => {
            "SELECT id, token, name, balance, seq, house, name_is_fixed, standing, first_seq,
                 watchable
             FROM player ORDER BY id"
        }
        Part::Events => {
            "SELECT row_number() OVER (ORDER BY room, seq, part), at, game, body FROM event
             ORDER BY room, seq, part"
        }
        Part::Transfers => {
            "SELECT place, debit, credit, tokens FROM ledger LEFT JOIN (
                 SELECT room, seq, part, row_number() OVER (ORDER BY room, seq, part) AS place
                 FROM event
             ) AS placed USING (room, seq, part) ORDER BY place, debit"
        }
        Part::Messages => "SELECT player, seq, body, at FROM outbox ORDER BY player, seq",
        Part::Answers => {
            "SELECT player, request.id, at + (SELECT max(time) FROM room) - time AS at, digest,
                 first, last, refusal
             FROM request JOIN room ON room.id = room ORDER BY at, player, request.id"
        }
        Part::Waiting => {
            // Of those on their way to another room is kept how long they have waited.
            "SELECT waiting.player, kind, CASE WHEN player.room = waiting.room
                 THEN since + (SELECT max(time) FROM room) - time
                 ELSE greatest((SELECT max(time) FROM room) - since, 0) END AS since, seed_hash,
                 meeting
             FROM waiting JOIN room ON room.id = waiting.room
             JOIN player ON player.id = waiting.player ORDER BY 3, 1"
        }
        Part::Seats => "SELECT player, game FROM seat ORDER BY player",
        Part::Leaves => "SELECT number, hash, game, body FROM leaf ORDER BY number",
        Part::Settlements => {
            "SELECT game, engine, lang, renderer, printed, blake3, digest FROM settlement
             ORDER BY game"
        }
    }
}

/// Adds rows of a kind; all are of room 0, in batches as small as those of games.
const fn insert(part: Part) -> &'static str {
    match part {
        Part::Players => {
            "INSERT INTO player (id, token, name, balance, seq, house, name_is_fixed, standing,
                                 first_seq, watchable)
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::bigint[],
                                  $5::bigint[], $6::bool[], $7::bool[], $8::text[], $9::bigint[],
                                  $10::bool[])"
        }
        Part::Events => {
            "INSERT INTO event (room, seq, part, at, game, body)
             SELECT 0, (place - 1) / 10 + 1, (place - 1) % 10, at, game, body
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[])
                 AS new (place, at, game, body)"
        }
        Part::Transfers => {
            "INSERT INTO ledger (room, seq, part, debit, credit, tokens)
             SELECT 0, (place - 1) / 10 + 1, (place - 1) % 10, debit, credit, tokens
             FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                 AS new (place, debit, credit, tokens)"
        }
        Part::Messages => {
            "INSERT INTO outbox (player, seq, body, at)
             SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[])"
        }
        Part::Answers => {
            "INSERT INTO request (room, player, id, at, digest, first, last, refusal)
             SELECT 0, * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[],
                                     $5::bigint[], $6::bigint[], $7::text[])"
        }
        Part::Waiting => {
            "INSERT INTO waiting (room, player, kind, since, seed_hash, meeting)
             SELECT 0, * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bytea[],
                                     $5::text[])"
        }
        Part::Seats => {
            "INSERT INTO seat (room, player, game)
             SELECT 0, * FROM unnest($1::bigint[], $2::bigint[])"
        }
        Part::Leaves => {
            "INSERT INTO leaf (room, seq, part, number, hash, game, body)
             SELECT 0, number / 10 + 1, number % 10, number, hash, game, body
             FROM unnest($1::bigint[], $2::bytea[], $3::bigint[], $4::text[])
                 AS new (number, hash, game, body)"
        }
        Part::Settlements => {
            "INSERT INTO settlement (game, engine, lang, renderer, printed, blake3, digest)
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[],
                                  $5::bigint[], $6::bytea[], $7::bytea[])"
        }
    }
}

/// What makes a room of all that has arrived: its batches, those who are in it, and the numbers
/// that come next.
pub(super) const SETTLED: &str = "
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

/// Which rows of a transaction are read.
#[derive(Default)]
pub(super) struct Place(Option<Part>);

impl Place {
    /// The next rows of a kind.
    pub(super) fn read(&mut self, session: &Session, part: Part) -> Result<Vec<Moved>, StoreError> {
        let begin = if self.0.replace(part) == Some(part) {
            String::new()
        } else {
            let sql = select(part);
            format!("CLOSE ALL; DECLARE moved NO SCROLL CURSOR FOR {sql}")
        };
        let fetch = format!("FETCH {AT_ONCE} FROM moved");
        let client = session.client();
        let rows = session.wait(async {
            client.batch_execute(&begin).await?;
            client.query(&fetch, &[]).await
        })?;
        rows.iter().map(|row| cells(row, part)).collect()
    }
}

/// How many rows there are of a kind.
pub(super) fn count(session: &Session, part: Part) -> Result<u64, StoreError> {
    let table = match part {
        Part::Players => "player",
        Part::Events => "event",
        Part::Transfers => "ledger",
        Part::Messages => "outbox",
        Part::Answers => "request",
        Part::Waiting => "waiting",
        Part::Seats => "seat",
        Part::Leaves => "leaf",
        Part::Settlements => "settlement",
    };
    let sql = format!("SELECT count(*) FROM {table}");
    let row = session.wait(session.client().query_one(&sql, &[]))?;
    super::values::number(row.get(0))
}

/// Adds rows of a kind.
pub(super) fn write(session: &Session, part: Part, rows: Vec<Moved>) -> Result<(), StoreError> {
    let columns = part.columns();
    let mut by_column: Vec<Vec<Cell>> = columns.iter().map(|_| Vec::new()).collect();
    for row in rows {
        for (column, cell) in by_column.iter_mut().zip(row) {
            column.push(cell);
        }
    }
    let params = columns.iter().zip(by_column);
    let params = params.map(|(column, cells)| param(*column, cells));
    let params: Vec<_> = params.collect::<Result<_, _>>()?;
    let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|param| &**param).collect();
    session.wait(session.client().execute(insert(part), &params))?;
    Ok(())
}

/// The values of a row.
fn cells(row: &Row, part: Part) -> Result<Moved, StoreError> {
    let cell = |(at, column): (usize, &Column)| {
        let cell = match column {
            Column::Number => row.try_get::<_, Option<i64>>(at)?.map(Cell::Number),
            Column::Flag => {
                let flag: Option<bool> = row.try_get(at)?;
                flag.map(|flag| Cell::Number(flag.into()))
            }
            Column::Text => row.try_get::<_, Option<_>>(at)?.map(Cell::Text),
            Column::Bytes => row.try_get::<_, Option<_>>(at)?.map(Cell::Bytes),
        };
        Ok::<_, tokio_postgres::Error>(cell.unwrap_or(Cell::Nothing))
    };
    let cells = part.columns().iter().enumerate().map(cell);
    Ok(cells.collect::<Result<_, _>>().map_err(Trouble::from)?)
}

/// A column of rows as the database takes it.
fn param(column: Column, cells: Vec<Cell>) -> Result<Box<dyn ToSql + Sync>, StoreError> {
    /// What is in each of these cells, if there is anything.
    fn all<T>(
        cells: Vec<Cell>,
        read: impl Fn(Cell) -> Option<T>,
    ) -> Result<Vec<Option<T>>, StoreError> {
        let read = |cell| match cell {
            Cell::Nothing => Ok(None),
            cell => Ok(Some(read(cell).ok_or(Damage::Layout)?)),
        };
        cells.into_iter().map(read).collect()
    }
    let number = |cell| match cell {
        Cell::Number(number) => Some(number),
        _ => None,
    };
    Ok(match column {
        Column::Number => Box::new(all(cells, number)?),
        Column::Flag => Box::new(all(cells, |cell| Some(number(cell)? != 0))?),
        Column::Text => Box::new(all(cells, |cell| match cell {
            Cell::Text(text) => Some(text),
            _ => None,
        })?),
        Column::Bytes => Box::new(all(cells, |cell| match cell {
            Cell::Bytes(bytes) => Some(bytes),
            _ => None,
        })?),
    })
}
