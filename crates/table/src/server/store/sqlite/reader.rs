use super::rows::{read_friend_links, read_game_events, read_messages, read_player};
use super::{finished, ladder};
use crate::daily::{Day, DayCommitment};
use crate::ladder::{HOUSE_ID, RatedGame, Standings};
use crate::log::TreeHash;
use crate::protocol::{HandTally, LadderPeriod, PlayerId};
use crate::room::{Player, RoomEvent};
use crate::server::store::reader::{SCORE_COLUMNS, day_leaf_prefix, parse_day_leaf};
use crate::server::store::{
    Damage, FriendLinkRecord, HistoryQuery, HistoryRow, LadderView, MessageGap, MessageRange,
    Score, StoreError, StoreReader, StoredMessage,
};
use crate::time::WallTime;
use rusqlite::{Connection, OptionalExtension, Row};
use std::ops::Range;
use war::i18n::Lang;
use war::journal::ConsoleDigest;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;

/// Read access to a store in a file. All data read is committed and synced.
pub struct SqliteReader(Connection);

impl SqliteReader {
    pub(super) const fn new(connection: Connection) -> Self {
        Self(connection)
    }

    pub(super) const fn connection(&self) -> &Connection {
        &self.0
    }

    /// Reads the rows of these leaves. It is an error if a leaf in between is missing.
    fn leaves<T>(
        &self,
        select: &str,
        range: Range<u64>,
        read: impl Fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let sql = format!("{select} WHERE number >= ?1 AND number < ?2 ORDER BY number");
        let mut statement = self.0.prepare_cached(&sql)?;
        let within = |number: u64| number.min(i64::MAX as u64);
        let mut rows = statement.query([within(range.start), within(range.end)])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let number: u64 = row.get(0)?;
            if number != range.start + found.len() as u64 {
                return Err(Damage::Leaf.into());
            }
            found.push(read(row)?);
        }
        Ok(found)
    }
}

impl StoreReader for SqliteReader {
    fn messages(&self, player: PlayerId, after: u64) -> Result<Vec<StoredMessage>, StoreError> {
        let range = MessageRange::new_after(after, u64::MAX);
        read_messages(&self.0, player, range, 100)
    }

    fn resume(
        &self,
        player: PlayerId,
        after: u64,
    ) -> Result<(Option<MessageGap>, Vec<StoredMessage>), StoreError> {
        // Both reads see the same snapshot.
        let _snapshot = self.0.unchecked_transaction()?;
        let sql = "SELECT first_seq, balance FROM player WHERE id = ?1";
        let mut statement = self.0.prepare_cached(sql)?;
        let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let (first_seq, balance): (u64, i64) = statement.query_row([player.0], row)?;
        if after.saturating_add(1) >= first_seq {
            return Ok((None, self.messages(player, after)?));
        }
        let sql = "SELECT json_extract(body, '$.balance') - \
                   coalesce(json_extract(body, '$.delta'), json_extract(body, '$.tokens')) \
                   FROM outbox WHERE player = ?1 AND json_extract(body, '$.type') IN \
                   ('result', 'adjusted') ORDER BY seq LIMIT 1";
        let mut statement = self.0.prepare_cached(sql)?;
        let before = statement.query_row([player.0], |row| row.get(0));
        let balance = before.optional()?.unwrap_or(balance);
        let gap = MessageGap { first_seq, balance };
        Ok((Some(gap), self.messages(player, first_seq - 1)?))
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        read_player(&self.0, id)
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        let links = read_friend_links(&self.0, "id = ?1", [id.bytes()])?;
        Ok(links.first().copied())
    }

