//! The actor of a room: the one thread that owns its hub and its store.
//!
//! The actor takes all commands that wait, carries them out in one transaction, commits, and only
//! then publishes.
#![expect(
    clippy::disallowed_methods,
    reason = "how long a batch takes is measured, for the metrics alone"
)]

use super::clock::Clock;
use super::hub::{ClientId, CurrentTime, Hub, HubCommand, HubDelivery, HubSettings, TimedCommand};
use super::identity::Identity;
use super::mailbox::{ClientHandle, Mailbox};
use super::metrics::{Metrics, RoomGauges};
use super::randomness::SystemRandomness;
use super::rooms::RoomNumber;
use super::store::{Store, StoreError};
use super::table_health::TableHealth;
use super::timed_hub::{Arrivals, TimedHub};
use crate::time::Monotonic;
use slog::{Logger, warn};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// Maximum number of commands in one transaction.
const MAX_BATCH: usize = 1024;

/// Capacity of a room's command queue.
pub const COMMAND_QUEUE_CAPACITY: usize = 8192;

/// Sender of commands to a room.
pub type RoomSender = mpsc::Sender<ActorMessage>;

/// Message to the actor of a room.
pub enum ActorMessage {
    /// Connection of a client, at this time of the server's clock.
    Connect(ClientHandle, Monotonic),
    /// A command for the hub.
    Hub {
        /// Time of arrival, by the server's clock.
        arrived: Monotonic,
        /// The command.
        command: HubCommand,
        /// Permit that is released once the command is answered.
        permit: Option<OwnedSemaphorePermit>,
    },
    /// An operator's order.
    OperatorCommand {
        /// Time of arrival, by the server's clock.
        arrived: Monotonic,
        /// Unique client number, used to route the reply.
        client: ClientId,
        /// The command.
        command: HubCommand,
        /// Receiver of the outcome.
        reply: oneshot::Sender<HubDelivery>,
    },
    /// Stops the actor and leaves all games to the next node that owns the room.
    HandOver,
}

/// A hub, its store, and the clients that the actor publishes to.
pub struct RoomActor {
    room: RoomNumber,
    store: Box<dyn Store>,
    timed_hub: TimedHub,
    clients: BTreeMap<ClientId, Mailbox>,
    /// `true` if another node takes over.
    hands_over: bool,
    clock: Clock,
    gauges: RoomGauges,
    metrics: Arc<Metrics>,
    health: Arc<TableHealth>,
    log: Logger,
}

impl RoomActor {
    fn new(
        store: Box<dyn Store>,
        timed_hub: TimedHub,
        clock: Clock,
        metrics: Arc<Metrics>,
        health: Arc<TableHealth>,
        log: Logger,
    ) -> Self {
        Self {
            room: store.position().room,
            store,
            timed_hub,
            clients: BTreeMap::new(),
            hands_over: false,
            clock,
            gauges: Metrics::add_room(&metrics),
            metrics,
            health,
            log,
        }
    }

