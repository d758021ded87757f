use super::session::ReconnectingSession;
use super::statements::{
    PLAYER_COLUMNS, parse_event, parse_friend_link, parse_message, parse_player, to_i64, to_u64,
};
use super::{DatabaseAddress, finished, ladder, pooler, schema};
use std::ops::Range;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;
use war::i18n::Lang;
use war::journal::ConsoleDigest;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war_table::daily::{Day, DayCommitment};
use war_table::ladder::{HOUSE_ID, RatedGame, Standings};
use war_table::log::{TableId, TreeHash};
use war_table::protocol::{HandTally, LadderPeriod, PlayerId};
use war_table::room::{Player, RoomEvent};
use war_table::server::store::rows::{SCORE_COLUMNS, day_leaf_prefix, parse_day_leaf};
use war_table::server::store::{
    Damage, FriendLinkRecord, HistoryQuery, HistoryRow, LadderView, MessageGap, Score, StoreError,
    StoreReader, StoredMessage,
};
use war_table::time::WallTime;

/// `application_name` of connections that only read.
const APPLICATION_NAME: &str = "war reader";

/// Read-only access to the store in a database; sees only committed data.
pub struct PostgresReader {
    connection: ReconnectingSession,
    /// ID of the table whose leaves are read; `None` for any table.
    table: Option<String>,
}

impl PostgresReader {
    /// Creates a reader for a node of this table. Once the database has another table, the reader
    /// finds no leaves: the node must not sign them.
    pub(super) fn new(connection: ReconnectingSession, table: TableId) -> Self {
        Self {
            connection,
            table: Some(table.to_string()),
        }
    }

    /// Opens the store without creating or changing anything.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the database can't be reached or used, or does not contain a store of this
    /// version.
    pub fn open(address: DatabaseAddress) -> Result<Self, StoreError> {
        let session = pooler::connect_directly(&address, APPLICATION_NAME)?;
        schema::check_store(&session)?;
        Ok(Self {
            connection: ReconnectingSession::new(address, APPLICATION_NAME, session),
            table: None,
        })
    }

    /// Reads the rows of a range of leaves, and fails if a leaf is missing.
    fn query_leaves(&self, select: &str, range: Range<u64>) -> Result<Vec<Row>, StoreError> {
        let sql = format!(
            "{select} WHERE number >= $1 AND number < $2 \
             AND ($3::text IS NULL OR $3 = (SELECT id FROM war.about)) ORDER BY number"
        );
        let (start, end) = (to_i64(range.start), to_i64(range.end));
        let rows = self.query(&sql, &[&start, &end, &self.table])?;
        for (expected, row) in (range.start..).zip(&rows) {
            if to_u64(row.get(0))? != expected {
                return Err(Damage::Leaf.into());
            }
        }
        Ok(rows)
    }

    fn query(&self, sql: &str, params: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, StoreError> {
        self.connection
            .query(async |client| client.query(sql, params).await)
    }

    /// Reads a single number; returns `None` if there is no row, or if the value is null.
    fn query_number(&self, sql: &str) -> Result<Option<u64>, StoreError> {
        let rows = self.query(sql, &[])?;
        let found: Option<i64> = rows.first().and_then(|row| row.get(0));
        found.map(to_u64).transpose()
    }

    /// Reads rows with a statement that may take long.
    pub(super) fn query_slow(
        &self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        self.connection
            .query_snapshot(async |client| client.query(sql, params).await)
    }

    pub(super) const fn connection(&self) -> &ReconnectingSession {
        &self.connection
    }
}

impl StoreReader for PostgresReader {
    fn messages(&self, player: PlayerId, after: u64) -> Result<Vec<StoredMessage>, StoreError> {
        let sql = "SELECT seq, body, in_reply_to FROM war.outbox WHERE player = $1 AND seq > $2 \
                   ORDER BY seq LIMIT 100";
        let rows = self.query(sql, &[&to_i64(player.0), &to_i64(after)])?;
        rows.iter().map(parse_message).collect()
    }

