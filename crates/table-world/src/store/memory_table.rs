use super::fault::{Fault, StoreCall};
use super::fault::{Faults, failure};
use super::kept::{Committed, Write};
use super::shared::{Hold, Shared, Tenure};
use super::transaction::MemoryTransaction;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use war::support::hex::Hex;
use war_table::log::TableId;
use war_table::protocol::PlayerId;
use war_table::room::{Numbers, Room, Timeouts};
use war_table::server::People;
use war_table::server::rooms::{Location, RoomNumber, Rooms};
use war_table::server::store::{Numbered, Store, StoreError, Transaction};
use war_table_cluster::leases::{Beat, Census, Epoch, NodeAddress, NodeRecord, RoomRecord};
use war_table_cluster::{PlayerLocation, TableStore};

/// A store in memory as one of several nodes sees it: a table with rooms, which the nodes own by
/// turns. It fails for this node alone.
///
/// Clones are the same node's.
#[derive(Clone)]
pub struct MemoryTable {
    store: Arc<Shared>,
    faults: Arc<Faults>,
    rooms: Rooms,
}

impl MemoryTable {
    pub(super) fn new(store: Arc<Shared>, rooms: Rooms) -> Self {
        let faults = Arc::default();
        Self {
            store,
            faults,
            rooms,
        }
    }

    /// Lets the store fail for this node: `plan` says for each call whether it fails, and how.
    pub fn fail(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.faults.set(Some(Box::new(plan)));
    }

    /// Lets the store work again for this node.
    pub fn recover(&self) {
        self.faults.set(None);
    }

    /// Gives a room to a node, if it is as it was seen, or however it is.
    fn give(&self, seen: &RoomRecord, owner: &NodeAddress, blind: bool) -> Option<MemoryRoom> {
        let mut rows = self.store.rows();
        let row = rows.of(seen.room);
        if row.sight(seen.room) == *seen {
            // What is under way can't be stopped; what is not committed yet is ended.
            self.store.settle(row, true);
            if row.sight(seen.room) == *seen && seen.owner.is_some() {
                row.open = None;
            }
        }
        let same = (row.epoch, row.beat) == (seen.epoch.0, seen.beat.0);
        if !blind && (!same || row.open.is_some()) {
            return None;
        }
        row.epoch = seen.epoch.0 + 1;
        row.beat += 1;
        row.owner = Some(owner.clone());
        self.store.show(Write::Take(seen.room, Epoch(row.epoch)));
        let (epoch, next) = (row.epoch, row.next_seq);
        let (store, faults) = (&self.store, &self.faults);
        let place = (self.rooms, seen.room);
        Some(MemoryRoom::new(store, faults, place, epoch, next))
    }

    /// Takes a room over if it is still as it was seen, as [`TableStore::take`] does.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails as planned.
    pub fn take_room(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<MemoryRoom>, StoreError> {
        let fault = self.faults.of(StoreCall::Take);
        let given = match fault {
            Some(Fault::Busy) => None,
            None | Some(Fault::LostReply) => self.give(seen, owner, false),
            Some(Fault::Blind) => self.give(seen, owner, true),
            Some(fault) => return Err(failure(fault)),
        };
        match given {
            Some(_) if fault == Some(Fault::LostReply) => Err(failure(Fault::Cut)),
            given => Ok(given),
        }
    }
}

impl TableStore for MemoryTable {
    fn rooms(&self) -> Rooms {
        self.rooms
    }

    fn take(
        &self,
        seen: &RoomRecord,
        owner: &NodeAddress,
    ) -> Result<Option<Box<dyn Store>>, StoreError> {
        let taken = self.take_room(seen, owner)?;
        Ok(taken.map(|room| Box::new(room) as Box<dyn Store>))
    }

    fn census(&self) -> Result<Census, StoreError> {
        self.faults.check(StoreCall::Look)?;
        let mut rows = self.store.rows();
        let rooms = self.rooms.all();
        let rooms = rooms.map(|room| rows.of(room).sight(room)).collect();
        Ok(Census {
            rooms,
            nodes: rows.nodes.values().cloned().collect(),
        })
    }

