//! The tables, how older ones become them, and whether a database is a store.
//!
//! Neighbouring versions of the program run together while nodes are exchanged, so that steps
//! only add.

use super::marks;
use super::session::{Session, Trouble};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use war_table::log::TableId;
use war_table::server::rooms::Rooms;
use war_table::server::store::{Damage, StoreError};

/// The layout of the tables.
pub(super) const VERSION: i32 = 4;

/// What makes tables of each version, from none on, ones of the next.
const STEPS: [&str; VERSION as usize] = [
    MAKE,
    KEEP_STANDING_AND_VERSIONS,
    KEEP_MEETING_AND_GAMES,
    COUNT_PEOPLE,
];

/// What every table of the first version has. `room` in a row is the number of a room; rows are
/// ordered by `(room, seq, part)`: the number of a batch of the room, and a place in it.
const MAKE: &str = "
CREATE TABLE war.about (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), id text NOT NULL, version int NOT NULL,
    min_version int NOT NULL, rooms int NOT NULL, public_key bytea, secret bytea NOT NULL
);
CREATE TABLE war.room (
    id int PRIMARY KEY, owner text, pid int, epoch bigint NOT NULL DEFAULT 0,
    beat bigint NOT NULL DEFAULT 0, next_seq bigint NOT NULL DEFAULT 1,
    time bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
CREATE TABLE war.node (address text PRIMARY KEY, beat bigint NOT NULL);
CREATE TABLE war.numbers (of text PRIMARY KEY, next bigint NOT NULL);
INSERT INTO war.numbers (of, next) VALUES ('players', 1), ('games', 1);
CREATE TABLE war.player (
    id bigint PRIMARY KEY, token bytea NOT NULL UNIQUE, name text NOT NULL,
    balance bigint NOT NULL, seq bigint NOT NULL, house boolean NOT NULL, room int
) WITH (fillfactor = 60);
CREATE INDEX player_of_house ON war.player (room) WHERE house;
CREATE TABLE war.batch (
    room int, seq bigint, epoch bigint NOT NULL, at bigint NOT NULL, PRIMARY KEY (room, seq)
);
CREATE TABLE war.event (
    room int, seq bigint, part int, at bigint NOT NULL, game bigint, body text NOT NULL,
    PRIMARY KEY (room, seq, part)
);
CREATE INDEX event_of_game ON war.event (game) WHERE game IS NOT NULL;
CREATE TABLE war.ledger (
    room int, seq bigint, part int, debit bigint, credit bigint NOT NULL,
    tokens bigint NOT NULL CHECK (tokens > 0), PRIMARY KEY (room, seq, part, debit)
);
CREATE TABLE war.outbox (
    player bigint, seq bigint, body text NOT NULL, PRIMARY KEY (player, seq)
);
CREATE TABLE war.request (
    player bigint, id text, at bigint NOT NULL, room int NOT NULL, digest bytea NOT NULL,
    first bigint NOT NULL, last bigint NOT NULL, refusal text, PRIMARY KEY (player, id)
);
CREATE INDEX request_by_age ON war.request (room, at);
CREATE TABLE war.waiting (
    player bigint PRIMARY KEY, room int NOT NULL, kind text NOT NULL, since bigint NOT NULL,
    seed_hash bytea
);
CREATE TABLE war.seat (player bigint PRIMARY KEY, room int NOT NULL, game bigint NOT NULL);
CREATE TABLE war.leaf (
    room int, seq bigint, part int, game bigint NOT NULL, hash bytea NOT NULL, body text NOT NULL,
    number bigint UNIQUE, PRIMARY KEY (room, seq, part)
);
CREATE INDEX leaf_of_game ON war.leaf (game);
CREATE INDEX leaf_without_number ON war.leaf (room, seq, part) WHERE number IS NULL;
CREATE TABLE war.settlement (
    game bigint PRIMARY KEY, engine text NOT NULL, lang text NOT NULL, renderer bigint NOT NULL,
    printed bigint NOT NULL, blake3 bytea NOT NULL, digest bytea NOT NULL
);
";

/// What the second version has besides: what operators said of a player, from when on and from
/// which number on there are messages, and what operators ask of the node that serves; and of which
/// version nodes are, and the owner of a room that took it in the epoch `versioned`. A message from
/// before has no time: it is as old as the step. Nodes of the first version don't say which they are.
/// No index has the room of players in it, so that a claim changes none.
const KEEP_STANDING_AND_VERSIONS: &str = "
ALTER TABLE war.player
    ADD COLUMN name_is_fixed boolean NOT NULL DEFAULT false,
    ADD COLUMN standing text NOT NULL DEFAULT 'welcome',
    ADD COLUMN first_seq bigint NOT NULL DEFAULT 1;
ALTER TABLE war.outbox ADD COLUMN at bigint;
ALTER TABLE war.about ADD COLUMN dated bigint NOT NULL DEFAULT 0;
UPDATE war.about SET dated = (extract(epoch FROM now()) * 1000)::bigint;
CREATE TABLE war.inbox (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(), at timestamptz NOT NULL DEFAULT now(),
    room int, ask text NOT NULL, taken boolean NOT NULL DEFAULT false, answer text
);
CREATE INDEX player_of_the_house ON war.player (id) WHERE house;
DROP INDEX war.player_of_house;
ALTER TABLE war.node ADD COLUMN version int NOT NULL DEFAULT 1;
ALTER TABLE war.room
    ADD COLUMN version int NOT NULL DEFAULT 1, ADD COLUMN versioned bigint NOT NULL DEFAULT 0;
";

/// What the third version has besides: whom those who wait want to play with, and whose games others
/// may watch; the games that are over, for each of their players but the house, and what came of them by the ranks of the cards
/// that a player held; and the ladder with the last day that was rated. At a node of the version before everyone waits for anyone; `games_kept` says
/// that those games are there, too, that such nodes have settled.
const KEEP_MEETING_AND_GAMES: &str = "
ALTER TABLE war.waiting ADD COLUMN meeting text;
ALTER TABLE war.player ADD COLUMN watchable boolean NOT NULL DEFAULT false;
CREATE TABLE war.finished (
    player bigint, at bigint, game bigint, kind text NOT NULL, opponent bigint NOT NULL,
    yours text NOT NULL, theirs text NOT NULL, cards text, their_cards text,
    tokens bigint NOT NULL, balance bigint NOT NULL, public boolean NOT NULL,
    PRIMARY KEY (player, at, game)
);
CREATE INDEX finished_by_time ON war.finished (at);
CREATE TABLE war.figure (
    player bigint, kind text, hand text, games bigint NOT NULL, won bigint NOT NULL,
    folded bigint NOT NULL, tokens bigint NOT NULL, PRIMARY KEY (player, kind, hand)
) WITH (fillfactor = 60);
CREATE TABLE war.rating (
    span text, player bigint, rating bigint NOT NULL, deviation bigint NOT NULL,
    volatility bigint NOT NULL, games bigint NOT NULL, day bigint NOT NULL,
    PRIMARY KEY (span, player)
);
CREATE INDEX rating_by_rank ON war.rating (span, rating DESC, player) WHERE games >= 20;
ALTER TABLE war.about
    ADD COLUMN games_kept boolean NOT NULL DEFAULT false, ADD COLUMN rated bigint;
";

/// What the fourth version has besides: how many people each node counts: the connected, the games
/// that run, and who waits for a game of one or two cards. Nodes of earlier versions count nobody.
const COUNT_PEOPLE: &str = "
ALTER TABLE war.node
    ADD COLUMN here bigint NOT NULL DEFAULT 0, ADD COLUMN running bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_single bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_double bigint NOT NULL DEFAULT 0;
";

/// Keeps older nodes out once none of them is left: `$1` is the version of this one.
pub(super) const RAISE: &str = "UPDATE war.about SET min_version = $1 WHERE min_version < $1
    AND NOT EXISTS (SELECT FROM war.node WHERE version < $1)
    AND NOT EXISTS (SELECT FROM war.room WHERE owner IS NOT NULL
                    AND (version < $1 OR versioned <> epoch))";

/// What is written into new tables, besides: `$1` is how many rooms there are.
///
/// Numbers that nobody may guess are those of random UUIDs, 122 bits each.
const FIRST_ROWS: [&str; 2] = [
    "INSERT INTO war.about (id, version, min_version, rooms, secret)
     SELECT replace(gen_random_uuid()::text, '-', ''), 0, 1, $1::int,
            sha256(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
                          'hex'))",
    "INSERT INTO war.room (id) SELECT generate_series(0, $1::int - 1)",
];

