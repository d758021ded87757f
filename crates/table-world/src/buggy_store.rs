//! A store with a bug built in.

use crate::options::Bug;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use war::recording::RecordingMetadata;
use war::support::hex::Hex;
use war_table::ladder::LadderUpdate;
use war_table::log::{Leaf, TableId};
use war_table::protocol::{PlayerId, RequestId};
use war_table::room::{
    OpponentChoice, Player, PlayerGameRecord, PlayerStatus, Room, RoomEvent, Timeouts,
};
use war_table::server::hub::ANSWER_RETENTION;
use war_table::server::rooms::{RoomNumber, RoomPosition};
use war_table::server::store::{
    Answer, AnswerRecord, Claim, FriendLinkRecord, IncomingPlayer, LeafPosition, MessageRange,
    PrefetchKeys, PruneProgress, Registration, Sequence, Store, StoreError, StoredMessage,
    SweepPosition, TokenHash, Transaction,
};
use war_table::time::{TableTime, WallTime};

/// Number of calls between two wrong writes of a bug that shows only at times.
const CALLS_PER_BUG: u64 = 50;

/// Store with a bug built in, as the server sees it.
pub(crate) struct BuggyStore {
    store: Box<dyn Store>,
    bug: Option<Bug>,
    calls: Cell<u64>,
}

impl BuggyStore {
    pub(crate) const fn new(store: Box<dyn Store>, bug: Option<Bug>) -> Self {
        let calls = Cell::new(0);
        Self { store, bug, calls }
    }

    /// Returns true if the bug shows in this call.
    fn is_due(&self, bug: Bug) -> bool {
        let calls = self.calls.get() + u64::from(self.bug == Some(bug));
        self.calls.set(calls);
        self.bug == Some(bug) && calls.is_multiple_of(CALLS_PER_BUG)
    }
}

impl Store for BuggyStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        self.store.room(timeouts)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        self.store.id()
    }

    fn time(&self) -> Result<TableTime, StoreError> {
        self.store.time()
    }

    fn position(&self) -> RoomPosition {
        self.store.position()
    }

    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn reserve_numbers(&self, of: Sequence) -> Result<Range<u64>, StoreError> {
        self.store.reserve_numbers(of)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        let begun = self.store.begin()?;
        Ok(begun.map(|inner| {
            let tampered = BuggyTransaction { store: self, inner };
            Box::new(tampered) as Box<dyn Transaction>
        }))
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.store.close()
    }
}

struct BuggyTransaction<'a> {
    store: &'a BuggyStore,
    inner: Box<dyn Transaction + 'a>,
}

impl Transaction for BuggyTransaction<'_> {
    fn prefetch(&mut self, wanted: &PrefetchKeys) -> Result<(), StoreError> {
        self.inner.prefetch(wanted)
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        if self.store.bug == Some(Bug::ClaimLeftOut) {
            let found = players
                .iter()
                .map(|&id| Ok((id, Claim::Granted(self.inner.player(id)?))));
            return found.collect();
        }
        self.inner.claim(players)
    }

    fn release(&mut self, player: PlayerId) -> Result<(), StoreError> {
        if self.store.bug == Some(Bug::ReleaseForgotten) {
            return Ok(());
        }
        self.inner.release(player)
    }

    fn forward(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError> {
        self.inner.forward(player, to)
    }

    fn incoming(&self) -> Result<Vec<IncomingPlayer>, StoreError> {
        self.inner.incoming()
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.inner.player(id)
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        let found = self.inner.player_with_token(token)?;
        let is_forgotten = match found {
            Some(player) => self.inner.player(player)?.status == PlayerStatus::Forgotten,
            None => false,
        };
        let is_lost = is_forgotten && self.store.bug == Some(Bug::ForgottenTokenLost);
        Ok(found.filter(|_| !is_lost))
    }

    fn answer(&self, player: PlayerId, id: &RequestId) -> Result<Option<Answer>, StoreError> {
        if self.store.bug == Some(Bug::AnswerIgnored) {
            return Ok(None);
        }
        self.inner.answer(player, id)
    }

    fn messages(
        &self,
        player: PlayerId,
        range: MessageRange,
    ) -> Result<Vec<StoredMessage>, StoreError> {
        self.inner.messages(player, range)
    }

    fn friend_link(&self, id: Hex<8>) -> Result<Option<FriendLinkRecord>, StoreError> {
        self.inner.friend_link(id)
    }

    fn friend_links(&self, player: PlayerId) -> Result<Vec<FriendLinkRecord>, StoreError> {
        self.inner.friend_links(player)
    }

    fn save_friend_link(&mut self, link: &FriendLinkRecord) -> Result<(), StoreError> {
        self.inner.save_friend_link(link)
    }

    fn remove_friend_link(&mut self, player: PlayerId, id: Hex<8>) -> Result<(), StoreError> {
        self.inner.remove_friend_link(player, id)
    }

    fn is_upgraded(&self) -> Result<bool, StoreError> {
        self.inner.is_upgraded()
    }

    fn game_events(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        self.inner.game_events(game)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPosition>, StoreError> {
        self.inner.first_leaf(game)
    }

    fn erase(&mut self, player: PlayerId) -> Result<(), StoreError> {
        self.inner.erase(player)
    }

    fn prune_messages(
        &mut self,
        before: WallTime,
        after: PlayerId,
    ) -> Result<PruneProgress, StoreError> {
        self.inner.prune_messages(before, after)
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        self.inner.register(registration)
    }

    fn record(&mut self, event: &RoomEvent, at: WallTime) -> Result<(), StoreError> {
        let mut written = event.clone();
        if let (Some(Bug::MeetingForgotten), RoomEvent::Chose { with, .. }) =
            (self.store.bug, &mut written)
        {
            *with = OpponentChoice::Anyone;
        }
        self.inner.record(&written, at)
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPosition, StoreError> {
        self.inner.append(leaf)
    }

    fn save_settlement(
        &mut self,
        game: u64,
        settlement: &RecordingMetadata,
    ) -> Result<(), StoreError> {
        self.inner.save_settlement(game, settlement)
    }

    fn save_game(&mut self, game: &PlayerGameRecord) -> Result<(), StoreError> {
        if self.store.bug == Some(Bug::GameLost) {
            return Ok(());
        }
        self.inner.save_game(game)
    }

    fn save_ladder(&mut self, rated: &LadderUpdate) -> Result<(), StoreError> {
        self.inner.save_ladder(rated)
    }

    fn save_message(&mut self, to: PlayerId, message: &StoredMessage) -> Result<(), StoreError> {
        self.inner.save_message(to, message)
    }

    fn save_answer(&mut self, kept: &AnswerRecord<'_>) -> Result<(), StoreError> {
        self.inner.save_answer(kept)
    }

    fn save_player(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        let mut written = player.clone();
        if self.store.is_due(Bug::LostEntry) {
            written.balance = self.inner.player(id)?.balance;
        }
        if self.store.is_due(Bug::SequenceReused) {
            written.seq = written.seq.saturating_sub(1);
        }
        self.inner.save_player(id, &written)
    }

    fn prune_answers(
        &mut self,
        before: TableTime,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let early = if self.store.bug == Some(Bug::AnswerForgotten) {
            before.saturating_add(ANSWER_RETENTION)
        } else {
            before
        };
        self.inner.prune_answers(early, after)
    }

    fn save_time(&mut self, now: TableTime) -> Result<(), StoreError> {
        self.inner.save_time(now)
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        match self.inner.commit() {
            Err(_) if self.store.bug == Some(Bug::AnswerBeforeCommit) => Ok(()),
            committed => committed,
        }
    }
}