    fn watchable_games(&self, limit: u32) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT game FROM seat JOIN player ON player.id = seat.player GROUP BY game \
                   HAVING min(watchable OR house) ORDER BY game DESC LIMIT ?1";
        let mut statement = self.0.prepare_cached(sql)?;
        let games = statement.query_map([limit], |row| row.get(0))?;
        Ok(games.collect::<Result<_, _>>()?)
    }

    fn game_events(&self, number: u64) -> Result<Vec<RoomEvent>, StoreError> {
        read_game_events(&self.0, number)
    }

    fn settlement(&self, game: u64) -> Result<Option<RecordingMetadata>, StoreError> {
        let Ok(game) = i64::try_from(game) else {
            return Ok(None);
        };
        let sql = "SELECT lang, engine, renderer, printed, blake3, digest FROM settlement \
                   WHERE game = ?1";
        let mut statement = self.0.prepare_cached(sql)?;
        let found = statement.query_row([game], |row| {
            let lang: String = row.get(0)?;
            let (bytes, blake3) = (row.get(3)?, Hex::new(row.get(4)?));
            let settlement = RecordingMetadata {
                engine: row.get(1)?,
                lang: Lang::ALL[0],
                renderer: row.get(2)?,
                console: ConsoleDigest { bytes, blake3 },
                digest: Hex::new(row.get(5)?),
            };
            Ok((lang, settlement))
        });
        let Some((lang, settlement)) = found.optional()? else {
            return Ok(None);
        };
        let lang = Lang::from_code(&lang).ok_or(Damage::Settlement)?;
        Ok(Some(RecordingMetadata { lang, ..settlement }))
    }

    fn games(&self, page: HistoryQuery) -> Result<Vec<HistoryRow>, StoreError> {
        finished::read_games(&self.0, page)
    }

    fn figures(&self, player: PlayerId) -> Result<Vec<HandTally>, StoreError> {
        finished::read_figures(&self.0, player)
    }

    fn score(&self, player: PlayerId, opponent: PlayerId) -> Result<Score, StoreError> {
        let sql =
            format!("SELECT {SCORE_COLUMNS} FROM finished WHERE player = ?1 AND opponent = ?2");
        let mut statement = self.0.prepare_cached(&sql)?;
        Ok(statement.query_row([player.0, opponent.0], |row| {
            Ok(Score {
                won: row.get(0)?,
                lost: row.get(1)?,
                tokens: row.get(2)?,
            })
        })?)
    }

    fn games_since(
        &self,
        player: PlayerId,
        since: WallTime,
    ) -> Result<Vec<(PlayerId, u64)>, StoreError> {
        let sql = "SELECT iif(house, ?3, opponent) AS other, count(*) \
                   FROM finished JOIN player ON player.id = opponent \
                   WHERE player = ?1 AND at >= ?2 AND public GROUP BY other ORDER BY other";
        let mut statement = self.0.prepare_cached(sql)?;
        let rows = statement.query_map([player.0, since.as_millis(), HOUSE_ID.0], |row| {
            Ok((PlayerId(row.get(0)?), row.get(1)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn rated_day(&self) -> Result<Option<u64>, StoreError> {
        ladder::query_number(&self.0, "SELECT rated FROM about")
    }

    fn first_game_end(&self) -> Result<Option<WallTime>, StoreError> {
        let first = ladder::query_number(&self.0, "SELECT min(at) FROM finished")?;
        Ok(first.map(WallTime::from_millis))
    }

    fn public_games(&self, time: Range<WallTime>) -> Result<Vec<RatedGame>, StoreError> {
        ladder::read_rated_games(&self.0, &time)
    }

    fn standings(&self, span: LadderPeriod) -> Result<Standings, StoreError> {
        ladder::read_standings(&self.0, span)
    }

    fn ladder(&self, span: LadderPeriod, player: PlayerId) -> Result<LadderView, StoreError> {
        ladder::read_ladder(&self.0, span, player)
    }

    fn leaf_hashes(&self, range: Range<u64>) -> Result<Vec<TreeHash>, StoreError> {
        self.leaves("SELECT number, hash FROM leaf", range, |row| {
            Ok(TreeHash::new(row.get(1)?))
        })
    }

    fn leaf_texts(&self, range: Range<u64>) -> Result<Vec<String>, StoreError> {
        self.leaves("SELECT number, body FROM leaf", range, |row| row.get(1))
    }

    fn day_commitment(&self, day: Day) -> Result<Option<(u64, DayCommitment)>, StoreError> {
        let sql = "SELECT number, body FROM leaf \
                   WHERE game = 0 AND substr(body, 1, length(?1)) = ?1 ORDER BY number LIMIT 1";
        let mut statement = self.0.prepare_cached(sql)?;
        let prefix = day_leaf_prefix(day);
        let found = statement.query_row([prefix], |row| Ok((row.get(0)?, row.get(1)?)));
        let found: Option<(u64, String)> = found.optional()?;
        let parse = |(number, body): (u64, String)| Ok((number, parse_day_leaf(&body)?));
        found.map(parse).transpose()
    }
}
