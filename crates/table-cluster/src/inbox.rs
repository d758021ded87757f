//! The way of an operator's order from any node to the one that serves.

use slog::{Logger, info};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use war_table::operator::{OperatorAnswer, OperatorRequest};
use war_table::server::http::{Office, PATIENCE, carry_out};
use war_table::server::placement::Placement;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;
use war_table::server::{Clock, Metrics};

/// How often a node looks into the inbox, and into it for an answer.
const LOOK: Duration = Duration::from_millis(250);
/// How long an order may lie there: a takeover takes less, and nobody takes an older one.
const TO_BE_TAKEN: Duration = Duration::from_secs(8);

/// What operators ask of the nodes that own rooms, by way of the store: any node takes it in.
///
/// What is asked is done once or not at all: who takes it does it.
#[expect(
    clippy::missing_errors_doc,
    reason = "each of them where the store fails"
)]
pub trait Inbox: Send {
    /// Asks the node that owns this room, or any room, for something; the result is what it is
    /// called from then on.
    fn hand_in(&self, ask: &str, room: Option<RoomNumber>) -> Result<String, StoreError>;

    /// The answer, once it is there. Nobody else gets it.
    fn answer(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// Takes back what nobody has taken; the result is whether nobody had.
    fn withdraw(&self, id: &str) -> Result<bool, StoreError>;

    /// Takes something that was handed in lately, for the node that owns these rooms, and what it is
    /// called.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError>;

    /// Answers what was taken.
    fn settle(&self, id: &str, answer: &str) -> Result<(), StoreError>;
}

/// The inbox of a table, as one of its nodes uses it.
pub(crate) struct Orders {
    pub(crate) inbox: Mutex<Box<dyn Inbox>>,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Logger,
}

impl Orders {
    /// Asks the node that owns this room, or any room, for something; `None` where nobody knows
    /// whether it was done.
    pub(crate) async fn hand_in(
        self: Arc<Self>,
        ask: &OperatorRequest,
        room: Option<RoomNumber>,
    ) -> Option<OperatorAnswer> {
        let text = serde_json::to_string(ask).expect("questions are plain values");
        let handed_in = self.with_inbox(move |inbox| inbox.hand_in(&text, room));
        let (id, start) = (handed_in.await?, Instant::now());
        while start.elapsed() < PATIENCE {
            sleep(LOOK).await;
            let known = id.clone();
            let looked = self.with_inbox(move |inbox| inbox.answer(&known));
            if let Some(answer) = looked.await.flatten() {
                return serde_json::from_str(&answer).ok().flatten();
            }
            if start.elapsed() > TO_BE_TAKEN {
                let known = id.clone();
                let withdrawn = self.with_inbox(move |inbox| inbox.withdraw(&known));
                if withdrawn.await == Some(true) {
                    return Some(OperatorAnswer::NotServed);
                }
            }
        }
        None
    }

    /// Does what other nodes handed in, while this one serves, until the server is closing.
    pub(crate) async fn serve(
        self: Arc<Self>,
        placement: Arc<dyn Placement>,
        mut closing: watch::Receiver<bool>,
    ) {
        let office = Office {
            placement: &*placement,
            clock: &self.clock,
        };
        loop {
            tokio::select! {
                () = sleep(LOOK) => {}
                _ = closing.changed() => return,
            }
            loop {
                let here = placement.here().into_iter();
                let here: Vec<_> = here.map(|(room, _)| room).collect();
                if here.is_empty() {
                    break;
                }
                let taken = self.with_inbox(move |inbox| inbox.take(&here)).await;
                let Some((id, ask)) = taken.flatten() else {
                    break;
                };
                let answer = match serde_json::from_str(&ask) {
                    // They have gone elsewhere by now: nothing was done.
                    Ok(ask) => carry_out(office, &ask)
                        .await
                        .unwrap_or(Some(OperatorAnswer::NotServed)),
                    Err(_) => None,
                };
                info!(self.log, "did what another node was asked"; "done" => answer.is_some());
                let answer = serde_json::to_string(&answer).expect("answers are plain values");
                let settled = self.with_inbox(move |inbox| inbox.settle(&id, &answer));
                // Who waits for it waits in vain where that fails.
                settled.await;
            }
        }
    }

    /// Uses the inbox, away from the threads that serve connections; `None` where the store fails.
    async fn with_inbox<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&dyn Inbox) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let this = Arc::clone(self);
        let working = tokio::task::spawn_blocking(move || {
            // What it holds is a connection, which is sound even after a panic.
            let inbox = this.inbox.lock();
            act(&**inbox.unwrap_or_else(PoisonError::into_inner))
                .inspect_err(|error| this.metrics.store_error(error))
                .ok()
        });
        working.await.ok()?
    }
}
