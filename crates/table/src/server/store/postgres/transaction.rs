use super::batch::Batch;
use super::cause::Trouble;
use super::columns::{Place, Write};
use super::known::{Findings, Known, Whose};
use super::loading::coming;
use super::statements::Sql;
use super::tenure::Tenure;
use super::values::{self, number, signed};
use crate::ladder::Rated;
use crate::log::Leaf;
use crate::room::{FinishedGame, Notice, Player, PlayerId, RequestId, RoomEvent};
use crate::server::rooms::RoomNumber;
use crate::server::store::{
    Answer, Claim, Coming, Damage, KeptAnswer, LeafPlace, MessageRange, Registration, Removed,
    StoreError, SweepPosition, TokenHash, Transaction, Wanted,
};
use futures_util::future::{LocalBoxFuture, join_all};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem::take;
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use war::recording::Settlement;

/// The messages of how many players are looked at in one go.
const PLAYERS_AT_ONCE: i64 = 200;
/// How many answers are looked at in one go.
const AT_ONCE: i64 = 5_000;
/// How often players are claimed who are let go by another room at the same moment.
const ATTEMPTS: usize = 5;

/// What is written for a batch of commands into the database: nothing of it is sent before its
/// commit.
pub(super) struct PostgresTransaction<'a> {
    pub(super) room: &'a Tenure,
    pub(super) found: RefCell<Findings>,
    pub(super) wanted: Wanted,
    batch: Batch,
    time: Option<u64>,
    ended: bool,
}

impl<'a> PostgresTransaction<'a> {
    /// One that has passed the fence of its room.
    pub(super) fn new(room: &'a Tenure) -> Self {
        Self {
            room,
            found: RefCell::default(),
            wanted: Wanted::default(),
            batch: Batch::default(),
            time: None,
            ended: false,
        }
    }

    /// Sends all that is written, with the commit behind it.
    fn send(&self, writes: Vec<Write>) -> Result<(), StoreError> {
        let (client, statements) = (self.room.session.client(), &self.room.statements);
        let mut sent: Vec<LocalBoxFuture<'_, _>> = Vec::with_capacity(writes.len() + 1);
        for Write { sql, params } in writes {
            let statement = statements.of(sql);
            sent.push(Box::pin(async move {
                client.execute_raw(statement, params).await.map(drop)
            }));
        }
        sent.push(Box::pin(client.batch_execute("COMMIT")));
        let answers = async { Ok::<_, Trouble>(join_all(sent).await) };
        let answers = self.room.session.wait(answers);
        // Whatever follows the first error has failed for its sake.
        let done: Result<(), Trouble> = answers.and_then(|answers| {
            let done: Result<(), _> = answers.into_iter().collect();
            done.map_err(Trouble::from)
        });
        done.map_err(|trouble| self.not_committed(trouble))
    }

    /// What it means that a commit did not answer that it is done.
    fn not_committed(&self, trouble: Trouble) -> StoreError {
        if trouble.is_conflict_of("batch_pkey") {
            self.room.spent.set(true);
            StoreError::Twice
        } else if trouble.code() == Some(&SqlState::DIVISION_BY_ZERO) {
            // A player was changed who is not of this room.
            Damage::Player.into()
        } else if trouble.is_rolled_back() {
            trouble.into()
        } else {
            self.room.spent.set(true);
            StoreError::InDoubt(trouble.cause())
        }
    }
}

