use super::rows::{event, messages, player_by_id};
use crate::room::{PlayerId, RoomEvent};
use crate::server::store::{MessageRange, StoreError};
use crate::tokens::Name;
use rusqlite::Connection;

/// The same store for readers; what they see is committed and synced.
pub struct SqliteReader(Connection);

impl SqliteReader {
    pub(super) const fn new(connection: Connection) -> Self {
        Self(connection)
    }

    /// Up to 100 messages after `after` to a player, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails.
    pub fn messages(&self, player: PlayerId, after: u64) -> Result<Vec<(u64, String)>, StoreError> {
        let range = MessageRange::after(after, after.saturating_add(100));
        messages(&self.0, player, range)
    }

    /// What a player is called now.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails, or knows nobody of this number.
    pub fn name(&self, player: PlayerId) -> Result<Name, StoreError> {
        Ok(player_by_id(&self.0, player)?.name)
    }

    /// The events of a game in order; none where it was not played.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails or is damaged.
    pub fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
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
