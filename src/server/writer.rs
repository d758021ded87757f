//! The writer: the one thread that owns the hub and the store.
//!
//! It takes all commands that are there, lets the hub do them in one transaction, commits,
//! and only then publishes.

use super::clock::Clock;
use super::hub::{ClientId, Health, Hub, HubCommand, Now, Stamped, UnitOfWork};
use super::mailbox::{ClientHandle, Mailbox};
use super::metrics::Metrics;
use super::store::{Store, StoreError};
use super::table_time::TableTime;
use slog::{Logger, warn};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// The most commands that are done in one transaction.
const MOST_AT_ONCE: usize = 1024;

/// How long something may be on its way from a socket to the writer, in milliseconds: only
/// then is it sure that nothing came in time.
const ON_THE_WAY: u64 = 25;

/// What the writer is asked for.
pub(super) enum WriterCommand {
    /// A client is there, which will say `hello`; and when it came.
    Connect(ClientHandle, u64),
    /// Something for the hub.
    Hub {
        /// When it came, by the server's clock.
        arrived: u64,
        /// What.
        command: HubCommand,
        /// Given back once it is answered.
        permit: Option<OwnedSemaphorePermit>,
    },
    /// Whether the hub works.
    Health(oneshot::Sender<Health>),
}

/// The hub, its store, and the clients that it publishes to.
pub(super) struct Writer {
    store: Box<dyn Store>,
    hub: Hub,
    clients: BTreeMap<ClientId, Mailbox>,
    clock: Clock,
    time: TableTime,
    /// Whether the store could not be written lately.
    stalled: bool,
    metrics: Arc<Metrics>,
    log: Logger,
}

impl Writer {
    pub(super) const fn new(
        store: Box<dyn Store>,
        hub: Hub,
        clock: Clock,
        time: TableTime,
        metrics: Arc<Metrics>,
        log: Logger,
    ) -> Self {
        Self {
            store,
            hub,
            clients: BTreeMap::new(),
            clock,
            time,
            stalled: false,
            metrics,
            log,
        }
    }

    /// Works until the hub is closed, or the store fails.
    pub(super) fn work(
        mut self,
        commands: &mut mpsc::Receiver<WriterCommand>,
        runtime: &Handle,
    ) -> Result<(), StoreError> {
        let mut taken = Vec::with_capacity(MOST_AT_ONCE);
        while !self.hub.is_closed() {
            // What could not be done is tried again at once.
            let patience = if taken.is_empty() {
                let due = self.hub.next_due().saturating_add(ON_THE_WAY);
                due.saturating_sub(self.time.now())
            } else {
                0
            };
            let more = MOST_AT_ONCE - taken.len();
            runtime.block_on(async {
                let received = commands.recv_many(&mut taken, more);
                // Where time is up nothing was asked, and what is due then happens.
                let _ = tokio::time::timeout(Duration::from_millis(patience), received).await;
            });
            let began = Instant::now();
            self.pass(patience);
            let done = self.batch(&mut taken);
            done.inspect_err(|error| self.metrics.store_error(error))?;
            let health = self.hub.health();
            let took = began.elapsed();
            self.metrics.batch(took, health.waiting, health.running);
        }
        self.store.close()
    }

    /// Does all that is due and all that is asked, and publishes it.
    ///
    /// While another program writes into the store, all of it waits, and time stands still.
    fn batch(&mut self, taken: &mut Vec<WriterCommand>) -> Result<(), StoreError> {
        let Some(transaction) = self.store.begin()? else {
            self.stalled = true;
            self.time.stand_still(self.clock.now());
            self.metrics.store_busy();
            warn!(self.log, "the store is in use by another program");
            return Ok(());
        };
        self.stalled = false;
        self.metrics.store_works();
        self.time.pass(self.clock.now(), 0);
        let is_full = taken.len() >= MOST_AT_ONCE;
        let mut commands = Vec::with_capacity(taken.len());
        // Given back once all is published: only as many answers may be on their way as fit.
        let mut permits = Vec::new();
        let mut asks_for_health = Vec::new();
        for command in taken.drain(..) {
            match command {
                WriterCommand::Connect(handle, arrived) => {
                    let command = HubCommand::Connect {
                        client: handle.id,
                        address: handle.address,
                        catalogue: handle.catalogue,
                    };
                    self.clients.insert(handle.id, handle.mailbox);
                    let at = self.time.at(arrived);
                    commands.push(Stamped { at, command });
                }
                WriterCommand::Hub {
                    arrived,
                    command,
                    permit,
                } => {
                    if let HubCommand::Disconnect { client } = command {
                        self.clients.remove(&client);
                    }
                    permits.extend(permit);
                    let at = self.time.at(arrived);
                    commands.push(Stamped { at, command });
                }
                WriterCommand::Health(reply) => asks_for_health.push(reply),
            }
        }
        let present = present(&self.time, &self.clock, &commands, is_full);
        let unit = UnitOfWork::new(transaction, present);
        for (client, outbound) in self.hub.run(unit, commands)? {
            if let Some(mailbox) = self.clients.get(&client)
                && mailbox.publish(outbound).is_err()
            {
                warn!(self.log, "a client has no room for its answers";
                    "connection" => client.0);
                self.clients.remove(&client);
            }
        }
        self.time.pass(self.clock.now(), 0);
        for reply in asks_for_health {
            // Nobody may wait for it any more.
            let _ = reply.send(self.hub.health());
        }
        Ok(())
    }

