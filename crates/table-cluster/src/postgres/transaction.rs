use super::batch::Batch;
use super::people::{Findings, Known, Whose};
use super::session::Trouble;
use super::statements::{self, NOT_OF_THIS_ROOM, Place, Sql, Write, number, player, signed};
use super::tenure::{Tenure, coming};
use futures_util::future::{LocalBoxFuture, join_all};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem::take;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use war::recording::Settlement;
use war::support::hex::Hex;
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::{AddressedMessage, PlayerId, Refusal, RequestId};
use war_table::room::{FinishedGame, Player, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{
    Answer, Claim, Coming, Damage, KeptAnswer, LeafPlace, MessageRange, Registration, Removed,
    StoreError, SweepPosition, TokenHash, Transaction, Wanted,
};

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
    wanted: Wanted,
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
        } else if trouble.code() == Some(&NOT_OF_THIS_ROOM) {
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
                rows.iter()
                    .map(statements::event)
                    .collect::<Result<_, _>>()?
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

    fn keep_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        self.batch.keep_ladder(rated);
        Ok(())
    }

    fn post(&mut self, notice: &AddressedMessage, body: &str) -> Result<(), StoreError> {
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

/// Requests, by player and their own name.
type Requests = BTreeSet<(PlayerId, String)>;

impl PostgresTransaction<'_> {
    pub(super) fn rows(
        &self,
        sql: Sql,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.room.statements.of(sql);
        let asked = self.room.session.client().query(statement, params);
        Ok(self.room.session.wait(asked)?)
    }

    /// Finds the players of these numbers, unless they are known.
    pub(super) fn find(&self, ids: &[i64]) -> Result<(), StoreError> {
        for row in self.rows(Sql::Players, &[&ids])? {
            let (id, player) = player(&row)?;
            let known = Known::found(player, Whose::Unknown);
            self.found.borrow_mut().players.entry(id).or_insert(known);
        }
        Ok(())
    }

    /// Does something with a player, who is found first.
    pub(super) fn with<T>(
        &self,
        id: PlayerId,
        act: impl FnOnce(&mut Known) -> T,
    ) -> Result<T, StoreError> {
        if !self.found.borrow().players.contains_key(&id) {
            self.find(&[signed(id.0)])?;
        }
        let mut found = self.found.borrow_mut();
        let known = found.players.get_mut(&id).ok_or(Damage::Player)?;
        Ok(act(known))
    }

    /// The players who will be asked for, besides these: they are claimed at once, in the order of
    /// their numbers, so that no two rooms wait for each other.
    pub(super) fn expected(&self, players: &BTreeSet<PlayerId>) -> BTreeSet<PlayerId> {
        let found = self.found.borrow();
        let tokens = self.wanted.tokens.iter();
        let returning = tokens.filter_map(|token| *found.tokens.get(token)?);
        let expected = returning.chain(self.wanted.players.iter().copied());
        let all = expected.chain(players.iter().copied());
        all.filter(|id| !found.knows_whose(*id)).collect()
    }

    /// Claims those of these players who are of no room, and notes in which room each of them is
    /// then, and what they were answered to the requests that were announced.
    fn claim_free(&self, players: &BTreeSet<PlayerId>) -> Result<(), StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| signed(id.0)).collect();
        let requests: Requests = self.announced().collect();
        let (client, room) = (self.room.session.client(), self.room.id());
        let of = |sql| self.room.statements.of(sql);
        let claimed = async {
            // One after the other: the second sees what others have committed until then.
            let claim: [&(dyn ToSql + Sync); 2] = [&room, &ids];
            let claim = client.query(of(Sql::Claim), &claim);
            let ids: [&(dyn ToSql + Sync); 1] = [&ids];
            let players = client.query(of(Sql::Players), &ids);
            let answers = self.query_answers(&requests);
            let (claimed, players, answers) = tokio::join!(biased; claim, players, answers);
            Ok::<_, Error>((claimed?, players?, answers?))
        };
        let (claimed, rows, answers) = self.room.session.wait(claimed)?;
        self.note_answers(&answers, requests)?;
        let claimed: BTreeSet<i64> = claimed.iter().map(|row| row.get(0)).collect();
        for row in rows {
            let (id, player) = player(&row)?;
            let whose = match row.get::<_, Option<i32>>(8) {
                // They were let go after the claim.
                None => Whose::Unknown,
                Some(_) if claimed.contains(&signed(id.0)) => Whose::Expected,
                Some(of) if of == room && row.get(9) => Whose::Coming,
                Some(of) if of == room => Whose::Ours,
                Some(of) => Whose::Theirs(statements::room(of)?),
            };
            let known = Known::found(player, whose);
            self.found.borrow_mut().players.insert(id, known);
        }
        Ok(())
    }

    /// Looks for all tokens that were announced, and for this one.
    fn find_tokens(&self, token: &TokenHash) -> Result<(), StoreError> {
        let mut wanted = self.wanted.tokens.clone();
        wanted.insert(*token);
        let hashes: Vec<&[u8]> = wanted.iter().map(|token| &token.bytes()[..]).collect();
        let rows = self.rows(Sql::Tokens, &[&hashes])?;
        let mut found = self.found.borrow_mut();
        for row in rows {
            let (hash, id): (&[u8], _) = (row.get(0), number(row.get(1))?);
            let token = wanted.iter().find(|token| token.bytes() == hash);
            let token = *token.ok_or(Damage::Layout)?;
            found.tokens.insert(token, Some(PlayerId(id)));
        }
        for token in wanted {
            found.tokens.entry(token).or_insert(None);
        }
        Ok(())
    }

    /// Looks for the answers to all requests that were announced, and to this one.
    fn find_answers(&self, player: PlayerId, id: &RequestId) -> Result<(), StoreError> {
        let is_here = |player: PlayerId| {
            !self.wanted.players.contains(&player) || self.found.borrow().knows_whose(player)
        };
        // Until a player is claimed another room may answer them.
        let wanted = self.announced().filter(|(player, _)| is_here(*player));
        let wanted: Requests = wanted.chain([(player, id.as_str().to_owned())]).collect();
        let rows = self.room.session.wait(self.query_answers(&wanted))?;
        self.note_answers(&rows, wanted)
    }

    /// The requests that were announced.
    fn announced(&self) -> impl Iterator<Item = (PlayerId, String)> {
        let requests = self.wanted.requests.iter();
        requests.map(|(player, id)| (*player, id.as_str().to_owned()))
    }

    async fn query_answers(&self, requests: &Requests) -> Result<Vec<Row>, Error> {
        let (players, ids): (Vec<_>, Vec<_>) = requests
            .iter()
            .map(|(id, request)| (signed(id.0), request))
            .unzip();
        let statement = self.room.statements.of(Sql::Answers);
        let client = self.room.session.client();
        client.query(statement, &[&players, &ids]).await
    }

    fn note_answers(&self, rows: &[Row], requests: Requests) -> Result<(), StoreError> {
        let mut found = self.found.borrow_mut();
        for row in rows {
            let key = (PlayerId(number(row.get(0))?), row.get(1));
            found.answers.insert(key, Some(answer(row)?));
        }
        for key in requests {
            found.answers.entry(key).or_insert(None);
        }
        Ok(())
    }
}

/// The answer of a row.
fn answer(row: &Row) -> Result<Answer, StoreError> {
    let digest: [u8; 16] = row
        .get::<_, &[u8]>(2)
        .try_into()
        .map_err(|_| Damage::Layout)?;
    let refusal: Option<&str> = row.get(5);
    Ok(Answer {
        digest: Hex::new(digest),
        messages: MessageRange::new(number(row.get(3))?, number(row.get(4))?),
        refusal: refusal.and_then(Refusal::named),
    })
}
