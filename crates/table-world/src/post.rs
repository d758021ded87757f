//! What a node serves: a table of its own, or one that it shares; and its store with a bug before it.

use crate::options::Bug;
use crate::schedule::Clocks;
use crate::store::{MemoryRoom, MemoryTable};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use war::recording::Settlement;
use war_table::ladder::Rated;
use war_table::log::{Leaf, TableId};
use war_table::protocol::{Notice, PlayerId, RequestId};
use war_table::room::{FinishedGame, Meeting, Player, Room, RoomEvent, Timeouts};
use war_table::server::People;
use war_table::server::hub::ANSWERS_KEPT;
use war_table::server::rooms::{Location, RoomNumber};
use war_table::server::store::{
    Answer, Claim, Coming, KeptAnswer, LeafPlace, MessageRange, Numbered, Registration, Removed,
    Store, StoreError, SweepPosition, TokenHash, Transaction, Wanted,
};
use war_table_cluster::leases::{Epoch, NodeAddress, RoomRecord};
use war_table_cluster::{Membership, PlayerLocation, TableStore};

/// How many times something is right until it is wrong once.
const RIGHT: u64 = 50;

/// What a node serves.
pub(crate) enum Post<'s> {
    /// A table of its own.
    Own(&'s dyn Store),
    /// A table of several nodes.
    Shared(Box<SharedPost>),
}

/// A node of several.
pub(crate) struct SharedPost {
    pub(crate) address: NodeAddress,
    pub(crate) table: MemoryTable,
    /// As long as the program runs.
    membership: Option<Membership>,
    /// Who owned which room when it looked last.
    directory: BTreeMap<RoomNumber, NodeAddress>,
    /// The rooms that it has seen and is to take.
    seen: BTreeMap<RoomNumber, RoomRecord>,
    /// The rooms that it took last.
    rooms: BTreeMap<RoomNumber, MemoryRoom>,
    /// Whether it is about to leave the table.
    pub(crate) leaves: bool,
    /// Whether it has loaded a room again without taking it anew.
    pub(crate) reloaded: Arc<AtomicBool>,
    bug: Option<Bug>,
}

/// What a node of several does next.
#[derive(Default)]
pub(crate) struct Round {
    /// The rooms to take.
    pub(crate) takes: Vec<RoomNumber>,
    /// The room to hand over.
    pub(crate) hands_over: Option<RoomNumber>,
}

impl SharedPost {
    pub(crate) fn new(number: usize, table: MemoryTable, bug: Option<Bug>) -> Self {
        Self {
            address: address(number),
            table,
            membership: None,
            directory: BTreeMap::new(),
            seen: BTreeMap::new(),
            rooms: BTreeMap::new(),
            leaves: false,
            reloaded: Arc::default(),
            bug,
        }
    }

    pub(crate) fn start(&mut self) {
        self.dies();
        self.membership = Some(Membership::new(self.address.clone()));
    }

    /// Its program is killed.
    pub(crate) fn dies(&mut self) {
        self.membership = None;
        self.leaves = false;
        self.seen.clear();
        self.rooms.clear();
        self.directory.clear();
    }

    pub(crate) const fn runs(&self) -> bool {
        self.membership.is_some()
    }

    /// Looks around while its clocks are so, and it owns these rooms.
    pub(crate) fn look(
        &mut self,
        owned: &BTreeMap<RoomNumber, Epoch>,
        clocks: &Clocks,
        now: u64,
    ) -> Result<Round, StoreError> {
        let clock = match self.bug {
            Some(Bug::WallLease) => clocks.wall(now),
            _ => clocks.monotonic(now),
        };
        let Some(membership) = &mut self.membership else {
            return Ok(Round::default());
        };
        let (_, plan) = membership.refresh(&self.table, owned, People::default(), clock)?;
        let seen = plan.take.into_iter();
        self.seen = seen.map(|sight| (sight.room, sight)).collect();
        if self.bug != Some(Bug::StaleDirectory) || self.directory.is_empty() {
            let rooms = self.table.census()?.rooms.into_iter();
            let owners = rooms.filter_map(|sight| Some((sight.room, sight.owner?)));
            self.directory = owners.filter(|(_, owner)| *owner != self.address).collect();
        }
        Ok(Round {
            takes: self.seen.keys().copied().collect(),
            hands_over: plan.hand_over,
        })
    }

