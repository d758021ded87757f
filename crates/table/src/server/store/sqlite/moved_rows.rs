//! The rows of a file, in a form that every store knows.

use crate::server::store::moving::{AT_ONCE, Cell, Part, Row};
use crate::server::store::{Damage, StoreError};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, ToSql, params_from_iter};

/// The table of a kind of rows, what they are counted by, and their columns.
const fn table(part: Part) -> (&'static str, &'static str, &'static str) {
    match part {
        Part::Players => (
            "player",
            "id",
            "id, token, name, balance, seq, house, name_is_fixed, standing, first_seq, watchable",
        ),
        Part::Events => ("event", "id", "id, at, game, body"),
        Part::Transfers => ("ledger", "id", "event, debit, credit, tokens"),
        Part::Messages => ("outbox", "number", "player, seq, body, at"),
        Part::Answers => (
            "request",
            "number",
            "player, id, at, digest, first, last, refusal",
        ),
        Part::Waiting => (
            "waiting",
            "player",
            "player, kind, since, seed_hash, meeting",
        ),
        Part::Seats => ("seat", "player", "player, game"),
        Part::Leaves => ("leaf", "number", "number, hash, game, body"),
        Part::Settlements => (
            "settlement",
            "game",
            "game, engine, lang, renderer, printed, blake3, digest",
        ),
    }
}

/// How far the rows of a kind are read.
#[derive(Default)]
pub(super) struct Place {
    part: Option<Part>,
    after: i64,
}

impl Place {
    /// The next rows of a kind.
    pub(super) fn read(
        &mut self,
        connection: &Connection,
        part: Part,
    ) -> Result<Vec<Row>, StoreError> {
        if self.part.replace(part) != Some(part) {
            self.after = i64::MIN;
        }
        let (table, key, columns) = table(part);
        let sql = format!(
            "SELECT {key}, {columns} FROM {table} WHERE {key} > ?1 ORDER BY {key} LIMIT {AT_ONCE}"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([self.after])?;
        let mut read = Vec::new();
        while let Some(row) = rows.next()? {
            self.after = row.get(0)?;
            let cells = (1..=part.columns().len()).map(|at| cell(row.get_ref(at)?));
            read.push(cells.collect::<Result<_, StoreError>>()?);
        }
        Ok(read)
    }
}

/// How many rows there are of a kind.
pub(super) fn count(connection: &Connection, part: Part) -> Result<u64, StoreError> {
    let (table, ..) = table(part);
    let sql = format!("SELECT count(*) FROM {table}");
    Ok(connection.query_row(&sql, [], |row| row.get(0))?)
}

/// Adds rows of a kind.
pub(super) fn write(connection: &Connection, part: Part, rows: &[Row]) -> Result<(), StoreError> {
    let (table, _, columns) = table(part);
    let places = vec!["?"; part.columns().len()].join(", ");
    let sql = format!("INSERT INTO {table} ({columns}) VALUES ({places})");
    let mut statement = connection.prepare_cached(&sql)?;
    for row in rows {
        statement.execute(params_from_iter(row))?;
    }
    Ok(())
}

fn cell(value: ValueRef<'_>) -> Result<Cell, StoreError> {
    match Value::try_from(value).map_err(|_| Damage::Layout)? {
        Value::Null => Ok(Cell::Nothing),
        Value::Integer(number) => Ok(Cell::Number(number)),
        Value::Text(text) => Ok(Cell::Text(text)),
        Value::Blob(bytes) => Ok(Cell::Bytes(bytes)),
        Value::Real(_) => Err(Damage::Layout.into()),
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let value = match self {
            Self::Nothing => ValueRef::Null,
            Self::Number(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        };
        Ok(ToSqlOutput::Borrowed(value))
    }
}
