use super::encryption::{ClearLinks, LinkConnector, LinkReader, LinkWriter, OpenedLink};
use super::handshake::{self, LinkChannel, LinkSecret};
use super::wire::{
    FrameReader, FrameToGateway, FrameToOwner, IntoFrame, LinkError, MAX_FRAME_LEN, StreamId,
    run_sender, run_with_timeout,
};
use crate::leases::NodeAddress;
use crate::local_connection::{RETRY_DELAY, RoomUnavailableError};
use slog::{Logger, info, warn};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::{Mutex as AsyncMutex, Notify, mpsc};
use war_table::protocol::Request;
use war_table::server::Clock;
use war_table::server::hub::HubDelivery;
use war_table::server::mailbox::{Inbox, Mailbox, PendingClient, new_mailbox};
use war_table::server::rooms::RoomNumber;
use war_table::time::{Monotonic, whole_millis};

/// Links to the other nodes of the table.
///
/// There is one link to each node, opened when it is first needed and again after it was lost.
pub(crate) struct Peers {
    secret: LinkSecret,
    connector: LinkConnector,
    clear_links: ClearLinks,
    clock: Clock,
    log: Logger,
    by_address: Mutex<BTreeMap<NodeAddress, Arc<AsyncMutex<Peer>>>>,
}

/// State of the link to another node.
#[derive(Default)]
struct Peer {
    link: Option<Arc<Link>>,
    /// Reason and time of the last failure to reach the node.
    failure: Option<(String, Monotonic)>,
}

impl Peers {
    /// Creates the peers of a node that has no links yet.
    pub(crate) fn new(
        secret: LinkSecret,
        clear_links: ClearLinks,
        clock: Clock,
        log: Logger,
    ) -> Self {
        Self {
            secret,
            connector: LinkConnector::new(),
            clear_links,
            clock,
            log,
            by_address: Mutex::new(BTreeMap::new()),
        }
    }

    /// Connects a visitor to a room of the node at this address.
    ///
    /// If the node does not own the room, the call succeeds and the connection ends at once.
    ///
    /// # Errors
    ///
    /// [`RoomUnavailableError`] if the node can't be reached.
    pub(crate) async fn enter(
        &self,
        at: &NodeAddress,
        room: RoomNumber,
        visitor: PendingClient,
    ) -> Result<RemoteConnection, RoomUnavailableError> {
        let now = self.clock.now();
        let link = self.link(at, now).await?;
        link.enter(room, visitor, now).await
    }

    /// Returns the link to a node, requested at the time `asked`, and opens it if necessary.
    async fn link(
        &self,
        at: &NodeAddress,
        asked: Monotonic,
    ) -> Result<Arc<Link>, RoomUnavailableError> {
        let peer = self.peer(at);
        let mut peer = peer.lock().await;
        if let Some(link) = &peer.link
            && link.is_open()
        {
            return Ok(Arc::clone(link));
        }
        // Callers that waited during a failed attempt, or that call just after it, fail at once.
        if let Some((_, when)) = &peer.failure
            && when.saturating_add(RETRY_DELAY) > asked
        {
            return Err(RoomUnavailableError);
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
                Err(RoomUnavailableError)
            }
        }
    }

    /// Returns the state of the link to the node at this address. If that state is new, first drops
    /// the states of nodes without an open link, unless they are in use.
    fn peer(&self, at: &NodeAddress) -> Arc<AsyncMutex<Peer>> {
        let peers = self.by_address.lock();
        let mut peers = peers.unwrap_or_else(PoisonError::into_inner);
        if let Some(peer) = peers.get(at) {
            return Arc::clone(peer);
        }
        let is_linked = |peer: &Peer| peer.link.as_ref().is_some_and(|link| link.is_open());
        peers.retain(|_, peer| {
            let is_in_use = Arc::strong_count(peer) > 1;
            is_in_use || peer.try_lock().is_ok_and(|peer| is_linked(&peer))
        });
        Arc::clone(peers.entry(at.clone()).or_default())
    }

    /// Opens a link over TLS; in clear to a node that knows no other, while that is allowed.
    async fn dial(&self, at: &NodeAddress) -> Result<Link, LinkError> {
        let encrypted = async {
            let opened = self.connector.connect(connect(at).await?).await?;
            self.authenticate(opened).await
        };
        let (frames, write, channel) = match run_with_timeout(encrypted).await {
            Err(LinkError::Clear) if self.clear_links.are_allowed() => {
                let clear = async {
                    let opened = OpenedLink::new_clear(connect(at).await?);
                    self.authenticate(opened).await
                };
                run_with_timeout(clear).await?
            }
            encrypted => encrypted?,
        };
        let (link, run) = Link::new(frames, write, self.clock.clone());
        let (log, node) = (self.log.clone(), at.clone());
        let refused = self.clear_links.clone().refused(channel);
        drop(tokio::spawn(async move {
            let error = tokio::select! {
                error = run => error,
                error = refused => error,
            };
            info!(log, "lost the link to a node"; "node" => %node, "reason" => %error);
        }));
        Ok(link)
    }

    /// Performs the handshake with the other side.
    async fn authenticate(
        &self,
        opened: OpenedLink,
    ) -> Result<(FrameReader<LinkReader>, LinkWriter, LinkChannel), LinkError> {
        let channel = opened.channel;
        let (read, mut write) = opened.split();
        let mut frames = FrameReader::new(read);
        handshake::initiate(&mut frames, &mut write, &self.secret, channel).await?;
        Ok((frames, write, channel))
    }
}

