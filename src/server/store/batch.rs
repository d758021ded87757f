use super::{Answer, StoreError, hashed};
use crate::room::{AccessToken, Notice, Player, PlayerId, RequestId, RoomEvent};
use crate::tokens;
use rusqlite::{OptionalExtension, Transaction, params, params_from_iter};

/// How long an answer is kept at least, in milliseconds.
const KEPT: u64 = 3_600_000;
/// How many answers are looked at in one go.
const AT_ONCE: i64 = 20_000;
/// The account that opening balances come from and stakes of two folders go to.
const BANK: u64 = 0;

/// What is written for a batch of commands: all of it, or nothing.
pub(in crate::server) struct Batch<'a>(pub(super) Transaction<'a>);

impl Batch<'_> {
    /// Appends an event, with what it changes in the ledger and among those who wait or
    /// play. `token` is that of a player who joins.
    pub(in crate::server) fn record(
        &self,
        event: &RoomEvent,
        now: u64,
        token: Option<&AccessToken>,
    ) -> Result<(), StoreError> {
        let game = match event {
            RoomEvent::Matched { game, .. } | RoomEvent::Played { game, .. } => Some(*game),
            _ => None,
        };
        let body = serde_json::to_string(event).expect("events are plain values");
        let sql = "INSERT INTO event (at, game, body) VALUES (?1, ?2, ?3)";
        self.run(sql, params![now, game, body])?;
        let number = self.0.last_insert_rowid();
        match event {
            RoomEvent::Joined {
                player,
                name,
                house,
            } => {
                let sql = "INSERT INTO player (id, token, name, balance, seq, house) \
                           VALUES (?1, ?2, ?3, ?4, 0, ?5)";
                let token = token.map(hashed).unwrap_or_default();
                let balance = Player::OPENING_BALANCE;
                self.run(sql, params![player.0, token, name.as_str(), balance, house])?;
                self.transfer(number, BANK, player.0, balance)?;
            }
            RoomEvent::Renamed { player, name } => {
                let sql = "UPDATE player SET name = ?2 WHERE id = ?1";
                self.run(sql, params![player.0, name.as_str()])?;
            }
            RoomEvent::Chose { player, kind, at } => {
                let sql = "INSERT INTO waiting (player, kind, since) VALUES (?1, ?2, ?3)";
                self.run(sql, params![player.0, kind.name(), at])?;
            }
            RoomEvent::Cancelled { player } => self.wait_no_more(*player)?,
            RoomEvent::Matched { game, seats, .. } => {
                self.wait_no_more(seats[0])?;
                for seat in seats {
                    let sql = "INSERT INTO seat (player, game) VALUES (?1, ?2)";
                    self.run(sql, params![seat.0, game])?;
                }
            }
            RoomEvent::Played { seats, event, .. } => {
                if let tokens::TokenEvent::Settled { deltas } = event {
                    self.settle(number, *seats, *deltas)?;
                    for seat in seats {
                        self.run("DELETE FROM seat WHERE player = ?1", [seat.0])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Moves the stakes: from the loser to the winner, or from both to the bank.
    fn settle(&self, event: i64, seats: [PlayerId; 2], deltas: [i64; 2]) -> Result<(), StoreError> {
        match deltas {
            [won, _] if won > 0 => self.transfer(event, seats[1].0, seats[0].0, won),
            [_, won] if won > 0 => self.transfer(event, seats[0].0, seats[1].0, won),
            lost => {
                for (seat, lost) in seats.into_iter().zip(lost) {
                    self.transfer(event, seat.0, BANK, -lost)?;
                }
                Ok(())
            }
        }
    }

    fn transfer(&self, event: i64, from: u64, to: u64, tokens: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO ledger (event, debit, credit, tokens) VALUES (?1, ?2, ?3, ?4)";
        self.run(sql, params![event, from, to, tokens])
    }

    fn wait_no_more(&self, player: PlayerId) -> Result<(), StoreError> {
        self.run("DELETE FROM waiting WHERE player = ?1", [player.0])
    }

    /// Keeps a message; `body` is what is sent.
    pub(in crate::server) fn post(&self, notice: &Notice, body: &str) -> Result<(), StoreError> {
        let sql = "INSERT INTO outbox (player, seq, body) VALUES (?1, ?2, ?3)";
        self.run(sql, params![notice.to.0, notice.sent.seq, body])
    }

    /// Keeps what was answered to a request.
    pub(in crate::server) fn answered(
        &self,
        player: PlayerId,
        id: &RequestId,
        now: u64,
        answer: &Answer,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO request (player, id, at, digest, first, last) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
        let (first, last) = answer.messages;
        let digest = answer.digest.bytes();
        self.run(
            sql,
            params![player.0, id.as_str(), now, digest, first, last],
        )
    }

    /// Writes down how a player stands.
    pub(in crate::server) fn stand(&self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        let sql = "UPDATE player SET balance = ?2, seq = ?3 WHERE id = ?1";
        self.run(sql, params![id.0, player.balance, player.seq])
    }

    /// Forgets answers that are older than an hour, but not those to players who wait or play:
    /// of the 20,000 behind `after`, so that it takes no time that others would notice.
    ///
    /// The result is where to go on; `None` is the beginning.
    pub(in crate::server) fn forget_answers(
        &self,
        now: u64,
        after: Option<i64>,
    ) -> Result<Option<i64>, StoreError> {
        let number = |sql: &str, params: &[i64]| {
            let mut statement = self.0.prepare_cached(sql)?;
            let number: Option<Option<i64>> = statement
                .query_row(params_from_iter(params), |row| row.get(0))
                .optional()?;
            Ok::<_, StoreError>(number.flatten())
        };
        let oldest = i64::try_from(now.saturating_sub(KEPT)).unwrap_or(i64::MAX);
        let first = number("SELECT min(number) FROM request", &[])?;
        let Some(after) = after.or(first.map(|first| first - 1)) else {
            return Ok(None);
        };
        let last = after + AT_ONCE;
        let sql = "DELETE FROM request WHERE number > ?1 AND number <= ?2 AND at < ?3 AND player \
                   NOT IN (SELECT player FROM waiting UNION ALL SELECT player FROM seat)";
        self.run(sql, [after, last, oldest])?;
        let sql = "SELECT at FROM request WHERE number > ?1 ORDER BY number LIMIT 1";
        let next = number(sql, &[last])?;
        Ok(next.filter(|at| *at < oldest).map(|_| last))
    }

    /// Makes it all true: it is on the disk when this returns.
    pub(in crate::server) fn commit(self) -> Result<(), StoreError> {
        Ok(self.0.commit()?)
    }

    fn run(&self, sql: &str, params: impl rusqlite::Params) -> Result<(), StoreError> {
        self.0.prepare_cached(sql)?.execute(params)?;
        Ok(())
    }
}
