//! What a check reads of games that are over: it sees one moment.

use super::finished::{FIND_FIGURES, figures, game};
use super::reader::PostgresReader;
use super::values::{number, signed};
use crate::room::{FinishedGame, RoomEvent};
use crate::server::store::StoreError;
use crate::server::store::record::{Adjustments, PlayedGame, Record, judged};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::Row;

/// Up to so many games behind this one, each with what is kept of it.
pub(super) fn games(
    reader: &PostgresReader,
    after: u64,
    most: u32,
) -> Result<Vec<PlayedGame>, StoreError> {
    let (after, most) = (signed(after), i64::from(most));
    let (house, events, kept) = reader.line().read(async |client| {
        let house = client.query("SELECT id FROM player WHERE house", &[]).await?;
        let sql = "SELECT game, at, body FROM event WHERE game IN (\
                       SELECT game FROM event WHERE game > $1 GROUP BY game ORDER BY game LIMIT $2) \
                   ORDER BY game, room, seq, part";
        let events = client.query(sql, &[&after, &most]).await?;
        // The last event of each game.
        let ends: BTreeMap<i64, i64> = events.iter().map(|row| (row.get(0), row.get(1))).collect();
        let (games, times): (Vec<_>, Vec<_>) = ends.into_iter().unzip();
        let sql = "SELECT finished.* FROM unnest($1::bigint[], $2::bigint[]) AS ended (number, time) \
                   JOIN finished ON at = time AND game = number ORDER BY game, player";
        let kept = client.query(sql, &[&games, &times]).await?;
        Ok((house, events, kept))
    })?;
    let house: BTreeSet<i64> = house.iter().map(|row| row.get(0)).collect();
    let mut played: BTreeMap<u64, (u64, Option<Vec<RoomEvent>>)> = BTreeMap::new();
    for row in &events {
        let (game, at) = (number(row.get(0))?, number(row.get(1))?);
        let known = played.entry(game).or_insert((at, Some(Vec::new())));
        known.0 = at;
        // One that can't be read is named with the events.
        let event: Option<RoomEvent> = serde_json::from_str(row.get(2)).ok();
        let known_before = known.1.take();
        known.1 = known_before.zip(event).map(|(mut events, event)| {
            events.push(event);
            events
        });
    }
    let mut games = Vec::new();
    for (number, (at, events)) in played {
        let Some(events) = events else { continue };
        let played = FinishedGame::of(&events, at).into_iter().flatten();
        let played = played.filter(|game| !house.contains(&signed(game.player.0)));
        let mut played: Vec<_> = played.collect();
        played.sort_by_key(|game| game.player);
        let kept = kept
            .iter()
            .filter(|row| row.get::<_, i64>("game") == signed(number));
        let kept = kept.map(game).collect::<Result<_, _>>()?;
        let game = number;
        games.push(PlayedGame { game, played, kept });
    }
    Ok(games)
}

/// Up to so many players behind this one, and whether what is kept of their games fits together.
pub(super) fn records(
    reader: &PostgresReader,
    after: u64,
    most: u32,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let (after, most) = (signed(after), i64::from(most));
    let rows = reader.line().read(async |client| {
        let sql = "SELECT id FROM player WHERE id > $1 ORDER BY id LIMIT $2";
        let mut rows = Vec::new();
        for row in client.query(sql, &[&after, &most]).await? {
            let player: i64 = row.get(0);
            let sql = "SELECT * FROM finished WHERE player = $1 ORDER BY at, game";
            let games = client.query(sql, &[&player]).await?;
            let figures = client.query(FIND_FIGURES, &[&player]).await?;
            rows.push((player, record(&games, &figures)));
        }
        Ok(rows)
    })?;
    let found = rows
        .into_iter()
        .map(|(player, record)| Ok((number(player)?, record)));
    let found = found.collect::<Result<_, StoreError>>()?;
    // Nothing is missing among these that was given before the last of those games.
    judged(found, || adjustments(reader))
}

/// What is found of a player's games; nothing where that can't be read.
fn record(games: &[Row], of_hands: &[Row]) -> Option<Record> {
    let mut record = Record::default();
    for row in games {
        record.add(&game(row).ok()?);
    }
    let kept: Result<Vec<_>, _> = of_hands.iter().map(figures).collect();
    record.compare(&kept.ok()?);
    Some(record)
}

fn adjustments(reader: &PostgresReader) -> Result<Adjustments, StoreError> {
    let sql = "SELECT body FROM war.event WHERE game IS NULL AND body LIKE '{\"adjusted\"%' \
               ORDER BY at, room, seq, part";
    let mut given = Adjustments::new();
    for row in &reader.many(sql, &[])? {
        if let Ok(RoomEvent::Adjusted { player, tokens, .. }) = serde_json::from_str(row.get(0)) {
            given.entry(player).or_default().push(tokens);
        }
    }
    Ok(given)
}
