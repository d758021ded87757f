//! Schema of the store: its tables, their migrations, and detection of a store in a database.
//!
//! Adjacent versions of the program run together during a rolling upgrade, so migrations only add.

use super::relocation_marks;
use super::session::{DatabaseSession, QueryError};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;
use war_table::log::TableId;
use war_table::server::rooms::RoomCount;
use war_table::server::store::{Damage, StoreError, StoreSecret};

/// Version of the schema.
pub(super) const SCHEMA_VERSION: i32 = 6;

/// Migrations from each version to the next; the first creates the tables.
const MIGRATIONS: [&str; SCHEMA_VERSION as usize] = [
    CREATE_TABLES,
    ADD_STATUS_AND_VERSIONS,
    ADD_MEETINGS_AND_GAMES,
    ADD_PEOPLE_COUNTS,
    ADD_REPLIES_AND_CLUSTER,
    ADD_LINKS,
];

/// Version 1. `room` is the number of a room, `seq` that of a batch of the room, and `part` a
/// position in the batch; `(room, seq, part)` is the order of rows.
const CREATE_TABLES: &str = "
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

/// Version 2: status of players, time of messages and number of each player's first message, inbox
/// of operator requests, version of nodes and of room owners.
///
/// Messages written before this version have no time and are dated by `about.dated`, the time of
/// the migration. The `version` of a room is that of its owner only if `versioned` is its epoch,
/// since nodes of version 1 don't set it. No index contains the room of a player, so that a claim
/// updates no index.
const ADD_STATUS_AND_VERSIONS: &str = "
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

/// Version 3: opponents that waiting players ask for, permission to watch a player's games,
/// finished games of each player except the house, tallies by the ranks of the cards that a player
/// held, and the ladder with its last rated day.
///
/// Nodes of version 2 ignore `meeting` and match any players. `games_kept` is true once the games
/// settled by such nodes are backfilled.
const ADD_MEETINGS_AND_GAMES: &str = "
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

/// Version 4: numbers of connected clients, running games, and players waiting for a game with one
/// or two cards, for each node. Nodes of earlier versions leave them at 0.
const ADD_PEOPLE_COUNTS: &str = "
ALTER TABLE war.node
    ADD COLUMN here bigint NOT NULL DEFAULT 0, ADD COLUMN running bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_single bigint NOT NULL DEFAULT 0,
    ADD COLUMN waiting_double bigint NOT NULL DEFAULT 0;
";

/// Version 5: requests that messages answer, which nodes of earlier versions leave out, and the
/// system identifier of the database's cluster.
const ADD_REPLIES_AND_CLUSTER: &str = "
ALTER TABLE war.outbox ADD COLUMN in_reply_to text;
ALTER TABLE war.about ADD COLUMN cluster bigint;
";

/// Version 6: friend links. None is created, and no leaf of a daily duel is written, while nodes of
/// earlier versions serve the table.
const ADD_LINKS: &str = "
CREATE TABLE war.friend_link (
    number bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, player bigint NOT NULL,
    id bytea NOT NULL UNIQUE, kind text NOT NULL, secret_hash bytea NOT NULL
);
CREATE INDEX friend_link_of_player ON war.friend_link (player);
";

/// Version of the first nodes that read the events of games with friends, and the leaves of daily
/// duels.
pub(super) const UPGRADED_SINCE: i32 = 6;

/// Raises the minimum version to `$1`, the version of this node, once no older node is left.
pub(super) const RAISE_MIN_VERSION: &str =
    "UPDATE war.about SET min_version = $1 WHERE min_version < $1
    AND NOT EXISTS (SELECT FROM war.node WHERE version < $1)
    AND NOT EXISTS (SELECT FROM war.room WHERE owner IS NOT NULL
                    AND (version < $1 OR versioned <> epoch))";

/// Statements that insert the initial rows; `$1` is the number of rooms.
///
/// Ids and secrets come from random UUIDs with 122 bits each.
const INITIAL_ROWS: [&str; 2] = [
    "INSERT INTO war.about (id, version, min_version, rooms, secret)
     SELECT replace(gen_random_uuid()::text, '-', ''), 0, 1, $1::int,
            sha256(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
                          'hex'))",
    "INSERT INTO war.room (id) SELECT generate_series(0, $1::int - 1)",
];

/// Default number of rooms of a new store.
pub(super) const DEFAULT_ROOM_COUNT: u16 = 16;