/// How many rooms a new store has where nobody says.
pub(super) const ROOMS: u16 = 16;

/// What is said in a store of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct About {
    /// The table's number.
    pub(super) id: TableId,
    /// How many rooms it has.
    pub(super) rooms: Rooms,
    /// What its nodes prove to one another that they know.
    pub(super) secret: [u8; 32],
}

/// Makes all others wait who open the store, until the transaction ends.
pub(super) const ALONE: &str = "SELECT pg_advisory_xact_lock(x'57617254'::int)";

/// What tables there are.
pub(super) enum Found {
    /// None.
    Nothing,
    /// Those of a store: its version, the oldest program that can use it, and its rooms.
    Store {
        version: i32,
        min_version: i32,
        rooms: i32,
    },
    /// Those of another program.
    Foreign,
}

/// Makes the store where there is none, or what is missing in an older one, and says what is in
/// it. All of it happens or nothing, and only once, however many nodes start at the same time.
///
/// # Errors
///
/// [`StoreError`] where the tables are those of another program, of a newer version or of
/// another number of rooms, or can't be made.
pub(super) fn open(session: &Session, rooms: Option<Rooms>) -> Result<About, StoreError> {
    let begun = session.wait(begin(session.client()));
    begun.map_err(|trouble| match trouble.code() {
        // The table moves.
        Some(&SqlState::LOCK_NOT_AVAILABLE) => StoreError::InUse,
        _ => trouble.into(),
    })?;
    let opened = prepare(session, rooms.map(Rooms::count));
    let end = if opened.is_ok() { "COMMIT" } else { "ROLLBACK" };
    session.wait(session.client().batch_execute(end))?;
    opened
}

