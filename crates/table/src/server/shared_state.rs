//! State shared by all connections.

use super::Origin;
use super::address_connections::AddressConnections;
use super::clock::Clock;
use super::identity::Identity;
use super::limits::{AddressLimits, ProxyHeader};
use super::metrics::Metrics;
use super::queries::OpenGamesCache;
use super::reply::{complete_stored_message, serialize_message};
use super::store::{Inspector, MessageGap, StoreError, StoreReader, StoredMessage};
use super::table_health::TableHealth;
use super::table_log::TableLog;
use crate::operator::Challenge;
use crate::protocol::{Message, PlayerId, ResyncActivity};
use slog::Logger;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Operator's settings for connections: limits, allowed origins, and the proxy's header.
#[derive(Debug, Clone)]
pub(super) struct ConnectionPolicy {
    /// Maximum number of concurrent connections.
    pub(super) connections: u32,
    /// Maximum number of concurrent connections of an address.
    pub(super) connections_per_address: u32,
    /// Maximum number of messages from a connection per second.
    pub(super) rate: u32,
    /// Maximum number of new players of an address in a minute.
    pub(super) new_players: u32,
    /// Origins of other pages that may connect.
    pub(super) origins: Vec<Origin>,
    /// Header in which a proxy names the client's address.
    pub(super) proxy_header: Option<ProxyHeader>,
}

/// State shared by all connections.
pub(super) struct SharedState {
    pub(super) identity: Identity,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    pub(super) health: Arc<TableHealth>,
    /// Becomes `true` when all connections have to end.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) limits: ConnectionPolicy,
    /// Rate limits for each client address.
    pub(super) address_limits: AddressLimits,
    pub(super) address_connections: Arc<AddressConnections>,
    pub(super) open_games: OpenGamesCache,
    pub(super) log: Logger,
    pub(super) reader: Mutex<Box<dyn StoreReader>>,
    /// Reader for slow queries, so that nobody else waits for them.
    pub(super) inspector: Mutex<Box<dyn Inspector>>,
    /// Locked only while the reader is locked.
    pub(super) table_log: Mutex<TableLog>,
    /// Challenge that the next proof of an operator has to answer.
    pub(super) challenge: Mutex<Challenge>,
}

impl SharedState {
    /// Reads up to 100 messages to a player after this number; `None` if the store fails.
    pub(super) async fn read_messages(
        self: &Arc<Self>,
        player: PlayerId,
        after: u64,
    ) -> Option<Vec<StoredMessage>> {
        self.read(move |reader| {
            let name = |id| reader.player(id).map(|player| player.name);
            let (gap, messages) = reader.resume(player, after)?;
            let messages = messages.into_iter();
            let messages = messages.map(|message| complete_stored_message(message, name));
            gap.map(|gap| Ok(resync(gap)))
                .into_iter()
                .chain(messages)
                .collect()
        })
        .await
    }

    /// Reads the log, off the threads that serve connections.
    pub(super) async fn read_log<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&mut TableLog, &dyn StoreReader) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let shared = Arc::clone(self);
        self.read(move |reader| {
            let mut log = shared.table_log.lock().map_err(|_| panicked())?;
            read(&mut log, reader)
        })
        .await
    }

    /// Reads the store, off the threads that serve connections.
    pub(super) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&dyn StoreReader) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        self.read_by(|shared| &shared.reader, |reader| read(reader))
            .await
    }

    /// Runs a slow read for operators with a separate reader, so that players need not wait.
    pub(super) async fn read_with_inspector<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&dyn Inspector) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        self.read_by(|shared| &shared.inspector, |reader| read(reader))
            .await
    }

    /// Reads a store, off the threads that serve connections; `None` if the read fails.
    async fn read_by<R: ?Sized + 'static, T: Send + 'static>(
        self: &Arc<Self>,
        reader: fn(&Self) -> &Mutex<Box<R>>,
        read: impl FnOnce(&R) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let shared = Arc::clone(self);
        let working = tokio::task::spawn_blocking(move || {
            // A reader changes nothing, so it is sound even after a panic.
            let reader = reader(&shared).lock();
            read(&**reader.unwrap_or_else(PoisonError::into_inner))
                .inspect_err(|_| shared.metrics.count_store_error())
                .ok()
        });
        working.await.ok()?
    }
}

/// Error for a log that a panic may have left half read: it signs nothing more.
fn panicked() -> StoreError {
    StoreError::Database("an earlier read of the log has panicked".into())
}

/// Creates the replacement for messages that were removed. Its number is one below that of the
/// first stored message.
fn resync(MessageGap { first_seq, balance }: MessageGap) -> StoredMessage {
    let seq = first_seq.saturating_sub(1);
    let message = Message::Resync {
        first_seq,
        balance,
        place: ResyncActivity::Free,
        cards: Vec::new(),
    };
    StoredMessage {
        seq,
        body: serialize_message(seq, message),
        in_reply_to: None,
    }
}
