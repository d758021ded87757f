//! Records of finished games, one for each of their players.

use super::rows::parse_event;
use crate::ladder::day_of;
use crate::protocol::{HandTally, PlayerId, Tally};
use crate::room::{PlayerGameRecord, RoomEvent, is_game_end};
use crate::server::store::reader::{FinishedGameRow, HistoryRow};
use crate::server::store::{Damage, HistoryQuery, StoreError};
use crate::time::WallTime;
use rusqlite::{Connection, Row, params};
use std::collections::{BTreeMap, BTreeSet};
use war::tokens::{Kind, Name};

/// Columns of a finished game.
const GAME: &str = "player, at, game, kind, opponent, yours, theirs, cards, their_cards, tokens, \
                    balance, public";

/// Saves a game for a player, and adds it to their statistics. If the day of the game's end has
/// already been rated, because the clock was set back, the ladder is reset.
pub(super) fn save_game(
    connection: &Connection,
    game: &PlayerGameRecord,
) -> Result<(), StoreError> {
    let row = FinishedGameRow::from(game);
    let sql = format!(
        "INSERT INTO finished ({GAME}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
    );
    connection.prepare_cached(&sql)?.execute(params![
        row.player,
        row.at.as_millis(),
        row.game,
        row.kind,
        row.opponent,
        row.yours,
        row.theirs,
        row.cards,
        row.their_cards,
        row.tokens,
        row.balance,
        row.is_public
    ])?;
    let sql = "INSERT INTO figure (player, kind, hand, games, won, folded, tokens) \
               VALUES (?1, ?2, ?3, 1, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET games = games + 1, \
               won = won + excluded.won, folded = folded + excluded.folded, \
               tokens = tokens + excluded.tokens";
    let Tally {
        won,
        folded,
        tokens,
        ..
    } = Tally::from_game(game);
    let figure = params![row.player, row.kind, game.hand_ranks(), won, folded, tokens];
    connection.prepare_cached(sql)?.execute(figure)?;
    let sql = "UPDATE about SET rated = NULL WHERE rated >= ?1";
    connection.prepare_cached(sql)?.execute([day_of(game.at)])?;
    Ok(())
}

/// Reads games of a player that ended before the given one, the latest first.
pub(super) fn read_games(
    connection: &Connection,
    HistoryQuery {
        player,
        before,
        limit,
    }: HistoryQuery,
) -> Result<Vec<HistoryRow>, StoreError> {
    // The last event of a finished game is its end.
    let sql = "SELECT finished.*, name, house FROM finished JOIN player ON player.id = opponent \
               WHERE finished.player = ?1 AND (finished.at, finished.game) < (\
                   iif(?2 IS NULL, ?4, (SELECT at FROM event WHERE event.game = ?2 \
                                        ORDER BY id DESC LIMIT 1)), coalesce(?2, ?4)) \
               ORDER BY finished.at DESC, finished.game DESC LIMIT ?3";
    let before = before.map(|game| i64::try_from(game).unwrap_or(i64::MAX));
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![player.0, before, limit, i64::MAX])?;
    let mut games = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get("name")?;
        games.push(HistoryRow {
            game: parse_finished_game_row(row)?.into_game()?,
            name: Name::new(&name).map_err(|_| Damage::Name)?,
            house: row.get("house")?,
        });
    }
    Ok(games)
}

/// Reads the statistics of a player's games, by kind and hand.
pub(super) fn read_figures(
    connection: &Connection,
    player: PlayerId,
) -> Result<Vec<HandTally>, StoreError> {
    let sql = "SELECT kind, hand, games, won, folded, tokens FROM figure WHERE player = ?1 \
               ORDER BY kind DESC, hand";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([player.0])?;
    let mut figures = Vec::new();
    while let Some(row) = rows.next()? {
        let kind: String = row.get(0)?;
        figures.push(HandTally {
            game: Kind::from_name(&kind).ok_or(Damage::Kind)?,
            hand: row.get(1)?,
            tally: Tally {
                games: row.get(2)?,
                won: row.get(3)?,
                folded: row.get(4)?,
                tokens: row.get(5)?,
            },
        });
    }
    Ok(figures)
}

/// Computes the balance of every player after each of their games, in the order of time rather than
/// of numbers, since the events of a store that was moved may be numbered in another order.
const BALANCES: &str = "
UPDATE finished SET balance = moved.balance FROM (
    SELECT account, game, at, sum(tokens) OVER (PARTITION BY account ORDER BY at, number) AS balance
    FROM (
        SELECT credit AS account, tokens, event FROM ledger
        UNION ALL SELECT debit, -tokens, event FROM ledger
    ) JOIN (SELECT id AS number, at, game FROM event) ON number = event
) AS moved WHERE (player, finished.at, finished.game) = (account, moved.at, moved.game)
";

/// Computes the records of all finished games from the events of a store that has no records yet.
pub(super) fn rebuild_game_records(connection: &Connection) -> Result<(), StoreError> {
    let house = read_house_players(connection)?;
    let sql = "SELECT at, body FROM event WHERE game IS NOT NULL ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut running: BTreeMap<u64, Vec<RoomEvent>> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let (at, body): (u64, String) = (row.get(0)?, row.get(1)?);
        let at = WallTime::from_millis(at);
        let Ok(event) = parse_event(&body) else {
            continue;
        };
        let Some(game) = event.game() else { continue };
        let is_over = is_game_end(&event);
        running.entry(game).or_default().push(event);
        if !is_over {
            continue;
        }
        let events = running.remove(&game).unwrap_or_default();
        // Inconsistent events are reported when the store is verified.
        let kept = PlayerGameRecord::from_events(&events, at);
        let kept = kept.into_iter().flatten();
        for game in kept.filter(|game| !house.contains(&game.player)) {
            save_game(connection, &game)?;
        }
    }
    Ok(connection.execute_batch(BALANCES)?)
}

/// Reads the house players, who have no records.
pub(super) fn read_house_players(
    connection: &Connection,
) -> Result<BTreeSet<PlayerId>, StoreError> {
    let mut statement = connection.prepare("SELECT id FROM player WHERE house")?;
    let ids = statement.query_map([], |row| Ok(PlayerId(row.get(0)?)))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Parses the values of a row.
pub(super) fn parse_finished_game_row(row: &Row<'_>) -> rusqlite::Result<FinishedGameRow> {
    Ok(FinishedGameRow {
        player: row.get("player")?,
        at: WallTime::from_millis(row.get("at")?),
        game: row.get("game")?,
        kind: row.get("kind")?,
        opponent: row.get("opponent")?,
        yours: row.get("yours")?,
        theirs: row.get("theirs")?,
        cards: row.get("cards")?,
        their_cards: row.get("their_cards")?,
        tokens: row.get("tokens")?,
        balance: row.get("balance")?,
        is_public: row.get("public")?,
    })
}
