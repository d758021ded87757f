use super::line::Line;
use crate::server::rooms::RoomNumber;
use crate::server::store::{Inbox, StoreError};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

/// The inbox of a table in a database, on a connection of its own.
pub struct PostgresInbox(Line);

impl PostgresInbox {
    pub(super) const fn new(line: Line) -> Self {
        Self(line)
    }

    /// What a statement that is a transaction of its own returns, if anything.
    fn row(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Option<Row>, StoreError> {
        self.0
            .ask(async |client| client.query_opt(sql, params).await)
    }
}

impl Inbox for PostgresInbox {
    fn hand_in(&self, ask: &str, room: Option<RoomNumber>) -> Result<String, StoreError> {
        let sql = "INSERT INTO war.inbox (ask, room) VALUES ($1, $2) RETURNING id::text";
        let room = room.map(|room| i32::from(room.0));
        let asked =
            async |client: &tokio_postgres::Client| client.query_one(sql, &[&ask, &room]).await;
        Ok(self.0.ask(asked)?.get(0))
    }

    fn answer(&self, id: &str) -> Result<Option<String>, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND answer IS NOT NULL \
                   RETURNING answer";
        Ok(self.row(sql, &[&id])?.map(|row| row.get(0)))
    }

    fn withdraw(&self, id: &str) -> Result<bool, StoreError> {
        let sql = "DELETE FROM war.inbox WHERE id::text = $1 AND NOT taken RETURNING id::text";
        Ok(self.row(sql, &[&id])?.is_some())
    }

    /// What is older was asked by a node that is gone: nobody waits for it any more, and it must
    /// not be done when nobody expects it.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError> {
        let sql = "WITH old AS (DELETE FROM war.inbox WHERE at < now() - interval '1 hour') \
                   UPDATE war.inbox SET taken = true WHERE id = (\
                       SELECT id FROM war.inbox WHERE NOT taken \
                       AND (room IS NULL OR room = ANY($1::int[])) \
                       AND at > now() - interval '10 seconds' \
                       ORDER BY at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id::text, ask";
        let rooms: Vec<i32> = rooms.iter().map(|room| i32::from(room.0)).collect();
        let taken = self.row(sql, &[&rooms])?;
        Ok(taken.map(|row| (row.get(0), row.get(1))))
    }

    fn settle(&self, id: &str, answer: &str) -> Result<(), StoreError> {
        let sql = "UPDATE war.inbox SET answer = $2 WHERE id::text = $1";
        self.row(sql, &[&id, &answer]).map(drop)
    }
}
