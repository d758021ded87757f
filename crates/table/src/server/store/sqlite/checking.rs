//! What a check of the store reads.

use super::rows::event;
use crate::operator::LedgerPlace;
use crate::room::PlayerId;
use crate::server::store::inspector::paired;
use crate::server::store::{Booked, StoreError, Transfer};
use rusqlite::{Connection, Row, params};
use std::collections::BTreeMap;

/// Up to so many events behind this one with their entries, and where to go on.
pub(super) fn booked(
    connection: &Connection,
    after: LedgerPlace,
    most: u32,
) -> Result<(Vec<Booked>, Option<LedgerPlace>), StoreError> {
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
    let mut place = LedgerPlace {
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
pub(super) fn wrong_balances(connection: &Connection) -> Result<(u64, Vec<u64>), StoreError> {
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
pub(super) fn kept_messages(
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
pub(super) fn settled_games(
    connection: &Connection,
    after: u64,
    most: u32,
) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT game FROM settlement WHERE game > ?1 ORDER BY game LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let games = statement.query_map(params![after, most], |row| row.get(0))?;
    Ok(games.collect::<Result<_, _>>()?)
}