    fn resume(
        &self,
        player: PlayerId,
        after: u64,
    ) -> Result<(Option<MessageGap>, Vec<StoredMessage>), StoreError> {
        // A single statement sees a consistent snapshot.
        let sql = "SELECT seq, body, in_reply_to, first_seq, balance, CASE WHEN $2 < first_seq - 1 THEN (\
                       SELECT (body::json ->> 'balance')::bigint - coalesce(\
                           body::json ->> 'delta', body::json ->> 'tokens')::bigint \
                       FROM (SELECT body FROM war.outbox WHERE player = $1 \
                             AND body ~ '^{\"seq\":[0-9]+,\"type\":\"(result|adjusted)\"' \
                             ORDER BY seq LIMIT 1) AS first) END \
                   FROM (SELECT first_seq, balance FROM war.player WHERE id = $1) AS player \
                   LEFT JOIN LATERAL (SELECT seq, body, in_reply_to FROM war.outbox \
                       WHERE player = $1 AND seq > $2 ORDER BY seq LIMIT 100) AS message ON true ORDER BY seq";
        let rows = self.query(sql, &[&to_i64(player.0), &to_i64(after)])?;
        let player = rows.first().ok_or(Damage::Player)?;
        let (balance, before): (i64, Option<i64>) = (player.get(4), player.get(5));
        let first_seq = to_u64(player.get(3))?;
        let gap = MessageGap {
            first_seq,
            balance: before.unwrap_or(balance),
        };
        let gap = (after.saturating_add(1) < first_seq).then_some(gap);
        // Without messages, there is a single row without a number.
        let has_message = |row: &&Row| row.get::<_, Option<i64>>(0).is_some();
        let messages = rows.iter().filter(has_message).map(parse_message);
        let messages: Result<_, StoreError> = messages.collect();
        Ok((gap, messages?))
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        let sql = format!("SELECT {PLAYER_COLUMNS} FROM war.player WHERE id = $1");
        let rows = self.query(&sql, &[&to_i64(id.0)])?;
        let (_, player) = parse_player(rows.first().ok_or(Damage::Player)?)?;
        Ok(player)
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        let sql = "SELECT player, id, kind, secret_hash FROM war.friend_link WHERE id = $1";
        let rows = self.query(sql, &[&&id.bytes()[..]])?;
        rows.first().map(parse_friend_link).transpose()
    }

    fn watchable_games(&self, most: u32) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT game FROM war.seat JOIN war.player ON player.id = seat.player \
                   GROUP BY game HAVING bool_and(watchable OR house) ORDER BY game DESC LIMIT $1";
        let rows = self.query(sql, &[&i64::from(most)])?;
        rows.iter().map(|row| to_u64(row.get(0))).collect()
    }

    fn game_events(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        let sql = "SELECT body FROM war.event WHERE game = $1 ORDER BY room, seq, part";
        let rows = self.query(sql, &[&to_i64(game)])?;
        rows.iter().map(parse_event).collect()
    }

    fn settlement(&self, game: u64) -> Result<Option<RecordingMetadata>, StoreError> {
        let sql = format!("SELECT {SETTLEMENT_COLUMNS} FROM war.settlement WHERE game = $1");
        let rows = self.query(&sql, &[&to_i64(game)])?;
        rows.first().map(parse_settlement).transpose()
    }

    fn games(&self, page: HistoryQuery) -> Result<Vec<HistoryRow>, StoreError> {
        let (player, before) = (to_i64(page.player.0), page.before.map(to_i64));
        let limit = i64::from(page.limit);
        let rows = self.query(finished::FIND_GAMES, &[&player, &before, &limit, &i64::MAX])?;
        rows.iter().map(finished::parse_history_row).collect()
    }

    fn figures(&self, player: PlayerId) -> Result<Vec<HandTally>, StoreError> {
        let rows = self.query(finished::FIND_TALLIES, &[&to_i64(player.0)])?;
        rows.iter().map(finished::parse_hand_tally).collect()
    }

    fn score(&self, player: PlayerId, opponent: PlayerId) -> Result<Score, StoreError> {
        let sql =
            format!("SELECT {SCORE_COLUMNS} FROM war.finished WHERE player = $1 AND opponent = $2");
        let rows = self.query(&sql, &[&to_i64(player.0), &to_i64(opponent.0)])?;
        let row = rows.first().ok_or(Damage::Layout)?;
        Ok(Score {
            won: to_u64(row.get(0))?,
            lost: to_u64(row.get(1))?,
            tokens: row.get(2),
        })
    }

