#![expect(
    clippy::disallowed_methods,
    reason = "it rates in real time, beside the games"
)]

use super::clock::Clock;
use super::directory::{Directory, Owner};
use super::hub::HubCommand;
use super::metrics::Metrics;
use super::rating;
use super::rooms::RoomNumber;
use super::store::{Reader, StoreError};
use super::writer::WriterCommand;
use slog::{Logger, info, warn};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The room whose owner keeps the ladder.
const ROOM: RoomNumber = RoomNumber(0);
/// How often it is looked whether a day is over, in steps.
const STEPS: u32 = 50;
/// How long a step is: so long a server that closes waits for this at most.
const STEP: Duration = Duration::from_millis(200);

/// What rates the games of each day once it is over, beside the thread that writes: the server that
/// owns the first room lets its writer keep what comes of it.
pub(super) struct Rater {
    /// A connection to the store that nobody else waits for.
    pub(super) reader: Box<dyn Reader>,
    pub(super) directory: watch::Receiver<Directory>,
    pub(super) clock: Clock,
    pub(super) metrics: Arc<Metrics>,
    pub(super) log: Logger,
    pub(super) closing: watch::Receiver<bool>,
}

impl Rater {
    /// Looks until the server is closing. Where the store fails it is looked again.
    pub(super) fn work(self) {
        loop {
            if let Err(error) = self.look() {
                self.metrics.store_error(&error);
                warn!(self.log, "the ladder can't be computed"; "reason" => %error);
            }
            for _ in 0..STEPS {
                if *self.closing.borrow() || self.closing.has_changed().is_err() {
                    return;
                }
                std::thread::sleep(STEP);
            }
        }
    }

    /// Looks once.
    fn look(&self) -> Result<(), StoreError> {
        let owner = self.directory.borrow().owner(ROOM).cloned();
        let Some(Owner::Here(writer)) = owner else {
            return Ok(());
        };
        let Some(rated) = rating::next(&*self.reader, self.clock.wall())? else {
            return Ok(());
        };
        info!(self.log, "rated"; "day" => rated.day, "standings" => rated.standings.len());
        let rate = WriterCommand::Hub {
            arrived: self.clock.now(),
            command: HubCommand::Rate(rated),
            permit: None,
        };
        // A writer that is gone did not keep it: the next one is asked.
        let _ = writer.blocking_send(rate);
        Ok(())
    }
}
