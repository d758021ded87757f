#![expect(clippy::disallowed_methods, reason = "a server starts its threads")]

use super::clock::Clock;
use super::hub::{FULL, HubSettings};
use super::identity::Identity;
use super::limits::{Crowds, ProxyHeader};
use super::metrics::Metrics;
use super::placement::{Opened, Placement, Service, TableBackend};
use super::queries::OpenGames;
use super::rating::Rater;
use super::room_actor::Opening;
use super::shared::{Limits, Shared};
use super::store::{Reader, StoreError};
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

/// The name of the thread that serves the table.
const WRITER: &str = "writer";
/// The name of the thread that rates the games of days that are over.
const RATER: &str = "rater";
/// How often it is published what was counted: a figure of the moment would show when a player
/// decides.
const PUBLISHING: Duration = Duration::from_secs(1);
/// How long the server waits for its connections at the end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// What an operator chooses.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program that serves, as the journals of its games name it.
    pub engine: &'static str,
    /// What the table signs with.
    pub key: Arc<TableKey>,
    /// How many house players there are at least; with none the house does not play.
    pub house_players: usize,
    /// How long a player waits for an opponent until the house steps in, in milliseconds.
    pub house_after: u64,
    /// How long games wait.
    pub timeouts: Timeouts,
    /// The most connections at a time.
    pub connections: u32,
    /// The most messages of a connection in a second.
    pub rate: u32,
    /// The most new players of an address in a minute.
    pub new_players: u32,
    /// By which names the server may be asked for, besides this machine's own and the addresses
    /// that it listens at.
    pub hosts: Vec<HostName>,
    /// Origins of pages that may connect, besides the server's own.
    pub origins: Vec<Origin>,
    /// Where a proxy says who asks; without it, that is the other end of the connection.
    pub proxy_header: Option<ProxyHeader>,
}

impl Settings {
    const fn of_a_hub(&self) -> HubSettings {
        HubSettings {
            timeouts: self.timeouts,
            house_players: self.house_players,
            house_after: self.house_after,
            new_players: self.new_players,
            full: FULL,
        }
    }
}

/// A server that listens.
pub struct RunningServer {
    address: SocketAddr,
    admin: Option<SocketAddr>,
    placement: Arc<dyn Placement>,
    drain: watch::Sender<bool>,
    /// How the writer ended.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: JoinHandle<()>,
    rating: std::thread::JoinHandle<()>,
}

impl RunningServer {
    /// Starts the writer's thread and serves connections of these listeners.
    ///
    /// # Errors
    ///
    /// [`ServerError`] where the store fails or a thread can't be started.
    ///
    /// # Panics
    ///
    /// If there is no listener for players.
    pub fn start(
        home: TableBackend,
        listeners: Listeners,
        settings: Settings,
        runtime: &Handle,
        log: &Logger,
    ) -> Result<Self, ServerError> {
        let address = |listener: &TcpListener| listener.local_addr().map_err(ServerError::Address);
        let admin = listeners.admin.first().map(address).transpose()?;
        let address = address(&listeners.players[0])?;
        let clock = Clock::start();
        let metrics = Arc::new(Metrics::new());
        let (drain, draining) = watch::channel(false);
        let (closing, closes) = watch::channel(false);
        let identity = Identity {
            engine: settings.engine,
            table: home.id,
            key: Arc::clone(&settings.key),
        };
        let opening = Opening {
            settings: settings.of_a_hub(),
            identity: identity.clone(),
            clock: clock.clone(),
            metrics: Arc::clone(&metrics),
            log: log.clone(),
        };
        let service = Service {
            runtime: runtime.clone(),
            draining,
            closing: closes.clone(),
        };
        let Opened {
            placement,
            serve,
            tasks,
            threads,
        } = (home.open)(opening, service)?;
        let table_log = TableLog::open(identity.clone(), &*home.first_reader, clock.now())?;
        drop(home.first_reader);
        let shared = Shared {
            table_log: Mutex::new(table_log),
            identity,
            clock,
            metrics: Arc::clone(&metrics),
            closing: closes,
            limits: Limits {
                connections: settings.connections,
                rate: settings.rate,
                origins: settings.origins,
                proxy_header: settings.proxy_header,
            },
            crowds: Crowds::new(settings.rate),
            open_games: OpenGames::default(),
            log: log.clone(),
            reader: Mutex::new(home.reader),
            inspector: Mutex::new(home.inspector),
            challenge: Mutex::new(http::draw()),
        };
        let (end, ended) = oneshot::channel();
        start(WRITER, move || {
            // Where nobody waits for its end the server is gone.
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
        let listening = http::listen(listeners, settings.hosts, shared, Arc::clone(&placement));
        let listening = runtime.spawn(listening);
        Ok(Self {
            address,
            admin,
            placement,
            drain,
            ended,
            closing,
            listening,
            rating,
        })
    }

    /// Where it listens, or the first of several places.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where it tells the operator how it is, or the first of several places.
    #[must_use]
    pub const fn admin(&self) -> Option<SocketAddr> {
        self.admin
    }

    /// Lets the server end: a table of its own starts no games any more and ends with the last
    /// one; a node of several hands its rooms over, where the games go on.
    pub async fn drain(&self) {
        self.drain.send_replace(true);
        self.placement.drain().await;
    }

    /// Whether other nodes may serve the same table.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.placement.is_shared()
    }

    /// Waits for the writer's end; may be called again where the wait was cut short.
    ///
    /// # Errors
    ///
    /// [`ServerError`] where the store failed or the writer panicked.
    pub async fn writer_ended(&mut self) -> Result<(), ServerError> {
        match (&mut self.ended).await {
            Ok(ended) => Ok(ended?),
            Err(_) => Err(ServerError::WriterGone),
        }
    }

    /// Closes all connections.
    pub async fn close(self) {
        // Where nobody listens all are closed.
        let _ = self.closing.send(true);
        let _ = tokio::time::timeout(LAST_WAIT, self.listening).await;
        // Its connection to the store is closed as well: an embedded store is one file then.
        let rated = tokio::task::spawn_blocking(move || self.rating.join());
        let _ = tokio::time::timeout(LAST_WAIT, rated).await;
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

/// Starts what rates the games of days that are over.
fn start_rater(
    reader: Box<dyn Reader>,
    placement: Arc<dyn Placement>,
    shared: &Shared,
) -> Result<std::thread::JoinHandle<()>, ServerError> {
    let rater = Rater {
        reader,
        placement,
        clock: shared.clock.clone(),
        metrics: Arc::clone(&shared.metrics),
        log: shared.log.clone(),
        closing: shared.closing.clone(),
    };
    start(RATER, move || rater.work())
}

/// Publishes what was counted, again and again until the server is closing.
async fn publish_metrics(metrics: Arc<Metrics>, mut closing: watch::Receiver<bool>) {
    let mut ticks = tokio::time::interval(PUBLISHING);
    loop {
        metrics.publish();
        tokio::select! {
            _ = ticks.tick() => {}
            _ = closing.changed() => break,
        }
    }
}

/// Why a server can't be opened, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The store can't be used, or failed.
    #[error("the store failed")]
    Store(#[from] StoreError),
    /// The address that the server listens at can't be read back from the system.
    #[error("the address of the listener is not known")]
    Address(#[source] io::Error),
    /// The system starts no more threads.
    #[error("the thread `{name}` can't be started")]
    Thread {
        /// The name of the thread.
        name: &'static str,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The thread that writes the store has panicked.
    #[error("the writer's thread is gone")]
    WriterGone,
}
