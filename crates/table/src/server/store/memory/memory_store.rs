use super::fault::failure;
use super::shared::Shared;
use super::transaction::MemoryTransaction;
use super::{Committed, Fault, StoreCall, Write};
use crate::log::TableId;
use crate::room::{Numbers, PlayerId, Room, Timeouts};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Numbered, Store, StoreError, Transaction};
use std::ops::Range;
use std::sync::Arc;
use war::support::hex::Hex;

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
