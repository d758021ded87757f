//! A table that moves into a database or out of it, or was restored there from a backup: work on
//! all of a store, which nobody else uses meanwhile.
#![expect(
    clippy::disallowed_methods,
    reason = "a database is waited for in real time"
)]

use super::schema::{self, Found, VERSION};
use super::session::{Session, Trouble};
use super::statements::{NUMBER_LEAVES, number, signed};
use super::{DatabaseAddress, PostgresTable, finished, marks};
use crate::leases::LEASE;
use std::thread::sleep;
use std::time::Duration;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war_table::log::Checkpoint;
use war_table::server::store::rows::{AT_ONCE, OTHERS, PLAYERS, all_leaves, leaf};
use war_table::server::store::{
    About, Arrival, Cell, Column, Departure, Occupant, Part, Row as Moved,
};
use war_table::server::store::{Damage, Restoration, StoreError};

/// The store in a database that a table moves to. All of it is made in one transaction.
pub struct PostgresArrival {
    session: Session,
    place: Place,
}

impl PostgresArrival {
    /// A store that is to be in this database.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used.
    pub fn open(address: &DatabaseAddress) -> Result<Self, StoreError> {
        let session = Session::connect(address, "war table move")?;
        session.be_patient()?;
        Ok(Self {
            session,
            place: Place::default(),
        })
    }
}

impl Arrival for PostgresArrival {
    fn occupant(&mut self) -> Result<Occupant, StoreError> {
        let client = self.session.client();
        let found = self.session.wait(async {
            schema::begin(client).await?;
            schema::found(client).await
        })?;
        match found {
            Found::Nothing => Ok(Occupant::Nobody),
            Found::Foreign => Ok(Occupant::Other),
            Found::Store { .. } => {
                let sql = "SELECT id FROM war.about";
                let row = self.session.wait(client.query_one(sql, &[]))?;
                let id = row.get::<_, &str>(0).parse().ok();
                Ok(id.map_or(Occupant::Other, Occupant::Table))
            }
        }
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        let made = schema::make(self.session.client(), schema::ROOMS);
        Ok(self.session.wait(made)?)
    }

    fn write(&mut self, part: Part, rows: Vec<Moved>) -> Result<(), StoreError> {
        write(&self.session, part, rows)
    }

    fn finish(&mut self, about: About) -> Result<(), StoreError> {
        let client = self.session.client();
        let (id, time) = (about.id.to_string(), signed(about.time));
        let key = about.public_key.as_ref().map(<[u8; 32]>::as_slice);
        let finished = async {
            client.batch_execute(SETTLED).await?;
            let sql = "UPDATE about SET id = $1, public_key = $2, dated = $3";
            client
                .execute(sql, &[&id, &key, &signed(about.dated)])
                .await?;
            let sql = "UPDATE room SET time = $1";
            client.execute(sql, &[&time]).await?;
            let sql = "UPDATE numbers SET next = greatest(next, CASE of WHEN 'players' \
                       THEN $1::bigint ELSE $2::bigint END)";
            let [players, games] = about.next.map(signed);
            client.execute(sql, &[&players, &games]).await?;
            finished::keep_old(client).await?;
            Ok::<_, Trouble>(())
        };
        Ok(self.session.wait(finished)?)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Moved>, StoreError> {
        self.place.read(&self.session, part)
    }

    fn settle(&mut self) -> Result<(), StoreError> {
        let settled = self.session.client().batch_execute("COMMIT");
        Ok(self.session.wait(settled)?)
    }
}

/// The store in a database that a table leaves.
pub struct PostgresDeparture {
    session: Session,
    /// Where the table goes, as it is shown to people.
    to: String,
    about: About,
    was_leaving: bool,
    place: Place,
}

impl PostgresDeparture {
    /// Opens a store that nobody serves; what is done in it is one transaction. `to` is where
    /// the table goes, as it is shown to people.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used, where a node uses it, where it
    /// is not a store that this program can read, or where its table has moved, or is about to
    /// go somewhere else.
    pub fn open(address: &DatabaseAddress, to: &str) -> Result<Self, StoreError> {
        let session = Session::connect(address, "war table move")?;
        let was_leaving = match Alone::check(&session) {
            Ok(()) => false,
            Err(StoreError::Leaving { to: before }) if before == to => true,
            Err(error) => return Err(error),
        };
        Alone::begin(&session)?;
        let about = session.wait(about(session.client()))?;
        Ok(Self {
            session,
            to: to.to_owned(),
            about: about.ok_or(Damage::Layout)?,
            was_leaving,
            place: Place::default(),
        })
    }
}

/// What there is besides rows; `None` where the store does not say what it is.
async fn about(client: &Client) -> Result<Option<About>, Trouble> {
    let sql = "SELECT about.id, public_key, (SELECT max(time) FROM room), \
               (SELECT next FROM numbers WHERE of = 'players'), \
               (SELECT next FROM numbers WHERE of = 'games'), dated FROM about";
    let row = client.query_one(sql, &[]).await?;
    let key: Option<&[u8]> = row.get(1);
    let read = || {
        Some(About {
            id: row.get::<_, &str>(0).parse().ok()?,
            public_key: key.map(<[u8; 32]>::try_from).transpose().ok()?,
            time: number(row.get::<_, Option<i64>>(2)?).ok()?,
            next: [number(row.get(3)).ok()?, number(row.get(4)).ok()?],
            dated: number(row.get(5)).ok()?,
        })
    };
    Ok(read())
}

impl Departure for PostgresDeparture {
    fn about(&self) -> About {
        self.about
    }

