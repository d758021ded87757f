//! What the tests of the link are made of: rooms whose writers are stubs, a proxy that can cut
//! what it carries and keeps what it saw, and requests.

use war::i18n::{Catalogue, Lang};

use crate::leases::NodeAddress;
use crate::peers::{Host, LinkSecret, OwnedRooms, PeerVisit, Peers};
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
use war_table::server::hub::{ClientId, HubCommand, Outbound};
use war_table::server::mailbox::{Mailbox, Visitor};
use war_table::server::room_actor::ActorMessage;
use war_table::server::rooms::RoomNumber;
use war_table::server::{Address, Clock};

pub(super) const SECRET: LinkSecret = LinkSecret::new([7; 32]);

/// What the writer of a room was told.
#[derive(Debug, PartialEq)]
pub(super) enum Told {
    Came {
        address: Address,
        lang: Lang,
        player: Option<PlayerId>,
        arrived: u64,
    },
    Asked {
        request: Request,
        arrived: u64,
    },
    Left,
}

/// The rooms of a node.
#[derive(Default)]
struct Rooms {
    writers: Mutex<BTreeMap<RoomNumber, mpsc::Sender<ActorMessage>>>,
    clients: AtomicU64,
}

impl OwnedRooms for Rooms {
    fn writer(&self, room: RoomNumber) -> Option<mpsc::Sender<ActorMessage>> {
        self.writers.lock().expect("a lock").get(&room).cloned()
    }

    fn next_client(&self) -> ClientId {
        ClientId(self.clients.fetch_add(1, Ordering::Relaxed))
    }
}

/// A node that owns rooms.
pub(super) struct Owner {
    pub(super) address: NodeAddress,
    pub(super) clock: Clock,
    rooms: Arc<Rooms>,
    pub(super) closing: watch::Sender<bool>,
}

impl Owner {
    pub(super) async fn start(secret: LinkSecret, log: Logger) -> Self {
        let (closing, closes) = watch::channel(false);
        let (listener, address) = listener().await;
        let rooms = Arc::new(Rooms::default());
        let clock = Clock::start();
        let host = Arc::new(Host {
            secret,
            rooms: Arc::clone(&rooms) as _,
            clock: clock.clone(),
            log,
        });
        drop(tokio::spawn(host.listen(vec![listener], closes)));
        Self {
            address,
            clock,
            rooms,
            closing,
        }
    }

    /// Takes a room, and hears what its writer does. It answers each request with what
    /// [`answers`] has; a request named `big` besides with much more than a link can hold.
    pub(super) fn take(&self, room: u16) -> UnboundedReceiver<Told> {
        let (sender, mut commands) = mpsc::channel(1024);
        let (tell, told) = mpsc::unbounded_channel();
        drop(std::thread::spawn(move || {
            let mut mailboxes = BTreeMap::new();
            while let Some(command) = commands.blocking_recv() {
                if !write(command, &mut mailboxes, &tell) {
                    break;
                }
            }
        }));
        self.put(room, sender);
        told
    }

    pub(super) fn put(&self, room: u16, writer: mpsc::Sender<ActorMessage>) {
        let mut writers = self.rooms.writers.lock().expect("a lock");
        writers.insert(RoomNumber(room), writer);
    }

    /// Ends the writer of a room, which the node still takes for its own.
    pub(super) async fn end(&self, room: u16) {
        let writer = self.rooms.writer(RoomNumber(room)).expect("a room");
        assert!(writer.send(ActorMessage::HandOver).await.is_ok());
        writer.closed().await;
    }
}

/// Whether the writer goes on.
fn write(
    command: ActorMessage,
    mailboxes: &mut BTreeMap<ClientId, Mailbox>,
    tell: &UnboundedSender<Told>,
) -> bool {
    let told = match command {
        ActorMessage::Connect(handle, arrived) => {
            mailboxes.insert(handle.id, handle.mailbox);
            Told::Came {
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
                Told::Asked { request, arrived }
            }
            HubCommand::Disconnect { client } => {
                mailboxes.remove(&client);
                Told::Left
            }
            _ => return true,
        },
        _ => return false,
    };
    // A test may have seen enough.
    let _ = tell.send(told);
    true
}

fn answer(mailbox: &Mailbox, request: &Request) {
    let id = request.id().as_str();
    if id == "big" {
        let body: Arc<str> = "x".repeat(900_000).into();
        for seq in 0..60 {
            let body = Arc::clone(&body);
            assert_eq!(mailbox.publish(Outbound::Push { seq, body }), Ok(()));
        }
    }
    for outbound in answers(id) {
        assert_eq!(mailbox.publish(outbound), Ok(()));
    }
}

