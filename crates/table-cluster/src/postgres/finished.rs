//! Finished games, with a row for each of their players.
//!
//! Nodes of earlier versions settle games without these rows. A backfill adds the missing rows.

use super::schema::SCHEMA_VERSION;
use super::session::{DatabaseSession, QueryError};
use super::statements::{
    ADD_TALLIES, BatchWrite, INSERT_FINISHED_GAMES, Param, StatementName, batch_write, to_i64,
    to_u64,
};
use std::collections::{BTreeMap, BTreeSet};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row};
use war::tokens::{Kind, Name};
use war_table::ladder::day_of;
use war_table::protocol::{HandTally, PlayerId, Tally};
use war_table::room::{PlayerGameRecord, RoomEvent, is_game_end};
use war_table::server::store::rows::FinishedGameRow;
use war_table::server::store::{Damage, HistoryRow, StoreError};
use war_table::time::WallTime;

/// Number of games that are backfilled at once.
const BACKFILL_BATCH: usize = 1_000;

/// Finds a player's games that ended before a given game, or the player's last games.
pub(super) const FIND_GAMES: &str = "
    SELECT finished.*, name, house FROM war.finished JOIN war.player ON player.id = opponent
    WHERE finished.player = $1 AND (finished.at, finished.game) < (
        CASE WHEN $2::bigint IS NULL THEN $4::bigint ELSE (
            SELECT at FROM war.event WHERE event.game = $2
            ORDER BY room DESC, seq DESC, part DESC LIMIT 1) END, coalesce($2, $4))
    ORDER BY finished.at DESC, finished.game DESC LIMIT $3";
/// Columns of a tally, in the order that [`parse_hand_tally`] expects.
pub(super) const TALLY_COLUMNS: &str = "kind, hand, games, won, folded, tokens";
/// Finds the tallies of a player's games, by kind and hand.
pub(super) const FIND_TALLIES: &str = "
    SELECT kind, hand, games, won, folded, tokens FROM war.figure WHERE player = $1
    ORDER BY kind DESC, hand";

/// Tries to take the lock of the backfill. The transaction holds the lock until it ends.
const TRY_LOCK_BACKFILL: &str = "SELECT pg_try_advisory_xact_lock(x'57617247'::int)";
/// Finds settled games without rows in `finished`, left by nodes of earlier versions.
const FIND_MISSING_GAMES: &str = "SELECT game FROM settlement EXCEPT SELECT game FROM finished";
/// Sets the players' balances after each of the games `$1`. Adds up transfers in the order of their
/// times, since batches of different rooms have no common order.
const SET_BALANCES: &str = "
    UPDATE finished SET balance = moved.balance FROM (
        SELECT account, game, at,
            sum(tokens) OVER (PARTITION BY account ORDER BY at, room, seq, part)::bigint AS balance
        FROM (
            SELECT room, seq, part, credit AS account, tokens FROM ledger
            UNION ALL SELECT room, seq, part, debit, -tokens FROM ledger
        ) AS sides JOIN event USING (room, seq, part)
    ) AS moved
    WHERE (finished.player, finished.at, finished.game) = (account, moved.at, moved.game)
        AND moved.game = ANY($1::bigint[])";

/// Rows of finished games, by column.
#[derive(Default)]
pub(super) struct FinishedGameRows {
    player: Vec<i64>,
    at: Vec<i64>,
    game: Vec<i64>,
    kind: Vec<String>,
    opponent: Vec<i64>,
    yours: Vec<String>,
    theirs: Vec<String>,
    cards: Vec<Option<String>>,
    their_cards: Vec<Option<String>>,
    tokens: Vec<i64>,
    balance: Vec<i64>,
    is_public: Vec<bool>,
    /// Tallies to add to those in the database.
    tallies: BTreeMap<(PlayerId, Kind, String), Tally>,
}

impl FinishedGameRows {
    pub(super) fn push(&mut self, game: &PlayerGameRecord) {
        let key = (game.player, game.kind, game.hand_ranks());
        *self.tallies.entry(key).or_default() += Tally::from_game(game);
        let row = FinishedGameRow::from(game);
        self.player.push(to_i64(row.player));
        self.at.push(to_i64(row.at.as_millis()));
        self.game.push(to_i64(row.game));
        self.kind.push(row.kind);
        self.opponent.push(to_i64(row.opponent));
        self.yours.push(row.yours);
        self.theirs.push(row.theirs);
        self.cards.push(row.cards);
        self.their_cards.push(row.their_cards);
        self.tokens.push(row.tokens);
        self.balance.push(row.balance);
        self.is_public.push(row.is_public);
    }

    /// Writes of the games and of their tallies.
    pub(super) fn into_writes(self) -> [Option<BatchWrite>; 2] {
        if self.player.is_empty() {
            return [None, None];
        }
        let (mut player, mut kind, mut hand) = (Vec::new(), Vec::new(), Vec::new());
        let (mut games, mut won) = (Vec::new(), Vec::new());
        let (mut folded, mut tokens) = (Vec::new(), Vec::new());
        for ((id, of, held), tally) in self.tallies {
            player.push(to_i64(id.0));
            kind.push(of.name());
            hand.push(held);
            games.push(to_i64(tally.games));
            won.push(to_i64(tally.won));
            folded.push(to_i64(tally.folded));
            tokens.push(tally.tokens);
        }
        let first = self.at.iter().min().copied().unwrap_or_default();
        let first = to_i64(day_of(WallTime::from_millis(first.unsigned_abs())));
        let tallies = batch_write!(
            AddTallies, player, kind, hand, games, won, folded, tokens, first
        );
        let games = batch_write!(
            InsertFinishedGames,
            self.player,
            self.at,
            self.game,
            self.kind,
            self.opponent,
            self.yours,
            self.theirs,
            self.cards,
            self.their_cards,
            self.tokens,
            self.balance,
            self.is_public
        );
        [Some(games), Some(tallies)]
    }
}