    /// Another node that owned a room when this one looked last.
    pub(crate) fn owner(&self, room: RoomNumber) -> Option<&NodeAddress> {
        self.directory.get(&room)
    }

    /// Where these players are.
    pub(crate) fn whereabouts(
        &self,
        players: &[PlayerId],
    ) -> Result<Vec<PlayerLocation>, StoreError> {
        self.table.locate(players)
    }

    /// Takes a room as it was seen.
    pub(crate) fn take(
        &mut self,
        room: RoomNumber,
    ) -> Result<Option<(RoomRecord, &'static dyn Store)>, StoreError> {
        let Some(seen) = self.seen.remove(&room) else {
            return Ok(None);
        };
        let Some(taken) = self.table.take_room(&seen, &self.address)? else {
            return Ok(None);
        };
        self.reloaded.store(false, Ordering::Relaxed);
        self.rooms.insert(room, taken.clone());
        let taken = Tampered::new(Box::new(taken), self.bug);
        // What is written in it borrows it, as long as the node lives. They are small, and few.
        Ok(Some((seen, Box::leak(Box::new(taken)))))
    }

    /// Hands a room over.
    pub(crate) fn hand_over(&mut self, room: RoomNumber) -> Result<(), StoreError> {
        let room = self.rooms.remove(&room);
        room.map_or(Ok(()), |room| Box::new(room).close())
    }

    /// Leaves the table, all of whose rooms are handed over.
    pub(crate) fn leave(&mut self) -> Result<(), StoreError> {
        let membership = self.membership.take();
        self.dies();
        membership.map_or(Ok(()), |membership| membership.leave(&self.table))
    }
}

/// Where a node is reached.
pub(crate) fn address(node: usize) -> NodeAddress {
    NodeAddress(format!("node {node}"))
}

/// A store as the server sees it, with a bug before it.
pub(crate) struct Tampered {
    store: Box<dyn Store>,
    bug: Option<Bug>,
    calls: Cell<u64>,
}

impl Tampered {
    pub(crate) const fn new(store: Box<dyn Store>, bug: Option<Bug>) -> Self {
        let calls = Cell::new(0);
        Self { store, bug, calls }
    }

    /// Whether this bug shows now.
    fn shows(&self, bug: Bug) -> bool {
        let calls = self.calls.get() + u64::from(self.bug == Some(bug));
        self.calls.set(calls);
        self.bug == Some(bug) && calls.is_multiple_of(RIGHT)
    }
}

impl Store for Tampered {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        self.store.room(timeouts)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        self.store.id()
    }

    fn time(&self) -> Result<u64, StoreError> {
        self.store.time()
    }

    fn location(&self) -> Location {
        self.store.location()
    }

    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        self.store.block(of)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        let begun = self.store.begin()?;
        Ok(begun.map(|inner| {
            let tampered = TamperedTransaction { store: self, inner };
            Box::new(tampered) as Box<dyn Transaction>
        }))
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.store.close()
    }
}

struct TamperedTransaction<'a> {
    store: &'a Tampered,
    inner: Box<dyn Transaction + 'a>,
}