    fn games_since(
        &self,
        player: PlayerId,
        since: WallTime,
    ) -> Result<Vec<(PlayerId, u64)>, StoreError> {
        let sql = "SELECT CASE WHEN house THEN $3::bigint ELSE opponent END AS other, count(*)
            FROM war.finished JOIN war.player ON player.id = opponent
            WHERE finished.player = $1 AND at >= $2 AND public GROUP BY other ORDER BY other";
        let since = to_i64(since.as_millis());
        let rows = self.query(sql, &[&to_i64(player.0), &since, &to_i64(HOUSE_ID.0)])?;
        let games = rows.iter();
        let games = games.map(|row| Ok((PlayerId(to_u64(row.get(0))?), to_u64(row.get(1))?)));
        games.collect()
    }

    fn rated_day(&self) -> Result<Option<u64>, StoreError> {
        self.query_number(ladder::FIND_RATED_DAY)
    }

    fn first_game_end(&self) -> Result<Option<WallTime>, StoreError> {
        let first = self.query_number(ladder::FIND_FIRST_GAME_END)?;
        Ok(first.map(WallTime::from_millis))
    }

    fn public_games(&self, time: Range<WallTime>) -> Result<Vec<RatedGame>, StoreError> {
        let rows = self.query_slow(
            ladder::FIND_PUBLIC_GAMES,
            &[
                &to_i64(time.start.as_millis()),
                &to_i64(time.end.as_millis()),
            ],
        )?;
        ladder::parse_rated_games(&rows)
    }

    fn standings(&self, span: LadderPeriod) -> Result<Standings, StoreError> {
        let mut standings = Standings::default();
        for row in self.query_slow(&ladder::all_ratings_statement(), &[&span.name()])? {
            let (player, standing) = ladder::parse_standing(&row)?;
            standings.insert(player, standing);
        }
        Ok(standings)
    }

    fn ladder(&self, span: LadderPeriod, player: PlayerId) -> Result<LadderView, StoreError> {
        let player = to_i64(player.0);
        let found = self
            .connection
            .query_snapshot(async |client| ladder::read_ladder_rows(client, span, player).await)?;
        found.parse()
    }

    fn leaf_hashes(&self, range: Range<u64>) -> Result<Vec<TreeHash>, StoreError> {
        let rows = self.query_leaves("SELECT number, hash FROM war.leaf", range)?;
        let hash = |row: &Row| bytes(row, 1).map(TreeHash::new).ok_or(Damage::Leaf.into());
        rows.iter().map(hash).collect()
    }

    fn day_commitment(&self, day: Day) -> Result<Option<(u64, DayCommitment)>, StoreError> {
        let sql = "SELECT number, body FROM war.leaf WHERE game = 0 AND number IS NOT NULL \
             AND starts_with(body, $1) AND ($2::text IS NULL OR $2 = (SELECT id FROM war.about)) \
             ORDER BY number LIMIT 1";
        let rows = self.query(sql, &[&day_leaf_prefix(day), &self.table])?;
        let parse = |row: &Row| Ok((to_u64(row.get(0))?, parse_day_leaf(row.get(1))?));
        rows.first().map(parse).transpose()
    }

    fn leaf_texts(&self, range: Range<u64>) -> Result<Vec<String>, StoreError> {
        let rows = self.query_leaves("SELECT number, body FROM war.leaf", range)?;
        Ok(rows.iter().map(|row| row.get(1)).collect())
    }
}

/// Bytes of a column; `None` if their number is not `N`.
fn bytes<const N: usize>(row: &Row, column: usize) -> Option<[u8; N]> {
    row.get::<_, &[u8]>(column).try_into().ok()
}

/// Columns of a settlement, in the order that [`parse_settlement`] expects.
pub(super) const SETTLEMENT_COLUMNS: &str = "lang, engine, renderer, printed, blake3, digest";

/// Parses the row of a settlement.
pub(super) fn parse_settlement(row: &Row) -> Result<RecordingMetadata, StoreError> {
    let read = || {
        let (lang, renderer): (&str, i64) = (row.get(0), row.get(2));
        Some(RecordingMetadata {
            lang: Lang::from_code(lang)?,
            engine: row.get(1),
            renderer: renderer.try_into().ok()?,
            console: ConsoleDigest {
                bytes: u64::try_from(row.get::<_, i64>(3)).ok()?,
                blake3: Hex::new(bytes(row, 4)?),
            },
            digest: Hex::new(bytes(row, 5)?),
        })
    };
    read().ok_or(Damage::Settlement.into())
}