/// Parses a row of [`FIND_GAMES`].
pub(super) fn parse_history_row(row: &Row) -> Result<HistoryRow, StoreError> {
    Ok(HistoryRow {
        game: parse_finished_game(row)?,
        name: Name::new(row.get("name")).map_err(|_| Damage::Name)?,
        house: row.get("house"),
    })
}

/// Parses a row of `finished`.
pub(super) fn parse_finished_game(row: &Row) -> Result<PlayerGameRecord, StoreError> {
    let number = |column| to_u64(row.get(column));
    let row = FinishedGameRow {
        player: number("player")?,
        at: WallTime::from_millis(number("at")?),
        game: number("game")?,
        kind: row.get("kind"),
        opponent: number("opponent")?,
        yours: row.get("yours"),
        theirs: row.get("theirs"),
        cards: row.get("cards"),
        their_cards: row.get("their_cards"),
        tokens: row.get("tokens"),
        balance: row.get("balance"),
        is_public: row.get("public"),
    };
    row.into_game()
}

/// Parses a row of [`TALLY_COLUMNS`].
pub(super) fn parse_hand_tally(row: &Row) -> Result<HandTally, StoreError> {
    Ok(HandTally {
        game: Kind::from_name(row.get(0)).ok_or(Damage::Kind)?,
        hand: row.get(1),
        tally: Tally {
            games: to_u64(row.get(2))?,
            won: to_u64(row.get(3))?,
            folded: to_u64(row.get(4))?,
            tokens: row.get(5),
        },
    })
}

/// Backfills the games settled by nodes of earlier versions, unless another node is doing so.
pub(super) fn backfill_finished_games(session: &DatabaseSession) -> Result<(), StoreError> {
    session.raise_time_limits()?;
    let done = session.wait(async {
        let client = session.client();
        client.batch_execute("BEGIN").await?;
        let sql = "SELECT games_kept FROM about";
        let is_done: bool = client.query_one(sql, &[]).await?.get(0);
        if !is_done && client.query_one(TRY_LOCK_BACKFILL, &[]).await?.get(0) {
            backfill_games(client).await?;
        }
        Ok::<_, QueryError>(client.batch_execute("COMMIT").await?)
    });
    Ok(done?)
}

/// Backfills settled games without rows in `finished`, and marks the backfill as complete if no
/// node of an earlier version can add more.
pub(super) async fn backfill_games(client: &Client) -> Result<(), QueryError> {
    let sql = "SELECT id FROM player WHERE house";
    let house = client.query(sql, &[]).await?;
    let house: BTreeSet<i64> = house.iter().map(|row| row.get(0)).collect();
    let missing = client.query(FIND_MISSING_GAMES, &[]).await?;
    let missing: Vec<i64> = missing.iter().map(|row| row.get(0)).collect();
    for games in missing.chunks(BACKFILL_BATCH) {
        let sql = "SELECT game, at, body FROM event WHERE game = ANY($1::bigint[]) \
                   ORDER BY room, seq, part";
        let mut rows = FinishedGameRows::default();
        for game in finished_games(&client.query(sql, &[&games]).await?) {
            if !house.contains(&to_i64(game.player.0)) {
                rows.push(&game);
            }
        }
        for BatchWrite { statement, params } in rows.into_writes().into_iter().flatten() {
            let sql = match statement {
                StatementName::InsertFinishedGames => INSERT_FINISHED_GAMES,
                _ => ADD_TALLIES,
            };
            let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(as_dyn).collect();
            client.execute(sql, &params).await?;
        }
    }
    if !missing.is_empty() {
        client.execute(SET_BALANCES, &[&missing]).await?;
    }
    let sql = "UPDATE about SET games_kept = true WHERE min_version >= $1";
    client.execute(sql, &[&SCHEMA_VERSION]).await?;
    Ok(())
}

fn as_dyn(param: &Param) -> &(dyn ToSql + Sync) {
    &**param
}

/// Derives finished games from events. Skips inconsistent games, which verification of the store
/// reports.
fn finished_games(events: &[Row]) -> Vec<PlayerGameRecord> {
    let mut running: BTreeMap<i64, Vec<RoomEvent>> = BTreeMap::new();
    let mut games = Vec::new();
    for row in events {
        let (game, at): (i64, i64) = (row.get(0), row.get(1));
        let (Ok(event), Ok(at)) = (serde_json::from_str(row.get(2)), to_u64(at)) else {
            continue;
        };
        let is_over = is_game_end(&event);
        running.entry(game).or_default().push(event);
        if is_over {
            let events = running.remove(&game).unwrap_or_default();
            games.extend(
                PlayerGameRecord::from_events(&events, WallTime::from_millis(at))
                    .into_iter()
                    .flatten(),
            );
        }
    }
    games
}
