//! What every connection needs.

use super::Origin;
use super::clock::Clock;
use super::directory::Directory;
use super::gateway::Entrance;
use super::hub::ClientId;
use super::identity::Identity;
use super::limits::{Crowds, ProxyHeader};
use super::looks::OpenGames;
use super::metrics::Metrics;
use super::peers::OwnedRooms as _;
use super::reply::{json, with_name};
use super::store::{Gap, Inbox, Inspector, Reader, StoreError};
use super::table_log::TableLog;
use crate::operator::Challenge;
use crate::room::{Message, Place, PlayerId};
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
    /// Where the rooms of the table are.
    pub(super) directory: watch::Receiver<Directory>,
    /// Where clients enter these rooms, if several nodes share them.
    pub(super) entrance: Option<Arc<Entrance>>,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    /// Becomes true when all connections are to end.
    pub(super) closing: watch::Receiver<bool>,
    pub(super) limits: Limits,
    /// What each address may still ask for.
    pub(super) crowds: Crowds,
    pub(super) open_games: OpenGames,
    pub(super) log: Logger,
    pub(super) reader: Mutex<Box<dyn Reader>>,
    /// For what takes long, so that nobody waits for it.
    pub(super) inspector: Mutex<Box<dyn Inspector>>,
    /// How operators reach the node that serves, where there are several.
    pub(super) inbox: Option<Mutex<Box<dyn Inbox>>>,
    /// Locked while the reader is.
    pub(super) table_log: Mutex<TableLog>,
    pub(super) connections: AtomicU64,
    /// What the next proof of an operator has to be of.
    pub(super) challenge: Mutex<Challenge>,
}

impl Shared {
    /// The number of the next connection.
    pub(super) fn next_connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// The number of a client that no other client of a room has or had.
    pub(super) fn next_client(&self) -> ClientId {
        match &self.entrance {
            Some(entrance) => entrance.next_client(),
            None => ClientId(self.next_connection()),
        }
    }

    /// Up to 100 messages after this one to a player; `None` where the store fails.
    pub(super) async fn messages(
        self: &Arc<Self>,
        player: PlayerId,
        after: u64,
    ) -> Option<Vec<(u64, String)>> {
        self.read(move |reader| {
            let name = |id| reader.player(id).map(|player| player.name);
            let named = |(seq, body)| Ok((seq, with_name(body, name)?));
            let (gap, messages) = reader.resumed(player, after)?;
            let messages = messages.into_iter().map(named);
            gap.map(|gap| Ok(resync(gap)))
                .into_iter()
                .chain(messages)
                .collect()
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
        self.read_by(|shared| &shared.reader, |reader| read(reader))
            .await
    }

    /// Reads much of the store; nobody but operators waits for it.
    pub(super) async fn inspect<T: Send + 'static>(
        self: &Arc<Self>,
        read: impl FnOnce(&dyn Inspector) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        self.read_by(|shared| &shared.inspector, |reader| read(reader))
            .await
    }

    /// Uses the inbox, if there is one, away from the threads that serve connections.
    pub(super) async fn with_inbox<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&dyn Inbox) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        self.aside(move |shared| {
            // What it holds is a connection, which is sound even after a panic.
            let inbox = shared.inbox.as_ref()?.lock();
            Some(act(&**inbox.unwrap_or_else(PoisonError::into_inner)))
        })
        .await
    }

    async fn read_by<R: ?Sized + 'static, T: Send + 'static>(
        self: &Arc<Self>,
        reader: fn(&Self) -> &Mutex<Box<R>>,
        read: impl FnOnce(&R) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        self.aside(move |shared| {
            // A reader changes nothing, so that it is sound even after a panic.
            let reader = reader(shared).lock();
            Some(read(&**reader.unwrap_or_else(PoisonError::into_inner)))
        })
        .await
    }

    /// Does something with a store, away from the threads that serve connections; `None` where it
    /// fails, or where there is nothing to do it with.
    async fn aside<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Option<Result<T, StoreError>> + Send + 'static,
    ) -> Option<T> {
        let shared = Arc::clone(self);
        let working = tokio::task::spawn_blocking(move || {
            let done = work(&shared)?;
            done.inspect_err(|error| shared.metrics.store_error(error))
                .ok()
        });
        working.await.ok()?
    }
}

/// What comes in place of messages that are not kept any more, with the number before the first
/// that is.
fn resync(Gap { first_seq, balance }: Gap) -> (u64, String) {
    let seq = first_seq.saturating_sub(1);
    let message = Message::Resync {
        first_seq,
        balance,
        place: Place::Free,
        cards: Vec::new(),
    };
    (seq, json(seq, message))
}
