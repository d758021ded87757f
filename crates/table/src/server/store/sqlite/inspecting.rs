//! Queries of operators: lists of players, checks of the store, and exports of players.

use super::finished::{parse_finished_game_row, read_figures, read_house_players};
use super::ladder::{STANDING_COLUMNS, parse_standing};
use super::reader::SqliteReader;
use super::rows::{self, PLAYER_COLUMNS, parse_event, parse_player, read_friend_links};
use crate::operator::{LedgerPosition, MAX_LISTED_PLAYERS, PlayerSummary};
use crate::protocol::PlayerId;
use crate::room::{PlayerGameRecord, RoomEvent};
use crate::server::store::inspector::{
    Adjustments, PlayerExport, PlayerRecord, build_player_summary, join_transfers, validate_records,
};
use crate::server::store::reader::FinishedGameRow;
use crate::server::store::{
    GameRecords, Inspector, LedgerEntry, StoreError, StoreSecret, Transfer,
};
use crate::time::WallTime;
use rusqlite::{Connection, Params, Row, params};
use serde_json::Value;
use std::collections::BTreeMap;
use war::support::hex::Hex;

impl Inspector for SqliteReader {
    fn secret(&self) -> Result<StoreSecret, StoreError> {
        rows::read_secret(self.connection())
    }

    fn players(&self, after: u64) -> Result<Vec<PlayerSummary>, StoreError> {
        players(self.connection(), after)
    }

    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError> {
        export(self.connection(), player)
    }

    fn ledger_entries(
        &self,
        after: LedgerPosition,
        limit: u32,
    ) -> Result<(Vec<LedgerEntry>, Option<LedgerPosition>), StoreError> {
        ledger_entries(self.connection(), after, limit)
    }

    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError> {
        wrong_balances(self.connection())
    }

    fn check_messages(&self, after: u64, limit: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        check_messages(self.connection(), after, limit)
    }

    fn game_records(&self, after: u64, limit: u32) -> Result<Vec<GameRecords>, StoreError> {
        games(self.connection(), after, limit)
    }

    fn check_records(&self, after: u64, limit: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        check_records(self.connection(), after, limit)
    }

    fn settled_games(&self, after: u64, limit: u32) -> Result<Vec<u64>, StoreError> {
        settled_games(self.connection(), after, limit)
    }
}

/// Lists players after this number, at most [`MAX_LISTED_PLAYERS`].
fn players(connection: &Connection, after: u64) -> Result<Vec<PlayerSummary>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT {PLAYER_COLUMNS}, kind, game FROM player LEFT JOIN waiting ON waiting.player = id \
         LEFT JOIN seat ON seat.player = id WHERE id > ?1 ORDER BY id LIMIT {MAX_LISTED_PLAYERS}"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([after])?;
    let mut players = Vec::new();
    while let Some(row) = rows.next()? {
        let (kind, game): (Option<String>, Option<u64>) = (row.get("kind")?, row.get("game")?);
        players.push(build_player_summary(
            parse_player(row)?,
            kind.as_deref(),
            game,
        )?);
    }
    Ok(players)
}

/// Reads up to `limit` games with numbers above `after`, each with its records.
fn games(connection: &Connection, after: u64, limit: u32) -> Result<Vec<GameRecords>, StoreError> {
    // All queries see the same snapshot.
    let snapshot = connection.unchecked_transaction()?;
    let house = read_house_players(&snapshot)?;
    let sql = "SELECT game, (SELECT at FROM event WHERE id = last) FROM (\
                   SELECT game, max(id) AS last FROM event WHERE game > ?1 GROUP BY game \
                   ORDER BY game LIMIT ?2)";
    let mut statement = snapshot.prepare_cached(sql)?;
    let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let found = statement.query_map(params![after, limit], pair)?;
    let found: Vec<(u64, u64)> = found.collect::<Result<_, _>>()?;
    let mut games = Vec::new();
    for (game, at) in found {
        let events = match rows::read_game_events(&snapshot, game) {
            // The check of events reports the damage.
            Err(StoreError::Damaged(_)) => Vec::new(),
            events => events?,
        };
        let played = PlayerGameRecord::from_events(&events, WallTime::from_millis(at))
            .into_iter()
            .flatten();
        let played = played.filter(|game| !house.contains(&game.player));
        let sql = "SELECT * FROM finished WHERE at = ?1 AND game = ?2";
        let mut kept = query_games(&snapshot, sql, [at, game])?;
        let mut played: Vec<_> = played.collect();
        played.sort_by_key(|game| game.player);
        kept.sort_by_key(|game| game.player);
        if !events.is_empty() || !kept.is_empty() {
            games.push(GameRecords {
                game,
                computed: played,
                stored: kept,
            });
        }
    }
    Ok(games)
}

