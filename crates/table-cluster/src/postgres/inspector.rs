//! Queries of operators: each sees a snapshot and may take long.

use super::finished::{self, TALLY_COLUMNS, parse_finished_game, parse_hand_tally};
use super::ladder::{STANDING_COLUMNS, parse_standing};
use super::reader::{PostgresReader, SETTLEMENT_COLUMNS, parse_settlement};
use super::statements::{
    PLAYER_COLUMNS, parse_event, parse_friend_link, parse_player, to_i64, to_u64,
};
use futures_util::TryStreamExt as _;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war_table::operator::{LedgerPosition, MAX_LISTED_PLAYERS, PlayerSummary};
use war_table::protocol::{HandTally, PlayerId};
use war_table::room::{PlayerGameRecord, RoomEvent};
use war_table::server::store::rows::{
    Adjustments, PlayerExport, PlayerRecord, build_player_summary, damage_to_none, join_transfers,
    validate_records,
};
use war_table::server::store::{
    Damage, GameRecords, Inspector, LedgerEntry, StoreError, StoreSecret, Transfer,
};
use war_table::time::WallTime;

/// Estimated number of events in a batch.
const EVENTS_PER_BATCH: u32 = 10;

/// Primary key of an event: its room, its batch, and its position in the batch.
type EventKey = (i32, i64, i32);

impl Inspector for PostgresReader {
    fn secret(&self) -> Result<StoreSecret, StoreError> {
        let rows = self.query_slow("SELECT secret FROM war.about", &[])?;
        let secret = rows.first().map(|row| row.get::<_, &[u8]>(0));
        let secret = secret.and_then(|secret| secret.try_into().ok());
        Ok(secret.map(StoreSecret::new).ok_or(Damage::Layout)?)
    }

    fn players(&self, after: u64) -> Result<Vec<PlayerSummary>, StoreError> {
        let sql = format!(
            "SELECT {PLAYER_COLUMNS}, kind, game FROM player LEFT JOIN waiting ON waiting.player = id \
             LEFT JOIN seat ON seat.player = id WHERE id > $1 ORDER BY id LIMIT {MAX_LISTED_PLAYERS}"
        );
        let rows = self.query_slow(&sql, &[&to_i64(after)])?;
        let player_summary = |row: &Row| {
            let game: Option<i64> = row.get("game");
            build_player_summary(
                parse_player(row)?,
                row.get("kind"),
                game.map(to_u64).transpose()?,
            )
        };
        rows.iter().map(player_summary).collect()
    }

    fn export(&self, id: PlayerId) -> Result<Option<Value>, StoreError> {
        let rows = self
            .connection()
            .query_snapshot(async |client| read_player(client, id).await)?;
        rows.map(|rows| rows.to_export()?.into_json()).transpose()
    }

    fn ledger_entries(
        &self,
        after: LedgerPosition,
        most: u32,
    ) -> Result<(Vec<LedgerEntry>, Option<LedgerPosition>), StoreError> {
        let before_last = i64::from(most / EVENTS_PER_BATCH) - 1;
        let after = (i32::from(after.room), to_i64(after.event));
        let (last, events, entries) = self.connection().query_snapshot(async |client| {
            let sql = "SELECT room, seq FROM batch WHERE (room, seq) > ($1, $2) \
                       ORDER BY room, seq OFFSET $3 LIMIT 1";
            let from: [&(dyn ToSql + Sync); 3] = [&after.0, &after.1, &before_last];
            let last = client.query_opt(sql, &from).await?;
            let last = last.map(|row| (row.get(0), row.get(1)));
            // Without a last batch, the range has no upper bound and includes rows that belong to
            // no batch.
            let (room, seq) = last.unwrap_or((i32::MAX, i64::MAX));
            let range = "WHERE (room, seq) > ($1, $2) AND (room, seq) <= ($3, $4) \
                         ORDER BY room, seq, part";
            let within: [&(dyn ToSql + Sync); 4] = [&after.0, &after.1, &room, &seq];
            let events = format!("SELECT room, seq, part, body FROM event {range}");
            let events = client.query(&events, &within).await?;
            let entries = "SELECT room, seq, part, debit, credit, tokens FROM ledger";
            let entries = format!("{entries} {range}");
            Ok((last, events, client.query(&entries, &within).await?))
        })?;
        let event = |row: &Row| {
            let event: Option<RoomEvent> = serde_json::from_str(row.get(3)).ok();
            (event_key(row), event)
        };
        let events = events.iter().map(event).collect();
        let mut booked: BTreeMap<EventKey, Vec<Transfer>> = BTreeMap::new();
        for row in &entries {
            booked.entry(event_key(row)).or_default().push(Transfer {
                debit: PlayerId(to_u64(row.get(3))?),
                credit: PlayerId(to_u64(row.get(4))?),
                tokens: row.get(5),
            });
        }
        let name = |(room, seq, part): &EventKey| format!("{room}/{seq}/{part}");
        let next = last.map(|(room, seq): (i32, i64)| {
            Ok::<_, StoreError>(LedgerPosition {
                room: u16::try_from(room).map_err(|_| Damage::Layout)?,
                event: to_u64(seq)?,
                entry: 0,
            })
        });
        Ok((join_transfers(events, booked, name), next.transpose()?))
    }

