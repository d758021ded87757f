//! All that is kept of a player.

use super::finished::read;
use super::ladder::{STANDING, standing};
use super::rows::{PLAYER, player_of};
use crate::room::PlayerId;
use crate::server::store::StoreError;
use crate::server::store::finished_row::FinishedRow;
use crate::server::store::inspector::Kept;
use rusqlite::{Connection, Row};
use serde_json::Value;
use war::support::hex::Hex;

/// The events of a player: those of games that are over, and those of no game. Those of a running
/// game tell the cards of both.
const EVENTS: &str = "SELECT at, body FROM event WHERE \
    game IN (SELECT game FROM event, json_each(body, '$.matched.seats') AS seats WHERE \
        game IS NOT NULL AND body LIKE '{\"matched\"%' AND seats.value = ?1 \
        EXCEPT SELECT game FROM seat) \
    OR (game IS NULL AND EXISTS (SELECT 1 FROM json_each(body) AS named WHERE \
        json_extract(named.value, '$.player') = ?1)) ORDER BY id";

/// All that is kept of a player; nothing where nobody has this number.
pub(super) fn export(
    connection: &Connection,
    player: PlayerId,
) -> Result<Option<Value>, StoreError> {
    let Ok(id) = i64::try_from(player.0) else {
        return Ok(None);
    };
    // All of it is of one moment.
    let moment = connection.unchecked_transaction()?;
    let sql = format!("SELECT {PLAYER}, token FROM player WHERE id = ?1");
    let mut statement = moment.prepare(&sql)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let (player, known) = player_of(row)?;
    let ledger = "SELECT at, game, iif(credit = ?1, tokens, -tokens) FROM ledger \
                  JOIN event ON event.id = ledger.event WHERE ?1 IN (credit, debit) \
                  ORDER BY ledger.id";
    let messages = "SELECT body FROM outbox WHERE player = ?1 ORDER BY seq";
    let answers = "SELECT id, refusal FROM request WHERE player = ?1 ORDER BY number";
    let games = "SELECT * FROM finished WHERE player = ?1 ORDER BY at, game";
    let games = all(&moment, games, id, read)?;
    let ladder = format!("SELECT {STANDING}, span FROM rating WHERE player = ?1 ORDER BY span");
    let kept = Kept {
        player,
        known,
        token: Hex::new(row.get("token")?),
        ledger: all(&moment, ledger, id, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?,
        events: all(&moment, EVENTS, id, |row| Ok((row.get(0)?, row.get(1)?)))?,
        messages: all(&moment, messages, id, |row| row.get(0))?,
        answers: all(&moment, answers, id, |row| Ok((row.get(0)?, row.get(1)?)))?,
        games: games
            .into_iter()
            .map(FinishedRow::game)
            .collect::<Result<_, _>>()?,
        ladder: all(&moment, &ladder, id, |row| {
            Ok((row.get("span")?, standing(row)?.1))
        })?,
    };
    kept.value().map(Some)
}

/// What is read of all rows about a player.
fn all<T>(
    moment: &Connection,
    sql: &str,
    player: i64,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = moment.prepare(sql)?;
    let rows = statement.query_map([player], read)?;
    rows.collect()
}
