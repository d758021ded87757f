use super::batch::Batch;
use super::players::{CachedPlayer, Ownership, TransactionCache};
use super::room_lease::{RoomLease, parse_incoming_player};
use super::session::QueryError;
use super::statements::{
    self, BatchKey, BatchWrite, NOT_OF_THIS_ROOM, StatementName, number, player, signed,
};
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
    Answer, AnswerRecord, Claim, Damage, IncomingPlayer, LeafPosition, MessageRange, PrefetchKeys,
    PruneProgress, Registration, StoreError, SweepPosition, TokenHash, Transaction,
};

/// Number of players in one step of the sweep of messages.
const PLAYERS_AT_ONCE: i64 = 200;
/// Number of answers in one step of the sweep of answers.
const ANSWERS_AT_ONCE: i64 = 5_000;
/// Number of attempts to claim players that another room releases at the same moment.
const ATTEMPTS: usize = 5;

/// Transaction of a batch of commands. Most writes are buffered and sent with the commit.
pub(super) struct PostgresTransaction<'a> {
    pub(super) room: &'a RoomLease,
    pub(super) cache: RefCell<TransactionCache>,
    wanted: PrefetchKeys,
    batch: Batch,
    time: Option<u64>,
    ended: bool,
}

impl<'a> PostgresTransaction<'a> {
    /// Creates a transaction that has passed the fence of its room.
    pub(super) fn new(room: &'a RoomLease) -> Self {
        Self {
            room,
            cache: RefCell::default(),
            wanted: PrefetchKeys::default(),
            batch: Batch::default(),
            time: None,
            ended: false,
        }
    }

    /// Sends all writes, followed by the commit.
    fn send(&self, writes: Vec<BatchWrite>) -> Result<(), StoreError> {
        let (client, statements) = (self.room.session.client(), &self.room.statements);
        let mut sent: Vec<LocalBoxFuture<'_, _>> = Vec::with_capacity(writes.len() + 1);
        for BatchWrite { sql, params } in writes {
            let statement = statements.of(sql);
            sent.push(Box::pin(async move {
                client.execute_raw(statement, params).await.map(drop)
            }));
        }
        sent.push(Box::pin(client.batch_execute("COMMIT")));
        let answers = async { Ok::<_, QueryError>(join_all(sent).await) };
        let answers = self.room.session.wait(answers);
        // Errors after the first are its consequences.
        let done: Result<(), QueryError> = answers.and_then(|answers| {
            let done: Result<(), _> = answers.into_iter().collect();
            done.map_err(QueryError::from)
        });
        done.map_err(|error| self.commit_error(error))
    }

    /// Converts the error of a commit.
    fn commit_error(&self, error: QueryError) -> StoreError {
        if error.is_conflict_of("batch_pkey") {
            self.room.is_lost.set(true);
            StoreError::DuplicateBatch
        } else if error.code() == Some(&NOT_OF_THIS_ROOM) {
            Damage::Player.into()
        } else if error.is_rolled_back() {
            error.into()
        } else {
            self.room.is_lost.set(true);
            StoreError::InDoubt(error.cause())
        }
    }
}

