//! What operators read: lists of players, a check of the store, and all that is kept of a player.

use super::finished::{figures, house, read};
use super::ladder::{STANDING, standing};
use super::reader::SqliteReader;
use super::rows::{self, PLAYER, event, player_of};
use crate::operator::{LedgerPosition, MAX_LISTED, PlayerSummary};
use crate::protocol::PlayerId;
use crate::room::{FinishedGame, RoomEvent};
use crate::server::store::inspector::{Adjustments, Kept, Record, judged, listed, paired};
use crate::server::store::reader::FinishedRow;
use crate::server::store::{Booked, Inspector, PlayedGame, StoreError, Transfer};
use rusqlite::{Connection, Params, Row, params};
use serde_json::Value;
use std::collections::BTreeMap;
use war::support::hex::Hex;

impl Inspector for SqliteReader {
    fn players(&self, after: u64) -> Result<Vec<PlayerSummary>, StoreError> {
        players(self.connection(), after)
    }

    fn export(&self, player: PlayerId) -> Result<Option<Value>, StoreError> {
        export(self.connection(), player)
    }

    fn booked(
        &self,
        after: LedgerPosition,
        most: u32,
    ) -> Result<(Vec<Booked>, Option<LedgerPosition>), StoreError> {
        booked(self.connection(), after, most)
    }

    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError> {
        wrong_balances(self.connection())
    }

    fn kept_messages(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        kept_messages(self.connection(), after, most)
    }

    fn played_games(&self, after: u64, most: u32) -> Result<Vec<PlayedGame>, StoreError> {
        games(self.connection(), after, most)
    }

    fn records(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        records(self.connection(), after, most)
    }

    fn settled_games(&self, after: u64, most: u32) -> Result<Vec<u64>, StoreError> {
        settled_games(self.connection(), after, most)
    }
}

/// Players after this number, as many as are listed at once.
fn players(connection: &Connection, after: u64) -> Result<Vec<PlayerSummary>, StoreError> {
    let after = i64::try_from(after).unwrap_or(i64::MAX);
    let sql = format!(
        "SELECT {PLAYER}, kind, game FROM player LEFT JOIN waiting ON waiting.player = id \
         LEFT JOIN seat ON seat.player = id WHERE id > ?1 ORDER BY id LIMIT {MAX_LISTED}"
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

/// Up to so many games behind this one, each with what is kept of it.
fn games(connection: &Connection, after: u64, most: u32) -> Result<Vec<PlayedGame>, StoreError> {
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
        let mut kept = all_games(&moment, sql, [at, game])?;
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
fn records(connection: &Connection, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
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
fn all_games(
    moment: &Connection,
    sql: &str,
    params: impl Params,
) -> Result<Vec<FinishedGame>, StoreError> {
    let mut statement = moment.prepare_cached(sql)?;
    let rows = statement.query_map(params, read)?;
    rows.map(|row| row?.game()).collect()
}

/// Up to so many events behind this one with their entries, and where to go on.
fn booked(
    connection: &Connection,
    after: LedgerPosition,
    most: u32,
) -> Result<(Vec<Booked>, Option<LedgerPosition>), StoreError> {
    // Both reads see the same moment.
    let moment = connection.unchecked_transaction()?;
    let sql = "SELECT id, body FROM event WHERE id > ?1 ORDER BY id LIMIT ?2";
    let mut statement = moment.prepare_cached(sql)?;
    let mut rows = statement.query(params![after.event, most])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let (number, body): (u64, String) = (row.get(0)?, row.get(1)?);
        events.push((number, event(&body).ok()));
    }
    let Some(last) = events.last().map(|(number, _)| *number) else {
        return Ok((Vec::new(), None));
    };
    let sql = "SELECT id, event, debit, credit, tokens FROM ledger WHERE id > ?1 ORDER BY id";
    let mut statement = moment.prepare_cached(sql)?;
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
    Ok((paired(events, entries, named), Some(place)))
}

/// How many players there are, and those whose balance is not what the ledger makes it.
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

/// Up to so many players behind this one, and whether the messages to each are there: all
/// that were not removed, each with its number. The house gets none.
fn kept_messages(
    connection: &Connection,
    after: u64,
    most: u32,
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
    let players = statement.query_map(params![after, most], pair)?;
    Ok(players.collect::<Result<_, _>>()?)
}

/// The numbers of up to so many games behind this one whose journals are kept.
fn settled_games(connection: &Connection, after: u64, most: u32) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT game FROM settlement WHERE game > ?1 ORDER BY game LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let games = statement.query_map(params![after, most], |row| row.get(0))?;
    Ok(games.collect::<Result<_, _>>()?)
}

/// The events of a player: those of games that are over, and those of no game. Those of a running
/// game tell the cards of both.
const EVENTS: &str = "SELECT at, body FROM event WHERE \
    game IN (SELECT game FROM event, json_each(body, '$.matched.seats') AS seats WHERE \
        game IS NOT NULL AND body LIKE '{\"matched\"%' AND seats.value = ?1 \
        EXCEPT SELECT game FROM seat) \
    OR (game IS NULL AND EXISTS (SELECT 1 FROM json_each(body) AS named WHERE \
        json_extract(named.value, '$.player') = ?1)) ORDER BY id";

/// All that is kept of a player; nothing where nobody has this number.
fn export(connection: &Connection, player: PlayerId) -> Result<Option<Value>, StoreError> {
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