    fn wrong_balances(&self) -> Result<(u64, Vec<u64>), StoreError> {
        let sql = "SELECT count(*), array_agg(id ORDER BY id) \
                   FILTER (WHERE coalesce(moved, 0) <> balance) FROM player \
                   LEFT JOIN (SELECT account, sum(tokens) AS moved FROM \
                       (SELECT credit AS account, tokens FROM ledger \
                        UNION ALL SELECT debit, -tokens FROM ledger) AS sides \
                       GROUP BY account) AS sums ON account = id";
        let row = self.query_slow(sql, &[])?;
        let row = row.first().ok_or(Damage::Layout)?;
        let wrong: Option<Vec<i64>> = row.get(1);
        let wrong = wrong.unwrap_or_default().into_iter().map(to_u64);
        Ok((to_u64(row.get(0))?, wrong.collect::<Result<_, _>>()?))
    }

    fn check_messages(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        let sql = "SELECT player.id, house OR (count(outbox.seq) = player.seq - first_seq + 1 \
                   AND coalesce(min(outbox.seq), first_seq) = first_seq \
                   AND coalesce(max(outbox.seq), player.seq) = player.seq \
                   AND count(*) FILTER (WHERE substring(body FROM '^{\"seq\":([0-9]+),') \
                       IS DISTINCT FROM outbox.seq::text) = 0) \
                   FROM (SELECT * FROM player WHERE id > $1 ORDER BY id LIMIT $2) AS player \
                   LEFT JOIN outbox ON outbox.player = player.id \
                   GROUP BY player.id, house, player.seq, first_seq ORDER BY player.id";
        let rows = self.query_slow(sql, &[&to_i64(after), &i64::from(most)])?;
        let pair = |row: &Row| Ok((to_u64(row.get(0))?, row.get(1)));
        rows.iter().map(pair).collect()
    }

    fn game_records(&self, after: u64, most: u32) -> Result<Vec<GameRecords>, StoreError> {
        read_game_records(self, after, most)
    }

    fn check_records(&self, after: u64, most: u32) -> Result<Vec<(u64, bool)>, StoreError> {
        check_records(self, after, most)
    }

    fn settled_games(&self, after: u64, most: u32) -> Result<Vec<u64>, StoreError> {
        let sql = "SELECT game FROM settlement WHERE game > $1 ORDER BY game LIMIT $2";
        let rows = self.query_slow(sql, &[&to_i64(after), &i64::from(most)])?;
        rows.iter().map(|row| to_u64(row.get(0))).collect()
    }

