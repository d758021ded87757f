use super::clock::Clock;
use super::home::{Home, Source};
use super::http;
use super::hub::{HubCommand, HubSettings};
use super::identity::Identity;
use super::keeper::{Commands, Keeper};
use super::limits::{Crowds, ProxyHeader};
use super::metrics::Metrics;
use super::shared::{Limits, Shared};
use super::store::StoreError;
use super::table_log::TableLog;
use super::writer::WriterCommand;
use super::{HostName, Listeners, Origin, ServerError};
use crate::room::Timeouts;
use crate::signing::TableKey;
use slog::Logger;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// The name of the writer's thread.
const WRITER: &str = "writer";
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

/// A server that listens.
pub struct RunningServer {
    address: SocketAddr,
    admin: Option<SocketAddr>,
    /// How commands reach the writer.
    commands: watch::Receiver<Commands>,
    drain: watch::Sender<bool>,
    is_shared: bool,
    clock: Clock,
    /// How the writer ended.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: JoinHandle<()>,
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
        home: Home,
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
        let (hand_over, commands) = watch::channel(None);
        let (drain, draining) = watch::channel(false);
        let (closing, closes) = watch::channel(false);
        let identity = Identity {
            engine: settings.engine,
            table: home.id,
            key: settings.key,
        };
        let keeper = Keeper {
            settings: HubSettings {
                timeouts: settings.timeouts,
                house_players: settings.house_players,
                new_players: settings.new_players,
            },
            identity: identity.clone(),
            clock: clock.clone(),
            metrics: Arc::clone(&metrics),
            log: log.clone(),
            commands: hand_over,
            draining,
        };
        let is_shared = matches!(home.source, Source::Shared { .. });
        let post = keeper.prepare(home.source)?;
        let table_log = TableLog::open(identity.clone(), &*home.first_reader, clock.now())?;
        drop(home.first_reader);
        let shared = Shared {
            table_log: Mutex::new(table_log),
            identity,
            commands: commands.clone(),
            clock: clock.clone(),
            metrics: Arc::clone(&metrics),
            closing: closes,
            limits: Limits {
                connections: settings.connections,
                rate: settings.rate,
                origins: settings.origins,
                proxy_header: settings.proxy_header,
            },
            crowds: Crowds::new(settings.rate),
            log: log.clone(),
            reader: Mutex::new(home.reader),
            connections: AtomicU64::new(0),
        };
        let (end, ended) = oneshot::channel();
        let handle = runtime.clone();
        std::thread::Builder::new()
            .name(WRITER.to_owned())
            .spawn(move || end.send(keeper.work(post, &handle)))
            .map_err(|source| ServerError::Thread {
                name: WRITER,
                source,
            })?;
        let published = publish_metrics(metrics, shared.closing.clone());
        drop(runtime.spawn(published));
        let shared = Arc::new(shared);
        let listening = runtime.spawn(http::listen(listeners, settings.hosts, shared));
        Ok(Self {
            address,
            admin,
            commands,
            drain,
            is_shared,
            clock,
            ended,
            closing,
            listening,
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
    /// one; a node of several hands its room over, where the games go on.
    pub async fn drain(&self) {
        // A node that stands by does so no longer.
        self.drain.send_replace(true);
        let last = if self.is_shared {
            WriterCommand::HandOver
        } else {
            WriterCommand::Hub {
                arrived: self.clock.now(),
                command: HubCommand::Drain,
                permit: None,
            }
        };
        let commands = self.commands.borrow().clone();
        if let Some(commands) = commands {
            // A writer that is not there any more has ended.
            let _ = commands.send(last).await;
        }
    }

    /// Whether other nodes may serve the same table.
    #[must_use]
    pub const fn is_shared(&self) -> bool {
        self.is_shared
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
    }
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
