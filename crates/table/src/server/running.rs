#![expect(clippy::disallowed_methods, reason = "a server starts its threads")]

use super::address_connections::AddressConnections;
use super::clock::Clock;
use super::hub::{DEFAULT_FULL_LOAD, HubSettings};
use super::identity::Identity;
use super::limits::{AddressLimits, ProxyHeader};
use super::metrics::Metrics;
use super::placement::{
    AddressTakenError, OpenRoomsError, OpenedRooms, Placement, RoomContext, TableBackend,
};
use super::queries::OpenGamesCache;
use super::rating::Rater;
use super::room_actor::HubFactory;
use super::shared_state::{ConnectionPolicy, SharedState};
use super::store::{StoreError, StoreReader};
use super::table_health::TableHealth;
use super::table_log::TableLog;
use super::{HostName, Listeners, Origin, http};
use crate::room::Timeouts;
use slog::Logger;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use war::signing::TableKey;

/// Name of the thread that serves the table.
const ACTOR_THREAD: &str = "writer";
/// Name of the thread that rates the games of finished days.
const RATER_THREAD: &str = "rater";
/// Interval between two publications of the metrics. A live figure would show when a player
/// decides.
const METRICS_INTERVAL: Duration = Duration::from_secs(1);
/// Time that the server waits for its connections to end during shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Operator-configurable settings of a server.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Name of the program in the journals of the table's games.
    pub engine: &'static str,
    /// Key that the table signs with.
    pub key: Arc<TableKey>,
    /// Minimum number of house players; 0 keeps the house from playing.
    pub house_players: usize,
    /// Time that a player waits for an opponent before the house steps in.
    pub house_after: Duration,
    /// Timeouts of games.
    pub timeouts: Timeouts,
    /// Maximum number of concurrent connections.
    pub connections: u32,
    /// Maximum number of concurrent connections of one address.
    pub connections_per_address: u32,
    /// Maximum number of messages from a connection per second.
    pub rate: u32,
    /// Maximum number of new players from one address per minute.
    pub new_players: u32,
    /// Host names that requests may use, besides this machine's own and the addresses that it
    /// listens at.
    pub hosts: Vec<HostName>,
    /// Origins of other pages that may connect.
    pub origins: Vec<Origin>,
    /// Header in which a proxy names the client's address; without one, the peer's address counts.
    pub proxy_header: Option<ProxyHeader>,
}

impl ServerSettings {
    const fn hub_settings(&self) -> HubSettings {
        HubSettings {
            timeouts: self.timeouts,
            house_players: self.house_players,
            house_delay: self.house_after,
            new_players: self.new_players,
            full_load: DEFAULT_FULL_LOAD,
        }
    }
}

/// A running server.
pub struct RunningServer {
    address: SocketAddr,
    admin: Option<SocketAddr>,
    placement: Arc<dyn Placement>,
    health: Arc<TableHealth>,
    drain: watch::Sender<bool>,
    /// Receiver of the result of the thread that serves the rooms.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: JoinHandle<()>,
    rating: std::thread::JoinHandle<()>,
}

impl RunningServer {
    /// Starts the rooms and serves connections of these listeners.
    ///
    /// # Errors
    ///
    /// [`ServerError`] if the store fails or a thread can't be started.
    ///
    /// # Panics
    ///
    /// If there is no listener for players.
    pub fn start(
        home: TableBackend,
        listeners: Listeners,
        settings: ServerSettings,
        runtime: &Handle,
        log: &Logger,
    ) -> Result<Self, ServerError> {
        let address = |listener: &TcpListener| listener.local_addr().map_err(ServerError::Address);
        let admin = listeners.admin.first().map(address).transpose()?;
        let address = address(&listeners.players[0])?;
        let clock = Clock::start();
        let (metrics, health) = (Arc::new(Metrics::new()), Arc::new(TableHealth::default()));
        let (drain, draining) = watch::channel(false);
        let (closing, closes) = watch::channel(false);
        let identity = Identity {
            engine: settings.engine,
            table: home.id,
            key: Arc::clone(&settings.key),
            secret: home.secret,
        };
        let opening = HubFactory {
            settings: settings.hub_settings(),
            identity: identity.clone(),
            clock: clock.clone(),
            metrics: Arc::clone(&metrics),
            health: Arc::clone(&health),
            log: log.clone(),
        };
        let service = RoomContext {
            runtime: runtime.clone(),
            draining,
            closing: closes.clone(),
        };
        let OpenedRooms {
            placement,
            serve,
            tasks,
            threads,
        } = (home.open)(opening, service)?;
        let table_log = TableLog::open(identity.clone(), &*home.first_reader, clock.now())?;
        drop(home.first_reader);
        let shared = SharedState {
            table_log: Mutex::new(table_log),
            identity,
            clock,
            metrics: Arc::clone(&metrics),
            health: Arc::clone(&health),
            closing: closes,
            limits: ConnectionPolicy {
                connections: settings.connections,
                connections_per_address: settings.connections_per_address,
                rate: settings.rate,
                new_players: settings.new_players,
                origins: settings.origins,
                proxy_header: settings.proxy_header,
            },
            address_limits: AddressLimits::new(settings.rate),
            address_connections: Arc::new(AddressConnections::new(
                settings.connections_per_address,
            )),
            open_games: OpenGamesCache::default(),
            log: log.clone(),
            reader: Mutex::new(home.reader),
            inspector: Mutex::new(home.inspector),
            challenge: Mutex::new(http::new_challenge()),
        };
        let (end, ended) = oneshot::channel();
        start(ACTOR_THREAD, move || {
            // Fails only if the server has been dropped, and then nobody waits for the result.
            let _ = end.send(serve());
        })?;
        for task in tasks {
            drop(runtime.spawn(task));
        }
        for (name, work) in threads {
            start(name, work)?;
        }
        let rating = start_rater(home.rater, Arc::clone(&placement), &shared)?;
        drop(runtime.spawn(publish_metrics(metrics, shared.closing.clone())));
        let shared = Arc::new(shared);
        let listening = http::serve(listeners, settings.hosts, shared, Arc::clone(&placement));
        let listening = runtime.spawn(listening);
        Ok(Self {
            address,
            admin,
            placement,
            health,
            drain,
            ended,
            closing,
            listening,
            rating,
        })
    }