    fn events_of_games(
        &self,
        games: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, Option<Vec<RoomEvent>>>, StoreError> {
        let sql = "SELECT body, game FROM event WHERE game = ANY($1::bigint[]) \
                   ORDER BY game, room, seq, part";
        let rows = self.query_slow(sql, &[&to_numbers(games)])?;
        let mut found: BTreeMap<_, _> =
            games.iter().map(|game| (*game, Some(Vec::new()))).collect();
        for row in &rows {
            let events = found.entry(to_u64(row.get(1))?).or_default();
            // Once an event can't be read, `None` stands for all events of the game.
            match (events.as_mut(), damage_to_none(parse_event(row))?) {
                (Some(events), Some(event)) => events.push(event),
                _ => *events = None,
            }
        }
        Ok(found)
    }

    fn settlements(
        &self,
        games: &BTreeSet<u64>,
    ) -> Result<BTreeMap<u64, RecordingMetadata>, StoreError> {
        let sql = format!(
            "SELECT {SETTLEMENT_COLUMNS}, game FROM settlement WHERE game = ANY($1::bigint[])"
        );
        let mut found = BTreeMap::new();
        for row in &self.query_slow(&sql, &[&to_numbers(games)])? {
            if let Some(settled) = damage_to_none(parse_settlement(row))? {
                found.insert(to_u64(row.get("game"))?, settled);
            }
        }
        Ok(found)
    }
}

/// Converts numbers of games for the database. A number that no game can have is left out.
fn to_numbers(games: &BTreeSet<u64>) -> Vec<i64> {
    let games = games.iter().copied();
    games.filter_map(|game| i64::try_from(game).ok()).collect()
}

fn event_key(row: &Row) -> EventKey {
    (row.get(0), row.get(1), row.get(2))
}

/// Rows of a player's data export.
struct ExportRows {
    player: Row,
    ledger: Vec<Row>,
    events: Vec<Row>,
    messages: Vec<Row>,
    answers: Vec<Row>,
    links: Vec<Row>,
    games: Vec<Row>,
    ladder: Vec<Row>,
}

/// Reads all data of a player, except events of a running game, which would reveal the opponent's
/// cards. Finished games are recognized by their transfers in the ledger.
async fn read_player(client: &Client, id: PlayerId) -> Result<Option<ExportRows>, Error> {
    let id = to_i64(id.0);
    let sql = format!("SELECT {PLAYER_COLUMNS}, token FROM player WHERE id = $1");
    let Some(player) = client.query_opt(&sql, &[&id]).await? else {
        return Ok(None);
    };
    let ledger = "SELECT at, game, CASE WHEN credit = $1 THEN tokens ELSE -tokens END \
                  FROM ledger JOIN event USING (room, seq, part) WHERE $1 IN (credit, debit) \
                  ORDER BY room, seq, part";
    let events = "SELECT at, body FROM event WHERE game IN (\
                      SELECT game FROM ledger JOIN event USING (room, seq, part) \
                      WHERE $1 IN (credit, debit) AND game IS NOT NULL) \
                  OR (game IS NULL AND body ~ ('^{\"[a-z_]+\":{\"player\":' || $1 || '[,}]')) \
                  ORDER BY room, seq, part";
    let messages = "SELECT body FROM outbox WHERE player = $1 ORDER BY seq";
    let answers = "SELECT id, refusal FROM request WHERE player = $1 ORDER BY at, id";
    let links =
        "SELECT player, id, kind, secret_hash FROM friend_link WHERE player = $1 ORDER BY number";
    let games = "SELECT * FROM finished WHERE player = $1 ORDER BY at, game";
    let ladder =
        format!("SELECT {STANDING_COLUMNS}, span FROM rating WHERE player = $1 ORDER BY span");
    Ok(Some(ExportRows {
        player,
        ledger: client.query(ledger, &[&id]).await?,
        events: client.query(events, &[&id]).await?,
        messages: client.query(messages, &[&id]).await?,
        answers: client.query(answers, &[&id]).await?,
        links: client.query(links, &[&id]).await?,
        games: client.query(games, &[&id]).await?,
        ladder: client.query(&ladder, &[&id]).await?,
    }))
}

impl ExportRows {
    fn to_export(&self) -> Result<PlayerExport, StoreError> {
        let (id, data) = parse_player(&self.player)?;
        let token: [u8; 32] = self
            .player
            .get::<_, &[u8]>("token")
            .try_into()
            .map_err(|_| Damage::Layout)?;
        let entry = |row: &Row| {
            let game: Option<i64> = row.get(1);
            Ok((
                to_u64(row.get(0))?,
                game.map(to_u64).transpose()?,
                row.get(2),
            ))
        };
        let event = |row: &Row| Ok((to_u64(row.get(0))?, row.get(1)));
        let ledger: Result<_, StoreError> = self.ledger.iter().map(entry).collect();
        let events: Result<_, StoreError> = self.events.iter().map(event).collect();
        let answer = |row: &Row| (row.get(0), row.get(1));
        let links: Result<_, _> = self.links.iter().map(parse_friend_link).collect();
        let games: Result<_, _> = self
            .games
            .iter()
            .map(finished::parse_finished_game)
            .collect();
        let standing = |row: &Row| Ok((row.get("span"), parse_standing(row)?.1));
        let ladder: Result<_, StoreError> = self.ladder.iter().map(standing).collect();
        Ok(PlayerExport {
            player: id,
            data,
            token: Hex::new(token),
            ledger: ledger?,
            events: events?,
            messages: self.messages.iter().map(|row| row.get(0)).collect(),
            answers: self.answers.iter().map(answer).collect(),
            links: links?,
            games: games?,
            ladder: ladder?,
        })
    }
}

/// Reads up to `most` games with numbers above `after`, each as computed from its events and as
/// stored.
fn read_game_records(
    reader: &PostgresReader,
    after: u64,
    most: u32,
) -> Result<Vec<GameRecords>, StoreError> {
    let (after, most) = (to_i64(after), i64::from(most));
    let (house, events, kept) = reader.connection().query_snapshot(async |client| {
        let house = client.query("SELECT id FROM player WHERE house", &[]).await?;
        let sql = "SELECT game, at, body FROM event WHERE game IN (\
                       SELECT game FROM event WHERE game > $1 GROUP BY game ORDER BY game LIMIT $2) \
                   ORDER BY game, room, seq, part";
        let events = client.query(sql, &[&after, &most]).await?;
        // Time of the last event of each game.
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
        let (game, at) = (to_u64(row.get(0))?, to_u64(row.get(1))?);
        let known = played.entry(game).or_insert((at, Some(Vec::new())));
        known.0 = at;
        // A game with an unreadable event is skipped: the check of the events reports that event.
        let event: Option<RoomEvent> = serde_json::from_str(row.get(2)).ok();
        let known_before = known.1.take();
        known.1 = known_before.zip(event).map(|(mut events, event)| {
            events.push(event);
            events
        });
    }
    let mut kept_by_game: BTreeMap<i64, Vec<&Row>> = BTreeMap::new();
    for row in &kept {
        kept_by_game.entry(row.get("game")).or_default().push(row);
    }
    let mut games = Vec::new();
    for (number, (at, events)) in played {
        let Some(events) = events else { continue };
        let played = PlayerGameRecord::from_events(&events, WallTime::from_millis(at))
            .into_iter()
            .flatten();
        let played = played.filter(|game| !house.contains(&to_i64(game.player.0)));
        let mut played: Vec<_> = played.collect();
        played.sort_by_key(|game| game.player);
        let kept = kept_by_game.get(&to_i64(number)).into_iter().flatten();
        let kept = kept
            .map(|row| parse_finished_game(row))
            .collect::<Result<_, _>>()?;
        let game = number;
        games.push(GameRecords {
            game,
            computed: played,
            stored: kept,
        });
    }
    Ok(games)
}

/// Checks up to `most` players with numbers above `after`. Returns true for each player whose
/// finished games and tallies are consistent.
fn check_records(
    reader: &PostgresReader,
    after: u64,
    most: u32,
) -> Result<Vec<(u64, bool)>, StoreError> {
    let (after, most) = (to_i64(after), i64::from(most));
    let found = reader.connection().query_snapshot(async |client| {
        let sql = "SELECT id FROM player WHERE id > $1 ORDER BY id LIMIT $2";
        let players = client.query(sql, &[&after, &most]).await?;
        let players: Vec<i64> = players.iter().map(|row| row.get(0)).collect();
        read_records(client, after, &players).await
    })?;
    let found = found
        .into_iter()
        .map(|(player, record)| Ok((to_u64(player)?, record)));
    let found = found.collect::<Result<_, StoreError>>()?;
    // Adjustments of balances are read after the games, so that no adjustment made before the last
    // of these games is missing.
    validate_records(found, || read_adjustments(reader))
}

/// Reads the records of these players, which are the next ones after the number `after`; `None` for
/// a player with a row that can't be parsed.
async fn read_records(
    client: &Client,
    after: i64,
    players: &[i64],
) -> Result<BTreeMap<i64, Option<PlayerRecord>>, Error> {
    let last = players.last().copied().unwrap_or(after);
    let empty = || Some((PlayerRecord::default(), Vec::new()));
    let mut found: BTreeMap<_, _> = players.iter().map(|player| (*player, empty())).collect();
    let sql = "SELECT * FROM finished WHERE player > $1 AND player <= $2 ORDER BY player, at, game";
    // One row at a time, since a player may have finished any number of games.
    let mut games = pin!(client.query_raw(sql, [after, last]).await?);
    while let Some(row) = games.try_next().await? {
        if let Some(of_player) = found.get_mut(&row.get("player")) {
            let game = parse_finished_game(&row).ok();
            *of_player = of_player
                .take()
                .zip(game)
                .map(|((mut record, tallies), game)| {
                    record.add(&game);
                    (record, tallies)
                });
        }
    }
    let sql =
        format!("SELECT {TALLY_COLUMNS}, player FROM figure WHERE player > $1 AND player <= $2");
    for row in client.query(&sql, &[&after, &last]).await? {
        if let Some(of_player) = found.get_mut(&row.get("player")) {
            let tally = parse_hand_tally(&row).ok();
            *of_player = of_player
                .take()
                .zip(tally)
                .map(|((record, mut tallies), tally)| {
                    tallies.push(tally);
                    (record, tallies)
                });
        }
    }
    let checked = |of_player: Option<(PlayerRecord, Vec<HandTally>)>| {
        of_player.map(|(mut record, tallies)| {
            record.check_statistics(&tallies);
            record
        })
    };
    Ok(found
        .into_iter()
        .map(|(player, of_player)| (player, checked(of_player)))
        .collect())
}

fn read_adjustments(reader: &PostgresReader) -> Result<Adjustments, StoreError> {
    let sql = "SELECT body FROM war.event WHERE game IS NULL AND body LIKE '{\"adjusted\"%' \
               ORDER BY at, room, seq, part";
    let mut given = Adjustments::new();
    for row in &reader.query_slow(sql, &[])? {
        if let Ok(RoomEvent::Adjusted { player, tokens, .. }) = serde_json::from_str(row.get(0)) {
            given.entry(player).or_default().push(tokens);
        }
    }
    Ok(given)
}
