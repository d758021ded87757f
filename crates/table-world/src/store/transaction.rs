use super::contents::StoreWrite;
use super::data::{RowLock, StoreData};
use super::fault::{Fault, StoreCall};
use super::fault::{FaultInjector, fault_error};
use std::collections::{BTreeMap, BTreeSet};
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war_table::ladder::LadderUpdate;
use war_table::log::Leaf;
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{Activity, Match, Player, PlayerGameRecord, RoomEvent, is_game_end};
use war_table::server::rooms::RoomNumber;
use war_table::server::store::{
    Answer, AnswerRecord, Claim, Damage, FriendLinkRecord, IncomingPlayer, LeafPosition,
    MessageRange, PrefetchKeys, PruneProgress, Registration, StoreError, StoredMessage,
    SweepPosition, TokenHash, Transaction,
};
use war_table::time::{TableTime, WallTime};

/// Transaction of a store in memory, which collects writes until commit.
pub(super) struct MemoryTransaction<'a> {
    store: &'a StoreData,
    faults: &'a FaultInjector,
    /// Lock on the row of the room, if nodes share the table.
    lock: Option<RowLock<'a>>,
    writes: Vec<StoreWrite>,
}

impl<'a> MemoryTransaction<'a> {
    pub(super) const fn new(
        store: &'a StoreData,
        faults: &'a FaultInjector,
        lock: Option<RowLock<'a>>,
    ) -> Self {
        Self {
            store,
            faults,
            lock,
            writes: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), StoreError> {
        self.faults.check(StoreCall::ReadWrite)
    }

    fn write(&mut self, write: StoreWrite) -> Result<(), StoreError> {
        self.check()?;
        self.writes.push(write);
        Ok(())
    }

    /// Returns the first result of `says`, searching the writes from last to first.
    fn find_last<T>(&self, says: impl FnMut(&StoreWrite) -> Option<T>) -> Option<T> {
        self.writes.iter().rev().find_map(says)
    }

    /// Returns the index of the write that forgets a player, if any.
    fn forget_index(&self, player: PlayerId) -> Option<usize> {
        let forgets =
            |write: &StoreWrite| matches!(write, StoreWrite::ForgetPlayer(id, _) if *id == player);
        self.writes.iter().rposition(forgets)
    }

    /// Returns true if this transaction has dropped a message to a player.
    fn is_dropped(&self, player: PlayerId, seq: u64) -> bool {
        self.writes.iter().any(|write| {
            matches!(
                write,
                StoreWrite::DropMessages(last) if last.get(&player).is_some_and(|last| seq <= *last)
            )
        })
    }

    /// Returns the room of this transaction, if nodes share the table.
    fn room(&self) -> Option<RoomNumber> {
        self.lock.as_ref().map(|lock| lock.lease.room)
    }

    /// Returns true if this transaction has claimed a player, false if it has released the player,
    /// and `None` otherwise.
    fn has_claimed(&self, player: PlayerId) -> Option<bool> {
        self.find_last(|write| match write {
            StoreWrite::Register(id, ..) | StoreWrite::Claim(id) if *id == player => Some(true),
            StoreWrite::Release(id) if *id == player => Some(false),
            _ => None,
        })
    }

    /// Returns the position of a leaf. If other rooms may commit earlier, the position is unknown
    /// until the commit.
    const fn leaf_position(&self, at: u64) -> LeafPosition {
        match self.lock {
            Some(_) => LeafPosition::Pending,
            None => LeafPosition::Assigned(at),
        }
    }

    /// Claims a player. Returns the other room if another room has already claimed the player.
    fn claim_one(&mut self, player: PlayerId) -> Result<Option<RoomNumber>, StoreError> {
        let Some(lock) = &self.lock else {
            return Ok(None);
        };
        let place = self.store.lock_contents().claiming_room(player);
        let here = self.has_claimed(player);
        if here.is_none() {
            if let Some(other) = lock.claim(player, place)? {
                return Ok(Some(other));
            }
            if place.is_some() {
                return Ok(None);
            }
        }
        if here != Some(true) {
            self.writes.push(StoreWrite::Claim(player));
        }
        Ok(None)
    }

    /// Returns true if another room has forwarded a player who has not arrived yet.
    fn is_incoming(&self, player: PlayerId) -> bool {
        let sent = self.store.lock_contents().is_incoming(player, self.room());
        let came = self.writes.iter().any(|write| {
            matches!(write, StoreWrite::Record(_, RoomEvent::Came { player: id, .. }) if *id == player)
        });
        sent && !came
    }

    /// Returns all friend links, including the writes of this transaction.
    fn links_after_writes(&self) -> Vec<FriendLinkRecord> {
        let mut links = self.store.lock_contents().links.clone();
        for write in &self.writes {
            match write {
                StoreWrite::SaveLink(link) => links.push(*link),
                StoreWrite::RemoveLink(player, id) => {
                    links.retain(|link| (link.player, link.id) != (*player, *id));
                }
                StoreWrite::ForgetPlayer(player, _) => links.retain(|link| link.player != *player),
                _ => {}
            }
        }
        links
    }

    /// Returns true if a player waits or plays.
    fn is_busy(&self, player: PlayerId) -> bool {
        let written = self.find_last(|write| {
            let StoreWrite::Record(_, event) = write else {
                return None;
            };
            is_busy_after(event, player)
        });
        written.unwrap_or_else(|| self.store.lock_contents().is_busy(player))
    }
}

impl Transaction for MemoryTransaction<'_> {
    fn prefetch(&mut self, _wanted: &PrefetchKeys) -> Result<(), StoreError> {
        self.check()
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        let mut claimed = Vec::new();
        for &id in players {
            let claim = match self.claim_one(id)? {
                Some(room) => Claim::Denied(room),
                None if self.is_incoming(id) => Claim::Incoming,
                None => Claim::Granted(self.player(id)?),
            };
            claimed.push((id, claim));
        }
        Ok(claimed)
    }

