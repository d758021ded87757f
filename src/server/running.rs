use super::clock::Clock;
use super::http;
use super::hub::{Hub, HubCommand, HubSettings, Now};
use super::metrics::Metrics;
use super::randomness::SystemRandomness;
use super::shared::{Limits, Shared};
use super::store::{SqliteStore, Store, StoreError};
use super::table_time::TableTime;
use super::writer::{Writer, WriterCommand};
use super::{Origin, ServerError};
use crate::room::Timeouts;
use slog::Logger;
use std::net::SocketAddr;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

/// The name of the writer's thread.
const WRITER: &str = "writer";
/// Commands that may wait for the writer.
const WAITING_COMMANDS: usize = 8192;
/// How long the server waits for its connections at the end.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// What an operator chooses.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The program that serves, as the journals of its games name it.
    pub engine: &'static str,
    /// How many house players there are at least; with none the house does not play.
    pub house_players: usize,
    /// How long games wait.
    pub timeouts: Timeouts,
    /// The most connections at a time.
    pub connections: u32,
    /// The most messages of a connection in a second.
    pub rate: u32,
    /// Origins of pages that may connect, besides the server's own.
    pub origins: Vec<Origin>,
}

/// A server that listens.
pub struct RunningServer {
    address: SocketAddr,
    commands: mpsc::Sender<WriterCommand>,
    clock: Clock,
    /// How the writer ended.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: JoinHandle<()>,
}

impl RunningServer {
    /// Starts the writer's thread and serves connections of these listeners, of which there is
    /// at least one.
    ///
    /// # Errors
    ///
    /// [`ServerError`] where the store fails or a thread can't be started.
    ///
    /// # Panics
    ///
    /// If there is no listener.
    pub fn start(
        store: SqliteStore,
        listeners: Vec<TcpListener>,
        settings: Settings,
        runtime: &Handle,
        log: &Logger,
    ) -> Result<Self, ServerError> {
        let address = listeners[0].local_addr().map_err(ServerError::Address)?;
        let clock = Clock::start();
        let time = TableTime::new(store.time()?, clock.now());
        let metrics = Arc::new(Metrics::new());
        let (commands, mut waiting) = mpsc::channel(WAITING_COMMANDS);
        let (closing, closes) = watch::channel(false);
        let chosen = HubSettings {
            timeouts: settings.timeouts,
            house_players: settings.house_players,
        };
        let randomness = Box::new(SystemRandomness);
        let (table, wall) = (time.now(), clock.wall());
        let (counters, now) = (Arc::clone(&metrics), Now { table, wall });
        let hub = Hub::open(&store, chosen, randomness, counters, log.clone(), now)?;
        let shared = Shared {
            engine: settings.engine,
            writer: commands.clone(),
            clock: clock.clone(),
            metrics: Arc::clone(&metrics),
            closing: closes,
            limits: Limits {
                connections: settings.connections,
                rate: settings.rate,
                origins: settings.origins,
            },
            log: log.clone(),
            reader: Mutex::new(store.reader()?),
            connections: AtomicU64::new(0),
        };
        let writer = Writer::new(
            Box::new(store),
            hub,
            clock.clone(),
            time,
            metrics,
            log.clone(),
        );
        let (end, ended) = oneshot::channel();
        let handle = runtime.clone();
        std::thread::Builder::new()
            .name(WRITER.to_owned())
            .spawn(move || end.send(writer.work(&mut waiting, &handle)))
            .map_err(|source| ServerError::Thread {
                name: WRITER,
                source,
            })?;
        let listening = runtime.spawn(http::listen(listeners, Arc::new(shared)));
        Ok(Self {
            address,
            commands,
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

    /// Starts no games any more; the writer ends with the last one.
    pub async fn drain(&self) {
        // A writer that is not there any more has ended.
        let drain = WriterCommand::Hub {
            arrived: self.clock.now(),
            command: HubCommand::Drain,
            permit: None,
        };
        let _ = self.commands.send(drain).await;
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
