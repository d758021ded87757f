//! The way of deliveries from the writer to a client, and how much may be on it.
//!
//! Pushed messages that don't fit are read from the store later, but an answer to one connection
//! exists only once: so there is always room for every answer that may come.

use super::hub::{ClientId, Outbound};
use super::limits::Address;
use crate::protocol::PlayerId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use war::i18n::Catalogue;

/// A client as the writer knows it.
pub struct ClientHandle {
    /// Its number.
    pub id: ClientId,
    /// Where it comes from.
    pub address: Address,
    /// Whether it may be a new player, as far as its gateway counts.
    pub may_join: bool,
    /// The language that its errors are written in.
    pub catalogue: &'static Catalogue,
    /// Its player, where that is known already.
    pub player: Option<PlayerId>,
    /// Where deliveries go.
    pub mailbox: Mailbox,
}

/// A client as it comes to a room.
#[derive(Debug, Clone, Copy)]
pub struct Visitor {
    /// Where it comes from.
    pub address: Address,
    /// Whether it may be a new player, as far as its gateway counts.
    pub may_join: bool,
    /// The language that its errors are written in.
    pub catalogue: &'static Catalogue,
    /// Its player, once that is known.
    pub player: Option<PlayerId>,
}

impl Visitor {
    /// The visitor as the writer of a room knows it.
    #[must_use]
    pub const fn handle(self, id: ClientId, mailbox: Mailbox) -> ClientHandle {
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

/// The writer's end.
pub struct Mailbox {
    sender: mpsc::Sender<Outbound>,
    latest: Arc<AtomicU64>,
}

/// The client's end.
pub struct Inbox {
    receiver: mpsc::Receiver<Outbound>,
    latest: Arc<AtomicU64>,
}

/// An answer that does not fit: the client can't be served in order any more.
#[derive(Debug, PartialEq, Eq)]
pub struct Overflow;

/// Both ends of a new mailbox.
#[must_use]
pub fn mailbox() -> (Mailbox, Inbox) {
    let (sender, receiver) = mpsc::channel(MAILBOX);
    let latest = Arc::new(AtomicU64::new(0));
    let mailbox = Mailbox {
        sender,
        latest: Arc::clone(&latest),
    };
    (mailbox, Inbox { receiver, latest })
}

impl Mailbox {
    /// Hands over what was committed.
    ///
    /// A pushed message that would use the room for answers is left out: the client reads it
    /// from the store, because [`Inbox::latest`] says that there is more.
    ///
    /// # Errors
    ///
    /// [`Overflow`] where an answer does not fit.
    pub fn publish(&self, outbound: Outbound) -> Result<(), Overflow> {
        if let Outbound::Push { seq, .. } | Outbound::Welcome { seq, .. } = outbound {
            self.latest.fetch_max(seq, Ordering::AcqRel);
        }
        let is_push = matches!(outbound, Outbound::Push { .. });
        if is_push && self.sender.capacity() <= ROOM_FOR_ANSWERS {
            return Ok(());
        }
        match self.sender.try_send(outbound) {
            Err(TrySendError::Full(_)) => Err(Overflow),
            // A client that is gone needs nothing any more.
            Ok(()) | Err(TrySendError::Closed(_)) => Ok(()),
        }
    }
}

impl Inbox {
    /// The next delivery; `None` where the writer has given the client up, or has ended.
    pub async fn receive(&mut self) -> Option<Outbound> {
        self.receiver.recv().await
    }

    /// How many deliveries wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.receiver.len()
    }

    /// The number of the last message to the player.
    #[must_use]
    pub fn latest(&self) -> u64 {
        self.latest.load(Ordering::Acquire)
    }
}

/// How many requests of a client may be on their way to be answered.
pub const REQUESTS_IN_FLIGHT: usize = 16;
/// A client is read from while fewer deliveries than this wait for it.
pub(super) const READ_BELOW: usize = 16;
/// The most messages that one request brings to its player.
const ANSWERS_TO_A_REQUEST: usize = 2;
/// How many deliveries may wait for a client.
const MAILBOX: usize = 128;
/// How much of a mailbox is kept for answers; messages that are pushed may use the rest.
const ROOM_FOR_ANSWERS: usize = MAILBOX / 2;
/// The most answers that may wait: those that came while the client was still read from,
/// those to all requests on their way, and the one to a `hello`.
const MOST_ANSWERS: usize = READ_BELOW + REQUESTS_IN_FLIGHT * ANSWERS_TO_A_REQUEST + 1;

const _: () = assert!(
    MOST_ANSWERS <= ROOM_FOR_ANSWERS,
    "an answer might not fit into a mailbox"
);

#[cfg(test)]
mod tests {
    use super::{MAILBOX, MOST_ANSWERS, Overflow, mailbox};
    use crate::server::hub::Outbound;

    #[test]
    fn every_answer_fits_however_much_is_pushed() {
        let (mailbox, inbox) = mailbox();
        let pushes = 10 * MAILBOX as u64;
        for seq in 1..=pushes {
            let body = "{}".into();
            assert_eq!(mailbox.publish(Outbound::Push { seq, body }), Ok(()));
        }
        assert_eq!(inbox.latest(), pushes, "the client knows what it misses");
        assert_eq!(
            inbox.waiting(),
            MAILBOX / 2,
            "half of it is kept for answers"
        );
        for _ in 0..MOST_ANSWERS {
            let answer = Outbound::Answer("{}".to_owned());
            assert_eq!(mailbox.publish(answer), Ok(()));
        }
    }

    #[test]
    fn an_answer_that_does_not_fit_is_no_secret() {
        let (mailbox, inbox) = mailbox();
        let publish = || mailbox.publish(Outbound::Answer("{}".to_owned()));
        for _ in 0..MAILBOX {
            assert_eq!(publish(), Ok(()));
        }
        assert_eq!(publish(), Err(Overflow));
        drop(inbox);
        assert_eq!(publish(), Ok(()), "nobody misses it");
    }
}