    /// Address of the first listener for players.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Address of the first listener for the operator.
    #[must_use]
    pub const fn admin_address(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// Starts an orderly shutdown.
    ///
    /// A table with one server starts no more games and ends after the last one; a server that is
    /// one of several nodes hands its rooms over to other nodes, where games go on.
    pub async fn drain(&self) {
        self.drain.send_replace(true);
        self.placement.drain().await;
        self.health.record_drain();
    }

    /// Returns whether other nodes may serve the same table.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.placement.is_shared()
    }

    /// Waits for the rooms to end. Cancel safe.
    ///
    /// # Errors
    ///
    /// [`ServerError`] if the store failed or the actor panicked.
    pub async fn wait_for_end(&mut self) -> Result<(), ServerError> {
        match (&mut self.ended).await {
            Ok(ended) => Ok(ended?),
            Err(_) => Err(ServerError::ActorPanicked),
        }
    }

    /// Closes all connections.
    pub async fn close(self) {
        // Fails only if no receiver is left: all connections are already closed then.
        let _ = self.closing.send(true);
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, self.listening).await;
        // The rater's connection to the store closes too, so that an embedded store is one file
        // again.
        let rated = tokio::task::spawn_blocking(move || self.rating.join());
        let _ = tokio::time::timeout(SHUTDOWN_TIMEOUT, rated).await;
    }
}

/// Starts a thread of the server.
fn start(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> Result<std::thread::JoinHandle<()>, ServerError> {
    let thread = std::thread::Builder::new().name(name.to_owned());
    let started = thread.spawn(work);
    started.map_err(|source| ServerError::Thread { name, source })
}

/// Starts the thread that rates the games of finished days.
fn start_rater(
    reader: Box<dyn StoreReader>,
    placement: Arc<dyn Placement>,
    shared: &SharedState,
) -> Result<std::thread::JoinHandle<()>, ServerError> {
    let rater = Rater {
        reader,
        placement,
        clock: shared.clock.clone(),
        metrics: Arc::clone(&shared.metrics),
        log: shared.log.clone(),
        closing: shared.closing.clone(),
    };
    start(RATER_THREAD, move || rater.run())
}

/// Publishes the metrics periodically until the server closes.
async fn publish_metrics(metrics: Arc<Metrics>, mut closing: watch::Receiver<bool>) {
    let mut ticks = tokio::time::interval(METRICS_INTERVAL);
    loop {
        metrics.publish();
        tokio::select! {
            _ = ticks.tick() => {}
            _ = closing.changed() => break,
        }
    }
}

/// Error for a server that can't be started or has failed.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Store that can't be used or has failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
    /// Listener whose address can't be read back from the system.
    #[error("the address of the listener is not known")]
    Address(#[source] io::Error),
    /// Thread that the system does not start.
    #[error("the thread `{name}` can't be started")]
    Thread {
        /// Name of the thread.
        name: &'static str,
        /// Cause.
        #[source]
        source: io::Error,
    },
    /// Address of this node that leads to another one.
    #[error(transparent)]
    AddressTaken(AddressTakenError),
    /// Panic of the thread that writes the store.
    #[error("the writer's thread is gone")]
    ActorPanicked,
}

impl From<OpenRoomsError> for ServerError {
    fn from(error: OpenRoomsError) -> Self {
        match error {
            OpenRoomsError::Store(error) => Self::Store(error),
            OpenRoomsError::AddressTaken(error) => Self::AddressTaken(error),
        }
    }
}
