use super::http::{self, Limits, Server};
use super::metrics::Metrics;
use super::store::{Store, StoreError};
use super::writer::{Ask, Desk};
use super::{Origin, ServerError};
use crate::room::Timeouts;
use slog::Logger;
use std::net::SocketAddr;
use std::sync::Arc;
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
    commands: mpsc::Sender<Ask>,
    /// How the writer ended.
    ended: oneshot::Receiver<Result<(), StoreError>>,
    closing: watch::Sender<bool>,
    listening: JoinHandle<()>,
}

impl RunningServer {
    /// Starts the writer's thread and serves connections of this listener.
    ///
    /// # Errors
    ///
    /// [`ServerError`] where the store fails or a thread can't be started.
    pub fn start(
        store: Store,
        listener: TcpListener,
        settings: Settings,
        runtime: &Handle,
        log: &Logger,
    ) -> Result<Self, ServerError> {
        let metrics = Arc::new(Metrics::new());
        let (commands, mut asks) = mpsc::channel(WAITING_COMMANDS);
        let (closing, closes) = watch::channel(false);
        let limits = Limits {
            connections: settings.connections,
            rate: settings.rate,
            origins: settings.origins,
        };
        let reader = store.reader()?;
        let house = settings.house_players;
        let desk = Desk::new(
            store,
            settings.timeouts,
            house,
            Arc::clone(&metrics),
            log.clone(),
        )?;
        let address = listener.local_addr().map_err(ServerError::Address)?;
        let server = Server::new(
            commands.clone(),
            reader,
            metrics,
            closes,
            limits,
            settings.engine,
            log.clone(),
        );
        let listening = runtime.spawn(http::listen(listener, Arc::new(server)));
        let (end, ended) = oneshot::channel();
        let handle = runtime.clone();
        std::thread::Builder::new()
            .name(WRITER.to_owned())
            .spawn(move || end.send(desk.work(&mut asks, &handle)))
            .map_err(|source| ServerError::Thread {
                name: WRITER,
                source,
            })?;
        Ok(Self {
            address,
            commands,
            ended,
            closing,
            listening,
        })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts no games any more; the writer ends with the last one.
    pub async fn drain(&self) {
        // A writer that is not there any more has ended.
        let _ = self.commands.send(Ask::Drain).await;
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