/// What a room says to a request of this name.
pub(super) fn answers(id: &str) -> Vec<Outbound> {
    vec![
        Outbound::Welcome {
            player: PlayerId(3),
            seq: 17,
            returns: true,
            body: format!("{{\"id\":\"{id}\"}}"),
        },
        Outbound::Push {
            seq: 18,
            body: "żółw \"\\\n\u{1f0a1}".into(),
        },
        Outbound::Answer(id.to_owned()),
        Outbound::Resumed(None),
        Outbound::Resumed(Some(u64::MAX)),
        Outbound::Done,
        Outbound::Elsewhere(RoomNumber(15)),
        Outbound::Released,
    ]
}

/// A proxy before a node.
pub(super) struct Proxy {
    pub(super) address: NodeAddress,
    /// How many connections came.
    pub(super) connections: Arc<AtomicUsize>,
    /// What came from those who connected, and what they were sent.
    pub(super) seen: Arc<[Mutex<Vec<u8>>; 2]>,
    cut: Arc<Notify>,
}

impl Proxy {
    pub(super) async fn start(to: &NodeAddress) -> Self {
        let (listener, address) = listener().await;
        let proxy = Self {
            address,
            connections: Arc::default(),
            seen: Arc::default(),
            cut: Arc::default(),
        };
        let (to, connections) = (to.clone(), Arc::clone(&proxy.connections));
        let (seen, cut) = (Arc::clone(&proxy.seen), Arc::clone(&proxy.cut));
        drop(tokio::spawn(async move {
            while let Ok((from, _)) = listener.accept().await {
                connections.fetch_add(1, Ordering::SeqCst);
                let (read, write) = from.into_split();
                let to = TcpStream::connect(&to.0).await.expect("a node");
                let (back, forth) = to.into_split();
                let (seen, cut) = (Arc::clone(&seen), Arc::clone(&cut));
                drop(tokio::spawn(async move {
                    tokio::select! {
                        () = carry(read, forth, &seen[0]) => {}
                        () = carry(back, write, &seen[1]) => {}
                        () = cut.notified() => {}
                    }
                }));
            }
        }));
        proxy
    }

    /// Cuts all connections.
    pub(super) fn cut(&self) {
        self.cut.notify_waiters();
    }
}

async fn carry(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, seen: &Mutex<Vec<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        seen.lock().expect("a lock").extend(&bytes[..count]);
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

pub(super) async fn listener() -> (TcpListener, NodeAddress) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, NodeAddress(address))
}

pub(super) fn silent() -> Logger {
    Logger::root(slog::Discard, slog::o!())
}

/// A node whose clients visit others.
pub(super) fn peers() -> (Peers, Clock) {
    let clock = Clock::start();
    (Peers::new(SECRET, clock.clone(), silent()), clock)
}

pub(super) fn visitor() -> Visitor {
    let address: IpAddr = "192.0.2.7".parse().expect("an address");
    Visitor {
        address: address.into(),
        may_join: true,
        catalogue: Catalogue::built_in(Lang::Pl),
        player: Some(PlayerId(3)),
    }
}

/// A request of this name.
pub(super) fn request(id: &str) -> Request {
    let id = RequestId::new(id).expect("a name");
    Request::Resume { id, after: 5 }
}

/// What comes within a time that is long for a link; `None` where nothing more does.
pub(super) async fn next(visit: &mut PeerVisit) -> Option<Outbound> {
    soon(visit.inbox().receive()).await
}

/// All that a room says to a request of this name has to come.
pub(super) async fn expect_answers(visit: &mut PeerVisit, id: &str) {
    for expected in answers(id) {
        assert_eq!(next(visit).await, Some(expected));
    }
}

/// What this results in, within a time that is long for a link.
pub(super) async fn soon<T>(work: impl Future<Output = T>) -> T {
    let done = tokio::time::timeout(Duration::from_secs(10), work).await;
    done.expect("it takes too long")
}

/// What the writer of a room hears next.
pub(super) async fn told(room: &mut UnboundedReceiver<Told>) -> Told {
    soon(room.recv()).await.expect("a writer")
}

/// Waits until the writer was told that a client left.
pub(super) async fn left(room: &mut UnboundedReceiver<Told>) {
    while told(room).await != Told::Left {}
}
