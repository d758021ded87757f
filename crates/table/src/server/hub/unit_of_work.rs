use super::ClientId;
use crate::protocol::PlayerId;
use crate::room::{OrderError, Player};
use crate::server::rooms::RoomNumber;
use crate::server::store::{Removed, StoreError, Transaction};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    /// The table's time: how many milliseconds it has served. All that is awaited and
    /// remembered is timed by it.
    pub table: u64,
    /// What the wall clock shows then, in milliseconds since 1970: for people, and for what
    /// is looked up by the day.
    pub wall: u64,
}

impl Now {
    /// What the wall clock shows at another time of the table, as long as nothing stops
    /// the table and nobody sets the clock.
    #[must_use]
    pub const fn wall_at(self, table: u64) -> u64 {
        let ahead = table.saturating_sub(self.table);
        let behind = self.table.saturating_sub(table);
        self.wall.saturating_add(ahead).saturating_sub(behind)
    }
}

/// A batch of commands on its way into the store: what is written, at what time, and what is
/// published once it is committed.
///
/// What is to be published can be had only by its commit, so that nothing is
/// published that may be lost.
pub struct UnitOfWork<'a> {
    transaction: Box<dyn Transaction + 'a>,
    present: Now,
    /// The time of what is done now: a command is done at the time at which it came.
    now: u64,
    /// When it was asked for.
    asked: u64,
    /// The players whose name, balance or number of messages has changed, or who are gone.
    touched: BTreeSet<PlayerId>,
    /// Those who are sent on to other rooms.
    sent_on: BTreeMap<PlayerId, RoomNumber>,
    publications: Vec<Publication>,
}

impl<'a> UnitOfWork<'a> {
    /// Begins with a transaction at this time.
    #[must_use]
    pub fn new(transaction: Box<dyn Transaction + 'a>, present: Now) -> Self {
        Self {
            transaction,
            present,
            now: present.table,
            asked: present.table,
            touched: BTreeSet::new(),
            sent_on: BTreeMap::new(),
            publications: Vec::new(),
        }
    }

    /// What time it is while this is done.
    pub(super) const fn present(&self) -> Now {
        self.present
    }

    /// The table's time of what is done now.
    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    /// Goes to another time of the table.
    pub(super) const fn go_to(&mut self, now: u64) {
        self.now = now;
    }

    /// Notes when what is done now was asked for: it may have been on its way for a while.
    pub(super) const fn note_asked(&mut self, at: u64) {
        self.asked = at;
    }

    /// When what is done now was asked for.
    pub(super) const fn asked(&self) -> u64 {
        self.asked
    }

    /// What the wall clock shows at a time of the table.
    pub(super) const fn wall_at(&self, table: u64) -> u64 {
        self.present.wall_at(table)
    }

    /// The store, as this unit has changed it.
    pub(super) fn store(&mut self) -> &mut (dyn Transaction + 'a) {
        &mut *self.transaction
    }

    /// Hands something to a client, once all is committed.
    pub(super) fn publish(&mut self, client: ClientId, outbound: Outbound) {
        self.publications.push((client, outbound));
    }

    /// Says that a player has to be persisted.
    pub(super) fn touch(&mut self, player: PlayerId) {
        self.touched.insert(player);
    }

    /// Says that a player is sent on to another room.
    pub(super) fn send_on(&mut self, player: PlayerId, to: RoomNumber) {
        self.touch(player);
        self.sent_on.insert(player, to);
    }

    /// Where a player is sent on to, if they are.
    pub(super) fn sent_to(&self, player: PlayerId) -> Option<RoomNumber> {
        self.sent_on.get(&player).copied()
    }

    /// The players to persist; none are left.
    pub(super) fn take_touched(&mut self) -> BTreeSet<PlayerId> {
        std::mem::take(&mut self.touched)
    }

    /// Commits all that was written; the result is what to publish, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails. Nothing may be published then, and the hub must be
    /// opened again: whether all was committed or nothing is not known.
    pub fn commit(mut self) -> Result<Vec<Publication>, StoreError> {
        self.transaction.keep_time(self.present.table)?;
        self.transaction.commit()?;
        Ok(self.publications)
    }
}

/// What a client is handed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outbound {
    /// Its player is known.
    Welcome {
        /// The player.
        player: PlayerId,
        /// The number of the last message to the player.
        seq: u64,
        /// Whether the player was here before, and may ask for messages.
        returns: bool,
        /// The message.
        body: String,
    },
    /// The next message to its player.
    Push {
        /// The message's number.
        seq: u64,
        /// The message.
        body: Arc<str>,
    },
    /// An answer to this connection alone.
    Answer(String),
    /// Its `resume` is done: it goes on after this message, unless that was refused.
    Resumed(Option<u64>),
    /// What it asked for last is done, and all answers to that were handed over. Only a room of
    /// several says so.
    Done,
    /// Its player is in another room: what it asked for last was not done, and is to be asked
    /// there.
    Elsewhere(RoomNumber),
    /// What came of an operator's order: the player as they are then.
    Operated(Result<Player, OrderError>),
    /// How many messages were removed for an operator.
    Retained(Removed),
    /// Its player may not stay: the connection ends.
    Expelled,
    /// Its player is in no room now, and the client is not known here any more.
    Released,
}

/// What is handed to which client.
pub type Publication = (ClientId, Outbound);
