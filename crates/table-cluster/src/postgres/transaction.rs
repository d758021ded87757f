use super::batch::Batch;
use super::players::{CachedPlayer, Ownership, TransactionCache};
use super::room_lease::{RoomLease, parse_incoming_player};
use super::schema::UPGRADED_SINCE;
use super::session::QueryError;
use super::statements::{
    self, BatchKey, BatchWrite, OTHER_ROOM_ERROR_CODE, StatementName, parse_friend_link,
    parse_message, parse_player, to_i64, to_u64,
};
use futures_util::future::{LocalBoxFuture, join_all};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::mem::take;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::{PlayerId, Refusal, RequestId};
use war_table::room::{Player, PlayerGameRecord, RoomEvent};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{
    Answer, AnswerRecord, Claim, Damage, FriendLinkRecord, IncomingPlayer, LeafPosition,
    MessageRange, PrefetchKeys, PruneProgress, Registration, StoreError, StoredMessage,
    SweepPosition, TokenHash, Transaction,
};
use war_table::time::{TableTime, WallTime};

/// Number of players in one step of the removal of old messages.
const MESSAGE_PRUNE_PLAYERS: i64 = 200;
/// Number of answers in one step of the removal of old answers.
const ANSWER_PRUNE_COUNT: i64 = 5_000;
/// Largest number of attempts to claim players that another room releases at the same moment.
const MAX_CLAIM_ATTEMPTS: usize = 5;

/// Transaction of a batch of commands. Most writes are buffered and sent with the commit.
pub(super) struct PostgresTransaction<'a> {
    pub(super) lease: &'a RoomLease,
    pub(super) cache: RefCell<TransactionCache>,
    prefetch_keys: PrefetchKeys,
    batch: Batch,
    time: Option<TableTime>,
    ended: bool,
}

impl<'a> PostgresTransaction<'a> {
    /// Creates a transaction that has passed the fence of its room: the row of the room has the
    /// owner's epoch.
    pub(super) fn new(lease: &'a RoomLease) -> Self {
        Self {
            lease,
            cache: RefCell::default(),
            prefetch_keys: PrefetchKeys::default(),
            batch: Batch::default(),
            time: None,
            ended: false,
        }
    }

    /// Sends all writes, followed by the commit.
    fn send(&self, writes: Vec<BatchWrite>) -> Result<(), StoreError> {
        let (client, statements) = (self.lease.session.client(), &self.lease.statements);
        let mut sent: Vec<LocalBoxFuture<'_, _>> = Vec::with_capacity(writes.len() + 1);
        for BatchWrite { statement, params } in writes {
            let statement = statements.get(statement);
            sent.push(Box::pin(async move {
                client.execute_raw(statement, params).await.map(drop)
            }));
        }
        sent.push(Box::pin(client.batch_execute("COMMIT")));
        let answers = async { Ok::<_, QueryError>(join_all(sent).await) };
        let answers = self.lease.session.wait(answers);
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
            self.lease.is_lost.set(true);
            StoreError::DuplicateBatch
        } else if error.code() == Some(&OTHER_ROOM_ERROR_CODE) {
            Damage::Player.into()
        } else if error.is_rolled_back() {
            error.into()
        } else {
            self.lease.is_lost.set(true);
            StoreError::InDoubt(error.to_cause())
        }
    }
}

