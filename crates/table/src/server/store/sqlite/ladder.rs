//! Storage of the ladder: games to rate, and stored ratings.

use super::finished::parse_finished_game_row;
use crate::ladder::{LadderUpdate, MIN_RATED_GAMES, RatedGame, Standing, Standings};
use crate::protocol::{LadderPeriod, PlayerId};
use crate::server::store::reader::{LADDER_SIZE, build_rated_game};
use crate::server::store::{Damage, LadderView, StoreError};
use crate::time::WallTime;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::ops::Range;
use war::tokens::Name;

/// Columns of a standing, in the order that [`parse_standing`] expects.
pub(super) const STANDING_COLUMNS: &str =
    "rating.player, rating, deviation, volatility, games, day";

/// Runs a query for a number, which may be missing or null.
pub(super) fn query_number(connection: &Connection, sql: &str) -> Result<Option<u64>, StoreError> {
    let found: Option<Option<u64>> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(found.flatten())
}

/// Reads the public games that ended in this time range.
pub(super) fn read_rated_games(
    connection: &Connection,
    time: &Range<WallTime>,
) -> Result<Vec<RatedGame>, StoreError> {
    let sql = "SELECT finished.*, house FROM finished JOIN player ON player.id = opponent \
               WHERE finished.at >= ?1 AND finished.at < ?2 AND public";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([time.start.as_millis(), time.end.as_millis()])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        games.extend(build_rated_game(
            &parse_finished_game_row(row)?.into_game()?,
            row.get("house")?,
        ));
    }
    Ok(games)
}

/// Reads the standings of all players.
pub(super) fn read_standings(
    connection: &Connection,
    span: LadderPeriod,
) -> Result<Standings, StoreError> {
    let sql = format!("SELECT {STANDING_COLUMNS} FROM rating WHERE span = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut standings = Standings::default();
    for row in statement.query_map([span.name()], parse_standing)? {
        let (player, standing) = row?;
        standings.insert(player, standing);
    }
    Ok(standings)
}

/// Reads the ladder as shown to a player.
pub(super) fn read_ladder(
    connection: &Connection,
    span: LadderPeriod,
    player: PlayerId,
) -> Result<LadderView, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    let sql = format!(
        "SELECT {STANDING_COLUMNS}, name FROM rating LEFT JOIN player ON player.id = rating.player \
         WHERE span = ?1 AND games >= {MIN_RATED_GAMES} ORDER BY rating DESC, rating.player LIMIT {LADDER_SIZE}"
    );
    let mut statement = snapshot.prepare_cached(&sql)?;
    let mut rows = statement.query([span.name()])?;
    let mut ladder = LadderView::default();
    while let Some(row) = rows.next()? {
        let (player, standing) = parse_standing(row)?;
        let name: Option<String> = row.get("name")?;
        let name = name.map(|name| Name::new(&name)).transpose();
        ladder
            .top
            .push((player, name.map_err(|_| Damage::Name)?, standing));
    }
    let sql = format!(
        "SELECT {STANDING_COLUMNS}, name FROM rating JOIN player ON player.id = rating.player \
         WHERE span = ?1 AND rating.player = ?2"
    );
    let mut statement = snapshot.prepare_cached(&sql)?;
    let own = statement.query_row(params![span.name(), player.0], |row| {
        Ok((parse_standing(row)?.1, row.get::<_, String>("name")?))
    });
    if let Some((standing, name)) = own.optional()? {
        let sql = format!(
            "SELECT count(*) + 1 FROM rating WHERE span = ?1 AND games >= {MIN_RATED_GAMES} \
             AND (rating > ?2 OR rating = ?2 AND player < ?3)"
        );
        let mut statement = snapshot.prepare_cached(&sql)?;
        let place = params![span.name(), standing.rating, player.0];
        let place = statement.query_row(place, |row| row.get(0))?;
        let place = Some(place).filter(|_| standing.games >= MIN_RATED_GAMES);
        let name = Name::new(&name).map_err(|_| Damage::Name)?;
        ladder.own = Some((place, name, standing));
    }
    Ok(ladder)
}

/// Saves an update of the ladder, unless the ladder has changed since the update was computed.
pub(super) fn save_ladder(connection: &Connection, rated: &LadderUpdate) -> Result<(), StoreError> {
    if query_number(connection, "SELECT rated FROM about")? != rated.previous_day {
        return Ok(());
    }
    let sql = "DELETE FROM rating WHERE span <> ?1 OR ?2 IS NULL";
    connection.execute(sql, params![LadderPeriod::Ever.name(), rated.previous_day])?;
    let sql = "INSERT OR REPLACE INTO rating \
               (span, player, rating, deviation, volatility, games, day) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(sql)?;
    for (span, player, standing) in &rated.standings {
        let Standing {
            rating,
            deviation,
            volatility,
            games,
            day,
        } = standing;
        let name = span.name();
        statement.execute(params![
            name, player.0, rating, deviation, volatility, games, day
        ])?;
    }
    connection.execute("UPDATE about SET rated = ?1", [rated.day])?;
    Ok(())
}

/// Parses a standing from a row.
pub(super) fn parse_standing(row: &Row<'_>) -> rusqlite::Result<(PlayerId, Standing)> {
    let standing = Standing {
        rating: row.get(1)?,
        deviation: row.get(2)?,
        volatility: row.get(3)?,
        games: row.get(4)?,
        day: row.get(5)?,
    };
    Ok((PlayerId(row.get(0)?), standing))
}
