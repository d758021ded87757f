//! Statements of a room, prepared once for each connection, and their parameters.

use futures_util::future::join_all;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Error, Row, Statement};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::{Kind, Name};
use war_table::log::{Leaf, hash_leaf};
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{Activity, Player, PlayerStatus, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::Transfer;
use war_table::server::store::{Answer, Damage, FriendLinkRecord, StoreError, StoredMessage};
use war_table::time::{TableTime, WallTime};

/// Error code of a statement that changes a player of another room. The statement casts a message
/// to a number, since SQL outside a function has no other way to fail.
pub(super) const OTHER_ROOM_ERROR_CODE: SqlState = SqlState::INVALID_TEXT_REPRESENTATION;

/// Name of a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementName {
    Fence,
    Claim,
    SelectIncoming,
    SelectPlayers,
    SelectTokens,
    SelectAnswers,
    SelectMessages,
    SelectGameEvents,
    SelectFirstLeaf,
    SelectFriendLink,
    SelectFriendLinks,
    SelectIsUpgraded,
    InsertFriendLink,
    DeleteFriendLink,
    PruneAnswers,
    ForgetPlayer,
    PruneMessages,
    InsertBatch,
    InsertPlayers,
    UpdatePlayers,
    InsertEvents,
    InsertTransfers,
    InsertMessages,
    InsertAnswers,
    DeleteWaiting,
    InsertWaiting,
    DeleteSeats,
    InsertSeats,
    InsertLeaves,
    InsertSettlements,
    InsertFinishedGames,
    AddTallies,
    DeleteRatings,
    UpsertRatings,
    SetRatedDay,
    NumberLeaves,
    SetTime,
}

/// Numbers the leaves of the log that have no number yet. The batches of a room are committed in
/// order, so a leaf committed later never belongs before a numbered leaf of its room.
pub(super) const NUMBER_LEAVES: &str =
    "WITH new AS (SELECT room, seq, part, row_number() OVER (ORDER BY room, seq, part) - 1 AS at
             FROM leaf WHERE number IS NULL),
     last AS (SELECT coalesce(max(number) + 1, 0) AS next FROM leaf)
     UPDATE leaf SET number = next + at FROM new, last
     WHERE (leaf.room, leaf.seq, leaf.part) = (new.room, new.seq, new.part)";

/// Inserts finished games.
pub(super) const INSERT_FINISHED_GAMES: &str =
    "INSERT INTO finished (player, at, game, kind, opponent, yours, theirs, cards, their_cards,
                           tokens, balance, public)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[],
                          $6::text[], $7::text[], $8::text[], $9::text[], $10::bigint[],
                          $11::bigint[], $12::bool[])";
/// Adds the tallies of games to those of their players. If the day of one of the games was already
/// rated, because the clock of a node was set back or is slow, the ladder is rated again.
pub(super) const ADD_TALLIES: &str =
    "WITH late AS (UPDATE about SET rated = NULL WHERE rated >= $8)
     INSERT INTO figure AS known (player, kind, hand, games, won, folded, tokens)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[],
                          $6::bigint[], $7::bigint[])
     ON CONFLICT (player, kind, hand) DO UPDATE SET games = known.games + excluded.games,
         won = known.won + excluded.won, folded = known.folded + excluded.folded,
         tokens = known.tokens + excluded.tokens";