    fn beat(&self, node: &NodeAddress, people: People) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Look)?;
        let mut rows = self.store.rows();
        let new = || NodeRecord {
            address: node.clone(),
            beat: Beat(0),
            people,
        };
        let known = rows.nodes.entry(node.clone()).or_insert_with(new);
        known.beat.0 += 1;
        known.people = people;
        Ok(())
    }

    fn forget(&self, node: &NodeAddress) -> Result<(), StoreError> {
        self.faults.check(StoreCall::Look)?;
        self.store.rows().nodes.remove(node);
        Ok(())
    }

    fn locate(&self, players: &[PlayerId]) -> Result<Vec<PlayerLocation>, StoreError> {
        self.faults.check(StoreCall::Look)?;
        let kept = self.store.kept();
        let place = |&player: &PlayerId| {
            let (found, _) = kept.players.get(&player)?;
            Some(PlayerLocation {
                player,
                seq: found.seq,
                room: kept.place(player),
                standing: found.standing,
            })
        };
        Ok(players.iter().filter_map(place).collect())
    }
}

impl MemoryStore {
    /// The store as a node sees it that shares its only room with others, who see it the same
    /// way.
    #[must_use]
    pub fn table(&self) -> MemoryTable {
        self.table_of(Rooms::ONE)
    }

    /// The store of a table of so many rooms, as each of the nodes sees it that share them.
    #[must_use]
    pub fn table_of(&self, rooms: Rooms) -> MemoryTable {
        MemoryTable::new(self.shared(), rooms)
    }
}

/// A room of a table in memory, as its owner in one epoch sees it.
///
/// Clones are the same owner's.
#[derive(Clone)]
pub struct MemoryRoom(Arc<Tenure>);

impl MemoryRoom {
    /// The room of who owns it since this epoch, with the number of the next batch.
    pub(super) fn new(
        store: &Arc<Shared>,
        faults: &Arc<Faults>,
        (rooms, room): (Rooms, RoomNumber),
        epoch: u64,
        seq: u64,
    ) -> Self {
        Self(Arc::new(Tenure {
            store: Arc::clone(store),
            faults: Arc::clone(faults),
            rooms,
            room,
            epoch,
            next_seq: AtomicU64::new(seq),
            spent: AtomicBool::new(false),
        }))
    }
}

impl Store for MemoryRoom {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let players = Numbers::block(self.block(Numbered::Players)?);
        let games = Numbers::block(self.block(Numbered::Games)?);
        let kept = self.0.store.kept();
        kept.room(timeouts, players, games, Some(self.0.room))
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(MemoryStore::ID)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.0.store.kept().time(self.0.room))
    }

    fn location(&self) -> Location {
        Location {
            room: self.0.room,
            rooms: self.0.rooms,
        }
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        self.0.faults.check(StoreCall::Look)?;
        Ok(self.0.store.rows().block(of))
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        let fault = self.0.faults.of(StoreCall::Begin);
        let fenced = match fault {
            Some(Fault::Busy) => return Ok(None),
            Some(Fault::Unfenced | Fault::Blind | Fault::Reread) => false,
            Some(fault) => return Err(failure(fault)),
            None => true,
        };
        if fenced && self.0.spent.load(Relaxed) {
            return Err(StoreError::Lost);
        }
        let mut rows = self.0.store.rows();
        let row = rows.of(self.0.room);
        if fault == Some(Fault::Reread) && row.epoch != self.0.epoch {
            return Err(StoreError::Lost);
        }
        if fault == Some(Fault::Reread) {
            // It waits for what is under way, which it does not know of.
            self.0.store.settle(row, true);
        }
        if row.open.is_some() {
            return Ok(None);
        }
        if fenced {
            self.0.pass_fence(row)?;
        }
        let (room, number) = (&*self.0, row.begin());
        drop(rows);
        let hold = Hold {
            room,
            number,
            blind: matches!(fault, Some(Fault::Blind | Fault::Reread)),
        };
        let transaction = MemoryTransaction::new(&self.0.store, &self.0.faults, Some(hold));
        Ok(Some(Box::new(transaction)))
    }

    /// Hands the room over to the next who takes it.
    fn close(self: Box<Self>) -> Result<(), StoreError> {
        self.0.faults.check(StoreCall::Take)?;
        let mut rows = self.0.store.rows();
        let row = rows.of(self.0.room);
        if row.epoch == self.0.epoch {
            row.owner = None;
            row.beat += 1;
            self.0
                .store
                .show(Write::HandOver(self.0.room, Epoch(self.0.epoch)));
        }
        Ok(())
    }
}

