use super::error::LinkError;
use super::frames::{ToGateway, ToOwner, VisitNumber, sealed};
use super::wire::{Frame, Frames, LONGEST, send_all};
use crate::server::clock::Clock;
use crate::server::gateway::{Errand, RoomGone, Visitor};
use crate::server::hub::Outbound;
use crate::server::mailbox::{Inbox, Mailbox, mailbox};
use crate::server::rooms::RoomNumber;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{Notify, mpsc};

/// How many frames may wait to be written.
const WAITING_FRAMES: usize = 1024;

/// A link to a node that owns rooms, at the end of the visitors.
pub(super) struct Link {
    frames: mpsc::Sender<ToSend>,
    visits: Arc<Visits>,
    next: AtomicU64,
}

/// The visits over a link.
#[derive(Default)]
struct Visits {
    /// Where to hand what comes for a visit; nowhere any more once the link is lost.
    mailboxes: Mutex<Option<BTreeMap<VisitNumber, Mailbox>>>,
    /// The link is to be cut.
    cut: Notify,
}

/// What waits to be written.
pub(super) enum ToSend {
    Enter {
        visit: VisitNumber,
        room: RoomNumber,
        visitor: Visitor,
        arrived: u64,
    },
    Ask {
        visit: VisitNumber,
        errand: Errand,
        arrived: u64,
    },
    Leave {
        visit: VisitNumber,
    },
}

/// A client's stay in a room that another node owns. It lasts until it is left, the other node
/// does not own the room any more, or the link is lost: nothing more comes into its inbox then.
pub(in crate::server) struct PeerVisit {
    visit: VisitNumber,
    link: Arc<Link>,
    inbox: Inbox,
    is_left: bool,
}

/// Ends all visits when the link is lost, however that comes about.
struct Ending(Arc<Visits>);

impl Link {
    /// A link over a connection whose other end is proven, and what keeps it going until it is
    /// lost or nobody needs it any more.
    pub(super) fn new<R, W>(
        mut incoming: Frames<R>,
        mut write: W,
        clock: Clock,
    ) -> (Self, impl Future<Output = LinkError> + Send)
    where
        R: AsyncRead + Unpin + Send,
        W: AsyncWrite + Unpin + Send,
    {
        let (frames, waiting) = mpsc::channel(WAITING_FRAMES);
        let visits = Arc::new(Visits {
            mailboxes: Mutex::new(Some(BTreeMap::new())),
            cut: Notify::new(),
        });
        let ending = Ending(Arc::clone(&visits));
        let run = async move {
            let visits = &ending.0;
            let ended = tokio::select! {
                ended = visits.receive(&mut incoming) => ended,
                ended = send_all(&mut write, waiting, || clock.now()) => ended,
                () = visits.cut.notified() => Err(LinkError::Stuck),
            };
            match ended {
                Ok(never) => match never {},
                Err(error) => error,
            }
        };
        let link = Self {
            frames,
            visits,
            next: AtomicU64::new(0),
        };
        (link, run)
    }

    /// Whether it was not lost yet.
    pub(super) fn is_open(&self) -> bool {
        !self.frames.is_closed()
    }

    /// Lets a visitor enter a room of the other node, as it came when the clock showed `arrived`.
    pub(super) async fn enter(
        self: Arc<Self>,
        room: RoomNumber,
        visitor: Visitor,
        arrived: u64,
    ) -> Result<PeerVisit, RoomGone> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (mailbox, inbox) = mailbox();
        match &mut *self.visits.lock() {
            None => return Err(RoomGone),
            Some(mailboxes) => mailboxes.insert(number, mailbox),
        };
        let visit = PeerVisit {
            visit: number,
            link: self,
            inbox,
            is_left: false,
        };
        let enter = ToSend::Enter {
            visit: number,
            room,
            visitor,
            arrived,
        };
        visit.send(enter).await?;
        Ok(visit)
    }
}

impl PeerVisit {
    /// Asks for something that came when the node's clock showed `arrived`.
    pub(in crate::server) async fn ask(
        &self,
        errand: Errand,
        arrived: u64,
    ) -> Result<(), RoomGone> {
        let visit = self.visit;
        self.send(ToSend::Ask {
            visit,
            errand,
            arrived,
        })
        .await
    }

    /// Leaves the room. When that was is what the owner's clock shows when it hears of it.
    pub(in crate::server) async fn leave(mut self, _now: u64) {
        let visit = self.visit;
        // An owner that is not there any more needs to know nothing.
        let _ = self.send(ToSend::Leave { visit }).await;
        self.is_left = true;
    }

    /// What the room says.
    pub(in crate::server) const fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// What the room has said so far.
    pub(in crate::server) const fn heard(&self) -> &Inbox {
        &self.inbox
    }

    async fn send(&self, frame: ToSend) -> Result<(), RoomGone> {
        let sent = self.link.frames.send(frame).await;
        sent.map_err(|_| RoomGone)
    }
}

impl Drop for PeerVisit {
    fn drop(&mut self) {
        let visit = self.visit;
        self.link.visits.end(visit);
        if self.is_left {
            return;
        }
        let sent = self.link.frames.try_send(ToSend::Leave { visit });
        if let Err(mpsc::error::TrySendError::Full(_)) = sent {
            // A client would stay with the owner for ever.
            self.link.visits.cut.notify_one();
        }
    }
}

impl Visits {
    fn lock(&self) -> MutexGuard<'_, Option<BTreeMap<VisitNumber, Mailbox>>> {
        // What it guards is whole at any moment.
        self.mailboxes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn receive<R: AsyncRead + Unpin>(
        &self,
        incoming: &mut Frames<R>,
    ) -> Result<std::convert::Infallible, LinkError> {
        loop {
            match incoming.next(LONGEST).await? {
                ToGateway::Hand { visit, what } => self.hand(visit, what),
                ToGateway::NotOwner { visit } => self.end(visit),
                ToGateway::Beat {} => {}
            }
        }
    }

    /// Hands this to a visitor, unless they have left.
    fn hand(&self, visit: VisitNumber, outbound: Outbound) {
        let mut mailboxes = self.lock();
        let Some(mailboxes) = &mut *mailboxes else {
            return;
        };
        let published = mailboxes
            .get(&visit)
            .map(|mailbox| mailbox.publish(outbound));
        if let Some(Err(_)) = published {
            // It can't be served in order any more.
            mailboxes.remove(&visit);
        }
    }

    /// Lets nothing more come to a visitor.
    fn end(&self, visit: VisitNumber) {
        if let Some(mailboxes) = &mut *self.lock() {
            mailboxes.remove(&visit);
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

impl Frame for ToSend {
    type Wire = ToOwner;

    fn wire(self, now: u64) -> ToOwner {
        let age = |arrived| now.saturating_sub(arrived);
        match self {
            Self::Enter {
                visit,
                room,
                visitor,
                arrived,
            } => ToOwner::Enter {
                visit,
                age: age(arrived),
                room,
                address: visitor.address,
                may_join: visitor.may_join,
                lang: visitor.catalogue.lang().code().to_owned(),
                player: visitor.player,
            },
            Self::Ask {
                visit,
                errand,
                arrived,
            } => match sealed(errand) {
                Some(request) => ToOwner::Ask {
                    visit,
                    age: age(arrived),
                    request,
                },
                None => ToOwner::Leave { visit },
            },
            Self::Leave { visit } => ToOwner::Leave { visit },
        }
    }

    fn beat() -> ToOwner {
        ToOwner::Beat {}
    }
}
