use super::encryption::{ClearLinks, LinkAcceptor, LinkReader, LinkWriter};
use super::handshake::{self, LinkChannel, LinkSecret};
use super::wire::{
    FrameReader, FrameToGateway, FrameToOwner, IntoFrame, LinkError, MAX_FRAME_LEN, StreamId,
    decode_request, run_sender, run_with_timeout,
};
use crate::local_connection::LocalConnection;
use slog::{Logger, debug, info, warn};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncRead;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc, watch};
use tokio::task::JoinSet;
use war::i18n::{Catalogue, Lang};
use war_table::protocol::Request;
use war_table::server::hub::{ClientId, HubDelivery};
use war_table::server::mailbox::PendingClient;
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::RoomNumber;
use war_table::server::{Clock, accept_connection};
use war_table::time::Monotonic;

/// Largest number of connections that have not completed the handshake.
const MAX_UNAUTHENTICATED: usize = 64;
/// Largest number of frames in the send queue of a link.
const MAX_QUEUED_FRAMES: usize = 1024;
/// Delay before the next attempt to accept a connection, after an attempt has failed.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

/// Rooms that this node owns.
pub(crate) trait OwnedRooms: Send + Sync {
    /// Queue of a room's commands; `None` if this node does not own the room.
    fn commands(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>>;

    /// Id for a new client, never used before on this node.
    fn next_client(&self) -> ClientId;
}

/// Accepts links of other nodes and connects their clients to the rooms of this node.
pub(crate) struct PeerServer {
    pub(crate) acceptor: LinkAcceptor,
    pub(crate) secret: LinkSecret,
    pub(crate) clear_links: ClearLinks,
    pub(crate) rooms: Arc<dyn OwnedRooms>,
    pub(crate) clock: Clock,
    pub(crate) log: Logger,
}

/// The room owner's end of a link that another node opened.
struct IncomingLink<'a> {
    server: &'a PeerServer,
    /// Request queue of each open stream.
    streams: BTreeMap<StreamId, mpsc::Sender<TimedRequest>>,
    frames: mpsc::Sender<FrameToGateway>,
}

impl PeerServer {
    /// Accepts links at one or more listeners until the node is closing.
    pub(crate) async fn listen(
        self: Arc<Self>,
        listeners: Vec<TcpListener>,
        mut closing: watch::Receiver<bool>,
    ) {
        let unauthenticated = Arc::new(Semaphore::new(MAX_UNAUTHENTICATED));
        let mut links = JoinSet::new();
        let mut last_refused = None;
        loop {
            let accepted = tokio::select! {
                accepted = accept_connection(&listeners) => accepted,
                Some(ended) = links.join_next() => {
                    // A refused node keeps retrying, so the same refusal is logged once.
                    if let Ok(Some(refused)) = ended && last_refused.as_ref() != Some(&refused) {
                        let (from, reason) = &refused;
                        warn!(self.log, "refused a node"; "from" => from, "reason" => reason);
                        last_refused = Some(refused);
                    }
                    continue;
                }
                _ = closing.changed() => break,
            };
            let Ok((socket, from)) = accepted else {
                // Most likely out of file descriptors, which may soon be free again.
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
                continue;
            };
            let Ok(permit) = Arc::clone(&unauthenticated).try_acquire_owned() else {
                debug!(self.log, "too many nodes at once"; "from" => %from);
                continue;
            };
            let server = Arc::clone(&self);
            links.spawn(async move {
                let authenticating = server.authenticate(socket);
                let authenticated = run_with_timeout(authenticating).await;
                drop(permit);
                match authenticated {
                    Ok((incoming, write, channel)) => {
                        info!(server.log, "a node has linked"; "from" => %from);
                        let refused = server.clear_links.clone().refused(channel);
                        let error = tokio::select! {
                            Err(error) = server.serve(incoming, write) => error,
                            error = refused => error,
                        };
                        info!(server.log, "a node's link ended"; "from" => %from, "reason" => %error);
                    }
                    Err(error @ (LinkError::Version { .. } | LinkError::Secret)) => {
                        return Some((from.ip().to_string(), error.to_string()));
                    }
                    Err(error) => {
                        debug!(server.log, "not a node"; "from" => %from, "reason" => %error);
                    }
                }
                None
            });
        }
    }

    /// Begins TLS, unless the other side doesn't, and performs the handshake with it.
    async fn authenticate(
        &self,
        socket: TcpStream,
    ) -> Result<(FrameReader<LinkReader>, LinkWriter, LinkChannel), LinkError> {
        socket.set_nodelay(true)?;
        let opened = self.acceptor.accept(socket).await?;
        let channel = opened.channel;
        let (read, mut write) = opened.split();
        let mut incoming = FrameReader::new(read);
        if channel == LinkChannel::Clear && !self.clear_links.are_allowed() {
            match handshake::refuse(&mut incoming, &mut write).await? {}
        }
        handshake::respond(&mut incoming, &mut write, &self.secret, channel).await?;
        Ok((incoming, write, channel))
    }

    /// Serves a link until it fails.
    async fn serve(
        &self,
        mut incoming: FrameReader<LinkReader>,
        mut write: LinkWriter,
    ) -> Result<Infallible, LinkError> {
        let (frames, waiting) = mpsc::channel(MAX_QUEUED_FRAMES);
        let mut link = IncomingLink {
            server: self,
            streams: BTreeMap::new(),
            frames,
        };
        tokio::select! {
            ended = link.receive_frames(&mut incoming) => ended,
            ended = run_sender(&mut write, waiting, || self.clock.now()) => ended,
        }
    }
}