    /// Runs the hub until it is closed or handed over.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn run(
        mut self,
        commands: &mut mpsc::Receiver<ActorMessage>,
        runtime: &Handle,
    ) -> Result<(), StoreError> {
        let mut taken = Vec::with_capacity(MAX_BATCH);
        while !self.timed_hub.hub().is_closed() && !self.hands_over {
            // Commands that are left because the store was busy are tried again at once.
            let patience = if taken.is_empty() {
                self.timed_hub.time_to_wait()
            } else {
                Duration::ZERO
            };
            let more = MAX_BATCH - taken.len();
            runtime.block_on(async {
                let received = commands.recv_many(&mut taken, more);
                // On a timeout nothing has arrived, and the batch only carries out what is due.
                let _ = tokio::time::timeout(patience, received).await;
            });
            let began = Instant::now();
            self.timed_hub.advance(self.clock.now(), patience);
            let done = self.run_batch(&mut taken);
            done.inspect_err(|_| self.metrics.count_store_error())?;
            let health = self.timed_hub.hub().health();
            self.metrics.observe_batch(began.elapsed());
            self.gauges
                .set(health.waiting, health.waiting_for, health.running);
        }
        self.store.close()
    }

    /// Carries out everything due and all commands, and publishes the deliveries.
    ///
    /// While another program writes into the store, commands wait and time stands still.
    fn run_batch(&mut self, taken: &mut Vec<ActorMessage>) -> Result<(), StoreError> {
        let Some(transaction) = self.timed_hub.begin(&*self.store, self.clock.now())? else {
            self.metrics.count_store_busy();
            self.health.record_busy(self.room, self.clock.now());
            warn!(self.log, "the store is in use by another program");
            return Ok(());
        };
        let mut arrivals = Arrivals {
            commands: Vec::with_capacity(taken.len()),
            more: taken.len() >= MAX_BATCH,
        };
        // Permits are released after publishing, so that no more answers are on their way than fit
        // into the mailboxes.
        let mut permits = Vec::new();
        let mut operators = BTreeMap::new();
        for command in taken.drain(..) {
            match command {
                ActorMessage::Connect(handle, clock) => {
                    let (client, address) = (handle.id, handle.address);
                    let may_join = handle.may_join;
                    let catalogue = handle.catalogue;
                    let command = match handle.player {
                        None => HubCommand::Connect {
                            client,
                            address,
                            may_join,
                            catalogue,
                        },
                        Some(player) => HubCommand::Attach {
                            client,
                            address,
                            catalogue,
                            player,
                        },
                    };
                    self.clients.insert(handle.id, handle.mailbox);
                    arrivals.commands.push(TimedCommand { at: clock, command });
                }
                ActorMessage::Hub {
                    arrived: clock,
                    command,
                    permit,
                } => {
                    if let HubCommand::Disconnect { client } = command {
                        self.clients.remove(&client);
                    }
                    permits.extend(permit);
                    arrivals.commands.push(TimedCommand { at: clock, command });
                }
                ActorMessage::OperatorCommand {
                    arrived: clock,
                    client,
                    command,
                    reply,
                } => {
                    operators.insert(client, reply);
                    arrivals.commands.push(TimedCommand { at: clock, command });
                }
                ActorMessage::HandOver => self.hands_over = true,
            }
        }
        let wall = self.clock.wall_time();
        let unit = self.timed_hub.run_batch(transaction, arrivals, wall)?;
        let deliveries = unit.commit()?;
        // Known before the deliveries are, so that nobody who has an answer finds older figures.
        let health = self.timed_hub.hub().health();
        self.health
            .record_commit(self.room, health, self.clock.now());
        for (client, outbound) in deliveries {
            match operators.remove(&client) {
                Some(reply) => {
                    // The operator may have given up.
                    let _ = reply.send(outbound);
                }
                None => self.publish(client, outbound),
            }
        }
        self.timed_hub.advance(self.clock.now(), Duration::ZERO);
        Ok(())
    }

    /// Publishes a delivery to a client.
    fn publish(&mut self, client: ClientId, outbound: HubDelivery) {
        let Some(mailbox) = self.clients.get(&client) else {
            return;
        };
        // After these deliveries the hub has forgotten the client.
        let is_last = matches!(outbound, HubDelivery::Redirect(_) | HubDelivery::Released);
        let has_room = mailbox.publish(outbound).is_ok();
        if !has_room {
            warn!(self.log, "a client has no room for its answers"; "connection" => client.0);
        }
        if is_last || !has_room {
            self.clients.remove(&client);
        }
    }
}

/// Everything needed to open the hub of a room, any number of times.
#[derive(Clone)]
pub struct HubFactory {
    /// Operator-configurable limits of the hub.
    pub settings: HubSettings,
    /// Identity of the table.
    pub identity: Identity,
    /// The server's clock.
    pub clock: Clock,
    /// Metrics of the server.
    pub metrics: Arc<Metrics>,
    /// Health of the table, for health checks.
    pub health: Arc<TableHealth>,
    /// Logger of the server.
    pub log: Logger,
}

