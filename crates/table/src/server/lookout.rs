#![expect(
    clippy::disallowed_methods,
    reason = "it looks again and again, in real time"
)]

use super::gateway::Followed;
use super::metrics::Metrics;
use super::rooms::LOOK;
use super::store::{StoreError, TableStore};
use slog::{Logger, warn};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// What looks, again and again, where the players of this node's clients are, and tells the clients:
/// so they get what was sent by rooms of other nodes, and follow their players there.
pub(super) struct Lookout {
    /// A connection to the store that nobody else waits for.
    pub(super) table: Box<dyn TableStore>,
    pub(super) followed: Arc<Followed>,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
    pub(super) closing: watch::Receiver<bool>,
}

impl Lookout {
    /// Looks until the server is closing. Where the store fails nobody hears anything, and it is
    /// looked again.
    pub(super) fn work(self) {
        let mut failed = false;
        while !*self.closing.borrow() && self.closing.has_changed().is_ok() {
            std::thread::sleep(Duration::from_millis(LOOK));
            let looked = self.look();
            if let Err(error) = &looked {
                self.metrics.store_error(error);
                if !failed {
                    warn!(self.log, "nobody can see where players are"; "reason" => %error);
                }
            }
            failed = looked.is_err();
        }
    }

    /// Looks once.
    fn look(&self) -> Result<(), StoreError> {
        let players = self.followed.players();
        if !players.is_empty() {
            self.followed.tell(&self.table.whereabouts(&players)?);
        }
        Ok(())
    }
}
