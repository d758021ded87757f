use super::handshake::{self, LinkSecret};
use super::wire::{
    Frame, Frames, LONGEST, LinkError, ToGateway, ToOwner, VisitNumber, in_time, sealed, send_all,
};
use crate::leases::NodeAddress;
use crate::visit::{RETRY, RoomGone};
use slog::{Logger, info, warn};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc};
use war_table::protocol::Request;
use war_table::server::Clock;
use war_table::server::hub::Outbound;
use war_table::server::mailbox::{Inbox, Mailbox, Visitor, mailbox};
use war_table::server::rooms::RoomNumber;

/// The nodes whose rooms the clients of this one visit.
///
/// There is one link to each, made when it is first needed and anew when it was lost.
pub(crate) struct Peers {
    secret: LinkSecret,
    clock: Clock,
    log: Logger,
    known: Mutex<BTreeMap<NodeAddress, Arc<AsyncMutex<Peer>>>>,
}

/// Another node.
#[derive(Default)]
struct Peer {
    link: Option<Arc<Link>>,
    /// Why it could not be reached the last time, and when that turned out.
    failure: Option<(String, u64)>,
}

impl Peers {
    /// A node that knows nobody yet; `secret` is what all nodes of its table know.
    pub(crate) const fn new(secret: LinkSecret, clock: Clock, log: Logger) -> Self {
        Self {
            secret,
            clock,
            log,
            known: Mutex::new(BTreeMap::new()),
        }
    }

    /// Lets a visitor enter a room of the node at this address.
    ///
    /// A room that the node does not own is entered all the same: the visit ends at once.
    ///
    /// # Errors
    ///
    /// [`RoomGone`] where the node can't be reached.
    pub(crate) async fn enter(
        &self,
        at: &NodeAddress,
        room: RoomNumber,
        visitor: Visitor,
    ) -> Result<PeerVisit, RoomGone> {
        let now = self.clock.now();
        let link = self.link(at, now).await?;
        link.enter(room, visitor, now).await
    }

    /// The link to a node, asked for when the clock showed `asked`.
    async fn link(&self, at: &NodeAddress, asked: u64) -> Result<Arc<Link>, RoomGone> {
        let peer = self.peer(at);
        let mut peer = peer.lock().await;
        if let Some(link) = &peer.link
            && link.is_open()
        {
            return Ok(Arc::clone(link));
        }
        // Who waited while it was tried does not try it again, nor does anybody at once.
        if let Some((_, when)) = &peer.failure
            && when.saturating_add(RETRY) > asked
        {
            return Err(RoomGone);
        }
        match self.dial(at).await {
            Ok(link) => {
                info!(self.log, "linked to a node"; "node" => %at);
                let link = Arc::new(link);
                peer.link = Some(Arc::clone(&link));
                peer.failure = None;
                Ok(link)
            }
            Err(error) => {
                let reason = error.to_string();
                let last = peer.failure.as_ref();
                if last.is_none_or(|(last, _)| *last != reason) {
                    warn!(self.log, "can't reach a node"; "node" => %at, "reason" => &reason);
                }
                peer.failure = Some((reason, self.clock.now()));
                Err(RoomGone)
            }
        }
    }

    /// What is known of the node at this address. Nodes that went are forgotten on the way.
    fn peer(&self, at: &NodeAddress) -> Arc<AsyncMutex<Peer>> {
        let peers = self.known.lock();
        let mut peers = peers.unwrap_or_else(PoisonError::into_inner);
        if let Some(peer) = peers.get(at) {
            return Arc::clone(peer);
        }
        let is_linked = |peer: &Peer| peer.link.as_ref().is_some_and(|link| link.is_open());
        peers.retain(|_, peer| {
            let is_asked_for = Arc::strong_count(peer) > 1;
            is_asked_for || peer.try_lock().is_ok_and(|peer| is_linked(&peer))
        });
        Arc::clone(peers.entry(at.clone()).or_default())
    }

    async fn dial(&self, at: &NodeAddress) -> Result<Link, LinkError> {
        let proven = async {
            let stream = TcpStream::connect(&at.0).await?;
            stream.set_nodelay(true)?;
            let (read, mut write) = stream.into_split();
            let mut frames = Frames::new(read);
            handshake::dial(&mut frames, &mut write, &self.secret).await?;
            Ok((frames, write))
        };
        let (frames, write) = in_time(proven).await?;
        let (link, run) = Link::new(frames, write, self.clock.clone());
        let (log, node) = (self.log.clone(), at.clone());
        drop(tokio::spawn(async move {
            let error = run.await;
            info!(log, "lost the link to a node"; "node" => %node, "reason" => %error);
        }));
        Ok(link)
    }
}

/// How many frames may wait to be written.
const WAITING_FRAMES: usize = 1024;

/// A link to a node that owns rooms, at the end of the visitors.
struct Link {
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
        request: Request,
        arrived: u64,
    },
    Leave {
        visit: VisitNumber,
    },
}

/// A client's stay in a room that another node owns. It lasts until it is left, the other node
/// does not own the room any more, or the link is lost: nothing more comes into its inbox then.
pub(crate) struct PeerVisit {
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
    fn is_open(&self) -> bool {
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
    pub(crate) async fn ask(&self, request: Request, arrived: u64) -> Result<(), RoomGone> {
        let visit = self.visit;
        self.send(ToSend::Ask {
            visit,
            request,
            arrived,
        })
        .await
    }

    /// Leaves the room. When that was is what the owner's clock shows when it hears of it.
    pub(crate) async fn leave(mut self, _now: u64) {
        let visit = self.visit;
        // An owner that is not there any more needs to know nothing.
        let _ = self.send(ToSend::Leave { visit }).await;
        self.is_left = true;
    }

    /// What the room says.
    pub(crate) const fn inbox(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    /// What the room has said so far.
    pub(crate) const fn heard(&self) -> &Inbox {
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
                request,
                arrived,
            } => match sealed(&request) {
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
