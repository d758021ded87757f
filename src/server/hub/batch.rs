use super::state::{Client, Hub, HubSettings};
use super::{ANSWERS_KEPT, HubCommand, Publication, SWEEP_INTERVAL, UnitOfWork};
use crate::room::Command;
use crate::server::metrics::Metrics;
use crate::server::randomness::Randomness;
use crate::server::store::{Store, StoreError};
use slog::Logger;
use std::sync::Arc;

impl Hub {
    /// Opens the hub of the room in a store, and seats the house.
    ///
    /// `now` is the time in milliseconds since 1970, here and everywhere in the hub.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails, is damaged, or another program writes into it.
    pub fn open(
        store: &dyn Store,
        settings: HubSettings,
        randomness: Box<dyn Randomness>,
        metrics: Arc<Metrics>,
        log: Logger,
        now: u64,
    ) -> Result<Self, StoreError> {
        let room = store.room(settings.timeouts)?;
        let house_is_open = settings.house_players > 0;
        let sweep_due = now.saturating_add(SWEEP_INTERVAL);
        let mut hub = Self::new(room, house_is_open, sweep_due, randomness, metrics, log);
        hub.miss_everybody(now);
        let transaction = store.begin()?.ok_or(StoreError::InUse)?;
        let mut unit = UnitOfWork::new(transaction, now);
        hub.seat_the_house(settings.house_players, &mut unit)?;
        hub.cancel_uncommitted(&mut unit)?;
        hub.persist_touched(&mut unit)?;
        let published = unit.commit()?;
        debug_assert!(published.is_empty(), "nobody is connected yet");
        Ok(hub)
    }

    /// Does all that is due by now, then all that is asked, and commits it.
    ///
    /// The result is what to publish, in order.
    ///
    /// # Errors
    ///
    /// [`StoreError`] where the store fails. Nothing may be published then, and the hub is
    /// ahead of its store: it must be opened again.
    pub fn run(
        &mut self,
        mut unit: UnitOfWork<'_>,
        commands: impl IntoIterator<Item = HubCommand>,
    ) -> Result<Vec<Publication>, StoreError> {
        // First: a decision that comes when its time is up is too late.
        self.pass_time(&mut unit)?;
        for command in commands {
            self.handle(command, &mut unit)?;
        }
        self.forget_answers(&mut unit)?;
        self.persist_touched(&mut unit)?;
        unit.commit()
    }

    fn handle(&mut self, command: HubCommand, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        match command {
            HubCommand::Connect { client, catalogue } => {
                let player = None;
                self.clients.insert(client, Client { catalogue, player });
                Ok(())
            }
            HubCommand::Hello { client, hello } => self.handle_hello(client, hello, unit),
            HubCommand::Request { client, request } => self.handle_request(client, &request, unit),
            HubCommand::Disconnect { client } => {
                self.disconnect(client, unit);
                Ok(())
            }
            HubCommand::Drain => {
                self.draining = true;
                let drained = self.room.step(&Command::Drain, unit.now());
                self.persist(&drained.expect("a room may always be drained"), unit)
            }
        }
    }

    /// Lets nobody wait who chose at an earlier program: they are committed to no seed.
    fn cancel_uncommitted(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let uncommitted: Vec<_> = self.room.uncommitted().collect();
        for (player, kind) in uncommitted {
            self.gone.remove(&player);
            let cancelled = self
                .room
                .step(&Command::Cancel { player, kind }, unit.now());
            self.persist(&cancelled.expect("they wait"), unit)?;
        }
        Ok(())
    }

    fn forget_answers(&mut self, unit: &mut UnitOfWork<'_>) -> Result<(), StoreError> {
        let now = unit.now();
        if self.sweep.due <= now {
            let before = now.saturating_sub(ANSWERS_KEPT);
            let position = self.sweep.position;
            self.sweep.position = unit.store().forget_answers(before, position)?;
            self.sweep.due = now.saturating_add(SWEEP_INTERVAL);
            self.allowances.sweep(now);
        }
        Ok(())
    }
}