impl Transaction for TamperedTransaction<'_> {
    fn prepare(&mut self, wanted: &Wanted) -> Result<(), StoreError> {
        self.inner.prepare(wanted)
    }

    fn claim(
        &mut self,
        players: &BTreeSet<PlayerId>,
    ) -> Result<Vec<(PlayerId, Claim)>, StoreError> {
        if self.store.bug == Some(Bug::ClaimLeftOut) {
            let found = players
                .iter()
                .map(|&id| Ok((id, Claim::Ours(self.inner.player(id)?))));
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

    fn send_on(&mut self, player: PlayerId, to: RoomNumber) -> Result<(), StoreError> {
        self.inner.send_on(player, to)
    }

    fn coming(&self) -> Result<Vec<Coming>, StoreError> {
        self.inner.coming()
    }

    fn player(&self, id: PlayerId) -> Result<Player, StoreError> {
        self.inner.player(id)
    }

    fn player_with_token(&self, token: &TokenHash) -> Result<Option<PlayerId>, StoreError> {
        self.inner.player_with_token(token)
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
    ) -> Result<Vec<(u64, String)>, StoreError> {
        self.inner.messages(player, range)
    }

    fn game(&self, game: u64) -> Result<Vec<RoomEvent>, StoreError> {
        self.inner.game(game)
    }

    fn first_leaf(&self, game: u64) -> Result<Option<LeafPlace>, StoreError> {
        self.inner.first_leaf(game)
    }

    fn forget(&mut self, player: PlayerId, token: TokenHash) -> Result<(), StoreError> {
        if self.store.bug == Some(Bug::TokenKept) {
            return Ok(());
        }
        self.inner.forget(player, token)
    }

    fn forget_messages(&mut self, before: u64, after: PlayerId) -> Result<Removed, StoreError> {
        self.inner.forget_messages(before, after)
    }

    fn register(&mut self, registration: &Registration<'_>) -> Result<(), StoreError> {
        self.inner.register(registration)
    }

    fn record(&mut self, event: &RoomEvent, at: u64) -> Result<(), StoreError> {
        let mut written = event.clone();
        if let (Some(Bug::MeetingForgotten), RoomEvent::Chose { with, .. }) =
            (self.store.bug, &mut written)
        {
            *with = Meeting::Anyone;
        }
        self.inner.record(&written, at)
    }

    fn append(&mut self, leaf: &Leaf) -> Result<LeafPlace, StoreError> {
        self.inner.append(leaf)
    }

    fn keep_settlement(&mut self, game: u64, settlement: &Settlement) -> Result<(), StoreError> {
        self.inner.keep_settlement(game, settlement)
    }

    fn keep_game(&mut self, game: &FinishedGame) -> Result<(), StoreError> {
        if self.store.bug == Some(Bug::GameLost) {
            return Ok(());
        }
        self.inner.keep_game(game)
    }

    fn keep_ladder(&mut self, rated: &Rated) -> Result<(), StoreError> {
        self.inner.keep_ladder(rated)
    }

    fn post(&mut self, notice: &Notice, body: &str) -> Result<(), StoreError> {
        self.inner.post(notice, body)
    }

    fn keep_answer(&mut self, kept: &KeptAnswer<'_>) -> Result<(), StoreError> {
        self.inner.keep_answer(kept)
    }

    fn persist(&mut self, id: PlayerId, player: &Player) -> Result<(), StoreError> {
        let mut written = player.clone();
        if self.store.shows(Bug::LostEntry) {
            written.balance = self.inner.player(id)?.balance;
        }
        if self.store.shows(Bug::SequenceReused) {
            written.seq = written.seq.saturating_sub(1);
        }
        self.inner.persist(id, &written)
    }

    fn forget_answers(
        &mut self,
        before: u64,
        after: Option<SweepPosition>,
    ) -> Result<Option<SweepPosition>, StoreError> {
        let early = if self.store.bug == Some(Bug::AnswerForgotten) {
            before.saturating_add(ANSWERS_KEPT)
        } else {
            before
        };
        self.inner.forget_answers(early, after)
    }

    fn keep_time(&mut self, now: u64) -> Result<(), StoreError> {
        self.inner.keep_time(now)
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        match self.inner.commit() {
            Err(_) if self.store.bug == Some(Bug::AnswerBeforeCommit) => Ok(()),
            committed => committed,
        }
    }
}
