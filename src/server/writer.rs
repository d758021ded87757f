//! The desk: the one thread that steps the room and writes the store.
//!
//! It takes all requests that are there, does them one after the other, commits what they
//! changed in one transaction, and only then tells anybody.

use super::hub::Floor;
use super::metrics::Metrics;
use super::store::{Store, StoreError};
use crate::i18n::Catalogue;
use crate::room::{AccessToken, PlayerId, Request, RequestId, Timeouts};
use crate::tokens::Name;
use slog::Logger;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot};

/// The most requests that are done in one transaction.
const MOST_AT_ONCE: usize = 1024;
/// How often answers are forgotten that are too old.
const SWEEP: Duration = Duration::from_secs(1);

/// What the desk is asked for.
pub(super) enum Ask {
    /// A connection says who it is.
    Arrive {
        line: Line,
        id: RequestId,
        name: Name,
        token: Option<AccessToken>,
    },
    /// A connection that said who it is asks for something.
    Do {
        line: Line,
        player: PlayerId,
        request: Request,
        /// Given back once the request is answered.
        turn: OwnedSemaphorePermit,
    },
    /// A connection that said `hello` is gone.
    Leave {
        /// Its number.
        line: u64,
    },
    /// Whether the desk works.
    Health(oneshot::Sender<Health>),
    /// No game shall start any more; the desk ends with the last one.
    Drain,
}

/// How the desk is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Health {
    pub(super) players: usize,
    pub(super) waiting: usize,
    pub(super) running: usize,
    pub(super) draining: bool,
}

/// The way to a connection.
#[derive(Clone)]
pub(super) struct Line {
    /// The number of the connection.
    pub(super) number: u64,
    pub(super) catalogue: &'static Catalogue,
    /// Messages that the connection has not taken yet; what does not fit is read from the
    /// store instead.
    pub(super) sender: mpsc::Sender<Delivery>,
    /// The number of the last message to its player.
    pub(super) latest: Arc<AtomicU64>,
}

/// What a connection is handed.
pub(super) enum Delivery {
    /// Its player is known; `returns` where he was known before.
    Welcome {
        player: PlayerId,
        seq: u64,
        returns: bool,
        body: String,
    },
    /// The next message to its player.
    Push(u64, Arc<str>),
    /// An answer to this connection alone.
    Answer(String),
}

/// The store and the floor, and the time between.
pub(super) struct Desk {
    store: Store,
    floor: Floor,
    /// Up to which answer was looked whether it is too old.
    forgotten: Option<i64>,
}

impl Desk {
    /// A desk for the room in this store, with at least this many house players.
    pub(super) fn new(
        store: Store,
        timeouts: Timeouts,
        bots: usize,
        metrics: Arc<Metrics>,
        log: Logger,
    ) -> Result<Self, StoreError> {
        let now = store.now()?;
        let mut floor = Floor::new(store.room(timeouts)?, now, metrics, log);
        let batch = store.begin()?.ok_or(StoreError::InUse)?;
        floor.seat_the_house(bots, &batch, now)?;
        batch.commit()?;
        Ok(Self {
            store,
            floor,
            forgotten: None,
        })
    }

    /// Works until it is told to drain and the last game is over, or the store fails.
    pub(super) fn work(
        mut self,
        asks: &mut mpsc::Receiver<Ask>,
        runtime: &Handle,
    ) -> Result<(), StoreError> {
        let mut taken = Vec::with_capacity(MOST_AT_ONCE);
        let mut swept = Instant::now();
        while !self.floor.is_closed() {
            let now = self.store.now()?;
            // What could not be done is tried again at once.
            let again = !taken.is_empty();
            let patience = if again {
                Duration::ZERO
            } else {
                self.floor.patience(now)
            };
            let more = MOST_AT_ONCE - taken.len();
            runtime.block_on(async {
                let received = asks.recv_many(&mut taken, more);
                // Where time is up nothing was asked, and what is due then happens.
                let _ = tokio::time::timeout(patience, received).await;
            });
            let began = Instant::now();
            let sweep = swept.elapsed() > SWEEP;
            if sweep {
                swept = began;
            }
            self.batch(&mut taken, sweep)?;
            self.floor.measure(began.elapsed());
        }
        self.store.close()
    }

    /// Does all that is due and all that is asked, commits it, and tells of it.
    ///
    /// While another program writes into the store, all of it waits.
    fn batch(&mut self, asks: &mut Vec<Ask>, sweep: bool) -> Result<(), StoreError> {
        let Some(batch) = self.store.begin()? else {
            self.floor.warn_of_others();
            return Ok(());
        };
        let now = self.store.now()?;
        // First: who decides when time is up is too late.
        self.floor.pass_time(&batch, now)?;
        for ask in asks.drain(..) {
            self.floor.take(ask, &self.store, &batch, now)?;
        }
        if sweep {
            self.forgotten = batch.forget_answers(now, self.forgotten)?;
        }
        self.floor.stand(&batch)?;
        batch.commit()?;
        self.floor.tell();
        Ok(())
    }
}
