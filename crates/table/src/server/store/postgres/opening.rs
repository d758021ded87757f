//! Whether a database is a store, and what makes it one.

use super::cause::Trouble;
use super::marks;
use super::schema::{FIRST_ROWS, STEPS, VERSION};
use super::session::Session;
use crate::log::TableId;
use crate::server::rooms::Rooms;
use crate::server::store::{Damage, StoreError};
use tokio_postgres::Client;
use tokio_postgres::error::SqlState;

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
