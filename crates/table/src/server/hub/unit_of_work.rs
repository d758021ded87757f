use super::ClientId;
use crate::protocol::{Message, PlayerId, RequestId};
use crate::room::{OrderError, Player};
use crate::server::reply::serialize_message;
use crate::server::rooms::RoomNumber;
use crate::server::store::{PruneProgress, StoreError, Transaction};
use crate::time::{TableTime, WallTime};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Present time, by the table's clock and by the wall clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentTime {
    /// Time of the table, for all deadlines and time limits.
    pub table: TableTime,
    /// Wall clock: for people, and for lookups by day.
    pub wall: WallTime,
}

impl CurrentTime {
    /// Wall-clock time at another table time, assuming that the table does not stop and nobody sets
    /// the clock in between.
    #[must_use]
    pub fn wall_time_at(self, table: TableTime) -> WallTime {
        let ahead = table.saturating_since(self.table);
        let behind = self.table.saturating_since(table);
        self.wall.saturating_add(ahead).saturating_sub(behind)
    }
}

/// A batch of commands on its way into the store: its writes, its time, and the deliveries that are
/// published after the commit.
///
/// Only [`commit`](Self::commit) returns the deliveries, so that nothing is published that may be
/// lost.
pub struct UnitOfWork<'a> {
    transaction: Box<dyn Transaction + 'a>,
    present: CurrentTime,
    /// Time of the current command, at which it is carried out.
    now: TableTime,
    /// Arrival time of the current command.
    asked: TableTime,
    /// Players whose name, balance or number of messages changed, or who left.
    touched: BTreeSet<PlayerId>,
    /// Players forwarded to other rooms.
    forwarded: BTreeMap<PlayerId, RoomNumber>,
    publications: Vec<(ClientId, HubDelivery)>,
}

impl<'a> UnitOfWork<'a> {
    /// Begins a unit with a transaction, at this time.
    #[must_use]
    pub fn new(transaction: Box<dyn Transaction + 'a>, present: CurrentTime) -> Self {
        Self {
            transaction,
            present,
            now: present.table,
            asked: present.table,
            touched: BTreeSet::new(),
            forwarded: BTreeMap::new(),
            publications: Vec::new(),
        }
    }

    pub(super) const fn current_time(&self) -> CurrentTime {
        self.present
    }

    /// Table time of the current command.
    pub(super) const fn now(&self) -> TableTime {
        self.now
    }

    /// Sets the table time of the current command.
    pub(super) const fn set_now(&mut self, now: TableTime) {
        self.now = now;
    }

    /// Notes the arrival time of the current command, which may be earlier than the time at which
    /// the command is carried out.
    pub(super) const fn set_arrival_time(&mut self, at: TableTime) {
        self.asked = at;
    }

    /// Arrival time of the current command.
    pub(super) const fn arrival_time(&self) -> TableTime {
        self.asked
    }

    /// Wall clock at a table time.
    pub(super) fn wall_time_at(&self, table: TableTime) -> WallTime {
        self.present.wall_time_at(table)
    }

    /// Store, including the writes of this unit.
    pub(super) fn transaction_mut(&mut self) -> &mut (dyn Transaction + 'a) {
        &mut *self.transaction
    }

    /// Publishes a delivery to a client after the commit.
    pub(super) fn publish(&mut self, client: ClientId, outbound: HubDelivery) {
        self.publications.push((client, outbound));
    }

    /// Marks a player to be persisted.
    pub(super) fn touch(&mut self, player: PlayerId) {
        self.touched.insert(player);
    }

    /// Marks a player as forwarded to another room.
    pub(super) fn mark_forwarded(&mut self, player: PlayerId, to: RoomNumber) {
        self.touch(player);
        self.forwarded.insert(player, to);
    }

    /// Room that a player is forwarded to, if any.
    pub(super) fn forwarding_room(&self, player: PlayerId) -> Option<RoomNumber> {
        self.forwarded.get(&player).copied()
    }

    /// Takes the players to persist.
    pub(super) fn take_touched_players(&mut self) -> BTreeSet<PlayerId> {
        std::mem::take(&mut self.touched)
    }

    /// Commits all writes. Returns the deliveries to publish, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails. Nothing may be published then, and the hub must be opened
    /// again: either all writes or none were committed.
    pub fn commit(mut self) -> Result<Vec<(ClientId, HubDelivery)>, StoreError> {
        self.transaction.save_time(self.present.table)?;
        self.transaction.commit()?;
        Ok(self.publications)
    }
}

/// Delivery to a client. Messages are in version 2 of the protocol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HubDelivery {
    /// Answer to a granted `hello`.
    Welcome {
        /// The player.
        player: PlayerId,
        /// Number of the last message to the player.
        seq: u64,
        /// `false` for a new player. Returning players may request messages that they missed.
        returns: bool,
        /// `true` if others may watch the player's games; `None` from a node of an earlier version.
        watchable: Option<bool>,
        /// The message.
        body: String,
    },
    /// The next message to the client's player.
    Push {
        /// The message's number.
        seq: u64,
        /// The message.
        body: Arc<str>,
        /// The `id` of the request that the message answers.
        in_reply_to: Option<RequestId>,
    },
    /// Answer to this connection alone.
    Answer {
        /// The message.
        body: String,
        /// The `id` of the request, if the message is a stored one that does not contain it.
        in_reply_to: Option<RequestId>,
    },
    /// End of the client's `resume`, which continues after the message with this number; `None` if
    /// the `resume` was refused.
    Resumed(Option<u64>),
    /// End of the client's last request: all answers were delivered. Only a table with several
    /// rooms sends this.
    Done,
    /// Redirect to the room of the client's player. The client's last request was not carried out,
    /// and goes to that room.
    Redirect(RoomNumber),
    /// Outcome of an operator's order: the player after the order, or an error.
    OrderOutcome(Result<Player, OrderError>),
    /// Messages removed for an operator.
    MessagesPruned(PruneProgress),
    /// End of the connection, as the client's player may not stay.
    Expelled,
    /// Release of the client, whose player is in no room now. This room has forgotten the client.
    Released,
}

impl HubDelivery {
    /// Creates the answer with a message that is not stored.
    pub(super) fn new_answer(seq: u64, message: Message) -> Self {
        Self::Answer {
            body: serialize_message(seq, message),
            in_reply_to: None,
        }
    }
}