/// A store in memory, for tests and simulations: it fails when asked to, and shows what was
/// committed.
///
/// Clones are the same store, so that one can be kept to look at while a hub uses another.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Shared>);

impl MemoryStore {
    /// The table's number: that of all these stores.
    pub const ID: TableId = Hex::new([0x7a; 16]);

    /// An empty store that never fails.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets the store fail: `plan` says for each call whether it fails, and how.
    pub fn fail(&self, plan: impl FnMut(StoreCall) -> Option<Fault> + Send + 'static) {
        self.0.faults.set(Some(Box::new(plan)));
    }

    /// Lets the store work again.
    pub fn recover(&self) {
        self.0.faults.set(None);
    }

    /// A copy of what was committed.
    #[must_use]
    pub fn committed(&self) -> Committed {
        self.0.kept().committed()
    }

    /// Begins to watch what is committed.
    pub fn watch(&self) {
        self.0.watch();
    }

    /// What was committed since the last call, in order, while it is watched.
    #[must_use]
    pub fn watched(&self) -> Vec<Write> {
        self.0.watched()
    }

    /// The messages to a player after this number, in order.
    #[must_use]
    pub fn messages(&self, player: PlayerId, after: u64) -> Vec<(u64, String)> {
        let from = (player, after.saturating_add(1));
        let kept = self.0.kept();
        let messages = kept.outbox.range(from..=(player, u64::MAX));
        messages
            .map(|((_, seq), body)| (*seq, body.clone()))
            .collect()
    }

    /// Ends a commit of a room that is under way: it is done, or nothing of it. The result is
    /// whether there was one that is done.
    #[must_use]
    pub fn settle(&self, room: RoomNumber, done: bool) -> bool {
        self.0.settle(self.0.rows().of(room), done)
    }

    /// Ends a transaction of a room that has begun and whose commit was not sent, as a database
    /// does with one in which nothing happens for a while.
    pub fn end_idle(&self, room: RoomNumber) {
        self.0.rows().of(room).end_idle();
    }

    /// Whether a transaction of another room than this one has claimed a player, and is not
    /// committed yet.
    #[must_use]
    pub fn is_claimed(&self, player: PlayerId, besides: RoomNumber) -> bool {
        self.0.rows().is_claimed(player, besides)
    }

    /// What all its clones are.
    pub(super) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.0)
    }

    /// Drops a game that is over with its leaves, for those who play many.
    pub fn drop_game(&self, game: u64) {
        self.0.kept().drop_game(game);
    }

    /// Drops the messages to a player up to this one, for those who play many games.
    pub fn drop_messages(&self, player: PlayerId, last: u64) {
        self.0.kept().drop_messages(player, last);
    }
}

impl Store for MemoryStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        let kept = self.0.kept();
        let numbers = |of| Numbers::from(kept.next(of));
        let (players, games) = (numbers(Numbered::Players), numbers(Numbered::Games));
        kept.room(timeouts, players, games, None)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(Self::ID)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.0.kept().time(RoomNumber(0)))
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn block(&self, of: Numbered) -> Result<Range<u64>, StoreError> {
        Ok(self.0.kept().next(of)..u64::MAX)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        match self.0.faults.of(StoreCall::Begin) {
            Some(Fault::Busy) => Ok(None),
            Some(fault) => Err(failure(fault)),
            None => {
                let transaction = MemoryTransaction::new(&self.0, &self.0.faults, None);
                Ok(Some(Box::new(transaction)))
            }
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}