impl Transaction for PostgresTransaction<'_> {
    fn prepare(&mut self, wanted: &Wanted) -> Result<(), StoreError> {
        self.wanted = wanted.clone();
        Ok(())
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let mut attempts = 0..ATTEMPTS;
        let is_known = |id: &PlayerId| self.found.borrow().knows_whose(*id);
        while !players.iter().all(is_known) && attempts.next().is_some() {
            self.claim_free(&self.expected(players))?;
        }
        let found = self.found.get_mut();
        let claim = |&id: &PlayerId| Ok((id, found.claim(id).ok_or(Damage::Player)?));
        players.iter().map(claim).collect()
    }

    fn release(&mut self, player: PlayerId) -> Result<(), StoreError> {
        self.with(player, Known::release)
    }

    fn send_on(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError> {
        self.with(player, |known| known.send_on(to))
    }

    fn coming(&self) -> Result<Vec<Coming>, StoreError> {
        let rows = self.rows(Sql::Coming, &[&self.room.id()])?;
        let coming: Vec<_> = rows.iter().map(coming).collect::<Result<_, _>>()?;
        for Coming { id, player, .. } in &coming {
            let known = Known::found(player.clone(), Whose::Ours);
            self.found.borrow_mut().players.insert(*id, known);
        }
        Ok(coming)
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.with(id, |known| known.player.clone())
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        if !self.found.borrow().tokens.contains_key(token) {
            self.find_tokens(token)?;
        }
        Ok(self.found.borrow().tokens.get(token).copied().flatten())
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        if let Some(answer) = self.batch.answer(player, id) {
            return Ok(Some(answer));
        }
        let key = (player, id.as_str().to_owned());
        let is_known = || self.found.borrow().answers.contains_key(&key);
        if !is_known() {
            let expected = self.expected(&BTreeSet::new());
            if !expected.is_empty() {
                // The answers to all that was announced come with the claim.
                self.claim_free(&expected)?;
            }
        }
        if !is_known() {
            self.find_answers(player, id)?;
        }
        Ok(self.found.borrow().answers.get(&key).copied().flatten())
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let (first, last) = (signed(range.first()), signed(range.last()));
        let rows = self.rows(Sql::Messages, &[&signed(player.0), &first, &last])?;
        let message = |row: &Row| Ok((number(row.get(0))?, row.get(1)));
        let mut messages: Vec<_> = rows
            .iter()
            .map(message)
            .collect::<Result<_, StoreError>>()?;
        messages.extend(self.batch.messages(player, range));
        Ok(messages)
    }

    fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        let played = self.batch.played.get(&game);
        let begins = played.is_some_and(|events| matches!(events[..], [RoomEvent::Matched(_), ..]));
        let known = self.room.running.borrow().games.get(&game).cloned();
        let mut events = match known {
            _ if begins => Vec::new(),
            Some(known) => known,
            None => {
                let rows = self.rows(Sql::Game, &[&signed(game)])?;
                rows.iter().map(values::event).collect::<Result<_, _>>()?
            }
        };
        events.extend(played.into_iter().flatten().cloned());
        Ok(events)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPlace>, StoreError> {
        if self.room.running.borrow().logged.contains(&game) {
            return Ok(Some(LeafPlace::Later));
        }
        let rows = self.rows(Sql::FirstLeaf, &[&signed(game)])?;
        match rows.first().map(|row| row.get::<_, Option<i64>>(0)) {
            Some(Some(at)) => Ok(Some(LeafPlace::At(number(at)?))),
            Some(None) => Ok(Some(LeafPlace::Later)),
            None => Ok(self
                .batch
                .logged
                .contains(&game)
                .then_some(LeafPlace::Later)),
        }
    }

    fn forget(&mut self, player: PlayerId, token: TokenHash) -> Result<(), StoreError> {
        let (joins, seq) = self.with(player, |known| (known.join_with(token), known.player.seq))?;
        if !joins {
            let (room, id, first_seq) = (self.room.id(), signed(player.0), signed(seq + 1));
            let token = &token.bytes()[..];
            self.rows(Sql::Unknow, &[&room, &id, &token, &first_seq])?;
        }
        self.found.get_mut().forget(player);
        self.batch.forget(player);
        Ok(())
    }

    fn forget_messages(&mut self, before: u64, after: PlayerId) -> Result<Removed, StoreError> {
        let (room, after, before) = (self.room.id(), signed(after.0), signed(before));
        let row = self.rows(Sql::Retain, &[&room, &after, &before, &PLAYERS_AT_ONCE])?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, messages): (Option<i64>, i64) = (row.get(0), row.get(1));
        let messages = number(messages)?;
        self.batch.wrote |= messages > 0;
        let next = last.map(number).transpose()?.map(PlayerId);
        Ok(Removed { messages, next })
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        let &Registration { id, player, token } = registration;
        let known = Known::joining(player, token);
        let found = self.found.get_mut();
        if !player.house {
            found.tokens.insert(token, Some(id));
        }
        found.players.insert(id, known);
        Ok(())
    }

    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError> {
        if let RoomEvent::Renamed { player, name } = event {
            self.with(*player, |known| {
                let name = name.clone();
                known.persist(&Player {
                    name,
                    ..known.player.clone()
                });
            })?;
        }
        self.batch.record(event, at);
        Ok(())
    }

    /// It gets its number from the owner of the log.
    fn append(&mut self, leaf: &Leaf) -> Result<LeafPlace, StoreError> {
        self.batch.append(leaf);
        Ok(LeafPlace::Later)
    }

    fn keep_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError> {
        self.batch.keep_settlement(game, settlement);
        Ok(())
    }

    fn keep_game(&mut self, game: &FinishedGame) -> Result<(), StoreError> {
        self.batch.keep_game(game);
        Ok(())
    }

    fn keep_ladder(&mut self, rated: &Rated) -> Result<(), StoreError> {
        self.batch.keep_ladder(rated);
        Ok(())
    }

    fn post(&mut self, notice: &Notice, body: &str) -> Result<(), StoreError> {
        self.batch.post(notice.to, notice.sent.seq, body);
        Ok(())
    }

    fn keep_answer(&mut self, kept: &KeptAnswer<'_>) -> Result<(), StoreError> {
        self.batch.keep_answer(kept);
        Ok(())
    }

    fn persist(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        // What is written in its place need not be read.
        let known = || Known::found(player.clone(), Whose::Ours);
        let players = &mut self.found.get_mut().players;
        players.entry(id).or_insert_with(known).persist(player);
        Ok(())
    }

    fn forget_answers(
        &mut self,
        before: u64,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let from = after.map_or(0, |SweepPosition(at)| at);
        let row = self.rows(
            Sql::Forget,
            &[&self.room.id(), &from, &signed(before), &AT_ONCE],
        )?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, looked_at): (Option<i64>, i64) = (row.get(0), row.get(1));
        self.batch.wrote |= looked_at > 0;
        let is_full = looked_at >= AT_ONCE;
        Ok(last
            .filter(|last| is_full && *last > from)
            .map(SweepPosition))
    }

    fn keep_time(&mut self, now: u64) -> Result<(), StoreError> {
        self.time = Some(now);
        Ok(())
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let wrote = self.batch.wrote || self.found.borrow().wrote();
        let time = self.time.filter(|_| wrote);
        let place = Place {
            room: self.room.id(),
            seq: self.room.next_seq.get(),
        };
        self.ended = true;
        let mut batch = take(&mut self.batch);
        let played = take(&mut batch.played);
        let logged = take(&mut batch.logged);
        let players = self.found.borrow().writes(place);
        let mut writes: Vec<_> = players.into_iter().flatten().collect();
        if wrote {
            writes.extend(batch.writes(place, self.room.epoch, time.unwrap_or(0)));
        }
        if self.time.is_some_and(|now| self.room.numbers_leaves(now)) {
            let (sql, params) = (Sql::Number, Vec::new());
            writes.push(Write { sql, params });
        }
        self.send(writes)?;
        self.room.running.borrow_mut().keep(played, logged);
        self.room.committed(time)
    }
}

impl Drop for PostgresTransaction<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.room.roll_back();
        }
    }
}
