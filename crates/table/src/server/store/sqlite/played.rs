//! What a check reads of games that are over.

use super::finished::{figures, house, read};
use super::rows;
use crate::room::{FinishedGame, PlayerId, RoomEvent};
use crate::server::store::StoreError;
use crate::server::store::record::{Adjustments, PlayedGame, Record, judged};
use rusqlite::{Connection, Params, Row, params};

/// Up to so many games behind this one, each with what is kept of it.
pub(super) fn games(
    connection: &Connection,
    after: u64,
    most: u32,
) -> Result<Vec<PlayedGame>, StoreError> {
    // All of it is of one moment.
    let moment = connection.unchecked_transaction()?;
    let house = house(&moment)?;
    let sql = "SELECT game, (SELECT at FROM event WHERE id = last) FROM (\
                   SELECT game, max(id) AS last FROM event WHERE game > ?1 GROUP BY game \
                   ORDER BY game LIMIT ?2)";
    let mut statement = moment.prepare_cached(sql)?;
    let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found = statement.query_map(params![after, most], pair)?;
    let found: Vec<(u64, u64)> = found.collect::<Result<_, _>>()?;
    let mut games = Vec::new();
    for (game, at) in found {
        let events = match rows::game(&moment, game) {
            // It is named with the events.
            Err(StoreError::Damaged(_)) => Vec::new(),
            events => events?,
        };
        let played = FinishedGame::of(&events, at).into_iter().flatten();
        let played = played.filter(|game| !house.contains(&game.player));
        let sql = "SELECT * FROM finished WHERE at = ?1 AND game = ?2";
        let mut kept = all(&moment, sql, [at, game])?;
        let mut played: Vec<_> = played.collect();
        played.sort_by_key(|game| game.player);
        kept.sort_by_key(|game| game.player);
        if !events.is_empty() || !kept.is_empty() {
            games.push(PlayedGame { game, played, kept });
        }
    }
    Ok(games)
}

/// Up to so many players behind this one, and whether what is kept of their games fits together.
pub(super) fn records(
    connection: &Connection,
    after: u64,
    most: u32,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let moment = connection.unchecked_transaction()?;
    let sql = "SELECT id FROM player WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = moment.prepare_cached(sql)?;
    let players = statement.query_map(params![after, most], |row| row.get(0))?;
    let players: Vec<u64> = players.collect::<Result<_, _>>()?;
    let found = players
        .into_iter()
        .map(|player| Ok((player, record(&moment, player)?)));
    let found = found.collect::<Result<_, StoreError>>()?;
    judged(found, || adjustments(&moment))
}

/// What is found of a player's games; nothing where that can't be read.
fn record(moment: &Connection, player: u64) -> Result<Option<Record>, StoreError> {
    let mut record = Record::default();
    let sql = "SELECT * FROM finished WHERE player = ?1 ORDER BY at, game";
    let mut statement = moment.prepare_cached(sql)?;
    for row in statement.query_map([player], read)? {
        match row?.game() {
            Ok(game) => record.add(&game),
            Err(_) => return Ok(None),
        }
    }
    match figures(moment, PlayerId(player)) {
        Err(StoreError::Damaged(_)) => return Ok(None),
        figures => record.compare(&figures?),
    }
    Ok(Some(record))
}

fn adjustments(moment: &Connection) -> Result<Adjustments, StoreError> {
    let sql = "SELECT body FROM event WHERE game IS NULL AND body LIKE '{\"adjusted\"%' \
               ORDER BY at, id";
    let mut statement = moment.prepare_cached(sql)?;
    let bodies = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut given = Adjustments::new();
    for body in bodies {
        if let Ok(RoomEvent::Adjusted { player, tokens, .. }) = rows::event(&body?) {
            given.entry(player).or_default().push(tokens);
        }
    }
    Ok(given)
}

/// The games of all rows that a query finds.
fn all(
    moment: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Vec<FinishedGame>, StoreError> {
    let mut statement = moment.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    rows.map(|row| row?.game()).collect()
}
