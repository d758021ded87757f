use super::{ClientId, Outbound, Publication};
use crate::room::PlayerId;
use crate::server::store::{StoreError, Transaction};
use std::collections::BTreeSet;

/// A batch of commands on its way into the store: what is written, at what time, and what is
/// published once it is committed.
///
/// What is to be published can be had only by its commit, so that nothing is
/// published that may be lost.
pub struct UnitOfWork<'a> {
    transaction: Box<dyn Transaction + 'a>,
    now: u64,
    /// The players whose name, balance or number of messages has changed, or who are gone.
    touched: BTreeSet<PlayerId>,
    publications: Vec<Publication>,
}

impl<'a> UnitOfWork<'a> {
    /// Begins with a transaction at this time, in milliseconds since 1970.
    #[must_use]
    pub fn new(transaction: Box<dyn Transaction + 'a>, now: u64) -> Self {
        Self {
            transaction,
            now,
            touched: BTreeSet::new(),
            publications: Vec::new(),
        }
    }

    /// The time of all that is done in it.
    pub(super) const fn now(&self) -> u64 {
        self.now
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

    /// The players to persist; none are left.
    pub(super) fn take_touched(&mut self) -> BTreeSet<PlayerId> {
        std::mem::take(&mut self.touched)
    }

    /// Commits all that was written; the result is what to publish.
    pub(super) fn commit(self) -> Result<Vec<Publication>, StoreError> {
        self.transaction.commit()?;
        Ok(self.publications)
    }
}
