//! What an operator sees of the players.

use super::rows::{PLAYER, player_of};
use crate::operator::{Listed, MOST_LISTED};
use crate::server::store::StoreError;
use crate::server::store::inspector::listed;
use rusqlite::Connection;

/// Players after this number, as many as are listed at once.
pub(super) fn players(connection: &Connection, after: u64) -> Result<Vec<Listed>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT {PLAYER}, kind, game FROM player LEFT JOIN waiting ON waiting.player = id \
         LEFT JOIN seat ON seat.player = id WHERE id > ?1 ORDER BY id LIMIT {MOST_LISTED}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([after])?;
    let mut players = Vec::new();
    while let Some(row) = rows.next()? {
        let (kind, game): (Option<String>, Option<u64>) = (row.get("kind")?, row.get("game")?);
        players.push(listed(player_of(row)?, kind.as_deref(), game)?);
    }
    Ok(players)
}
