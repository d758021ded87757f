use super::clock::Clock;
use super::desk::Desk;
use super::hub::{Hub, HubSettings, Now};
use super::identity::Identity;
use super::metrics::Metrics;
use super::randomness::SystemRandomness;
use super::store::{Store, StoreError};
use super::writer::Writer;
use slog::Logger;
use std::sync::Arc;

/// What is needed to open the hub of a room, again and again.
#[derive(Clone)]
pub(super) struct Opening {
    pub(super) settings: HubSettings,
    pub(super) identity: Identity,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
}

impl Opening {
    /// Opens the hub of a room; the result is a writer that is about to work.
    pub(super) fn open(&self, store: Box<dyn Store>) -> Result<Writer, StoreError> {
        let (table, wall, opened) = (store.time()?, self.clock.wall(), self.clock.now());
        let hub = Hub::open(
            &*store,
            self.settings,
            Box::new(SystemRandomness),
            self.identity.clone(),
            Arc::clone(&self.metrics),
            self.log.clone(),
            Now { table, wall },
        )?;
        let (clock, metrics) = (self.clock.clone(), Arc::clone(&self.metrics));
        let desk = Desk::new(hub, table, opened);
        Ok(Writer::new(store, desk, clock, metrics, self.log.clone()))
    }
}