/// Checks that there is a store with all that this version knows, and changes nothing.
///
/// # Errors
///
/// [`StoreError`] where there is none, or one of another program or version.
pub(super) fn check(session: &Session) -> Result<(), StoreError> {
    match session.wait(found(session.client()))? {
        Found::Nothing => Err(StoreError::Missing),
        Found::Foreign => Err(StoreError::Foreign),
        Found::Store {
            version,
            min_version,
            ..
        } if version > VERSION + 1 || min_version > VERSION => Err(not_served(session)?),
        Found::Store { version, .. } if version < VERSION => Err(StoreError::Older),
        Found::Store { .. } => Ok(()),
    }
}

/// Begins the transaction of the one who opens: others wait until it ends.
pub(super) async fn begin(client: &Client) -> Result<(), Trouble> {
    let sql = format!("BEGIN READ WRITE; {ALONE}");
    Ok(client.batch_execute(&sql).await?)
}

fn prepare(session: &Session, rooms: Option<u16>) -> Result<About, StoreError> {
    match session.wait(found(session.client()))? {
        Found::Foreign => return Err(StoreError::Foreign),
        Found::Store {
            version,
            min_version,
            ..
        } if version > VERSION + 1 || min_version > VERSION => return Err(not_served(session)?),
        Found::Store { rooms: found, .. }
            if rooms.is_some_and(|asked| i32::from(asked) != found) =>
        {
            let found = u16::try_from(found).map_err(|_| Damage::Layout)?;
            let asked = rooms.unwrap_or(ROOMS);
            return Err(StoreError::Rooms { found, asked });
        }
        Found::Store { version, .. } => session.wait(grow(session.client(), version))?,
        Found::Nothing => session.wait(make(session.client(), rooms.unwrap_or(ROOMS)))?,
    }
    let about = session.wait(about(session.client()))?;
    about.ok_or(Damage::Layout.into())
}

/// Why a store is left alone that says it is newer: its table may have moved.
fn not_served(session: &Session) -> Result<StoreError, StoreError> {
    let away = session.wait(marks::away(session.client()))?;
    Ok(away.unwrap_or(StoreError::Newer))
}

/// What tables there are.
pub(super) async fn found(client: &Client) -> Result<Found, Trouble> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE relname = 'about' \
                   AND attname IN ('id', 'version', 'min_version', 'rooms', 'secret')) \
               FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid \
               JOIN pg_namespace ON relnamespace = pg_namespace.oid \
               WHERE nspname = 'war' AND attnum > 0";
    let row = client.query_one(sql, &[]).await?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => return Ok(Found::Nothing),
        (_, 5) => {}
        _ => return Ok(Found::Foreign),
    }
    let sql = "SELECT version, min_version, rooms FROM war.about";
    let Some(row) = client.query_opt(sql, &[]).await? else {
        return Ok(Found::Foreign);
    };
    let (version, min_version, rooms) = (row.get(0), row.get(1), row.get(2));
    Ok(if version < 1 {
        Found::Foreign
    } else {
        Found::Store {
            version,
            min_version,
            rooms,
        }
    })
}

/// Makes the tables.
pub(super) async fn make(client: &Client, rooms: u16) -> Result<(), Trouble> {
    client
        .batch_execute("CREATE SCHEMA IF NOT EXISTS war")
        .await?;
    client.batch_execute(STEPS[0]).await?;
    for sql in FIRST_ROWS {
        client.execute(sql, &[&i32::from(rooms)]).await?;
    }
    grow(client, 1).await
}

/// Adds what tables of a version are missing.
async fn grow(client: &Client, version: i32) -> Result<(), Trouble> {
    let version = usize::try_from(version).unwrap_or(STEPS.len());
    for step in STEPS.iter().skip(version) {
        client.batch_execute(step).await?;
    }
    let sql = "UPDATE war.about SET version = $1 WHERE version < $1";
    client.execute(sql, &[&VERSION]).await?;
    Ok(())
}

/// What the store says of itself, unless it makes no sense.
async fn about(client: &Client) -> Result<Option<About>, Trouble> {
    let sql = "SELECT id, rooms, secret FROM war.about";
    let row = client.query_one(sql, &[]).await?;
    let (id, rooms): (&str, i32) = (row.get(0), row.get(1));
    let read = || {
        Some(About {
            id: id.parse().ok()?,
            rooms: Rooms::new(u16::try_from(rooms).ok()?)?,
            secret: row.get::<_, &[u8]>(2).try_into().ok()?,
        })
    };
    Ok(read())
}

#[cfg(test)]
mod tests {
    use super::STEPS;

    // Stores hold these tables, and programs of other versions read them.
    #[test]
    fn the_schema_is_frozen() {
        let frozen = include_str!("../../../../tests/surface/postgres.sql");
        assert_eq!(STEPS.concat(), frozen);
    }
}