/// Texts of the statements, in the order of the variants of [`StatementName`].
const STATEMENTS: [&str; StatementName::SetTime as usize + 1] = [
    "UPDATE room SET next_seq = next_seq + 1, beat = beat + 1
     WHERE id = $1 AND epoch = $2 AND next_seq = $3 AND (SELECT id FROM about) = $4",
    // Locked in order of id, so that two rooms can't deadlock.
    "WITH free AS (SELECT id FROM player WHERE id = ANY($2::bigint[]) AND room IS NULL
                   ORDER BY id FOR UPDATE)
     UPDATE player SET room = $1 FROM free WHERE player.id = free.id RETURNING player.id",
    // A forwarded player still has a `waiting` row of the previous room. `OFFSET 0` makes
    // PostgreSQL start from these few rows and look up the player of each, instead of starting from
    // all players.
    "SELECT id, name, balance, seq, house, name_is_fixed, standing, watchable, kind, since, seed_hash
     FROM waiting CROSS JOIN LATERAL
          (SELECT * FROM player WHERE id = waiting.player OFFSET 0) AS player
     WHERE waiting.room <> $1 AND player.room = $1 ORDER BY since DESC, id",
    "SELECT id, name, balance, seq, house, name_is_fixed, standing, watchable, room,
            EXISTS (SELECT FROM waiting WHERE player = id AND waiting.room <> player.room)
     FROM player WHERE id = ANY($1::bigint[])",
    "SELECT token, id FROM player WHERE token = ANY($1::bytea[]) AND NOT house",
    "SELECT player, id, digest, first, last, refusal FROM request
     WHERE (player, id) IN (SELECT * FROM unnest($1::bigint[], $2::text[]))",
    "SELECT seq, body, in_reply_to FROM outbox
     WHERE player = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq",
    "SELECT body FROM event WHERE game = $1 ORDER BY room, seq, part",
    "SELECT number FROM leaf WHERE game = $1 ORDER BY room, seq, part LIMIT 1",
    "SELECT player, id, kind, secret_hash FROM friend_link WHERE id = $1",
    "SELECT player, id, kind, secret_hash FROM friend_link WHERE player = $1 ORDER BY number",
    "SELECT min_version >= $1 FROM about",
    "INSERT INTO friend_link (player, id, kind, secret_hash) VALUES ($1, $2, $3, $4)",
    "DELETE FROM friend_link WHERE player = $1 AND id = $2",
    "WITH old AS (SELECT player, id, at FROM request WHERE room = $1 AND at >= $2 AND at < $3
                  ORDER BY at LIMIT $4),
     gone AS (DELETE FROM request USING old
              WHERE request.player = old.player AND request.id = old.id
              AND request.player NOT IN (SELECT player FROM waiting UNION ALL SELECT player FROM seat))
     SELECT max(at), count(*) FROM old",
    "WITH told AS (DELETE FROM outbox WHERE player = $2),
          answered AS (DELETE FROM request WHERE player = $2),
          invited AS (DELETE FROM friend_link WHERE player = $2)
     UPDATE player SET token = sha256('war-table forgotten/1\n'::bytea || token), first_seq = $3
     WHERE id = $2 AND room = $1",
    "WITH looked_at AS (SELECT id FROM player WHERE id > $2 AND (room IS NULL OR room = $1)
                        ORDER BY id LIMIT $4),
     ends AS (SELECT id, (SELECT seq FROM outbox, about
                          WHERE player = looked_at.id AND coalesce(at, dated) < $3
                          AND substring(body FROM '\"type\":\"([a-z_]*)\"')
                              IN ('result', 'cancelled', 'draining')
                          ORDER BY seq DESC LIMIT 1) AS last
              FROM looked_at
              WHERE id NOT IN (SELECT player FROM waiting UNION ALL SELECT player FROM seat)),
     gone AS (DELETE FROM outbox USING ends WHERE player = ends.id AND seq <= last RETURNING 1),
     moved AS (UPDATE player SET first_seq = last + 1 FROM ends
               WHERE player.id = ends.id AND last IS NOT NULL)
     SELECT (SELECT max(id) FROM looked_at), (SELECT count(*) FROM gone)",
    "INSERT INTO batch (room, seq, epoch, at) VALUES ($1, $2, $3, $4)",
    "INSERT INTO player (id, token, name, balance, seq, house, watchable, room)
     SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::bigint[], $5::bigint[],
                          $6::bool[], $7::bool[], $8::int[])",
    // Fails with `OTHER_ROOM_ERROR_CODE` if a player belongs to another room, so nothing is
    // committed.
    "WITH changed AS (
         UPDATE player SET name = new.name, balance = new.balance, seq = new.seq,
             name_is_fixed = new.name_is_fixed, standing = new.standing,
             watchable = new.watchable, room = new.room
         FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bool[],
                     $7::text[], $8::bool[], $9::int[])
              AS new (id, name, balance, seq, name_is_fixed, standing, watchable, room)
         WHERE player.id = new.id AND player.room = $1 RETURNING 1)
     SELECT CASE WHEN count(*) = cardinality($2::bigint[]) THEN 0
            ELSE ('only ' || count(*) || ' of the players are in this room')::int END FROM changed",
    "INSERT INTO event (room, seq, part, at, game, body)
     SELECT $1::int, $2::bigint, * FROM unnest($3::int[], $4::bigint[], $5::bigint[], $6::text[])",
    "INSERT INTO ledger (room, seq, part, debit, credit, tokens)
     SELECT $1::int, $2::bigint, *
     FROM unnest($3::int[], $4::bigint[], $5::bigint[], $6::bigint[])",
    "INSERT INTO outbox (at, player, seq, body, in_reply_to)
     SELECT $1::bigint, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[])",
    "INSERT INTO request (room, player, id, at, digest, first, last, refusal)
     SELECT $1::int, * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bytea[],
                                   $6::bigint[], $7::bigint[], $8::text[])",
    "DELETE FROM waiting WHERE player = ANY($1::bigint[])",
    "INSERT INTO waiting (room, player, kind, since, seed_hash, meeting)
     SELECT $1::int, * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bytea[],
                                   $6::text[])",
    "DELETE FROM seat WHERE player = ANY($1::bigint[])",
    "INSERT INTO seat (room, player, game)
     SELECT $1::int, * FROM unnest($2::bigint[], $3::bigint[])",
    "INSERT INTO leaf (room, seq, part, game, hash, body)
     SELECT $1::int, $2::bigint, *
     FROM unnest($3::int[], $4::bigint[], $5::bytea[], $6::text[])",
    "INSERT INTO settlement (game, engine, lang, renderer, printed, blake3, digest)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[],
                          $6::bytea[], $7::bytea[])",
    INSERT_FINISHED_GAMES,
    ADD_TALLIES,
    // The next three statements have no effect if the ladder has changed since it was read.
    "DELETE FROM rating WHERE (span <> $1 OR $2::bigint IS NULL)
     AND (SELECT rated FROM about) IS NOT DISTINCT FROM $2",
    "INSERT INTO rating (span, player, rating, deviation, volatility, games, day)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                          $6::bigint[], $7::bigint[])
     WHERE (SELECT rated FROM about) IS NOT DISTINCT FROM $8::bigint
     ON CONFLICT (span, player) DO UPDATE SET rating = excluded.rating,
         deviation = excluded.deviation, volatility = excluded.volatility,
         games = excluded.games, day = excluded.day",
    "UPDATE about SET rated = $1 WHERE rated IS NOT DISTINCT FROM $2::bigint",
    NUMBER_LEAVES,
    "UPDATE room SET time = greatest(time, $2) WHERE id = $1",
];

