//! Mailboxes, which carry deliveries from a room to a client and limit how many may wait.
//!
//! Pushed messages that don't fit are read from the store later. An answer to one connection can't
//! be read again, so a mailbox always has room for every possible answer.

use super::hub::{ClientId, HubDelivery};
use super::limits::ClientAddress;
use crate::protocol::PlayerId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use war::i18n::Catalogue;

/// A client as its room knows it.
pub struct ClientHandle {
    /// Number of the client.
    pub id: ClientId,
    /// Address that the client connects from.
    pub address: ClientAddress,
    /// `true` if the client's gateway counted it as a possible new player.
    pub may_join: bool,
    /// Language of the client's errors.
    pub catalogue: &'static Catalogue,
    /// Player of the client, if known.
    pub player: Option<PlayerId>,
    /// Mailbox for the client's deliveries.
    pub mailbox: Mailbox,
}

/// A client that is about to enter a room.
#[derive(Debug, Clone, Copy)]
pub struct PendingClient {
    /// Address that the client connects from.
    pub address: ClientAddress,
    /// `true` if the client's gateway counted it as a possible new player.
    pub may_join: bool,
    /// Language of the client's errors.
    pub catalogue: &'static Catalogue,
    /// Player of the client, once known.
    pub player: Option<PlayerId>,
}

impl PendingClient {
    /// Handle of the client for a room.
    #[must_use]
    pub const fn into_handle(self, id: ClientId, mailbox: Mailbox) -> ClientHandle {
        let Self {
            address,
            may_join,
            catalogue,
            player,
        } = self;
        ClientHandle {
            id,
            address,
            may_join,
            catalogue,
            player,
            mailbox,
        }
    }
}

/// The room's end of a mailbox.
pub struct Mailbox {
    sender: mpsc::Sender<HubDelivery>,
    latest: Arc<AtomicU64>,
}

/// The client's end of a mailbox.
pub struct Inbox {
    receiver: mpsc::Receiver<HubDelivery>,
    latest: Arc<AtomicU64>,
}

/// Error for an answer that does not fit into a mailbox. Leaving the answer out would break the
/// order of answers.
#[derive(Debug, PartialEq, Eq)]
pub struct MailboxOverflow;

/// Creates both ends of a mailbox.
#[must_use]
pub fn new_mailbox() -> (Mailbox, Inbox) {
    let (sender, receiver) = mpsc::channel(MAILBOX_CAPACITY);
    let latest = Arc::new(AtomicU64::new(0));
    let mailbox = Mailbox {
        sender,
        latest: Arc::clone(&latest),
    };
    (mailbox, Inbox { receiver, latest })
}

impl Mailbox {
    /// Adds a delivery whose batch has been committed.
    ///
    /// A pushed message that would take space reserved for answers is left out. The client then
    /// reads that message from the store, as [`Inbox::last_seq`] shows that it exists.
    ///
    /// # Errors
    ///
    /// [`MailboxOverflow`] if an answer does not fit.
    pub fn publish(&self, outbound: HubDelivery) -> Result<(), MailboxOverflow> {
        if let HubDelivery::Push { seq, .. } | HubDelivery::Welcome { seq, .. } = outbound {
            self.latest.fetch_max(seq, Ordering::AcqRel);
        }
        let is_push = matches!(outbound, HubDelivery::Push { .. });
        if is_push && self.sender.capacity() <= RESERVED_FOR_ANSWERS {
            return Ok(());
        }
        match self.sender.try_send(outbound) {
            Err(TrySendError::Full(_)) => Err(MailboxOverflow),
            // A client that has left needs no deliveries.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        }
    }
}

impl Inbox {
    /// Next delivery; `None` if the room has ended or dropped the client.
    pub async fn receive(&mut self) -> Option<HubDelivery> {
        self.receiver.recv().await
    }

    /// Number of deliveries that wait.
    #[must_use]
    pub fn waiting_count(&self) -> usize {
        self.receiver.len()
    }

    /// Number of the last message to the player.
    #[must_use]
    pub fn last_seq(&self) -> u64 {
        self.latest.load(Ordering::Acquire)
    }
}

/// Maximum number of requests of a client that may wait for their answers.
pub const MAX_REQUESTS_IN_FLIGHT: usize = 16;
/// Number of waiting deliveries at which reading from the client stops.
pub(super) const MAX_QUEUED_DELIVERIES: usize = 16;
/// Maximum number of answers to one request.
const MAX_ANSWERS_PER_REQUEST: usize = 2;
/// Capacity of a mailbox, in deliveries.
const MAILBOX_CAPACITY: usize = 128;
/// Places of a mailbox reserved for answers; pushed messages may use the rest.
const RESERVED_FOR_ANSWERS: usize = MAILBOX_CAPACITY / 2;
/// Maximum number of answers that may wait: those from before reading stopped, those to all
/// unanswered requests, and the one to a `hello`.
const MAX_ANSWERS: usize =
    MAX_QUEUED_DELIVERIES + MAX_REQUESTS_IN_FLIGHT * MAX_ANSWERS_PER_REQUEST + 1;

const _: () = assert!(
    MAX_ANSWERS <= RESERVED_FOR_ANSWERS,
    "an answer might not fit into a mailbox"
);

#[cfg(test)]
mod tests {
    use super::{MAILBOX_CAPACITY, MAX_ANSWERS, MailboxOverflow, new_mailbox};
    use crate::server::hub::HubDelivery;

    fn empty_answer() -> HubDelivery {
        HubDelivery::Answer {
            body: "{}".to_owned(),
            in_reply_to: None,
        }
    }

    #[test]
    fn every_answer_fits_however_much_is_pushed() {
        let (mailbox, inbox) = new_mailbox();
        let pushes = 10 * MAILBOX_CAPACITY as u64;
        for seq in 1..=pushes {
            let body = "{}".into();
            assert_eq!(
                mailbox.publish(HubDelivery::Push {
                    seq,
                    body,
                    in_reply_to: None
                }),
                Ok(())
            );
        }
        assert_eq!(inbox.last_seq(), pushes, "the client knows what it misses");
        assert_eq!(
            inbox.waiting_count(),
            MAILBOX_CAPACITY / 2,
            "half of it is kept for answers"
        );
        for _ in 0..MAX_ANSWERS {
            let answer = empty_answer();
            assert_eq!(mailbox.publish(answer), Ok(()));
        }
    }

    #[test]
    fn an_answer_that_does_not_fit_is_no_secret() {
        let (mailbox, inbox) = new_mailbox();
        let publish = || mailbox.publish(empty_answer());
        for _ in 0..MAILBOX_CAPACITY {
            assert_eq!(publish(), Ok(()));
        }
        assert_eq!(publish(), Err(MailboxOverflow));
        drop(inbox);
        assert_eq!(publish(), Ok(()), "nobody misses it");
    }
}