impl IncomingLink<'_> {
    async fn receive_frames<R: AsyncRead + Unpin>(
        &mut self,
        incoming: &mut FrameReader<R>,
    ) -> Result<Infallible, LinkError> {
        loop {
            let frame = incoming.read_frame(MAX_FRAME_LEN).await?;
            let now = self.server.clock.now();
            match frame {
                FrameToOwner::Enter {
                    stream,
                    age,
                    room,
                    address,
                    may_join,
                    lang,
                    player,
                } => {
                    let lang = Lang::from_code(&lang).unwrap_or(Lang::ALL[0]);
                    let visitor = PendingClient {
                        address,
                        may_join,
                        catalogue: Catalogue::built_in(lang),
                        player,
                    };
                    let arrived = now.saturating_sub(Duration::from_millis(age));
                    self.enter(stream, room, visitor, arrived).await?;
                }
                FrameToOwner::Request {
                    stream,
                    age,
                    request,
                    protocol,
                } => {
                    let Some(requests) = self.streams.get(&stream) else {
                        continue;
                    };
                    let timed = decode_request(&request, protocol).map(|request| TimedRequest {
                        request,
                        arrived: now.saturating_sub(Duration::from_millis(age)),
                    });
                    let is_queued = timed.is_some_and(|timed| requests.try_send(timed).is_ok());
                    if !is_queued {
                        self.reject(stream).await?;
                    }
                }
                FrameToOwner::Leave { stream } => drop(self.streams.remove(&stream)),
                FrameToOwner::Beat {} => {}
            }
        }
    }

    async fn enter(
        &mut self,
        stream: StreamId,
        room: RoomNumber,
        visitor: PendingClient,
        arrived: Monotonic,
    ) -> Result<(), LinkError> {
        if self.streams.contains_key(&stream) {
            return Err(LinkError::Garbled);
        }
        let Some(commands) = self.server.rooms.commands(room) else {
            return self.send_not_owner(stream).await;
        };
        let client = self.server.rooms.next_client();
        let (requests, served) =
            VisitorStream::new(stream, self.frames.clone(), self.server.clock.clone());
        self.streams.insert(stream, requests);
        // A busy room must not block the other streams of the link.
        drop(tokio::spawn(async move {
            let connection = LocalConnection::open(commands, client, visitor, arrived).await;
            served.run(connection.ok()).await;
        }));
        Ok(())
    }

    /// Closes a stream whose request this node can't parse, or whose queue of requests is full.
    async fn reject(&mut self, stream: StreamId) -> Result<(), LinkError> {
        self.streams.remove(&stream);
        warn!(self.server.log, "can't do what a node's client asks for"; "visit" => stream);
        self.send_not_owner(stream).await
    }

    async fn send_not_owner(&self, stream: StreamId) -> Result<(), LinkError> {
        let sent = self.frames.send(FrameToGateway::NotOwner { stream }).await;
        sent.map_err(|_| LinkError::Closed)
    }
}

/// Largest number of queued requests of a stream. Gateways send a request only when the one before
/// it is done.
const MAX_QUEUED_REQUESTS: usize = 4;

/// Request, and the time of its arrival by this node's clock.
struct TimedRequest {
    request: Request,
    arrived: Monotonic,
}

/// Stream of another node's client, connected to a room of this node.
struct VisitorStream {
    stream: StreamId,
    /// Closed when the client leaves.
    requests: mpsc::Receiver<TimedRequest>,
    /// Frames to the other node.
    frames: mpsc::Sender<FrameToGateway>,
    clock: Clock,
}

impl VisitorStream {
    /// Creates a stream and the sender of its requests; dropping the sender closes the stream.
    pub(super) fn new(
        stream: StreamId,
        frames: mpsc::Sender<FrameToGateway>,
        clock: Clock,
    ) -> (mpsc::Sender<TimedRequest>, Self) {
        let (sender, requests) = mpsc::channel(MAX_QUEUED_REQUESTS);
        let served = Self {
            stream,
            requests,
            frames,
            clock,
        };
        (sender, served)
    }

    /// Serves the stream until the client leaves, the link is lost, or the room ends. There is no
    /// `connection` if the room has already ended.
    pub(super) async fn run(mut self, connection: Option<LocalConnection>) {
        let stream = self.stream;
        if let Some(mut room) = connection {
            let is_client_gone = self.serve(&mut room).await;
            // Needed even if the room dropped the client: the player counts as connected until
            // `leave`.
            room.leave(self.clock.now()).await;
            if is_client_gone {
                return;
            }
        }
        // Fails only if the link is lost.
        let _ = self.frames.send(FrameToGateway::NotOwner { stream }).await;
    }

    /// Passes requests to the room and output back. Returns true if the client left or the link was
    /// lost, and false if the room ended.
    async fn serve(&mut self, room: &mut LocalConnection) -> bool {
        loop {
            tokio::select! {
                request = self.requests.recv() => match request {
                    Some(TimedRequest { request, arrived }) => {
                        if room.send_request(request, arrived).await.is_err() {
                            return false;
                        }
                    }
                    None => return true,
                },
                output = room.inbox_mut().receive() => match output {
                    Some(outbound) => {
                        if !self.deliver(outbound).await {
                            return true;
                        }
                    }
                    None => return false,
                },
            }
        }
    }

    /// Sends output of the room to the other node; returns false if the link is lost.
    async fn deliver(&self, outbound: HubDelivery) -> bool {
        match FrameToGateway::deliver(self.stream, outbound) {
            Some(frame) => self.frames.send(frame).await.is_ok(),
            None => true,
        }
    }
}

impl IntoFrame for FrameToGateway {
    type Wire = Self;

    fn into_wire(self, _now: Monotonic) -> Self {
        self
    }

    fn keep_alive() -> Self {
        Self::Beat {}
    }
}