    fn release(&mut self, player: PlayerId) -> Result<(), StoreError> {
        self.check()?;
        if self.lock.is_some() {
            self.writes.push(StoreWrite::Release(player));
        }
        Ok(())
    }

    fn forward(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError> {
        self.write(StoreWrite::Forward(player, to))
    }

    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError> {
        self.check()?;
        Ok(self.store.lock_contents().incoming_players(self.room()))
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.check()?;
        let written = self.find_last(|write| match write {
            StoreWrite::Register(known, player, _) | StoreWrite::SavePlayer(known, player) => {
                (*known == id).then(|| player.clone())
            }
            _ => None,
        });
        let kept = || self.store.lock_contents().players.get(&id).cloned();
        let found = written.or_else(|| kept().map(|(player, _)| player));
        Ok(found.ok_or(Damage::Player)?)
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        self.check()?;
        let written = self.find_last(|write| match write {
            StoreWrite::Register(id, player, known) if known == token && !player.house => Some(*id),
            _ => None,
        });
        let found = written.or_else(|| self.store.lock_contents().tokens.get(token).copied());
        let forgotten = self.find_last(|write| match write {
            StoreWrite::ForgetPlayer(id, known) if known == token => Some(*id),
            _ => None,
        });
        let found = found.filter(|id| self.forget_index(*id).is_none());
        Ok(forgotten.or(found))
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        self.check()?;
        let is_it = |known: &PlayerId, request: &str| *known == player && request == id.as_str();
        let written = self.find_last(|write| match write {
            StoreWrite::SaveAnswer(known, request, answer, _) => {
                is_it(known, request).then_some(Some(*answer))
            }
            StoreWrite::DropAnswers(gone) => gone
                .iter()
                .any(|(known, request)| is_it(known, request))
                .then_some(None),
            StoreWrite::ForgetPlayer(known, _) if *known == player => Some(None),
            _ => None,
        });
        let kept = || {
            let key = (player, id.as_str().to_owned());
            let kept = self.store.lock_contents();
            kept.answers.get(&key).map(|(answer, ..)| *answer)
        };
        Ok(written.unwrap_or_else(kept))
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        self.check()?;
        if range.first() > range.last() {
            return Ok(Vec::new());
        }
        let kept = self.store.lock_contents();
        let within = kept
            .outbox
            .range((player, range.first())..=(player, range.last()));
        let forgotten = self.forget_index(player);
        let within =
            within.filter(|((_, seq), _)| forgotten.is_none() && !self.is_dropped(player, *seq));
        let within = within.map(|(_, message)| message.clone());
        let numbers = range.first()..=range.last();
        let written = self.writes.iter().skip(forgotten.unwrap_or(0));
        let written = written.filter_map(|write| match write {
            StoreWrite::SaveMessage(to, message) if *to == player => Some(message.clone()),
            _ => None,
        });
        let written = written.filter(|message| numbers.contains(&message.seq));
        Ok(within.chain(written).collect())
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        self.check()?;
        let links = self.links_after_writes();
        Ok(links.into_iter().find(|link| link.id == id))
    }

    fn friend_links(&self, player: PlayerId) -> Result<Vec<FriendLinkRecord>, StoreError> {
        self.check()?;
        let mut links = self.links_after_writes();
        links.retain(|link| link.player == player);
        Ok(links)
    }

    fn save_friend_link(&mut self, link: &FriendLinkRecord) -> Result<(), StoreError> {
        self.write(StoreWrite::SaveLink(*link))
    }

    fn remove_friend_link(&mut self, player: PlayerId, id: Hex<8>) -> Result<(), StoreError> {
        self.write(StoreWrite::RemoveLink(player, id))
    }

    fn is_upgraded(&self) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn game_events(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        self.check()?;
        let written = self.writes.iter().filter_map(|write| match write {
            StoreWrite::Record(_, event) if event.game() == Some(game) => Some(event),
            _ => None,
        });
        let kept = self.store.lock_contents();
        Ok(kept.game_events(game).chain(written).cloned().collect())
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError> {
        self.check()?;
        let kept = self.store.lock_contents();
        let written = self.writes.iter().filter_map(|write| match write {
            StoreWrite::Append(leaf) => Some(leaf),
            _ => None,
        });
        let mut written = (kept.next_leaf..).zip(written);
        let mut written = || written.find(|(_, leaf)| leaf.game() == game);
        let found = kept.first_leaf_position(game);
        let found = found.or_else(|| written().map(|(at, _)| at));
        Ok(found.map(|at| self.leaf_position(at)))
    }

    fn erase(&mut self, player: PlayerId) -> Result<(), StoreError> {
        self.check()?;
        let written = self.find_last(|write| match write {
            StoreWrite::Register(id, _, token) if *id == player => Some(*token),
            _ => None,
        });
        let kept = || self.store.lock_contents().players.get(&player).cloned();
        let token = written.or_else(|| kept().map(|(_, token)| token));
        let token = token.ok_or(Damage::Player)?.of_forgotten_player();
        self.write(StoreWrite::ForgetPlayer(player, token))
    }

    fn prune_messages(
        &mut self,
        before: WallTime,
        _after: PlayerId,
    ) -> Result<PruneProgress, StoreError> {
        self.check()?;
        let mut last = {
            let kept = self.store.lock_contents();
            last_end_messages(&kept.outbox, |key| kept.message_times[key] < before)
        };
        last.retain(|id, _| !self.is_busy(*id));
        let kept = self.store.lock_contents();
        let old = last
            .iter()
            .map(|(id, last)| kept.outbox.range((*id, 0)..=(*id, *last)).count());
        let messages = old.sum::<usize>() as u64;
        drop(kept);
        if messages > 0 {
            self.writes.push(StoreWrite::DropMessages(last));
        }
        Ok(PruneProgress {
            messages,
            next: None,
        })
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        let Registration { id, player, token } = *registration;
        self.write(StoreWrite::Register(id, player.clone(), token))
    }

    fn record(&mut self, event: &RoomEvent, at: WallTime) -> Result<(), StoreError> {
        self.write(StoreWrite::Record(at, event.clone()))
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError> {
        let written = self.writes.iter();
        let written = written.filter(|write| matches!(write, StoreWrite::Append(_)));
        let place = self.store.lock_contents().next_leaf + written.count() as u64;
        self.write(StoreWrite::Append(leaf.clone()))?;
        Ok(self.leaf_position(place))
    }

    fn save_settlement(
        &mut self,
        game: u64,
        settlement: &RecordingMetadata,
    ) -> Result<(), StoreError> {
        self.write(StoreWrite::SaveSettlement(game, settlement.clone()))
    }

    fn save_game(&mut self, game: &PlayerGameRecord) -> Result<(), StoreError> {
        self.write(StoreWrite::SaveGame(game.clone()))
    }

    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        self.write(StoreWrite::SaveLadder(rated.clone()))
    }

    fn save_message(&mut self, to: PlayerId, message: &StoredMessage) -> Result<(), StoreError> {
        self.write(StoreWrite::SaveMessage(to, message.clone()))
    }

    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError> {
        let id = kept.request.as_str().to_owned();
        self.write(StoreWrite::SaveAnswer(
            kept.player,
            id,
            kept.answer,
            kept.at,
        ))
    }

    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        // Fails for an unknown player.
        self.player(id)?;
        let player = Player {
            activity: Activity::Free,
            ..player.clone()
        };
        self.write(StoreWrite::SavePlayer(id, player))
    }

    fn prune_answers(
        &mut self,
        before: TableTime,
        _after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        self.check()?;
        let old: Vec<_> = {
            let kept = self.store.lock_contents();
            let room = self.room().unwrap_or(RoomNumber(0));
            let from = (room, TableTime::ZERO, PlayerId(0), String::new());
            let answered = kept.answers_by_time.range(from..);
            let old = answered.take_while(|(of, at, ..)| *of == room && *at < before);
            old.map(|(_, _, player, id)| (*player, id.clone()))
                .collect()
        };
        let written = self.writes.iter().filter_map(|write| match write {
            StoreWrite::SaveAnswer(player, id, _, at) if *at < before => {
                Some((*player, id.clone()))
            }
            _ => None,
        });
        let old = old.into_iter().chain(written);
        let forgotten: Vec<_> = old.filter(|(player, _)| !self.is_busy(*player)).collect();
        if !forgotten.is_empty() {
            self.writes.push(StoreWrite::DropAnswers(forgotten));
        }
        Ok(None)
    }

    fn save_time(&mut self, now: TableTime) -> Result<(), StoreError> {
        self.check()?;
        let forgets = |write: &StoreWrite| matches!(write, StoreWrite::DropAnswers(_));
        if !self.writes.iter().all(forgets) {
            self.writes.push(StoreWrite::SaveTime(now));
        }
        Ok(())
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        if let Some(lock) = self.lock {
            return lock.commit(self.writes);
        }
        let fault = self.faults.next_fault(StoreCall::Commit);
        if matches!(fault, None | Some(Fault::LostReply)) {
            self.store.apply(self.writes, None);
        }
        fault.map_or(Ok(()), |fault| Err(fault_error(fault)))
    }
}

/// Returns true if the player waits or plays after the event, false if not, and `None` if the event
/// changes neither.
fn is_busy_after(event: &RoomEvent, player: PlayerId) -> Option<bool> {
    match event {
        RoomEvent::Chose { player: id, .. }
        | RoomEvent::SentOn { player: id, .. }
        | RoomEvent::Came { player: id, .. } => (*id == player).then_some(true),
        RoomEvent::Cancelled { player: id } => (*id == player).then_some(false),
        RoomEvent::Matched(Match { seats, .. }) => seats.contains(&player).then_some(true),
        RoomEvent::Played { seats, .. } if is_game_end(event) => {
            seats.contains(&player).then_some(false)
        }
        _ => None,
    }
}

/// Types of messages after which a player is free.
const END_MESSAGES: [&str; 3] = ["result", "cancelled", "draining"];

/// Returns the number of the last old message to each player after which that player was free.
fn last_end_messages(
    outbox: &BTreeMap<(PlayerId, u64), StoredMessage>,
    is_old: impl Fn(&(PlayerId, u64)) -> bool,
) -> BTreeMap<PlayerId, u64> {
    let kinds = END_MESSAGES.map(|kind| format!("\"type\":\"{kind}\""));
    let ends = |body: &str| kinds.iter().any(|kind| body.contains(kind));
    let old = outbox
        .iter()
        .filter(|(key, message)| is_old(key) && ends(&message.body));
    old.map(|((player, seq), _)| (*player, *seq)).collect()
}
