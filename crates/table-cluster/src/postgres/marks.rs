//! What marks a database whose table moves or has moved.

use tokio_postgres::{Client, Error};
use war_table::server::store::{Damage, StoreError};

/// Whether anything is noted: the table of notes is made with the first one.
const IS_NOTED: &str = "SELECT to_regclass('war.note') IS NOT NULL";

/// Why a store is not served that is marked.
pub(super) async fn away(client: &Client) -> Result<Option<StoreError>, Error> {
    if !client.query_one(IS_NOTED, &[]).await?.get::<_, bool>(0) {
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

/// Marks a store whose table is about to leave: programs of all versions leave it alone, and no
/// node that knows it takes a room of it.
pub(super) async fn leave(client: &Client, to: &str) -> Result<(), Error> {
    client
        .batch_execute(
            "CREATE TABLE IF NOT EXISTS war.note (name text PRIMARY KEY, value text NOT NULL);
             UPDATE war.about SET min_version = 2147483647;
             UPDATE war.room SET epoch = epoch + 1, beat = beat + 1, owner = NULL, pid = NULL;",
        )
        .await?;
    note(client, "leaving", to).await
}

/// Marks a store whose table has left.
pub(super) async fn left(client: &Client, to: &str) -> Result<(), Error> {
    note(client, "moved", to).await
}

async fn note(client: &Client, name: &str, value: &str) -> Result<(), Error> {
    let sql = "INSERT INTO war.note AS note (name, value) VALUES ($1, $2) \
               ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    client.execute(sql, &[&name, &value]).await?;
    Ok(())
}
