use super::open::StoreFiles;
use super::rows::{self, read_game_events, read_player};
use super::{finished, ladder};
use crate::ladder::LadderUpdate;
use crate::log::{Leaf, hash_leaf};
use crate::protocol::{PlayerId, Refusal, RequestId};
use crate::room::{Match, Player, PlayerGameRecord, RoomEvent};
use crate::server::rooms::RoomNumber;
use crate::server::store::opponent_column::encode_opponent;
use crate::server::store::{
    Answer, AnswerRecord, Claim, FriendLinkRecord, IncomingPlayer, LeafPosition, MessageRange,
    PrefetchKeys, PruneProgress, Registration, StoreError, StoredMessage, SweepPosition, TokenHash,
    Transaction, Transfer, compute_transfers,
};
use crate::time::{TableTime, WallTime};
use rusqlite::{OptionalExtension, Row, params, params_from_iter};
use std::collections::BTreeSet;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war::tokens::TokenEvent;

/// Number of players handled when old messages are deleted in one go.
const PLAYERS_PER_SWEEP: u32 = 200;
/// Number of answers looked at when old ones are deleted in one go.
const ANSWERS_PER_SWEEP: i64 = 20_000;

/// Transaction of a batch of commands in the file.
pub(super) struct SqliteTransaction<'a> {
    sql: rusqlite::Transaction<'a>,
    files: &'a StoreFiles,
    /// Number of rows changed by the connection before this transaction.
    before: u64,
    /// Time of the last event recorded.
    at: WallTime,
}

impl<'a> SqliteTransaction<'a> {
    pub(super) fn new(sql: rusqlite::Transaction<'a>, files: &'a StoreFiles) -> Self {
        let before = sql.total_changes();
        let at = WallTime::ZERO;
        Self {
            sql,
            files,
            before,
            at,
        }
    }

    fn stop_waiting(&self, player: PlayerId) -> Result<(), StoreError> {
        self.run("DELETE FROM waiting WHERE player = ?1", [player.0])
    }

    fn run(&self, sql: &str, params: impl rusqlite::Params) -> Result<(), StoreError> {
        self.sql.prepare_cached(sql)?.execute(params)?;
        Ok(())
    }

    /// Runs a query for a number, which may be missing or null.
    fn query_number(&self, sql: &str, params: &[i64]) -> Result<Option<i64>, StoreError> {
        let mut statement = self.sql.prepare_cached(sql)?;
        let found: Option<Option<i64>> = statement
            .query_row(params_from_iter(params), |row| row.get(0))
            .optional()?;
        Ok(found.flatten())
    }
}