/// Properties of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoreProperties {
    /// Id of the table.
    pub(super) id: TableId,
    /// Number of rooms.
    pub(super) rooms: RoomCount,
    /// Secret of the store.
    pub(super) secret: StoreSecret,
}

/// Takes the lock for opening the store. The transaction holds the lock until it ends.
pub(super) const LOCK_OPENING: &str = "SELECT pg_advisory_xact_lock(x'57617254'::int)";

/// State of the schema `war` in a database.
pub(super) enum SchemaState {
    /// No tables.
    Absent,
    /// Tables of a store, with its version, the minimum version of nodes, and its number of rooms.
    Store {
        version: i32,
        min_version: i32,
        rooms: i32,
    },
    /// Tables of another program.
    Foreign,
}

/// Opens the store: creates it or migrates it in one transaction, even if several nodes start at
/// the same time.
///
/// # Errors
///
/// [`StoreError`] if the tables belong to another program, a newer version or a table with a
/// different number of rooms, if they can't be created, or if the store is an unconfirmed copy.
pub(super) fn open_store(
    session: &DatabaseSession,
    rooms: Option<RoomCount>,
) -> Result<StoreProperties, StoreError> {
    open_in_transaction(session, rooms, check_cluster)
}

/// Opens a store like [`open_store`], even if it is a copy in another cluster.
///
/// # Errors
///
/// [`StoreError`] like [`open_store`].
pub(super) fn open_copy(session: &DatabaseSession) -> Result<(), StoreError> {
    open_in_transaction(session, None, |_| Ok(())).map(drop)
}

fn open_in_transaction(
    session: &DatabaseSession,
    rooms: Option<RoomCount>,
    check: impl FnOnce(&DatabaseSession) -> Result<(), StoreError>,
) -> Result<StoreProperties, StoreError> {
    let begun = session.wait(begin_opening(session.client()));
    begun.map_err(|error| match error.code() {
        // A move of the table holds the lock.
        Some(&SqlState::LOCK_NOT_AVAILABLE) => StoreError::InUse,
        _ => error.into(),
    })?;
    let opened = open_locked(session, rooms.map(RoomCount::count));
    let opened = opened.and_then(|properties| check(session).map(|()| properties));
    let end = if opened.is_ok() { "COMMIT" } else { "ROLLBACK" };
    session.wait(session.client().batch_execute(end))?;
    opened
}

/// Checks that the store is in the cluster of which it was last served, and sets the cluster of a
/// store that was not served since version 5.
fn check_cluster(session: &DatabaseSession) -> Result<(), StoreError> {
    let sql = "UPDATE war.about SET cluster = coalesce(cluster, $1) RETURNING cluster = $1";
    let system = session.system();
    let row = session.wait(session.client().query_one(sql, &[&system]))?;
    if row.get(0) {
        Ok(())
    } else {
        Err(StoreError::UnconfirmedCopy)
    }
}

/// Confirms that the store in this cluster may be served.
pub(super) async fn confirm_cluster(client: &Client, system: i64) -> Result<(), QueryError> {
    let sql = "UPDATE war.about SET cluster = $1";
    client.execute(sql, &[&system]).await?;
    Ok(())
}

/// Checks that the database contains a store that this version can read, without changing it.
///
/// # Errors
///
/// [`StoreError`] if there is no store, or if the tables belong to another program or to a version
/// that this one can't read.
pub(super) fn check_store(session: &DatabaseSession) -> Result<(), StoreError> {
    match session.wait(inspect(session.client()))? {
        SchemaState::Absent => Err(StoreError::Missing),
        SchemaState::Foreign => Err(StoreError::Foreign),
        SchemaState::Store {
            version,
            min_version,
            ..
        } if version > SCHEMA_VERSION + 1 || min_version > SCHEMA_VERSION => {
            Err(newer_version_error(session)?)
        }
        SchemaState::Store { version, .. } if version < SCHEMA_VERSION => {
            Err(StoreError::OlderVersion)
        }
        SchemaState::Store { .. } => Ok(()),
    }
}

/// Begins a transaction that holds the lock for opening the store.
pub(super) async fn begin_opening(client: &Client) -> Result<(), QueryError> {
    let sql = format!("BEGIN READ WRITE; {LOCK_OPENING}");
    Ok(client.batch_execute(&sql).await?)
}