    fn was_leaving(&self) -> bool {
        self.was_leaving
    }

    fn count(&mut self, part: Part) -> Result<u64, StoreError> {
        count(&self.session, part)
    }

    fn read(&mut self, part: Part) -> Result<Vec<Moved>, StoreError> {
        self.place.read(&self.session, part)
    }

    fn leave(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            marks::leave(client, &self.to).await?;
            Ok::<_, Trouble>(client.batch_execute("COMMIT").await?)
        };
        Ok(self.session.wait(marked)?)
    }

    fn left(&mut self) -> Result<(), StoreError> {
        let client = self.session.client();
        let marked = async {
            // Where nothing has begun, it only warns.
            client.batch_execute("COMMIT").await?;
            marks::left(client, &self.to).await
        };
        Ok(self.session.wait(marked)?)
    }
}

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
const SETTLED: &str = "
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
struct Place(Option<Part>);

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
fn count(session: &Session, part: Part) -> Result<u64, StoreError> {
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
    super::statements::number(row.get(0))
}

/// Adds rows of a kind.
fn write(session: &Session, part: Part, rows: Vec<Moved>) -> Result<(), StoreError> {
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

/// How long nodes may be silent who are said to be there: longer than a lease.
const SILENCE: Duration = Duration::from_millis(LEASE + LEASE / 3);

/// What keeps others away from a store.
struct Alone;

impl Alone {
    /// Checks that there is a store all of which this program knows, and that no node uses it.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where that is not so.
    pub(super) fn check(session: &Session) -> Result<(), StoreError> {
        match session.wait(schema::found(session.client()))? {
            Found::Nothing => return Err(StoreError::Missing),
            // A neighbour may serve it, but does not know all that is in it.
            Found::Store {
                version,
                min_version,
                ..
            } if version > VERSION && min_version <= VERSION => return Err(StoreError::Newer),
            _ => {}
        }
        schema::open(session, None)?;
        if is_used(session)? {
            return Err(StoreError::InUse);
        }
        Ok(())
    }

    /// Begins a transaction in which nobody else opens the store or takes a room, and numbers the
    /// last leaves of the log.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database fails, or where somebody else is about to.
    pub(super) fn begin(session: &Session) -> Result<(), StoreError> {
        session.be_patient()?;
        let sql = format!(
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; {}; \
             SELECT 1 FROM room FOR UPDATE NOWAIT; {NUMBER_LEAVES}",
            schema::ALONE
        );
        let begun = session.wait(session.client().batch_execute(&sql));
        begun.map_err(|trouble: Trouble| match trouble.code() {
            Some(&SqlState::LOCK_NOT_AVAILABLE | &SqlState::T_R_SERIALIZATION_FAILURE) => {
                StoreError::InUse
            }
            _ => trouble.into(),
        })
    }
}

/// Whether a node uses the store: one that was killed has left its name there, but is silent once
/// its last words have arrived.
fn is_used(session: &Session) -> Result<bool, StoreError> {
    let sql = "SELECT (SELECT count(*) FROM node), \
               (SELECT count(*) FROM room WHERE owner IS NOT NULL), \
               (SELECT coalesce(sum(beat), 0)::bigint FROM node), \
               (SELECT sum(epoch + beat)::bigint FROM room)";
    let look = || -> Result<[i64; 4], StoreError> {
        let row = session.wait(session.client().query_one(sql, &[]))?;
        Ok([row.get(0), row.get(1), row.get(2), row.get(3)])
    };
    let mut seen = look()?;
    for _ in 0..2 {
        if seen[..2] == [0, 0] {
            return Ok(false);
        }
        sleep(SILENCE);
        let before = std::mem::replace(&mut seen, look()?);
        if seen == before {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is counted before anything is changed.
const COUNT: &str = "SELECT (SELECT id FROM about), \
    (SELECT count(*) FROM player WHERE NOT house), (SELECT count(DISTINCT game) FROM seat)";

impl PostgresTable {
    /// Lets a store go on that was restored from a backup or to a moment, while nobody serves
    /// it, as [`SqliteStore::restored`](war_table::server::store::SqliteStore::restored) does.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the database can't be reached or used, where a node uses it, or where
    /// it is not a store that this program can read.
    pub fn restored(address: &DatabaseAddress, now: u64) -> Result<Restoration, StoreError> {
        let session = Session::connect(address, "war table restored")?;
        Alone::check(&session)?;
        Alone::begin(&session)?;
        let mut place = Place::default();
        let log = all_leaves(|| place.read(&session, Part::Leaves))?;
        let client = session.client();
        let row = session.wait(client.query_one(COUNT, &[]))?;
        let id = |text: &str| text.parse().map_err(|_| Damage::Leaf);
        let last = Checkpoint {
            table: id(row.get(0))?,
            size: log.size(),
            root: log.root(),
        };
        let (players, void) = (number(row.get(1))?, number(row.get(2))?);
        let table = session.wait(go_on(client, last, now))?;
        session.wait(client.batch_execute("COMMIT"))?;
        Ok(Restoration {
            last,
            table: id(&table)?,
            players,
            void,
        })
    }
}

/// Makes the changes; the result is the table's number from now on.
async fn go_on(client: &Client, last: Checkpoint, now: u64) -> Result<String, Trouble> {
    client
        .batch_execute(&format!(
            "DELETE FROM seat; DELETE FROM waiting; DELETE FROM request; DELETE FROM outbox;
             DELETE FROM node; DELETE FROM inbox;
             UPDATE numbers SET next = next + CASE of WHEN 'players' THEN {PLAYERS} ELSE {OTHERS} END;
             UPDATE room SET epoch = epoch + 1, beat = beat + 1, next_seq = next_seq + {OTHERS} + 1,
                 owner = NULL, pid = NULL;
             UPDATE player SET seq = seq + {OTHERS}, first_seq = seq + {OTHERS}, room = NULL
                 WHERE NOT house;
             INSERT INTO outbox (player, seq, at, body) SELECT id, seq, {now}, format(
                 '{{\"seq\":%s,\"type\":\"resync\",\"first_seq\":%s,\"balance\":%s,'
                 '\"place\":\"free\",\"cards\":[]}}', seq, seq + 1, balance
             ) FROM player WHERE NOT house;"
        ))
        .await?;
    let (body, hash) = leaf(last, now);
    let (hash, size, now) = (&hash.bytes()[..], signed(last.size), signed(now));
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