pub(super) async fn connect(at: &NodeAddress) -> Result<TcpStream, LinkError> {
    let socket = TcpStream::connect(&at.0).await?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

/// Largest number of frames in the send queue of a link.
const MAX_QUEUED_FRAMES: usize = 1024;

/// The gateway's end of a link to a node that owns rooms.
pub(super) struct Link {
    frames: mpsc::Sender<PendingFrame>,
    streams: Arc<Streams>,
    next_stream: AtomicU64,
}

/// Open streams of a link.
#[derive(Default)]
struct Streams {
    /// Mailboxes of the streams; `None` once the link is lost.
    mailboxes: Mutex<Option<BTreeMap<StreamId, Mailbox>>>,
    /// Notified when the link has to be closed.
    close: Notify,
}

/// Frame that waits to be written.
pub(super) enum PendingFrame {
    Enter {
        stream: StreamId,
        room: RoomNumber,
        visitor: PendingClient,
        arrived: Monotonic,
    },
    Request {
        stream: StreamId,
        request: Request,
        arrived: Monotonic,
    },
    Leave {
        stream: StreamId,
    },
}

/// Connection of a client to a room of another node.
///
/// The inbox closes when the other node no longer owns the room, or the link is lost.
pub(crate) struct RemoteConnection {
    stream: StreamId,
    link: Arc<Link>,
    inbox: Inbox,
    has_left: bool,
}

/// Guard that closes all streams when the link is lost, even by a panic.
struct StreamsGuard(Arc<Streams>);

impl Link {
    /// Creates a link over an authenticated connection, and the future that runs it until it is
    /// lost or no longer needed.
    pub(super) fn new<R, W>(
        mut incoming: FrameReader<R>,
        mut write: W,
        clock: Clock,
    ) -> (Self, impl Future<Output = LinkError> + Send)
    where
        R: AsyncRead + Unpin + Send,
        W: AsyncWrite + Unpin + Send,
    {
        let (frames, waiting) = mpsc::channel(MAX_QUEUED_FRAMES);
        let streams = Arc::new(Streams {
            mailboxes: Mutex::new(Some(BTreeMap::new())),
            close: Notify::new(),
        });
        let guard = StreamsGuard(Arc::clone(&streams));
        let run = async move {
            let streams = &guard.0;
            let ended = tokio::select! {
                ended = streams.receive_frames(&mut incoming) => ended,
                ended = run_sender(&mut write, waiting, || clock.now()) => ended,
                () = streams.close.notified() => Err(LinkError::Stuck),
            };
            match ended {
                Ok(never) => match never {},
                Err(error) => error,
            }
        };
        let link = Self {
            frames,
            streams,
            next_stream: AtomicU64::new(0),
        };
        (link, run)
    }

    fn is_open(&self) -> bool {
        !self.frames.is_closed()
    }

    /// Opens a stream to a room of the other node for a visitor who came at the time `arrived`.
    pub(super) async fn enter(
        self: Arc<Self>,
        room: RoomNumber,
        visitor: PendingClient,
        arrived: Monotonic,
    ) -> Result<RemoteConnection, RoomUnavailableError> {
        let stream = self.next_stream.fetch_add(1, Ordering::Relaxed);
        let (mailbox, inbox) = new_mailbox();
        match &mut *self.streams.lock() {
            None => return Err(RoomUnavailableError),
            Some(mailboxes) => mailboxes.insert(stream, mailbox),
        };
        let connection = RemoteConnection {
            stream,
            link: self,
            inbox,
            has_left: false,
        };
        let enter = PendingFrame::Enter {
            stream,
            room,
            visitor,
            arrived,
        };
        connection.send(enter).await?;
        Ok(connection)
    }
}

impl RemoteConnection {
    /// Sends a request that reached this node at the time `arrived`.
    pub(crate) async fn send_request(
        &self,
        request: Request,
        arrived: Monotonic,
    ) -> Result<(), RoomUnavailableError> {
        let stream = self.stream;
        self.send(PendingFrame::Request {
            stream,
            request,
            arrived,
        })
        .await
    }

    /// Leaves the room. `_now` is unused: the owner reads its own clock when the frame arrives.
    pub(crate) async fn leave(mut self, _now: Monotonic) {
        let stream = self.stream;
        // Fails only if the link is lost.
        let _ = self.send(PendingFrame::Leave { stream }).await;
        self.has_left = true;
    }

    pub(crate) const fn inbox_mut(&mut self) -> &mut Inbox {
        &mut self.inbox
    }

    pub(crate) const fn inbox(&self) -> &Inbox {
        &self.inbox
    }

    async fn send(&self, frame: PendingFrame) -> Result<(), RoomUnavailableError> {
        let sent = self.link.frames.send(frame).await;
        sent.map_err(|_| RoomUnavailableError)
    }
}

impl Drop for RemoteConnection {
    fn drop(&mut self) {
        let stream = self.stream;
        self.link.streams.close_stream(stream);
        if self.has_left {
            return;
        }
        let sent = self.link.frames.try_send(PendingFrame::Leave { stream });
        if let Err(mpsc::error::TrySendError::Full(_)) = sent {
            // A lost `Leave` would make the owner keep the client for ever, so the link is closed.
            self.link.streams.close.notify_one();
        }
    }
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Option<BTreeMap<StreamId, Mailbox>>> {
        // No panic can leave the map half updated.
        self.mailboxes
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    async fn receive_frames<R: AsyncRead + Unpin>(
        &self,
        incoming: &mut FrameReader<R>,
    ) -> Result<std::convert::Infallible, LinkError> {
        loop {
            match incoming.read_frame(MAX_FRAME_LEN).await? {
                FrameToGateway::Deliver {
                    stream,
                    delivery,
                    in_reply_to,
                } => self.deliver(stream, delivery.into_delivery(in_reply_to)),
                FrameToGateway::NotOwner { stream } => self.close_stream(stream),
                FrameToGateway::Beat {} => {}
            }
        }
    }

    /// Delivers output of the room to a stream, if the stream is still open.
    fn deliver(&self, stream: StreamId, outbound: HubDelivery) {
        let mut mailboxes = self.lock();
        let Some(mailboxes) = &mut *mailboxes else {
            return;
        };
        let published = mailboxes
            .get(&stream)
            .map(|mailbox| mailbox.publish(outbound));
        if let Some(Err(_)) = published {
            // The mailbox is full. The stream is closed, since the client would miss this output.
            mailboxes.remove(&stream);
        }
    }

    fn close_stream(&self, stream: StreamId) {
        if let Some(mailboxes) = &mut *self.lock() {
            mailboxes.remove(&stream);
        }
    }
}

impl Drop for StreamsGuard {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

impl IntoFrame for PendingFrame {
    type Wire = FrameToOwner;

    fn into_wire(self, now: Monotonic) -> FrameToOwner {
        let age = |arrived| whole_millis(now.saturating_since(arrived));
        match self {
            Self::Enter {
                stream,
                room,
                visitor,
                arrived,
            } => FrameToOwner::Enter {
                stream,
                age: age(arrived),
                room,
                address: visitor.address,
                may_join: visitor.may_join,
                lang: visitor.catalogue.lang().code().to_owned(),
                player: visitor.player,
            },
            Self::Request {
                stream,
                request,
                arrived,
            } => FrameToOwner::request(stream, age(arrived), request),
            Self::Leave { stream } => FrameToOwner::Leave { stream },
        }
    }

    fn keep_alive() -> FrameToOwner {
        FrameToOwner::Beat {}
    }
}