/// Checks the game records of up to `limit` players with numbers above `after`.
fn check_records(
    connection: &Connection,
    after: u64,
    limit: u32,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    let sql = "SELECT id FROM player WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = snapshot.prepare_cached(sql)?;
    let players = statement.query_map(params![after, limit], |row| row.get(0))?;
    let players: Vec<u64> = players.collect::<Result<_, _>>()?;
    let found = players
        .into_iter()
        .map(|player| Ok((player, record(&snapshot, player)?)));
    let found = found.collect::<Result<_, StoreError>>()?;
    validate_records(found, || adjustments(&snapshot))
}

/// Reads the record of a player's games; `None` if it can't be read.
fn record(snapshot: &Connection, player: u64) -> Result<Option<PlayerRecord>, StoreError> {
    let mut record = PlayerRecord::default();
    let sql = "SELECT * FROM finished WHERE player = ?1 ORDER BY at, game";
    let mut statement = snapshot.prepare_cached(sql)?;
    for row in statement.query_map([player], parse_finished_game_row)? {
        match row?.into_game() {
            Ok(game) => record.add(&game),
            Err(_) => return Ok(None),
        }
    }
    match read_figures(snapshot, PlayerId(player)) {
        Err(StoreError::Damaged(_)) => return Ok(None),
        figures => record.check_statistics(&figures?),
    }
    Ok(Some(record))
}

fn adjustments(snapshot: &Connection) -> Result<Adjustments, StoreError> {
    let sql = "SELECT body FROM event WHERE game IS NULL AND body LIKE '{\"adjusted\"%' \
               ORDER BY at, id";
    let mut statement = snapshot.prepare_cached(sql)?;
    let bodies = statement.query_map([], |row| row.get::<_, String>(0))?;
    let mut given = Adjustments::new();
    for body in bodies {
        if let Ok(RoomEvent::Adjusted { player, tokens, .. }) = rows::parse_event(&body?) {
            given.entry(player).or_default().push(tokens);
        }
    }
    Ok(given)
}

/// Runs a query for finished games.
fn query_games(
    snapshot: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Vec<PlayerGameRecord>, StoreError> {
    let mut statement = snapshot.prepare_cached(sql)?;
    let rows = statement.query_map(params, parse_finished_game_row)?;
    rows.map(|row| row?.into_game()).collect()
}

/// Reads up to `limit` events after this position with their transfers, and the next position.
fn ledger_entries(
    connection: &Connection,
    after: LedgerPosition,
    limit: u32,
) -> Result<(Vec<LedgerEntry>, Option<LedgerPosition>), StoreError> {
    // Both queries see the same snapshot.
    let snapshot = connection.unchecked_transaction()?;
    let sql = "SELECT id, body FROM event WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = snapshot.prepare_cached(sql)?;
    let mut rows = statement.query(params![after.event, limit])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, body): (u64, String) = (row.get(0)?, row.get(1)?);
        events.push((number, parse_event(&body).ok()));
    }
    let Some(last) = events.last().map(|(number, _)| *number) else {
        return Ok((Vec::new(), None));
    };
    let sql = "SELECT id, event, debit, credit, tokens FROM ledger WHERE id > ?1 ORDER BY id";
    let mut statement = snapshot.prepare_cached(sql)?;
    let mut rows = statement.query([after.entry])?;
    let mut entries: BTreeMap<u64, Vec<Transfer>> = BTreeMap::new();
    let mut place = LedgerPosition {
        event: last,
        ..after
    };
    while let Some(row) = rows.next()? {
        let event = row.get(1)?;
        if event > last {
            break;
        }
        place.entry = row.get(0)?;
        entries.entry(event).or_default().push(Transfer {
            debit: PlayerId(row.get(2)?),
            credit: PlayerId(row.get(3)?),
            tokens: row.get(4)?,
        });
    }
    let named = |number: &u64| number.to_string();
    Ok((join_transfers(events, entries, named), Some(place)))
}

/// Counts the players. Also returns the numbers of players whose balance differs from the ledger.
fn wrong_balances(connection: &Connection) -> Result<(u64, Vec<u64>), StoreError> {
    let sql = "SELECT count(*) FROM player";
    let count = connection.query_row(sql, [], |row| row.get(0))?;
    let sql = "SELECT id FROM player LEFT JOIN (SELECT account, sum(tokens) AS tokens FROM \
               (SELECT credit AS account, tokens FROM ledger UNION ALL SELECT debit, -tokens \
               FROM ledger) GROUP BY account) ON account = id \
               WHERE coalesce(tokens, 0) <> balance ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let wrong = statement.query_map([], |row| row.get(0))?;
    Ok((count, wrong.collect::<Result<_, _>>()?))
}