fn open_locked(
    session: &DatabaseSession,
    rooms: Option<u16>,
) -> Result<StoreProperties, StoreError> {
    match session.wait(inspect(session.client()))? {
        SchemaState::Foreign => return Err(StoreError::Foreign),
        SchemaState::Store {
            version,
            min_version,
            ..
        } if version > SCHEMA_VERSION + 1 || min_version > SCHEMA_VERSION => {
            return Err(newer_version_error(session)?);
        }
        SchemaState::Store { rooms: found, .. }
            if rooms.is_some_and(|asked| i32::from(asked) != found) =>
        {
            let found = u16::try_from(found).map_err(|_| Damage::Layout)?;
            let asked = rooms.unwrap_or(DEFAULT_ROOM_COUNT);
            return Err(StoreError::Rooms { found, asked });
        }
        SchemaState::Store { version, .. } => session.wait(migrate(session.client(), version))?,
        SchemaState::Absent => {
            session.wait(create_tables(
                session.client(),
                rooms.unwrap_or(DEFAULT_ROOM_COUNT),
            ))?;
        }
    }
    let properties = session.wait(read_properties(session.client()))?;
    properties.ok_or(Damage::Layout.into())
}

/// Returns the error for a store that only newer versions may serve. The store of a moved table is
/// marked in the same way.
fn newer_version_error(session: &DatabaseSession) -> Result<StoreError, StoreError> {
    let relocation = session.wait(relocation_marks::find_relocation_error(session.client()))?;
    Ok(relocation.unwrap_or(StoreError::NewerVersion))
}

/// Determines the state of the schema `war` in a database.
pub(super) async fn inspect(client: &Client) -> Result<SchemaState, QueryError> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE relname = 'about' \
                   AND attname IN ('id', 'version', 'min_version', 'rooms', 'secret')) \
               FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid \
               JOIN pg_namespace ON relnamespace = pg_namespace.oid \
               WHERE nspname = 'war' AND attnum > 0";
    let row = client.query_one(sql, &[]).await?;
    match (row.get::<_, i64>(0), row.get::<_, i64>(1)) {
        (0, _) => return Ok(SchemaState::Absent),
        (_, 5) => {}
        _ => return Ok(SchemaState::Foreign),
    }
    let sql = "SELECT version, min_version, rooms FROM war.about";
    let Some(row) = client.query_opt(sql, &[]).await? else {
        return Ok(SchemaState::Foreign);
    };
    let (version, min_version, rooms) = (row.get(0), row.get(1), row.get(2));
    Ok(if version < 1 {
        SchemaState::Foreign
    } else {
        SchemaState::Store {
            version,
            min_version,
            rooms,
        }
    })
}

/// Creates the tables.
pub(super) async fn create_tables(client: &Client, rooms: u16) -> Result<(), QueryError> {
    client
        .batch_execute("CREATE SCHEMA IF NOT EXISTS war")
        .await?;
    client.batch_execute(MIGRATIONS[0]).await?;
    for sql in INITIAL_ROWS {
        client.execute(sql, &[&i32::from(rooms)]).await?;
    }
    migrate(client, 1).await
}

/// Migrates the tables from a version to the current one.
async fn migrate(client: &Client, version: i32) -> Result<(), QueryError> {
    let version = usize::try_from(version).unwrap_or(MIGRATIONS.len());
    for migration in MIGRATIONS.iter().skip(version) {
        client.batch_execute(migration).await?;
    }
    let sql = "UPDATE war.about SET version = $1 WHERE version < $1";
    client.execute(sql, &[&SCHEMA_VERSION]).await?;
    Ok(())
}

/// Reads the properties of the store; returns `None` if they are invalid.
async fn read_properties(client: &Client) -> Result<Option<StoreProperties>, QueryError> {
    let sql = "SELECT id, rooms, secret FROM war.about";
    let row = client.query_one(sql, &[]).await?;
    let (id, rooms): (&str, i32) = (row.get(0), row.get(1));
    let read = || {
        Some(StoreProperties {
            id: id.parse().ok()?,
            rooms: RoomCount::new(u16::try_from(rooms).ok()?)?,
            secret: StoreSecret::new(row.get::<_, &[u8]>(2).try_into().ok()?),
        })
    };
    Ok(read())
}

#[cfg(test)]
mod tests {
    use super::MIGRATIONS;

    // Existing stores have these tables, and other versions of the program use them.
    #[test]
    fn the_schema_is_frozen() {
        let frozen = include_str!("../../../../tests/surface/postgres.sql");
        assert_eq!(MIGRATIONS.concat(), frozen);
    }
}
