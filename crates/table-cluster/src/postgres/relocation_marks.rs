//! Marks of a database whose table is being moved or has moved.

use tokio_postgres::{Client, Error};
use war_table::server::store::{Damage, StoreError};

/// Tests whether the table `note` exists, which is created with the first mark.
const HAS_NOTES: &str = "SELECT to_regclass('war.note') IS NOT NULL";

/// Finds the error with which a marked store is refused; `None` if there is no mark.
pub(super) async fn find_relocation_error(client: &Client) -> Result<Option<StoreError>, Error> {
    if !client.query_one(HAS_NOTES, &[]).await?.get::<_, bool>(0) {
        return Ok(None);
    }
    let sql = "SELECT name, value FROM war.note WHERE name IN ('leaving', 'moved') \
               ORDER BY name DESC LIMIT 1";
    let row = client.query_opt(sql, &[]).await?;
    Ok(row.map(|row| {
        let to = row.get(1);
        match row.get(0) {
            "moved" => StoreError::Moved { to },
            "leaving" => StoreError::Leaving { to },
            _ => Damage::Layout.into(),
        }
    }))
}

/// Marks a store whose table is being moved. Programs of all versions refuse a marked store, and
/// running nodes can't take its rooms.
pub(super) async fn mark_leaving(client: &Client, to: &str) -> Result<(), Error> {
    client
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS war.note (name text PRIMARY KEY, value text NOT NULL);
             UPDATE war.about SET min_version = 2147483647;
             UPDATE war.room SET epoch = epoch + 1, beat = beat + 1, owner = NULL, pid = NULL;",
        )
        .await?;
    write_note(client, "leaving", to).await
}

/// Marks a store whose table has moved.
pub(super) async fn mark_moved(client: &Client, to: &str) -> Result<(), Error> {
    write_note(client, "moved", to).await
}

async fn write_note(client: &Client, name: &str, value: &str) -> Result<(), Error> {
    let sql = "INSERT INTO war.note AS note (name, value) VALUES ($1, $2) \
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    client.execute(sql, &[&name, &value]).await?;
    Ok(())
}
