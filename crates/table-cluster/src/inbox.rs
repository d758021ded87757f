//! Forwards operator requests through the store, from any node to the owner of the room.

use slog::{Logger, info};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};
use war_table::operator::{OperatorAnswer, OperatorRequest};
use war_table::server::http::{ORDER_TIMEOUT, OrderContext, carry_out_request};
use war_table::server::placement::Placement;
use war_table::server::rooms::RoomNumber;
use war_table::server::store::StoreError;
use war_table::server::{Clock, Metrics};

/// Interval at which a node polls the inbox for requests of other nodes, and for the answers to its
/// own requests.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// Time after which a request that no node has taken is withdrawn: longer than the takeover of a
/// room, and shorter than the age from which nodes skip requests.
const WITHDRAW_AFTER: Duration = Duration::from_secs(8);

/// Queue of operator requests in the store: any node submits them, and owners of rooms take them.
///
/// A request is carried out at most once, by the node that takes it.
#[expect(
    clippy::missing_errors_doc,
    reason = "every method fails only if the store fails"
)]
pub trait OperatorInbox: Send {
    /// Submits a request to the owner of `room`, or of any room if `None`; returns its id.
    fn submit(&self, request: &str, room: Option<RoomNumber>) -> Result<String, StoreError>;

    /// Removes and returns the answer to a request; `None` if there is none yet.
    fn answer(&self, id: &str) -> Result<Option<String>, StoreError>;

    /// Removes a request unless a node has taken it; returns true if it was removed.
    fn withdraw(&self, id: &str) -> Result<bool, StoreError>;

    /// Takes a recent request for the owner of these rooms; returns its id and text.
    fn take(&self, rooms: &[RoomNumber]) -> Result<Option<(String, String)>, StoreError>;

    /// Stores the answer to a taken request.
    fn complete(&self, id: &str, answer: &str) -> Result<(), StoreError>;
}

/// Submits operator requests to the inbox of a table, and carries out those of other nodes.
pub(crate) struct OperatorRelay {
    pub(crate) inbox: Mutex<Box<dyn OperatorInbox>>,
    pub(crate) clock: Clock,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) log: Logger,
}

impl OperatorRelay {
    /// Submits a request to the owner of `room`, or of any room if `None`, and waits for the
    /// answer. Returns `None` if the outcome is unknown.
    pub(crate) async fn submit(
        self: Arc<Self>,
        request: &OperatorRequest,
        room: Option<RoomNumber>,
    ) -> Option<OperatorAnswer> {
        let text = serde_json::to_string(request).expect("questions are plain values");
        let submitted = self.with_inbox(move |inbox| inbox.submit(&text, room));
        let (id, start) = (submitted.await?, Instant::now());
        while start.elapsed() < ORDER_TIMEOUT {
            sleep(POLL_INTERVAL).await;
            let known = id.clone();
            let polled = self.with_inbox(move |inbox| inbox.answer(&known));
            if let Some(answer) = polled.await.flatten() {
                return serde_json::from_str(&answer).ok().flatten();
            }
            if start.elapsed() > WITHDRAW_AFTER {
                let known = id.clone();
                let withdrawn = self.with_inbox(move |inbox| inbox.withdraw(&known));
                if withdrawn.await == Some(true) {
                    return Some(OperatorAnswer::NotServed);
                }
            }
        }
        None
    }

    /// Carries out requests submitted by other nodes, while this node owns rooms, until the server
    /// is closing.
    pub(crate) async fn serve(
        self: Arc<Self>,
        placement: Arc<dyn Placement>,
        mut closing: watch::Receiver<bool>,
    ) {
        let context = OrderContext {
            placement: &*placement,
            clock: &self.clock,
        };
        loop {
            tokio::select! {
                () = sleep(POLL_INTERVAL) => {}
                _ = closing.changed() => return,
            }
            loop {
                let here = placement.local_rooms().into_iter();
                let here: Vec<_> = here.map(|(room, _)| room).collect();
                if here.is_empty() {
                    break;
                }
                let taken = self.with_inbox(move |inbox| inbox.take(&here)).await;
                let Some((id, request)) = taken.flatten() else {
                    break;
                };
                let answer = match serde_json::from_str(&request) {
                    // An error is a redirect: a room of another node has to carry the request out,
                    // and nothing was done.
                    Ok(request) => carry_out_request(context, &request)
                        .await
                        .unwrap_or(Some(OperatorAnswer::NotServed)),
                    Err(_) => None,
                };
                info!(self.log, "did what another node was asked"; "done" => answer.is_some());
                let answer = serde_json::to_string(&answer).expect("answers are plain values");
                let completed = self.with_inbox(move |inbox| inbox.complete(&id, &answer));
                // If the answer can't be stored, the node that waits for it times out.
                completed.await;
            }
        }
    }

    /// Uses the inbox on a blocking thread; returns `None` if the store fails.
    async fn with_inbox<T: Send + 'static>(
        self: &Arc<Self>,
        act: impl FnOnce(&dyn OperatorInbox) -> Result<T, StoreError> + Send + 'static,
    ) -> Option<T> {
        let this = Arc::clone(self);
        let task = tokio::task::spawn_blocking(move || {
            // The lock guards only a connection, which stays usable after a panic.
            let inbox = this.inbox.lock();
            act(&**inbox.unwrap_or_else(PoisonError::into_inner))
                .inspect_err(|_| this.metrics.count_store_error())
                .ok()
        });
        task.await.ok()?
    }
}
