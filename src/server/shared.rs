//! What every connection needs.

use super::Origin;
use super::clock::Clock;
use super::identity::Identity;
use super::keeper::Commands;
use super::limits::{Crowds, ProxyHeader};
use super::metrics::Metrics;
use super::names::with_name;
use super::store::{Reader, StoreError};
use super::table_log::TableLog;
use crate::room::PlayerId;
use slog::Logger;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// What keeps the server from being used up.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Connections at a time.
    pub(super) connections: u32,
    /// Messages a second and connection.
    pub(super) rate: u32,
    /// Origins of pages that may connect, besides the server's own.
    pub(super) origins: Vec<Origin>,
    /// Where a proxy says who asks.
    pub(super) proxy_header: Option<ProxyHeader>,
}

/// What every connection needs.
pub(super) struct Shared {
    pub(super) identity: Identity,
    /// How commands reach the writer.
    pub(super) commands: watch::Receiver<Commands>,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    /// Becomes true when all connections are to end.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) limits: Limits,
    /// What each address may still ask for.
    pub(super) crowds: Crowds,
    pub(super) log: Logger,
    pub(super) reader: Mutex<Box<dyn Reader>>,
    /// Locked while the reader is.
    pub(super) table_log: Mutex<TableLog>,
    pub(super) connections: AtomicU64,
}

impl Shared {
    /// The number of the next connection.
    pub(super) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// Up to 100 messages after this one to a player; `None` where the store fails.
    pub(super) async fn messages(
        self: &Arc<Self>,
        player: PlayerId,
        after: u64,
    ) -> Option<Vec<(u64, String)>> {
        self.read(move |reader| {
            let named = |(seq, body)| Ok((seq, with_name(body, |id| reader.name(id))?));
            let messages = reader.messages(player, after)?;
            messages.into_iter().map(named).collect()
        })
        .await
    }

    /// Reads the log, away from the threads that serve connections.
    pub(super) async fn read_log<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&mut TableLog, &dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let shared = Arc::clone(self);
        self.read(move |reader| {
            let mut log = shared.table_log.lock().map_err(|_| StoreError::InUse)?;
            read(&mut log, reader)
        })
        .await
    }

    /// Reads the store, away from the threads that serve connections.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&dyn Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let shared = Arc::clone(self);
        let reading = tokio::task::spawn_blocking(move || {
            // A reader changes nothing, so that it is sound even after a panic.
            let reader = shared.reader.lock();
            let read = read(&**reader.unwrap_or_else(PoisonError::into_inner));
            read.inspect_err(|error| shared.metrics.store_error(error))
                .ok()
        });
        reading.await.ok()?
    }
}