/// Prepared statements of a connection.
pub(super) struct PreparedStatements(Vec<Statement>);

impl PreparedStatements {
    /// Prepares all statements concurrently.
    pub(super) async fn prepare(client: &Client) -> Result<Self, Error> {
        let prepared = join_all(STATEMENTS.map(|sql| client.prepare(sql))).await;
        Ok(Self(prepared.into_iter().collect::<Result<_, _>>()?))
    }

    pub(super) fn get(&self, sql: StatementName) -> &Statement {
        &self.0[sql as usize]
    }
}

/// Parameter of a statement: often a column of rows.
pub(super) type Param = Box<dyn ToSql + Sync>;

/// Statement of a batch with its parameters.
pub(super) struct BatchWrite {
    pub(super) statement: StatementName,
    pub(super) params: Vec<Param>,
}

/// Key of a batch, which its rows share.
#[derive(Clone, Copy)]
pub(super) struct BatchKey {
    pub(super) room: i32,
    pub(super) seq: i64,
}

/// Creates a [`BatchWrite`] of a statement and its parameters.
macro_rules! batch_write {
    ($statement:ident, $($param:expr),+) => {
        BatchWrite {
            statement: StatementName::$statement,
            params: vec![$(Box::new($param) as Param),+],
        }
    };
}
pub(super) use batch_write;

/// Position of the next row in a batch.
fn next_part(parts: &[i32]) -> i32 {
    i32::try_from(parts.len()).unwrap_or(i32::MAX)
}

/// Rows of events, by column.
#[derive(Default)]
pub(super) struct EventRows {
    part: Vec<i32>,
    at: Vec<i64>,
    game: Vec<Option<i64>>,
    body: Vec<String>,
}

