//! Test harness for links: rooms with stub actors, a proxy that records its traffic and can cut
//! its connections, and requests.

use war::i18n::{Catalogue, Lang};
use war_table::time::Monotonic;

use crate::leases::NodeAddress;
use crate::peers::encryption::{LinkAcceptor, LinkConnector, OpenedLink};
use crate::peers::{ClearLinks, LinkSecret, OwnedRooms, PeerServer, Peers, RemoteConnection};
use slog::Logger;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::{Notify, watch};
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::server::hub::{ClientId, HubCommand, HubDelivery};
use war_table::server::mailbox::{Mailbox, PendingClient};
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::RoomNumber;
use war_table::server::{ClientAddress, Clock};

pub(super) const SECRET: LinkSecret = LinkSecret::new([7; 32]);

/// Command that the stub of a room has received.
#[derive(Debug, PartialEq)]
pub(super) enum ReceivedCommand {
    Connected {
        address: ClientAddress,
        lang: Lang,
        player: Option<PlayerId>,
        arrived: Monotonic,
    },
    Requested {
        request: Request,
        arrived: Monotonic,
    },
    Disconnected,
}

#[derive(Default)]
struct Rooms {
    queues: Mutex<BTreeMap<RoomNumber, mpsc::Sender<ActorMessage>>>,
    clients: AtomicU64,
}

impl OwnedRooms for Rooms {
    fn commands(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>> {
        self.queues.lock().expect("a lock").get(&room).cloned()
    }

    fn next_client(&self) -> ClientId {
        ClientId(self.clients.fetch_add(1, Ordering::Relaxed))
    }
}

/// Node that owns rooms.
pub(super) struct OwnerNode {
    pub(super) address: NodeAddress,
    pub(super) clock: Clock,
    rooms: Arc<Rooms>,
    pub(super) server: Arc<PeerServer>,
    pub(super) closing: watch::Sender<bool>,
}

impl OwnerNode {
    /// Starts a node whose links are all encrypted.
    pub(super) async fn start(secret: LinkSecret, log: Logger) -> Self {
        Self::start_with(secret, log, clear_links(false)).await
    }

    pub(super) async fn start_with(
        secret: LinkSecret,
        log: Logger,
        clear_links: ClearLinks,
    ) -> Self {
        let (closing, closes) = watch::channel(false);
        let (listener, address) = bind_listener().await;
        let rooms = Arc::new(Rooms::default());
        let clock = Clock::start();
        let server = Arc::new(PeerServer {
            acceptor: LinkAcceptor::new(),
            secret,
            clear_links,
            rooms: Arc::clone(&rooms) as _,
            clock: clock.clone(),
            log,
        });
        drop(tokio::spawn(
            Arc::clone(&server).listen(vec![listener], closes),
        ));
        Self {
            address,
            clock,
            rooms,
            server,
            closing,
        }
    }

    /// Adds a room with a stub actor, which reports its commands and answers each request with
    /// [`answers`]. A request with the id `big` first gets more output than a link can buffer.
    pub(super) fn add_room(&self, room: u16) -> UnboundedReceiver<ReceivedCommand> {
        let (sender, mut commands) = mpsc::channel(1024);
        let (commands_sender, received) = mpsc::unbounded_channel();
        drop(std::thread::spawn(move || {
            let mut mailboxes = BTreeMap::new();
            while let Some(command) = commands.blocking_recv() {
                if !handle(command, &mut mailboxes, &commands_sender) {
                    break;
                }
            }
        }));
        self.add_queue(room, sender);
        received
    }

    pub(super) fn add_queue(&self, room: u16, commands: mpsc::Sender<ActorMessage>) {
        let mut queues = self.rooms.queues.lock().expect("a lock");
        queues.insert(RoomNumber(room), commands);
    }

