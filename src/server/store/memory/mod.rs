mod kept;
mod transaction;
mod write;

pub use write::Write;

use super::{Answer, Store, StoreError, TokenHash, Transaction};
use crate::hex::Hex;
use crate::log::{Leaf, TableId};
use crate::recording::Settlement;
use crate::room::{Player, PlayerId, Room, RoomEvent, Timeouts};
use kept::Kept;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use transaction::MemoryTransaction;

/// A store in memory, for tests and simulations: it fails when asked to, and shows what was
/// committed.
///
/// Clones are the same store, so that one can be kept to look at while a hub uses another.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<Shared>);

#[derive(Default)]
struct Shared {
    kept: Mutex<Kept>,
    plan: Mutex<Option<Plan>>,
    /// What was committed lately, where that is watched.
    watched: Mutex<Option<Vec<Write>>>,
}

type Plan = Box<dyn FnMut(StoreCall) -> Option<Fault> + Send>;

/// What is asked of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreCall {
    /// To begin a transaction.
    Begin,
    /// To read or write in a transaction.
    Use,
    /// To commit a transaction.
    Commit,
}

/// How a [`MemoryStore`] fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database reports an error, and nothing is done.
    Error,
    /// The database reports an error, but the commit was done.
    LostReply,
    /// Another program writes: a transaction can't begin yet.
    Busy,
}

/// What a [`MemoryStore`] holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Committed {
    /// The players, with the hashes of their tokens.
    pub players: BTreeMap<PlayerId, (Player, TokenHash)>,
    /// The events in order, each with its time.
    pub events: Vec<(u64, RoomEvent)>,
    /// The messages to each player, by number.
    pub outbox: BTreeMap<(PlayerId, u64), String>,
    /// What was answered, by player and the request's `id`, and when.
    pub answers: BTreeMap<(PlayerId, String), (Answer, u64)>,
    /// The leaves of the log, in order.
    pub leaves: Vec<Leaf>,
    /// What the journals say besides their events, by game.
    pub settlements: BTreeMap<u64, Settlement>,
    /// The table's time.
    pub time: u64,
}

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
        *locked(&self.0.plan) = Some(Box::new(plan));
    }

    /// Lets the store work again.
    pub fn recover(&self) {
        *locked(&self.0.plan) = None;
    }

    /// A copy of what was committed.
    #[must_use]
    pub fn committed(&self) -> Committed {
        self.kept().committed()
    }

    /// Begins to watch what is committed.
    pub fn watch(&self) {
        *locked(&self.0.watched) = Some(Vec::new());
    }

    /// What was committed since the last call, in order, while it is watched.
    #[must_use]
    pub fn watched(&self) -> Vec<Write> {
        let mut watched = locked(&self.0.watched);
        watched.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The messages to a player after this number, in order.
    #[must_use]
    pub fn messages(&self, player: PlayerId, after: u64) -> Vec<(u64, String)> {
        let from = (player, after.saturating_add(1));
        let kept = self.kept();
        let messages = kept.outbox.range(from..=(player, u64::MAX));
        messages
            .map(|((_, seq), body)| (*seq, body.clone()))
            .collect()
    }

    /// Drops a game that is over with its leaves, for those who play many.
    pub fn drop_game(&self, game: u64) {
        self.kept().drop_game(game);
    }

    /// Drops the messages to a player up to this one, for those who play many games.
    pub fn drop_messages(&self, player: PlayerId, last: u64) {
        self.kept().drop_messages(player, last);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.0.kept)
    }

    /// Keeps what was written.
    fn keep(&self, writes: Vec<Write>) {
        if let Some(watched) = &mut *locked(&self.0.watched) {
            watched.extend(writes.iter().cloned());
        }
        let mut kept = self.kept();
        for write in writes {
            kept.apply(write);
        }
    }

    fn fault(&self, call: StoreCall) -> Option<Fault> {
        locked(&self.0.plan).as_mut().and_then(|plan| plan(call))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is changed in it can't panic half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failure() -> StoreError {
    StoreError::Database("a planned failure".into())
}

impl Store for MemoryStore {
    fn room(&self, timeouts: Timeouts) -> Result<Room, StoreError> {
        self.kept().room(timeouts)
    }

    fn id(&self) -> Result<TableId, StoreError> {
        Ok(Self::ID)
    }

    fn time(&self) -> Result<u64, StoreError> {
        Ok(self.kept().time)
    }

    fn begin(&self) -> Result<Option<Box<dyn Transaction + '_>>, StoreError> {
        match self.fault(StoreCall::Begin) {
            Some(Fault::Busy) => Ok(None),
            Some(Fault::Error | Fault::LostReply) => Err(failure()),
            None => Ok(Some(Box::new(MemoryTransaction::new(self)))),
        }
    }

    fn close(self: Box<Self>) -> Result<(), StoreError> {
        Ok(())
    }
}