impl EventRows {
    /// Adds an event; returns its position in the batch.
    pub(super) fn push(&mut self, event: &RoomEvent, at: WallTime) -> i32 {
        let part = next_part(&self.part);
        self.part.push(part);
        self.at.push(to_i64(at.as_millis()));
        self.game.push(event.game().map(to_i64));
        let body = serde_json::to_string(event).expect("events are plain values");
        self.body.push(body);
        part
    }

    pub(super) fn into_write(self, BatchKey { room, seq }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.part.is_empty();
        (!is_empty).then(|| {
            batch_write!(
                InsertEvents,
                room,
                seq,
                self.part,
                self.at,
                self.game,
                self.body
            )
        })
    }
}

/// Rows of the ledger, by column.
#[derive(Default)]
pub(super) struct TransferRows {
    part: Vec<i32>,
    debit: Vec<i64>,
    credit: Vec<i64>,
    tokens: Vec<i64>,
}

impl TransferRows {
    pub(super) fn push(&mut self, part: i32, transfer: &Transfer) {
        self.part.push(part);
        self.debit.push(to_i64(transfer.debit.0));
        self.credit.push(to_i64(transfer.credit.0));
        self.tokens.push(transfer.tokens);
    }

    pub(super) fn into_write(self, BatchKey { room, seq }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.part.is_empty();
        let Self {
            part,
            debit,
            credit,
            tokens,
        } = self;
        (!is_empty).then(|| batch_write!(InsertTransfers, room, seq, part, debit, credit, tokens))
    }
}

/// Rows of messages, by column.
#[derive(Default)]
pub(super) struct MessageRows {
    to: Vec<i64>,
    seq: Vec<i64>,
    body: Vec<String>,
    in_reply_to: Vec<Option<String>>,
}

impl MessageRows {
    pub(super) fn push(&mut self, to: PlayerId, message: StoredMessage) {
        self.to.push(to_i64(to.0));
        self.seq.push(to_i64(message.seq));
        self.body.push(message.body);
        self.in_reply_to.push(message.in_reply_to.map(String::from));
    }

    /// Creates the write; `at` is the time of the events that the messages report.
    pub(super) fn into_write(self, at: WallTime) -> Option<BatchWrite> {
        let is_empty = self.to.is_empty();
        (!is_empty).then(|| {
            batch_write!(
                InsertMessages,
                to_i64(at.as_millis()),
                self.to,
                self.seq,
                self.body,
                self.in_reply_to
            )
        })
    }
}

/// Rows of answers, by column.
#[derive(Default)]
pub(super) struct AnswerRows {
    player: Vec<i64>,
    request: Vec<String>,
    at: Vec<i64>,
    digest: Vec<Vec<u8>>,
    first: Vec<i64>,
    last: Vec<i64>,
    refusal: Vec<Option<String>>,
}

impl AnswerRows {
    pub(super) fn push(
        &mut self,
        player: PlayerId,
        request: String,
        answer: Answer,
        at: TableTime,
    ) {
        let Answer {
            digest,
            messages,
            refusal,
        } = answer;
        self.player.push(to_i64(player.0));
        self.request.push(request);
        self.at.push(to_i64(at.as_millis()));
        self.digest.push(digest.bytes().to_vec());
        self.first.push(to_i64(messages.first()));
        self.last.push(to_i64(messages.last()));
        self.refusal
            .push(refusal.map(|refusal| refusal.to_string()));
    }

    pub(super) fn into_write(self, BatchKey { room, .. }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.player.is_empty();
        let Self {
            player,
            request,
            at,
            digest,
            first,
            last,
            refusal,
        } = self;
        (!is_empty).then(|| {
            batch_write!(
                InsertAnswers,
                room,
                player,
                request,
                at,
                digest,
                first,
                last,
                refusal
            )
        })
    }
}

/// Rows of leaves, by column.
#[derive(Default)]
pub(super) struct LeafRows {
    part: Vec<i32>,
    game: Vec<i64>,
    hash: Vec<Vec<u8>>,
    body: Vec<String>,
}

impl LeafRows {
    pub(super) fn push(&mut self, leaf: &Leaf) {
        let body = leaf.to_string();
        self.part.push(next_part(&self.part));
        self.game.push(to_i64(leaf.game()));
        self.hash.push(hash_leaf(body.as_bytes()).bytes().to_vec());
        self.body.push(body);
    }

