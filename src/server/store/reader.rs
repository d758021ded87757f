use super::StoreError;
use crate::room::{PlayerId, RoomEvent};
use rusqlite::{Connection, params};

/// The same store for readers; what they see is committed and synced.
pub(in crate::server) struct Reader(pub(super) Connection);

impl Reader {
    /// Up to 100 messages after `after` to a player, in order.
    pub(in crate::server) fn messages(
        &self,
        player: PlayerId,
        after: u64,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        messages(&self.0, player, (after + 1, after + 100))
    }

    /// The events of a game in order; none where it was not played.
    pub(in crate::server) fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        let Ok(game) = i64::try_from(game) else {
            return Ok(Vec::new());
        };
        let sql = "SELECT body FROM event WHERE game = ?1 ORDER BY id";
        let mut statement = self.0.prepare_cached(sql)?;
        let bodies = statement.query_map([game], |row| row.get(0))?;
        bodies
            .map(|body: Result<String, _>| event(&body?))
            .collect()
    }
}

pub(super) fn messages(
    connection: &Connection,
    player: PlayerId,
    (first, last): (u64, u64),
) -> Result<Vec<(u64, String)>, StoreError> {
    let sql = "SELECT seq, body FROM outbox WHERE player = ?1 AND seq BETWEEN ?2 AND ?3 \
               ORDER BY seq";
    let mut statement = connection.prepare_cached(sql)?;
    let last = last.min(i64::MAX as u64);
    let rows = statement.query_map(params![player.0, first, last], |row| {
        Ok((row.get(0)?, row.get(1)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn event(body: &str) -> Result<RoomEvent, StoreError> {
    serde_json::from_str(body).map_err(|_| StoreError::Damaged("an event that can't be read"))
}