impl HubFactory {
    /// Opens the hub of a room and returns its actor, which has yet to be run.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if the store fails.
    pub fn open(&self, store: Box<dyn Store>) -> Result<RoomActor, StoreError> {
        let (table, wall, opened) = (store.time()?, self.clock.wall_time(), self.clock.now());
        let hub = Hub::open(
            &*store,
            self.settings,
            Box::new(SystemRandomness),
            self.identity.clone(),
            Arc::clone(&self.metrics),
            self.log.clone(),
            CurrentTime { table, wall },
        )?;
        let room = store.position().room;
        self.health
            .record_room(room, hub.health(), self.clock.now());
        let timed_hub = TimedHub::new(hub, table, opened);
        Ok(RoomActor::new(
            store,
            timed_hub,
            self.clock.clone(),
            Arc::clone(&self.metrics),
            Arc::clone(&self.health),
            self.log.clone(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{ActorMessage, MAX_BATCH, RoomActor};
    use crate::room::Timeouts;
    use crate::server::clock::Clock;
    use crate::server::hub::{
        ClientId, CurrentTime, DEFAULT_FULL_LOAD, DEFAULT_HOUSE_DELAY, Hub, HubCommand, HubSettings,
    };
    use crate::server::identity::Identity;
    use crate::server::store::TestStore;
    use crate::server::timed_hub::TimedHub;
    use crate::server::{Metrics, SeededRandomness};
    use crate::time::{Monotonic, TableTime};
    use slog::Logger;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::time::Duration;
    use tokio::runtime::Builder;
    use tokio::sync::mpsc;

    /// An actor with this store and an empty room.
    fn writer(store: TestStore) -> RoomActor {
        let timeouts = Timeouts {
            decide: Duration::from_secs(30),
            seeds: Duration::from_secs(1),
        };
        let settings = HubSettings {
            timeouts,
            house_players: 0,
            house_delay: DEFAULT_HOUSE_DELAY,
            new_players: 60,
            full_load: DEFAULT_FULL_LOAD,
        };
        let (metrics, clock) = (Arc::new(Metrics::new()), Clock::start());
        let (table, wall) = (TableTime::ZERO, clock.wall_time());
        let log = Logger::root(slog::Discard, slog::o!());
        let randomness = Box::new(SeededRandomness::new(1));
        let hub = Hub::open(
            &store,
            settings,
            randomness,
            Identity::for_tests(),
            Arc::clone(&metrics),
            log.clone(),
            CurrentTime { table, wall },
        );
        let hub = hub.expect("a store that works");
        let timed_hub = TimedHub::new(hub, table, clock.now());
        let health = Arc::default();
        RoomActor::new(Box::new(store), timed_hub, clock, metrics, health, log)
    }

    // `Drain` ends the room, so each batch that begins afterward would be one too many.
    #[test]
    fn no_more_is_done_at_once_when_the_store_was_busy_before() {
        let (busy, begun) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU32::new(0)),
        );
        let (is_busy, count) = (Arc::clone(&busy), Arc::clone(&begun));
        let store = TestStore::new(move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(!is_busy.swap(false, Ordering::Relaxed))
        });
        let writer = writer(store);
        busy.store(true, Ordering::Relaxed);
        begun.store(0, Ordering::Relaxed);
        let (sender, mut commands) = mpsc::channel(MAX_BATCH + 1);
        let gone = |client| HubCommand::Disconnect {
            client: ClientId(client),
        };
        let commands_of_a_batch = (0..MAX_BATCH as u64).map(gone);
        for command in commands_of_a_batch.chain([HubCommand::Drain]) {
            let message = ActorMessage::Hub {
                arrived: Monotonic::ZERO,
                command,
                permit: None,
            };
            assert!(sender.try_send(message).is_ok());
        }
        let runtime = Builder::new_multi_thread().enable_time().build();
        let runtime = runtime.expect("a runtime");
        let worked = writer.run(&mut commands, runtime.handle());
        worked.expect("a store that works");
        let begun = begun.load(Ordering::Relaxed);
        assert_eq!(begun, 3, "the busy one, a full batch, and `Drain`");
    }
}