    /// Stops the stub actor of a room; the node remains the room's owner.
    pub(super) async fn stop_room(&self, room: u16) {
        let commands = self.rooms.commands(RoomNumber(room)).expect("a room");
        assert!(commands.send(ActorMessage::HandOver).await.is_ok());
        commands.closed().await;
    }
}

/// Handles a command; returns false if the stub has to stop.
fn handle(
    command: ActorMessage,
    mailboxes: &mut BTreeMap<ClientId, Mailbox>,
    commands_sender: &UnboundedSender<ReceivedCommand>,
) -> bool {
    let received = match command {
        ActorMessage::Connect(handle, arrived) => {
            mailboxes.insert(handle.id, handle.mailbox);
            ReceivedCommand::Connected {
                address: handle.address,
                lang: handle.catalogue.lang(),
                player: handle.player,
                arrived,
            }
        }
        ActorMessage::Hub {
            arrived, command, ..
        } => match command {
            HubCommand::Request { client, request } => {
                answer(&mailboxes[&client], &request);
                ReceivedCommand::Requested { request, arrived }
            }
            HubCommand::Disconnect { client } => {
                mailboxes.remove(&client);
                ReceivedCommand::Disconnected
            }
            _ => return true,
        },
        _ => return false,
    };
    // The test may have dropped the receiver.
    let _ = commands_sender.send(received);
    true
}

fn answer(mailbox: &Mailbox, request: &Request) {
    let id = request.id().as_str();
    if id == "big" {
        let body: Arc<str> = "x".repeat(900_000).into();
        for seq in 0..60 {
            let body = Arc::clone(&body);
            assert_eq!(
                mailbox.publish(HubDelivery::Push {
                    seq,
                    body,
                    in_reply_to: None
                }),
                Ok(())
            );
        }
    }
    for outbound in answers(id) {
        assert_eq!(mailbox.publish(outbound), Ok(()));
    }
}

/// Output of a stub for a request with this id.
pub(super) fn answers(id: &str) -> Vec<HubDelivery> {
    vec![
        HubDelivery::Welcome {
            player: PlayerId(3),
            seq: 17,
            returns: true,
            watchable: Some(true),
            body: format!("{{\"id\":\"{id}\"}}"),
        },
        HubDelivery::Push {
            seq: 18,
            body: "żółw \"\\\n\u{1f0a1}".into(),
            in_reply_to: None,
        },
        HubDelivery::Push {
            seq: 19,
            body: "{}".into(),
            in_reply_to: RequestId::new(id),
        },
        HubDelivery::Answer {
            body: id.to_owned(),
            in_reply_to: None,
        },
        HubDelivery::Answer {
            body: "{}".to_owned(),
            in_reply_to: RequestId::new(id),
        },
        HubDelivery::Resumed(None),
        HubDelivery::Resumed(Some(u64::MAX)),
        HubDelivery::Done,
        HubDelivery::Redirect(RoomNumber(15)),
        HubDelivery::Released,
    ]
}

/// Proxy in front of a node.
pub(super) struct Proxy {
    pub(super) address: NodeAddress,
    /// Number of accepted connections.
    pub(super) connections: Arc<AtomicUsize>,
    /// Bytes from the dialers, and bytes to the dialers.
    pub(super) traffic: Arc<[Mutex<Vec<u8>>; 2]>,
    cut: Arc<Notify>,
}

impl Proxy {
    pub(super) async fn start(to: &NodeAddress) -> Self {
        let (listener, address) = bind_listener().await;
        let proxy = Self {
            address,
            connections: Arc::default(),
            traffic: Arc::default(),
            cut: Arc::default(),
        };
        let (to, connections) = (to.clone(), Arc::clone(&proxy.connections));
        let (traffic, cut) = (Arc::clone(&proxy.traffic), Arc::clone(&proxy.cut));
        drop(tokio::spawn(async move {
            while let Ok((from, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (read, write) = from.into_split();
                let to = TcpStream::connect(&to.0).await.expect("a node");
                let (back, forth) = to.into_split();
                let (traffic, cut) = (Arc::clone(&traffic), Arc::clone(&cut));
                drop(tokio::spawn(async move {
                    tokio::select! {
                        () = copy(read, forth, &traffic[0]) => {}
                        () = copy(back, write, &traffic[1]) => {}
                        () = cut.notified() => {}
                    }
                }));
            }
        }));
        proxy
    }

    /// Cuts all open connections; new ones are still accepted.
    pub(super) fn cut(&self) {
        self.cut.notify_waiters();
    }
}

async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, traffic: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        traffic.lock().expect("a lock").extend(&bytes[..count]);
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

pub(super) async fn bind_listener() -> (TcpListener, NodeAddress) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, NodeAddress(address))
}

pub(super) fn silent_log() -> Logger {
    Logger::root(slog::Discard, slog::o!())
}

/// Permission for links in clear that doesn't change.
pub(super) fn clear_links(are_allowed: bool) -> ClearLinks {
    ClearLinks::new(watch::channel(are_allowed).1)
}

/// Creates the links, which are all encrypted, and the clock of a node.
pub(super) fn new_peers() -> (Peers, Clock) {
    let clock = Clock::start();
    let peers = Peers::new(SECRET, clear_links(false), clock.clone(), silent_log());
    (peers, clock)
}

/// Begins TLS with a node, and leaves the handshake to the test.
pub(super) async fn connect_encrypted(to: &NodeAddress) -> OpenedLink {
    let socket = TcpStream::connect(&to.0).await.expect("a node");
    let opened = LinkConnector::new().connect(socket).await;
    opened.unwrap_or_else(|error| panic!("{error}"))
}

/// Begins TLS with a node that connects, and leaves the handshake to the test.
pub(super) async fn accept_encrypted(listener: &TcpListener) -> OpenedLink {
    let (socket, _) = listener.accept().await.expect("a node");
    let opened = LinkAcceptor::new().accept(socket).await;
    opened.unwrap_or_else(|error| panic!("{error}"))
}

pub(super) fn visitor() -> PendingClient {
    let address: IpAddr = "192.0.2.7".parse().expect("an address");
    PendingClient {
        address: address.into(),
        may_join: true,
        catalogue: Catalogue::built_in(Lang::Pl),
        player: Some(PlayerId(3)),
    }
}

pub(super) fn request(id: &str) -> Request {
    let id = RequestId::new(id).expect("a name");
    Request::Resume { id, after: 5 }
}

/// Waits for the next output; returns `None` if the connection has ended.
pub(super) async fn next_output(connection: &mut RemoteConnection) -> Option<HubDelivery> {
    with_timeout(connection.inbox_mut().receive()).await
}

/// Expects the complete [`answers`] to a request with this id.
pub(super) async fn expect_answers(connection: &mut RemoteConnection, id: &str) {
    for expected in answers(id) {
        assert_eq!(next_output(connection).await, Some(expected));
    }
}

/// Runs a future with a generous time limit.
pub(super) async fn with_timeout<T>(work: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(Duration::from_secs(10), work).await;
    done.expect("it takes too long")
}

/// Waits for the next command of a room.
pub(super) async fn next_command(room: &mut UnboundedReceiver<ReceivedCommand>) -> ReceivedCommand {
    with_timeout(room.recv()).await.expect("a room")
}

/// Waits until a client has left the room.
pub(super) async fn wait_for_disconnect(room: &mut UnboundedReceiver<ReceivedCommand>) {
    while next_command(room).await != ReceivedCommand::Disconnected {}
}