    /// Passes the time in which the writer waited, at most this long.
    fn pass(&mut self, patience: u64) {
        let now = self.clock.now();
        if self.stalled {
            self.time.stand_still(now);
        } else {
            self.time.pass(now, patience);
        }
    }
}

/// The time up to which all that was asked is known.
fn present(time: &TableTime, clock: &Clock, commands: &[Stamped], is_full: bool) -> Now {
    let latest = commands.iter().map(|stamped| stamped.at).max();
    let known = match latest {
        // More may wait that came right after the last one.
        Some(latest) if is_full => latest,
        _ => time.now().saturating_sub(ON_THE_WAY),
    };
    let shown = Now {
        table: time.now(),
        wall: clock.wall(),
    };
    Now {
        table: known,
        wall: shown.wall_at(known),
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_AT_ONCE, Writer, WriterCommand, present};
    use crate::room::Timeouts;
    use crate::server::clock::Clock;
    use crate::server::hub::{Hub, HubCommand, HubSettings, Now, Stamped};
    use crate::server::identity::Identity;
    use crate::server::store::{Fault, MemoryStore, StoreCall};
    use crate::server::table_time::TableTime;
    use crate::server::{Metrics, SeededRandomness};
    use slog::Logger;
    use std::sync::Arc;
    use tokio::runtime::Builder;
    use tokio::sync::{mpsc, oneshot};

    /// A writer with a store in memory, and a hub in which nobody is.
    fn writer(store: &MemoryStore) -> Writer {
        let timeouts = Timeouts {
            decide: 30_000,
            seeds: 1_000,
        };
        let settings = HubSettings {
            timeouts,
            house_players: 0,
            new_players: 60,
        };
        let (metrics, clock) = (Arc::new(Metrics::new()), Clock::start());
        let (table, wall) = (0, clock.wall());
        let time = TableTime::new(table, clock.now());
        let log = Logger::root(slog::Discard, slog::o!());
        let randomness = Box::new(SeededRandomness::new(1));
        let hub = Hub::open(
            store,
            settings,
            randomness,
            Identity::fixed(),
            Arc::clone(&metrics),
            log.clone(),
            Now { table, wall },
        );
        let hub = hub.expect("a store that works");
        Writer::new(Box::new(store.clone()), hub, clock, time, metrics, log)
    }

    // What came in time may still be on its way when time is up.
    #[test]
    fn time_passes_only_as_far_as_all_that_came_is_known() {
        let clock = Clock::start();
        let time = TableTime::new(10_000, clock.now());
        let came = |at| Stamped {
            at,
            command: HubCommand::Drain,
        };
        let known = |came: &[Stamped], is_full| present(&time, &clock, came, is_full).table;
        assert_eq!(known(&[], false), 9_975);
        assert_eq!(known(&[came(9_990)], false), 9_975);
        assert_eq!(known(&[came(9_400), came(9_500)], true), 9_500);
    }

    // Those who asked before the last command are answered in a batch of their own.
    #[test]
    fn no_more_is_done_at_once_when_the_store_was_busy_before() {
        let store = MemoryStore::new();
        let writer = writer(&store);
        let mut busy = 1;
        store.fail(move |call| {
            let fails = call == StoreCall::Begin && busy > 0;
            busy -= i32::from(fails);
            fails.then_some(Fault::Busy)
        });
        let (sender, mut commands) = mpsc::channel(MOST_AT_ONCE + 1);
        let answers: Vec<_> = (0..MOST_AT_ONCE)
            .map(|_| {
                let (reply, answer) = oneshot::channel();
                let sent = sender.try_send(WriterCommand::Health(reply));
                sent.ok().map(|()| answer).expect("there is room")
            })
            .collect();
        let drain = WriterCommand::Hub {
            arrived: 0,
            command: HubCommand::Drain,
            permit: None,
        };
        assert!(sender.try_send(drain).is_ok());
        let runtime = Builder::new_multi_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        let worked = writer.work(&mut commands, runtime.handle());
        worked.expect("a store that works");
        for answer in answers {
            let health = answer.blocking_recv().expect("an answer");
            assert!(!health.draining, "it was asked before that");
        }
    }
}