    pub(super) fn into_write(self, BatchKey { room, seq }: BatchKey) -> Option<BatchWrite> {
        let is_empty = self.part.is_empty();
        (!is_empty).then(|| {
            batch_write!(
                InsertLeaves,
                room,
                seq,
                self.part,
                self.game,
                self.hash,
                self.body
            )
        })
    }
}

/// Rows of settlements, by column.
#[derive(Default)]
pub(super) struct SettlementRows {
    game: Vec<i64>,
    engine: Vec<String>,
    lang: Vec<String>,
    renderer: Vec<i64>,
    printed: Vec<i64>,
    blake3: Vec<Vec<u8>>,
    digest: Vec<Vec<u8>>,
}

impl SettlementRows {
    pub(super) fn push(&mut self, game: u64, settlement: &RecordingMetadata) {
        self.game.push(to_i64(game));
        self.engine.push(settlement.engine.clone());
        self.lang.push(settlement.lang.code().to_owned());
        self.renderer.push(i64::from(settlement.renderer));
        self.printed.push(to_i64(settlement.console.bytes));
        self.blake3.push(settlement.console.blake3.bytes().to_vec());
        self.digest.push(settlement.digest.bytes().to_vec());
    }

    pub(super) fn into_write(self) -> Option<BatchWrite> {
        let is_empty = self.game.is_empty();
        let Self {
            game,
            engine,
            lang,
            renderer,
            printed,
            blake3,
            digest,
        } = self;
        (!is_empty).then(|| {
            batch_write!(
                InsertSettlements,
                game,
                engine,
                lang,
                renderer,
                printed,
                blake3,
                digest
            )
        })
    }
}

// Conversions: integers of the database are signed.

/// Converts a number to a signed integer of the database. Stored numbers never exceed the range of
/// that type.
pub(super) fn to_i64(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Converts a number of the database that must not be negative.
pub(super) fn to_u64(signed: i64) -> Result<u64, StoreError> {
    u64::try_from(signed).map_err(|_| Damage::Layout.into())
}

/// Converts the number of a room.
pub(super) fn parse_room_number(signed: i32) -> Result<RoomNumber, StoreError> {
    let number = u16::try_from(signed).map_err(|_| Damage::Layout)?;
    Ok(RoomNumber(number))
}

/// Columns of a row that [`parse_player`] parses.
pub(super) const PLAYER_COLUMNS: &str =
    "id, name, balance, seq, house, name_is_fixed, standing, watchable";

/// Parses a player from a row that begins with the columns [`PLAYER_COLUMNS`].
pub(super) fn parse_player(row: &Row) -> Result<(PlayerId, Player), StoreError> {
    let standing = PlayerStatus::from_name(row.get(6));
    let player = Player {
        name: Name::new(row.get(1)).map_err(|_| Damage::Name)?,
        balance: row.get(2),
        seq: to_u64(row.get(3))?,
        house: row.get(4),
        name_is_fixed: row.get(5),
        status: standing.ok_or(Damage::Player)?,
        watchable: row.get(7),
        activity: Activity::Free,
    };
    Ok((PlayerId(to_u64(row.get(0))?), player))
}

/// Parses a message from a row with its number, its body, and the request that it answers.
pub(super) fn parse_message(row: &Row) -> Result<StoredMessage, StoreError> {
    let in_reply_to: Option<&str> = row.get(2);
    Ok(StoredMessage {
        seq: to_u64(row.get(0))?,
        body: row.get(1),
        in_reply_to: in_reply_to.and_then(RequestId::new),
    })
}

/// Parses a friend link from a row with its player, ID, kind of game and secret hash.
pub(super) fn parse_friend_link(row: &Row) -> Result<FriendLinkRecord, StoreError> {
    let (id, hash): (&[u8], &[u8]) = (row.get(1), row.get(3));
    Ok(FriendLinkRecord {
        player: PlayerId(to_u64(row.get(0))?),
        id: Hex::new(id.try_into().map_err(|_| Damage::Layout)?),
        kind: Kind::from_name(row.get(2)).ok_or(Damage::Layout)?,
        secret_hash: Hex::new(hash.try_into().map_err(|_| Damage::Layout)?),
    })
}

/// Parses an event from a row that begins with its body.
pub(super) fn parse_event(row: &Row) -> Result<RoomEvent, StoreError> {
    Ok(serde_json::from_str(row.get(0)).map_err(|_| Damage::Event)?)
}