impl Transaction for PostgresTransaction<'_> {
    fn prefetch(&mut self, wanted: &PrefetchKeys) -> Result<(), StoreError> {
        self.wanted = wanted.clone();
        Ok(())
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let mut attempts = 0..ATTEMPTS;
        let is_known = |id: &PlayerId| self.cache.borrow().knows_owner(*id);
        while !players.iter().all(is_known) && attempts.next().is_some() {
            self.claim_free(&self.players_to_claim(players))?;
        }
        let cache = self.cache.get_mut();
        let claim = |&id: &PlayerId| Ok((id, cache.claim(id).ok_or(Damage::Player)?));
        players.iter().map(claim).collect()
    }

    fn release(&mut self, player: PlayerId) -> Result<(), StoreError> {
        self.with_player(player, CachedPlayer::release)
    }

    fn forward(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError> {
        self.with_player(player, |known| known.send_on(to))
    }

    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError> {
        let rows = self.rows(StatementName::SentOn, &[&self.room.id()])?;
        let players: Vec<_> = rows
            .iter()
            .map(parse_incoming_player)
            .collect::<Result<_, _>>()?;
        for IncomingPlayer { id, player, .. } in &players {
            let known = CachedPlayer::read(player.clone(), Ownership::Owned);
            self.cache.borrow_mut().players.insert(*id, known);
        }
        Ok(players)
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.with_player(id, |known| known.player.clone())
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        if !self.cache.borrow().tokens.contains_key(token) {
            self.read_tokens(token)?;
        }
        Ok(self.cache.borrow().tokens.get(token).copied().flatten())
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        if let Some(answer) = self.batch.answer(player, id) {
            return Ok(Some(answer));
        }
        let key = (player, id.as_str().to_owned());
        let is_known = || self.cache.borrow().answers.contains_key(&key);
        if !is_known() {
            let expected = self.players_to_claim(&BTreeSet::new());
            if !expected.is_empty() {
                // The claim also reads the answers to all requests to prefetch.
                self.claim_free(&expected)?;
            }
        }
        if !is_known() {
            self.read_answers(player, id)?;
        }
        Ok(self.cache.borrow().answers.get(&key).copied().flatten())
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<(u64, String)>, StoreError> {
        let (first, last) = (signed(range.first()), signed(range.last()));
        let rows = self.rows(StatementName::Messages, &[&signed(player.0), &first, &last])?;
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
                let rows = self.rows(StatementName::Game, &[&signed(game)])?;
                rows.iter()
                    .map(statements::event)
                    .collect::<Result<_, _>>()?
            }
        };
        events.extend(played.into_iter().flatten().cloned());
        Ok(events)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError> {
        if self.room.running.borrow().logged.contains(&game) {
            return Ok(Some(LeafPosition::Pending));
        }
        let rows = self.rows(StatementName::FirstLeaf, &[&signed(game)])?;
        match rows.first().map(|row| row.get::<_, Option<i64>>(0)) {
            Some(Some(at)) => Ok(Some(LeafPosition::Assigned(number(at)?))),
            Some(None) => Ok(Some(LeafPosition::Pending)),
            None => Ok(self
                .batch
                .logged
                .contains(&game)
                .then_some(LeafPosition::Pending)),
        }
    }

    fn erase(&mut self, player: PlayerId, token: TokenHash) -> Result<(), StoreError> {
        let (joins, seq) = self.with_player(player, |known| {
            (known.replace_token_of_new(token), known.player.seq)
        })?;
        if !joins {
            let (room, id, first_seq) = (self.room.id(), signed(player.0), signed(seq + 1));
            let token = &token.bytes()[..];
            self.rows(
                StatementName::ForgetPlayer,
                &[&room, &id, &token, &first_seq],
            )?;
        }
        self.cache.get_mut().forget(player);
        self.batch.forget(player);
        Ok(())
    }

    fn prune_messages(
        &mut self,
        before: u64,
        after: PlayerId,
    ) -> Result<PruneProgress, StoreError> {
        let (room, after, before) = (self.room.id(), signed(after.0), signed(before));
        let row = self.rows(
            StatementName::SweepMessages,
            &[&room, &after, &before, &PLAYERS_AT_ONCE],
        )?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, messages): (Option<i64>, i64) = (row.get(0), row.get(1));
        let messages = number(messages)?;
        self.batch.has_writes |= messages > 0;
        let next = last.map(number).transpose()?.map(PlayerId);
        Ok(PruneProgress { messages, next })
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        let &Registration { id, player, token } = registration;
        let known = CachedPlayer::new(player, token);
        let cache = self.cache.get_mut();
        if !player.house {
            cache.tokens.insert(token, Some(id));
        }
        cache.players.insert(id, known);
        Ok(())
    }

    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError> {
        if let RoomEvent::Renamed { player, name } = event {
            self.with_player(*player, |known| {
                let name = name.clone();
                known.set(&Player {
                    name,
                    ..known.player.clone()
                });
            })?;
        }
        self.batch.record(event, at);
        Ok(())
    }

    /// The owner of room 0 numbers the leaf later.
    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError> {
        self.batch.append(leaf);
        Ok(LeafPosition::Pending)
    }

    fn save_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError> {
        self.batch.save_settlement(game, settlement);
        Ok(())
    }

    fn save_game(&mut self, game: &FinishedGame) -> Result<(), StoreError> {
        self.batch.save_game(game);
        Ok(())
    }

    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        self.batch.save_ladder(rated);
        Ok(())
    }

    fn save_message(&mut self, notice: &AddressedMessage, body: &str) -> Result<(), StoreError> {
        self.batch.post(notice.to, notice.sent.seq, body);
        Ok(())
    }

    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError> {
        self.batch.save_answer(kept);
        Ok(())
    }

    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        // The whole row is overwritten, so it need not be read.
        let known = || CachedPlayer::read(player.clone(), Ownership::Owned);
        let players = &mut self.cache.get_mut().players;
        players.entry(id).or_insert_with(known).set(player);
        Ok(())
    }

    fn prune_answers(
        &mut self,
        before: u64,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let from = after.map_or(0, |SweepPosition(at)| at);
        let row = self.rows(
            StatementName::SweepAnswers,
            &[&self.room.id(), &from, &signed(before), &ANSWERS_AT_ONCE],
        )?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, looked_at): (Option<i64>, i64) = (row.get(0), row.get(1));
        self.batch.has_writes |= looked_at > 0;
        let is_full = looked_at >= ANSWERS_AT_ONCE;
        Ok(last
            .filter(|last| is_full && *last > from)
            .map(SweepPosition))
    }

    fn save_time(&mut self, now: u64) -> Result<(), StoreError> {
        self.time = Some(now);
        Ok(())
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let has_writes = self.batch.has_writes || self.cache.borrow().has_changes();
        let time = self.time.filter(|_| has_writes);
        let key = BatchKey {
            room: self.room.id(),
            seq: self.room.next_seq.get(),
        };
        self.ended = true;
        let mut batch = take(&mut self.batch);
        let played = take(&mut batch.played);
        let logged = take(&mut batch.logged);
        let players = self.cache.borrow().writes(key);
        let mut writes: Vec<_> = players.into_iter().flatten().collect();
        if has_writes {
            writes.extend(batch.writes(key, self.room.epoch, time.unwrap_or(0)));
        }
        if self.time.is_some_and(|now| self.room.numbers_leaves(now)) {
            let (sql, params) = (StatementName::NumberLeaves, Vec::new());
            writes.push(BatchWrite { sql, params });
        }
        self.send(writes)?;
        self.room.running.borrow_mut().keep(played, logged);
        self.room.record_commit(time)
    }
}