impl Transaction for PostgresTransaction<'_> {
    fn prefetch(&mut self, wanted: &PrefetchKeys) -> Result<(), StoreError> {
        self.prefetch_keys = wanted.clone();
        Ok(())
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let mut attempts = 0..MAX_CLAIM_ATTEMPTS;
        let is_known = |id: &PlayerId| self.cache.borrow().has_known_owner(*id);
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
        self.with_player(player, |known| known.forward(to))
    }

    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError> {
        let rows = self.query(StatementName::SelectIncoming, &[&self.lease.id()])?;
        let players: Vec<_> = rows
            .iter()
            .map(parse_incoming_player)
            .collect::<Result<_, _>>()?;
        for IncomingPlayer { id, player, .. } in &players {
            let known = CachedPlayer::from_stored(player.clone(), Ownership::Owned);
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
    ) -> Result<Vec<StoredMessage>, StoreError> {
        let (first, last) = (to_i64(range.first()), to_i64(range.last()));
        let rows = self.query(
            StatementName::SelectMessages,
            &[&to_i64(player.0), &first, &last],
        )?;
        let mut messages: Vec<_> = rows.iter().map(parse_message).collect::<Result<_, _>>()?;
        messages.extend(self.batch.messages(player, range));
        Ok(messages)
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        let rows = self.query(StatementName::SelectFriendLink, &[&&id.bytes()[..]])?;
        rows.first().map(parse_friend_link).transpose()
    }

    fn friend_links(&self, player: PlayerId) -> Result<Vec<FriendLinkRecord>, StoreError> {
        let rows = self.query(StatementName::SelectFriendLinks, &[&to_i64(player.0)])?;
        rows.iter().map(parse_friend_link).collect()
    }

    fn save_friend_link(&mut self, link: &FriendLinkRecord) -> Result<(), StoreError> {
        let (player, id) = (to_i64(link.player.0), &link.id.bytes()[..]);
        let (kind, hash) = (link.kind.name(), &link.secret_hash.bytes()[..]);
        self.query(
            StatementName::InsertFriendLink,
            &[&player, &id, &kind, &hash],
        )?;
        self.batch.has_writes = true;
        Ok(())
    }

    fn remove_friend_link(&mut self, player: PlayerId, id: Hex<8>) -> Result<(), StoreError> {
        let (player, id) = (to_i64(player.0), &id.bytes()[..]);
        self.query(StatementName::DeleteFriendLink, &[&player, &id])?;
        self.batch.has_writes = true;
        Ok(())
    }

    fn is_upgraded(&self) -> Result<bool, StoreError> {
        let rows = self.query(StatementName::SelectIsUpgraded, &[&UPGRADED_SINCE])?;
        Ok(rows.first().is_some_and(|row| row.get(0)))
    }

    fn game_events(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        let played = self.batch.game_events.get(&game);
        let begins = played.is_some_and(|events| matches!(events[..], [RoomEvent::Matched(_), ..]));
        let known = self.lease.running.borrow().games.get(&game).cloned();
        let mut events = match known {
            _ if begins => Vec::new(),
            Some(known) => known,
            None => {
                let rows = self.query(StatementName::SelectGameEvents, &[&to_i64(game)])?;
                rows.iter()
                    .map(statements::parse_event)
                    .collect::<Result<_, _>>()?
            }
        };
        events.extend(played.into_iter().flatten().cloned());
        Ok(events)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError> {
        if self.lease.running.borrow().logged.contains(&game) {
            return Ok(Some(LeafPosition::Pending));
        }
        let rows = self.query(StatementName::SelectFirstLeaf, &[&to_i64(game)])?;
        match rows.first().map(|row| row.get::<_, Option<i64>>(0)) {
            Some(Some(at)) => Ok(Some(LeafPosition::Assigned(to_u64(at)?))),
            Some(None) => Ok(Some(LeafPosition::Pending)),
            None => Ok(self
                .batch
                .logged_games
                .contains(&game)
                .then_some(LeafPosition::Pending)),
        }
    }

    fn erase(&mut self, player: PlayerId) -> Result<(), StoreError> {
        let (joins, seq) = self.with_player(player, |known| {
            (known.forget_token_if_new(), known.player.seq)
        })?;
        if !joins {
            let (room, id, first_seq) = (self.lease.id(), to_i64(player.0), to_i64(seq + 1));
            self.query(StatementName::ForgetPlayer, &[&room, &id, &first_seq])?;
        }
        self.cache.get_mut().forget(player);
        self.batch.forget(player);
        Ok(())
    }

    fn prune_messages(
        &mut self,
        before: WallTime,
        after: PlayerId,
    ) -> Result<PruneProgress, StoreError> {
        let (room, after) = (self.lease.id(), to_i64(after.0));
        let before = to_i64(before.as_millis());
        let row = self.query(
            StatementName::PruneMessages,
            &[&room, &after, &before, &MESSAGE_PRUNE_PLAYERS],
        )?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, messages): (Option<i64>, i64) = (row.get(0), row.get(1));
        let messages = to_u64(messages)?;
        self.batch.has_writes |= messages > 0;
        let next = last.map(to_u64).transpose()?.map(PlayerId);
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

    fn record(&mut self, event: &RoomEvent, at: WallTime) -> Result<(), StoreError> {
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

    /// Leaves the position open: the owner of room 0 numbers the leaf later.
    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError> {
        self.batch.append(leaf);
        Ok(LeafPosition::Pending)
    }

    fn save_settlement(
        &mut self,
        game: u64,
        settlement: &RecordingMetadata,
    ) -> Result<(), StoreError> {
        self.batch.save_settlement(game, settlement);
        Ok(())
    }

    fn save_game(&mut self, game: &PlayerGameRecord) -> Result<(), StoreError> {
        self.batch.save_game(game);
        Ok(())
    }

    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        self.batch.save_ladder(rated);
        Ok(())
    }

    fn save_message(&mut self, to: PlayerId, message: &StoredMessage) -> Result<(), StoreError> {
        self.batch.save_message(to, message);
        Ok(())
    }

    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError> {
        self.batch.save_answer(kept);
        Ok(())
    }

    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        // The whole row is overwritten, so it need not be read.
        let known = || CachedPlayer::from_stored(player.clone(), Ownership::Owned);
        let players = &mut self.cache.get_mut().players;
        players.entry(id).or_insert_with(known).set(player);
        Ok(())
    }

    fn prune_answers(
        &mut self,
        before: TableTime,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let from = after.map_or(0, |SweepPosition(at)| at);
        let row = self.query(
            StatementName::PruneAnswers,
            &[
                &self.lease.id(),
                &from,
                &to_i64(before.as_millis()),
                &ANSWER_PRUNE_COUNT,
            ],
        )?;
        let row = row.first().ok_or(Damage::Layout)?;
        let (last, looked_at): (Option<i64>, i64) = (row.get(0), row.get(1));
        self.batch.has_writes |= looked_at > 0;
        let is_full = looked_at >= ANSWER_PRUNE_COUNT;
        Ok(last
            .filter(|last| is_full && *last > from)
            .map(SweepPosition))
    }

    fn save_time(&mut self, now: TableTime) -> Result<(), StoreError> {
        self.time = Some(now);
        Ok(())
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        let has_writes = self.batch.has_writes || self.cache.borrow().has_changes();
        let time = self.time.filter(|_| has_writes);
        let key = BatchKey {
            room: self.lease.id(),
            seq: self.lease.next_seq.get(),
        };
        self.ended = true;
        let mut batch = take(&mut self.batch);
        let played = take(&mut batch.game_events);
        let logged = take(&mut batch.logged_games);
        let players = self.cache.borrow().build_writes(key);
        let mut writes: Vec<_> = players.into_iter().flatten().collect();
        if has_writes {
            writes.extend(batch.into_writes(
                key,
                self.lease.epoch,
                time.unwrap_or(TableTime::ZERO),
            ));
        }
        if self
            .time
            .is_some_and(|now| self.lease.start_numbering_if_due(now))
        {
            let (statement, params) = (StatementName::NumberLeaves, Vec::new());
            writes.push(BatchWrite { statement, params });
        }
        self.send(writes)?;
        self.lease.running.borrow_mut().add_batch(played, logged);
        self.lease.record_commit(time)
    }
}