/// Checks the messages to up to `limit` players after this one. Returns true for a player if no
/// message is missing or wrongly numbered, apart from messages deleted as old. House players get no
/// messages.
fn check_messages(
    connection: &Connection,
    after: u64,
    limit: u32,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let sql = "SELECT player.id, house OR (count(outbox.seq) = player.seq - first_seq + 1 \
               AND coalesce(min(outbox.seq), first_seq) = first_seq AND \
               coalesce(max(outbox.seq), player.seq) = player.seq AND \
               total(iif(json_valid(body), json_extract(body, '$.seq') IS NOT outbox.seq, \
               body IS NOT NULL)) = 0) FROM (SELECT * FROM player WHERE id > ?1 ORDER BY id \
               LIMIT ?2) AS player LEFT JOIN outbox ON outbox.player = player.id \
               GROUP BY player.id ORDER BY player.id";
    let mut statement = connection.prepare_cached(sql)?;
    let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let players = statement.query_map(params![after, limit], pair)?;
    Ok(players.collect::<Result<_, _>>()?)
}

/// Returns the numbers of up to `limit` games after this one that have a settlement.
fn settled_games(connection: &Connection, after: u64, limit: u32) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT game FROM settlement WHERE game > ?1 ORDER BY game LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let games = statement.query_map(params![after, limit], |row| row.get(0))?;
    Ok(games.collect::<Result<_, _>>()?)
}

/// Selects the events of a player, except for those of a running game, which reveal the cards of
/// both players.
const EVENTS: &str = "SELECT at, body FROM event WHERE \
    game IN (SELECT game FROM event, json_each(body, '$.matched.seats') AS seats WHERE \
        game IS NOT NULL AND body LIKE '{\"matched\"%' AND seats.value = ?1 \
        EXCEPT SELECT game FROM seat) \
    OR (game IS NULL AND EXISTS (SELECT 1 FROM json_each(body) AS named WHERE \
        json_extract(named.value, '$.player') = ?1)) ORDER BY id";

/// Exports everything stored about a player; `None` if there is no such player.
fn export(connection: &Connection, player: PlayerId) -> Result<Option<Value>, StoreError> {
    let Ok(id) = i64::try_from(player.0) else {
        return Ok(None);
    };
    // All queries see the same snapshot.
    let snapshot = connection.unchecked_transaction()?;
    let sql = format!("SELECT {PLAYER_COLUMNS}, token FROM player WHERE id = ?1");
    let mut statement = snapshot.prepare(&sql)?;
    let mut rows = statement.query([id])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let (player, data) = parse_player(row)?;
    let ledger = "SELECT at, game, iif(credit = ?1, tokens, -tokens) FROM ledger \
                  JOIN event ON event.id = ledger.event WHERE ?1 IN (credit, debit) \
                  ORDER BY ledger.id";
    let messages = "SELECT body FROM outbox WHERE player = ?1 ORDER BY seq";
    let answers = "SELECT id, refusal FROM request WHERE player = ?1 ORDER BY number";
    let games = "SELECT * FROM finished WHERE player = ?1 ORDER BY at, game";
    let games = query_all(&snapshot, games, id, parse_finished_game_row)?;
    let ladder =
        format!("SELECT {STANDING_COLUMNS}, span FROM rating WHERE player = ?1 ORDER BY span");
    let kept = PlayerExport {
        player,
        data,
        token: Hex::new(row.get("token")?),
        ledger: query_all(&snapshot, ledger, id, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?,
        events: query_all(&snapshot, EVENTS, id, |row| Ok((row.get(0)?, row.get(1)?)))?,
        messages: query_all(&snapshot, messages, id, |row| row.get(0))?,
        answers: query_all(&snapshot, answers, id, |row| Ok((row.get(0)?, row.get(1)?)))?,
        links: read_friend_links(&snapshot, "player = ?1", [id])?,
        games: games
            .into_iter()
            .map(FinishedGameRow::into_game)
            .collect::<Result<_, _>>()?,
        ladder: query_all(&snapshot, &ladder, id, |row| {
            Ok((row.get("span")?, parse_standing(row)?.1))
        })?,
    };
    kept.into_json().map(Some)
}

/// Reads all rows of a query about a player.
fn query_all<T>(
    snapshot: &Connection,
    sql: &str,
    player: i64,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    let mut statement = snapshot.prepare(sql)?;
    let rows = statement.query_map([player], read)?;
    rows.collect()
}