impl Transaction for SqliteTransaction<'_> {
    /// Does nothing, since reading several keys at once is not faster in a local file.
    fn prefetch(&mut self, _keys: &PrefetchKeys) -> Result<(), StoreError> {
        Ok(())
    }

    /// Claims all players, since there is no other room.
    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let players = players.iter();
        let claimed = players.map(|&id| Ok((id, Claim::Granted(read_player(&self.sql, id)?))));
        claimed.collect()
    }

    fn release(&mut self, _player: PlayerId) -> Result<(), StoreError> {
        Ok(())
    }

    /// Does nothing, since there is no other room.
    fn forward(&mut self, _player: PlayerId, _to: RoomNumber) -> Result<(), StoreError> {
        Ok(())
    }

    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError> {
        Ok(Vec::new())
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        read_player(&self.sql, id)
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        let found = rows::find_player(&self.sql, "token = ?1 AND NOT house", [token.bytes()])?;
        Ok(found.map(|(id, _)| id))
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        let sql = "SELECT digest, first, last, refusal FROM request WHERE player = ?1 AND id = ?2";
        let mut statement = self.sql.prepare_cached(sql)?;
        let answer = statement.query_row(params![player.0, id.as_str()], |row| {
            let refusal: Option<String> = row.get(3)?;
            Ok(Answer {
                digest: Hex::new(row.get(0)?),
                messages: MessageRange::new(row.get(1)?, row.get(2)?),
                refusal: refusal.and_then(|code| Refusal::from_name(&code)),
            })
        });
        Ok(answer.optional()?)
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        rows::read_messages(&self.sql, player, range, u32::MAX)
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        let links = rows::read_friend_links(&self.sql, "id = ?1", [id.bytes()])?;
        Ok(links.first().copied())
    }

    fn friend_links(&self, player: PlayerId) -> Result<Vec<FriendLinkRecord>, StoreError> {
        rows::read_friend_links(&self.sql, "player = ?1", [player.0])
    }

    fn save_friend_link(&mut self, link: &FriendLinkRecord) -> Result<(), StoreError> {
        let sql = "INSERT INTO friend_link (player, id, kind, secret_hash) VALUES (?1, ?2, ?3, ?4)";
        let (id, hash) = (link.id.bytes(), link.secret_hash.bytes());
        self.run(sql, params![link.player.0, id, link.kind.name(), hash])
    }

    fn remove_friend_link(&mut self, player: PlayerId, id: Hex<8>) -> Result<(), StoreError> {
        let sql = "DELETE FROM friend_link WHERE player = ?1 AND id = ?2";
        self.run(sql, params![player.0, id.bytes()])
    }

    fn is_upgraded(&self) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn game_events(&self, number: u64) -> Result<Vec<RoomEvent>, StoreError> {
        read_game_events(&self.sql, number)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError> {
        let sql = "SELECT min(number) FROM leaf WHERE game = ?1";
        let mut statement = self.sql.prepare_cached(sql)?;
        let number: Option<u64> = statement.query_row([game], |row| row.get(0))?;
        Ok(number.map(LeafPosition::Assigned))
    }

    fn erase(&mut self, player: PlayerId) -> Result<(), StoreError> {
        let token = "SELECT token FROM player WHERE id = ?1";
        let token = self.sql.query_row(token, [player.0], |row| row.get(0))?;
        let token = TokenHash::from_bytes(token).of_forgotten_player();
        let sql = "UPDATE player SET token = ?2, first_seq = seq + 1 WHERE id = ?1";
        self.run(sql, params![player.0, token.bytes()])?;
        // Overwrites deleted data in pages that become free, too.
        self.sql.pragma_update(None, "secure_delete", "ON")?;
        self.run("DELETE FROM outbox WHERE player = ?1", [player.0])?;
        self.run("DELETE FROM request WHERE player = ?1", [player.0])?;
        self.run("DELETE FROM friend_link WHERE player = ?1", [player.0])?;
        Ok(self.sql.pragma_update(None, "secure_delete", "FAST")?)
    }

    fn prune_messages(
        &mut self,
        before: WallTime,
        after: PlayerId,
    ) -> Result<PruneProgress, StoreError> {
        let sql = "SELECT player.id, (SELECT seq FROM outbox WHERE outbox.player = player.id AND \
                   coalesce(outbox.at, dated) < ?2 AND iif(json_valid(body), \
                   json_extract(body, '$.type') IN ('result', 'cancelled', 'draining'), 0) \
                   ORDER BY seq DESC LIMIT 1) FROM player, about WHERE player.id > ?1 AND \
                   player.id NOT IN (SELECT player FROM waiting UNION ALL SELECT player FROM \
                   seat) ORDER BY player.id LIMIT ?3";
        let mut statement = self.sql.prepare_cached(sql)?;
        let pair = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let rows = statement.query_map(
            params![after.0, before.as_millis(), PLAYERS_PER_SWEEP],
            pair,
        )?;
        let ends: Vec<(u64, Option<u64>)> = rows.collect::<Result<_, _>>()?;
        let mut messages = 0;
        for &(player, last) in &ends {
            if let Some(last) = last {
                let sql = "DELETE FROM outbox WHERE player = ?1 AND seq <= ?2";
                let removed = self.sql.prepare_cached(sql)?.execute([player, last])?;
                messages += removed as u64;
                let sql = "UPDATE player SET first_seq = ?2 + 1 WHERE id = ?1";
                self.run(sql, [player, last])?;
            }
        }
        let next = ends.last().map(|(player, _)| PlayerId(*player));
        Ok(PruneProgress { messages, next })
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        let &Registration { id, player, token } = registration;
        let sql = "INSERT INTO player (id, token, name, balance, seq, house) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let (name, token) = (player.name.as_str(), token.bytes());
        let row = params![id.0, token, name, player.balance, player.seq, player.house];
        self.run(sql, row)
    }

    fn record(&mut self, event: &RoomEvent, at: WallTime) -> Result<(), StoreError> {
        self.at = at;
        let body = serde_json::to_string(event).expect("events are plain values");
        let sql = "INSERT INTO event (at, game, body) VALUES (?1, ?2, ?3)";
        self.run(sql, params![at.as_millis(), event.game(), body])?;
        let number = self.sql.last_insert_rowid();
        for Transfer {
            debit,
            credit,
            tokens,
        } in compute_transfers(event)
        {
            let sql = "INSERT INTO ledger (event, debit, credit, tokens) VALUES (?1, ?2, ?3, ?4)";
            self.run(sql, params![number, debit.0, credit.0, tokens])?;
        }
        match event {
            RoomEvent::Renamed { player, name } => {
                let sql = "UPDATE player SET name = ?2 WHERE id = ?1";
                self.run(sql, params![player.0, name.as_str()])?;
            }
            RoomEvent::Chose {
                player,
                kind,
                at,
                seed_hash,
                with: meeting,
            } => {
                // A player who waits for a friend may choose the game again.
                let sql = "INSERT OR REPLACE INTO waiting (player, kind, since, seed_hash, meeting) \
                           VALUES (?1, ?2, ?3, ?4, ?5)";
                let seed_hash = seed_hash.as_ref().map(Hex::bytes);
                let (since, meeting) = (at.as_millis(), encode_opponent(*meeting));
                self.run(
                    sql,
                    params![player.0, kind.name(), since, seed_hash, meeting],
                )?;
            }
            RoomEvent::Cancelled { player } | RoomEvent::SentOn { player, .. } => {
                self.stop_waiting(*player)?;
            }
            RoomEvent::Matched(Match { game, seats, .. }) => {
                self.stop_waiting(seats[0])?;
                for seat in seats {
                    let sql = "INSERT INTO seat (player, game) VALUES (?1, ?2)";
                    self.run(sql, params![seat.0, game])?;
                }
            }
            RoomEvent::Played {
                seats,
                event: TokenEvent::Settled { .. },
                ..
            } => {
                for seat in seats {
                    self.run("DELETE FROM seat WHERE player = ?1", [seat.0])?;
                }
            }
            RoomEvent::Joined { .. }
            | RoomEvent::Came { .. }
            | RoomEvent::Played { .. }
            | RoomEvent::WentOn { .. }
            | RoomEvent::Adjusted { .. }
            | RoomEvent::Banned { .. }
            | RoomEvent::Readmitted { .. }
            | RoomEvent::Forgotten { .. } => {}
        }
        Ok(())
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError> {
        let sql = "SELECT coalesce(max(number) + 1, 0) FROM leaf";
        let mut statement = self.sql.prepare_cached(sql)?;
        let number: u64 = statement.query_row([], |row| row.get(0))?;
        let body = leaf.to_string();
        let hash = hash_leaf(body.as_bytes());
        let sql = "INSERT INTO leaf (number, hash, game, body) VALUES (?1, ?2, ?3, ?4)";
        self.run(sql, params![number, hash.bytes(), leaf.game(), body])?;
        Ok(LeafPosition::Assigned(number))
    }

    fn save_settlement(
        &mut self,
        game: u64,
        settlement: &RecordingMetadata,
    ) -> Result<(), StoreError> {
        let RecordingMetadata {
            engine,
            lang,
            renderer,
            console,
            digest,
        } = settlement;
        let (lang, bytes, blake3) = (lang.code(), console.bytes, console.blake3.bytes());
        let row = params![game, engine, lang, renderer, bytes, blake3, digest.bytes()];
        let sql = "INSERT INTO settlement \
                   (game, engine, lang, renderer, printed, blake3, digest) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        self.run(sql, row)
    }

    fn save_game(&mut self, game: &PlayerGameRecord) -> Result<(), StoreError> {
        finished::save_game(&self.sql, game)
    }

    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        ladder::save_ladder(&self.sql, rated)
    }

    fn save_message(&mut self, to: PlayerId, message: &StoredMessage) -> Result<(), StoreError> {
        let sql = "INSERT INTO outbox (player, seq, body, at, in_reply_to) \
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        let StoredMessage {
            seq,
            body,
            in_reply_to,
        } = message;
        let in_reply_to = in_reply_to.as_ref().map(RequestId::as_str);
        self.run(
            sql,
            params![to.0, seq, body, self.at.as_millis(), in_reply_to],
        )
    }

    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError> {
        let sql = "INSERT INTO request (player, id, at, digest, first, last, refusal) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let (player, id) = (kept.player.0, kept.request.as_str());
        let Answer {
            digest,
            messages,
            refusal,
        } = &kept.answer;
        let refusal = refusal.map(|refusal| refusal.to_string());
        let (first, last) = (messages.first(), messages.last());
        let at = kept.at.as_millis();
        let row = params![player, id, at, digest.bytes(), first, last, refusal];
        self.run(sql, row)
    }

    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        let sql = "UPDATE player SET name = ?2, balance = ?3, seq = ?4, name_is_fixed = ?5, \
                   standing = ?6, watchable = ?7 WHERE id = ?1";
        let (name, standing) = (player.name.as_str(), player.status.name());
        let (balance, seq, fixed) = (player.balance, player.seq, player.name_is_fixed);
        let row = params![id.0, name, balance, seq, fixed, standing, player.watchable];
        self.run(sql, row)
    }

    fn prune_answers(
        &mut self,
        before: TableTime,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let before = i64::try_from(before.as_millis()).unwrap_or(i64::MAX);
        let after = match after {
            Some(SweepPosition(after)) => after,
            None => match self.query_number("SELECT min(number) FROM request", &[])? {
                Some(first) => first - 1,
                None => return Ok(None),
            },
        };
        let last = after + ANSWERS_PER_SWEEP;
        let sql = "DELETE FROM request WHERE number > ?1 AND number <= ?2 AND at < ?3 AND player \
                   NOT IN (SELECT player FROM waiting UNION ALL SELECT player FROM seat)";
        self.run(sql, [after, last, before])?;
        let sql = "SELECT at FROM request WHERE number > ?1 ORDER BY number LIMIT 1";
        let next = self.query_number(sql, &[last])?;
        Ok(next.filter(|at| *at < before).map(|_| SweepPosition(last)))
    }

    fn save_time(&mut self, now: TableTime) -> Result<(), StoreError> {
        // A batch that changed nothing must not cause a write to the disk.
        if self.sql.total_changes() == self.before {
            return Ok(());
        }
        self.run("UPDATE about SET time = ?1", [now.as_millis()])
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.sql
            .commit()
            .map_err(|error| self.files.find_cause(error))?;
        // An answer must not be published if the file that holds it is gone.
        self.files.check()
    }
}