impl Drop for PostgresTransaction<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.lease.roll_back();
        }
    }
}

/// Requests by player and id.
type Requests = BTreeSet<(PlayerId, String)>;

impl PostgresTransaction<'_> {
    pub(super) fn query(
        &self,
        sql: StatementName,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let statement = self.lease.statements.get(sql);
        let rows = self.lease.session.client().query(statement, params);
        Ok(self.lease.session.wait(rows)?)
    }

    /// Reads players into the cache, except those already cached.
    pub(super) fn read_players(&self, ids: &[i64]) -> Result<(), StoreError> {
        for row in self.query(StatementName::SelectPlayers, &[&ids])? {
            let (id, player) = parse_player(&row)?;
            let known = CachedPlayer::from_stored(player, Ownership::Unknown);
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
            self.read_players(&[to_i64(id.0)])?;
        }
        let mut cache = self.cache.borrow_mut();
        let known = cache.players.get_mut(&id).ok_or(Damage::Player)?;
        Ok(act(known))
    }

    /// Players to claim: the given players and the players to prefetch, without those whose owner
    /// is known. One statement claims all of them in order of id, so that two rooms can't deadlock.
    pub(super) fn players_to_claim(&self, players: &BTreeSet<PlayerId>) -> BTreeSet<PlayerId> {
        let cache = self.cache.borrow();
        let tokens = self.prefetch_keys.tokens.iter();
        let returning = tokens.filter_map(|token| *cache.tokens.get(token)?);
        let expected = returning.chain(self.prefetch_keys.players.iter().copied());
        let all = expected.chain(players.iter().copied());
        all.filter(|id| !cache.has_known_owner(*id)).collect()
    }

    /// Claims those of the given players who belong to no room. Caches the resulting room of each
    /// player, and the answers to the requests to prefetch.
    fn claim_free(&self, players: &BTreeSet<PlayerId>) -> Result<(), StoreError> {
        let ids: Vec<i64> = players.iter().map(|id| to_i64(id.0)).collect();
        let requests: Requests = self.requests_to_prefetch().collect();
        let (client, room) = (self.lease.session.client(), self.lease.id());
        let of = |sql| self.lease.statements.get(sql);
        let claimed = async {
            // Separate statements: the second sees what other rooms committed in the meantime.
            let claim: [&(dyn ToSql + Sync); 2] = [&room, &ids];
            let claim = client.query(of(StatementName::Claim), &claim);
            let ids: [&(dyn ToSql + Sync); 1] = [&ids];
            let players = client.query(of(StatementName::SelectPlayers), &ids);
            let answers = self.query_answers(&requests);
            let (claimed, players, answers) = tokio::join!(biased; claim, players, answers);
            Ok::<_, Error>((claimed?, players?, answers?))
        };
        let (claimed, rows, answers) = self.lease.session.wait(claimed)?;
        self.cache_answers(&answers, requests)?;
        let claimed: BTreeSet<i64> = claimed.iter().map(|row| row.get(0)).collect();
        for row in rows {
            let (id, player) = parse_player(&row)?;
            let ownership = match row.get::<_, Option<i32>>(8) {
                // Another room released the player after the claim.
                None => Ownership::Unknown,
                Some(_) if claimed.contains(&to_i64(id.0)) => Ownership::Reserved,
                Some(of) if of == room && row.get(9) => Ownership::Arriving,
                Some(of) if of == room => Ownership::Owned,
                Some(of) => Ownership::OtherRoom(statements::parse_room_number(of)?),
            };
            let known = CachedPlayer::from_stored(player, ownership);
            self.cache.borrow_mut().players.insert(id, known);
        }
        Ok(())
    }

    /// Reads the players of this token and of all tokens to prefetch.
    fn read_tokens(&self, token: &TokenHash) -> Result<(), StoreError> {
        let mut tokens = self.prefetch_keys.tokens.clone();
        tokens.insert(*token);
        let hashes: Vec<&[u8]> = tokens.iter().map(|token| &token.bytes()[..]).collect();
        let rows = self.query(StatementName::SelectTokens, &[&hashes])?;
        let mut cache = self.cache.borrow_mut();
        for row in rows {
            let (hash, id): (&[u8], _) = (row.get(0), to_u64(row.get(1))?);
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
            !self.prefetch_keys.players.contains(&player)
                || self.cache.borrow().has_known_owner(player)
        };
        // Before a player is claimed, another room may still answer requests of that player.
        let requests = self
            .requests_to_prefetch()
            .filter(|(player, _)| is_here(*player));
        let requests: Requests = requests.chain([(player, id.as_str().to_owned())]).collect();
        let rows = self.lease.session.wait(self.query_answers(&requests))?;
        self.cache_answers(&rows, requests)
    }

    /// Requests to prefetch, by player and id.
    fn requests_to_prefetch(&self) -> impl Iterator<Item = (PlayerId, String)> {
        let requests = self.prefetch_keys.requests.iter();
        requests.map(|(player, id)| (*player, id.as_str().to_owned()))
    }

    async fn query_answers(&self, requests: &Requests) -> Result<Vec<Row>, Error> {
        let (players, ids): (Vec<_>, Vec<_>) = requests
            .iter()
            .map(|(id, request)| (to_i64(id.0), request))
            .unzip();
        let statement = self.lease.statements.get(StatementName::SelectAnswers);
        let client = self.lease.session.client();
        client.query(statement, &[&players, &ids]).await
    }

    fn cache_answers(&self, rows: &[Row], requests: Requests) -> Result<(), StoreError> {
        let mut cache = self.cache.borrow_mut();
        for row in rows {
            let key = (PlayerId(to_u64(row.get(0))?), row.get(1));
            cache.answers.insert(key, Some(parse_answer(row)?));
        }
        for key in requests {
            cache.answers.entry(key).or_insert(None);
        }
        Ok(())
    }
}

/// Parses the row of an answer.
fn parse_answer(row: &Row) -> Result<Answer, StoreError> {
    let digest: [u8; 16] = row
        .get::<_, &[u8]>(2)
        .try_into()
        .map_err(|_| Damage::Layout)?;
    let refusal: Option<&str> = row.get(5);
    Ok(Answer {
        digest: Hex::new(digest),
        messages: MessageRange::new(to_u64(row.get(3))?, to_u64(row.get(4))?),
        refusal: refusal.and_then(Refusal::from_name),
    })
}