impl Drop for PostgresTransaction<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.room.roll_back();
        }
    }
}

/// Requests by player and id.
type Requests = BTreeSet<(PlayerId, String)>;

impl PostgresTransaction<'_> {
    pub(super) fn rows(
        &self,
        sql: StatementName,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.room.statements.of(sql);
        let rows = self.room.session.client().query(statement, params);
        Ok(self.room.session.wait(rows)?)
    }

    /// Reads players into the cache, except those already cached.
    pub(super) fn read_players(&self, ids: &[i64]) -> Result<(), StoreError> {
        for row in self.rows(StatementName::Players, &[&ids])? {
            let (id, player) = player(&row)?;
            let known = CachedPlayer::read(player, Ownership::Unknown);
            self.cache.borrow_mut().players.entry(id).or_insert(known);
        }
        Ok(())
    }

    /// Runs a closure on a cached player, reading the player first if necessary.
    pub(super) fn with_player<T>(
        &self,
        id: PlayerId,
        act: impl FnOnce(&mut CachedPlayer) -> T,
    ) -> Result<T, StoreError> {
        if !self.cache.borrow().players.contains_key(&id) {
            self.read_players(&[signed(id.0)])?;
        }
        let mut cache = self.cache.borrow_mut();
        let known = cache.players.get_mut(&id).ok_or(Damage::Player)?;
        Ok(act(known))
    }

    /// Players without a known owner among these and those to prefetch. All are claimed by one
    /// statement, in order of id, so that two rooms can't deadlock.
    pub(super) fn players_to_claim(&self, players: &BTreeSet<PlayerId>) -> BTreeSet<PlayerId> {
        let cache = self.cache.borrow();
        let tokens = self.wanted.tokens.iter();
        let returning = tokens.filter_map(|token| *cache.tokens.get(token)?);
        let expected = returning.chain(self.wanted.players.iter().copied());
        let all = expected.chain(players.iter().copied());
        all.filter(|id| !cache.knows_owner(*id)).collect()
    }

    /// Claims those of these players who belong to no room. Caches the resulting room of each
    /// player, and the answers to the requests to prefetch.
    fn claim_free(&self, players: &BTreeSet<PlayerId>) -> Result<(), StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| signed(id.0)).collect();
        let requests: Requests = self.announced_requests().collect();
        let (client, room) = (self.room.session.client(), self.room.id());
        let of = |sql| self.room.statements.of(sql);
        let claimed = async {
            // Separate statements: the second sees what other rooms committed in the meantime.
            let claim: [&(dyn ToSql + Sync); 2] = [&room, &ids];
            let claim = client.query(of(StatementName::Claim), &claim);
            let ids: [&(dyn ToSql + Sync); 1] = [&ids];
            let players = client.query(of(StatementName::Players), &ids);
            let answers = self.query_answers(&requests);
            let (claimed, players, answers) = tokio::join!(biased; claim, players, answers);
            Ok::<_, Error>((claimed?, players?, answers?))
        };
        let (claimed, rows, answers) = self.room.session.wait(claimed)?;
        self.cache_answers(&answers, requests)?;
        let claimed: BTreeSet<i64> = claimed.iter().map(|row| row.get(0)).collect();
        for row in rows {
            let (id, player) = player(&row)?;
            let ownership = match row.get::<_, Option<i32>>(8) {
                // Another room released the player after the claim.
                None => Ownership::Unknown,
                Some(_) if claimed.contains(&signed(id.0)) => Ownership::Reserved,
                Some(of) if of == room && row.get(9) => Ownership::Arriving,
                Some(of) if of == room => Ownership::Owned,
                Some(of) => Ownership::Elsewhere(statements::room(of)?),
            };
            let known = CachedPlayer::read(player, ownership);
            self.cache.borrow_mut().players.insert(id, known);
        }
        Ok(())
    }

    /// Reads the players of this token and of all tokens to prefetch.
    fn read_tokens(&self, token: &TokenHash) -> Result<(), StoreError> {
        let mut tokens = self.wanted.tokens.clone();
        tokens.insert(*token);
        let hashes: Vec<&[u8]> = tokens.iter().map(|token| &token.bytes()[..]).collect();
        let rows = self.rows(StatementName::Tokens, &[&hashes])?;
        let mut cache = self.cache.borrow_mut();
        for row in rows {
            let (hash, id): (&[u8], _) = (row.get(0), number(row.get(1))?);
            let token = tokens.iter().find(|token| token.bytes() == hash);
            let token = *token.ok_or(Damage::Layout)?;
            cache.tokens.insert(token, Some(PlayerId(id)));
        }
        for token in tokens {
            cache.tokens.entry(token).or_insert(None);
        }
        Ok(())
    }

    /// Reads the answers to this request and to all requests to prefetch.
    fn read_answers(&self, player: PlayerId, id: &RequestId) -> Result<(), StoreError> {
        let is_here = |player: PlayerId| {
            !self.wanted.players.contains(&player) || self.cache.borrow().knows_owner(player)
        };
        // Before a player is claimed, another room may still answer them.
        let requests = self
            .announced_requests()
            .filter(|(player, _)| is_here(*player));
        let requests: Requests = requests.chain([(player, id.as_str().to_owned())]).collect();
        let rows = self.room.session.wait(self.query_answers(&requests))?;
        self.cache_answers(&rows, requests)
    }

    /// Requests to prefetch, by player and id.
    fn announced_requests(&self) -> impl Iterator<Item = (PlayerId, String)> {
        let requests = self.wanted.requests.iter();
        requests.map(|(player, id)| (*player, id.as_str().to_owned()))
    }

    async fn query_answers(&self, requests: &Requests) -> Result<Vec<Row>, Error> {
        let (players, ids): (Vec<_>, Vec<_>) = requests
            .iter()
            .map(|(id, request)| (signed(id.0), request))
            .unzip();
        let statement = self.room.statements.of(StatementName::Answers);
        let client = self.room.session.client();
        client.query(statement, &[&players, &ids]).await
    }

    fn cache_answers(&self, rows: &[Row], requests: Requests) -> Result<(), StoreError> {
        let mut cache = self.cache.borrow_mut();
        for row in rows {
            let key = (PlayerId(number(row.get(0))?), row.get(1));
            cache.answers.insert(key, Some(answer(row)?));
        }
        for key in requests {
            cache.answers.entry(key).or_insert(None);
        }
        Ok(())
    }
}

/// Parses the row of an answer.
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
