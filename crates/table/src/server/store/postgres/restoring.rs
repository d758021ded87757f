//! What is done with the store in a database that was restored from a backup.

use super::alone::Alone;
use super::cause::Trouble;
use super::moved_rows::Place;
use super::session::Session;
use super::values::{number, signed};
use super::{DatabaseAddress, PostgresTable};
use crate::log::Checkpoint;
use crate::server::store::moving::Part;
use crate::server::store::restored::{OTHERS, PLAYERS, all_leaves, leaf};
use crate::server::store::{Damage, Restoration, StoreError};
use tokio_postgres::Client;

/// What is counted before anything is changed.
const COUNT: &str = "SELECT (SELECT id FROM about), \
    (SELECT count(*) FROM player WHERE NOT house), (SELECT count(DISTINCT game) FROM seat)";

impl PostgresTable {
    /// Lets a store go on that was restored from a backup or to a moment, while nobody serves
    /// it, as [`SqliteStore::restored`](crate::server::store::SqliteStore::restored) does.
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
