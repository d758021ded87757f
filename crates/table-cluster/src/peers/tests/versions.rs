//! Links over TLS, links in clear to nodes of earlier versions, and somebody in between.

use super::handshakes::{recording_log, wait_for_log};
use super::harness::{
    OwnerNode, Proxy, SECRET, accept_encrypted, bind_listener, clear_links, connect_encrypted,
    expect_answers, new_peers, next_output, request, silent_log, visitor, with_timeout,
};
use crate::leases::NodeAddress;
use crate::peers::handshake::{self, LinkChannel};
use crate::peers::link::Link;
use crate::peers::wire::{FrameReader, FrameToGateway, FrameToOwner, LinkError, send_frame};
use crate::peers::{ClearLinks, Peers, RemoteConnection};
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use war_table::server::Clock;
use war_table::server::hub::HubDelivery;
use war_table::server::rooms::RoomNumber;

/// Accepts a connection as a node of version 1 does, which takes whatever comes for a frame.
async fn accept_as_old_node(
    listener: &TcpListener,
) -> Result<(FrameReader<OwnedReadHalf>, OwnedWriteHalf), LinkError> {
    let (stream, _) = listener.accept().await.expect("a node");
    let (read, mut write) = stream.into_split();
    let mut frames = FrameReader::new(read);
    handshake::respond(&mut frames, &mut write, &SECRET, LinkChannel::Clear).await?;
    Ok((frames, write))
}

/// Serves links as a node of version 1, which answers each visitor with `Done` and each request with
/// `Released`. Returns when the link of a visitor ends.
pub(super) async fn serve_as_old_node(listener: &TcpListener) {
    let (mut frames, mut write) = loop {
        if let Ok(accepted) = accept_as_old_node(listener).await {
            break accepted;
        }
    };
    while let Ok(frame) = frames.read_frame(1 << 20).await {
        let (stream, outbound) = match frame {
            FrameToOwner::Enter { stream, .. } => (stream, HubDelivery::Done),
            FrameToOwner::Request { stream, .. } => (stream, HubDelivery::Released),
            FrameToOwner::Leave { .. } | FrameToOwner::Beat {} => continue,
        };
        let frame = FrameToGateway::deliver(stream, outbound).expect("a frame");
        assert!(send_frame(&mut write, &frame).await.is_ok());
    }
}

/// Enters room 0 of a node as a node of version 1.
async fn enter_as_old_node(to: &NodeAddress, clock: &Clock) -> Result<RemoteConnection, LinkError> {
    let socket = TcpStream::connect(&to.0).await.expect("a node");
    let (read, mut write) = socket.into_split();
    let mut frames = FrameReader::new(read);
    handshake::initiate(&mut frames, &mut write, &SECRET, LinkChannel::Clear).await?;
    let (link, run) = Link::new(frames, write, clock.clone());
    drop(tokio::spawn(run));
    let entered = Arc::new(link).enter(RoomNumber(0), visitor(), clock.now());
    Ok(entered.await.expect("a room"))
}

/// Expects that a connection carries a request and its answers.
async fn expect_service(connection: &mut RemoteConnection, clock: &Clock) {
    let sent = connection.send_request(request("a"), clock.now()).await;
    assert!(sent.is_ok());
    expect_answers(connection, "a").await;
}

fn new_peers_with(clear_links: ClearLinks, log: slog::Logger) -> (Peers, Clock) {
    let clock = Clock::start();
    (Peers::new(SECRET, clear_links, clock.clone(), log), clock)
}

#[tokio::test]
async fn nobody_on_the_way_can_read_a_link() {
    let owner = OwnerNode::start_with(SECRET, silent_log(), clear_links(true)).await;
    let _room = owner.add_room(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = new_peers_with(clear_links(true), silent_log());
    let connection = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
    expect_service(&mut connection.expect("a node"), &clock).await;
    for traffic in &*proxy.traffic {
        let traffic = traffic.lock().expect("a lock");
        assert_eq!(traffic[0], 22, "TLS");
        let text = String::from_utf8_lossy(&traffic);
        for readable in [
            "version", "nonce", "proof", "enter", "visit", "resume", "hand",
        ] {
            assert!(!text.contains(readable), "{readable} in {text}");
        }
    }
}

// Both ends have a session of TLS with somebody in between, who passes their frames on.
#[tokio::test]
async fn somebody_in_between_is_refused() {
    let (owner_log, owner_lines) = recording_log();
    let owner = OwnerNode::start(SECRET, owner_log).await;
    let mut room = owner.add_room(0);
    let (listener, address) = bind_listener().await;
    let to = owner.address.clone();
    drop(tokio::spawn(async move {
        loop {
            let mut from = accept_encrypted(&listener).await.stream;
            let mut to = connect_encrypted(&to).await.stream;
            // Either end may leave.
            let _ = copy_bidirectional(&mut from, &mut to).await;
        }
    }));
    let (log, lines) = recording_log();
    let (peers, clock) = new_peers_with(clear_links(true), log);
    let entered = peers.enter(&address, RoomNumber(0), visitor()).await;
    assert!(entered.is_err());
    let reason = "the other node does not know the secret of this table";
    wait_for_log(&lines, reason).await;
    // A dialer that would not check the listener's proof is refused by the listener.
    let opened = connect_encrypted(&address).await;
    let (read, mut write) = opened.split();
    let mut frames = FrameReader::new(read);
    let other = LinkChannel::Encrypted([0; 32]);
    let _ = handshake::initiate(&mut frames, &mut write, &SECRET, other).await;
    let nonce = "05".repeat(32);
    let proof = serde_json::json!({ "proof": nonce });
    assert!(send_frame(&mut write, &proof).await.is_ok());
    wait_for_log(&owner_lines, reason).await;
    assert!(room.try_recv().is_err(), "nobody came");
    // Without anybody in between, the same node is let in.
    let connection = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    expect_service(&mut connection.expect("a node"), &clock).await;
}

// The steps of an upgrade, and the way back.
#[tokio::test]
async fn nodes_of_both_versions_serve_each_other_while_that_is_allowed() {
    let (allow, allowed) = watch::channel(true);
    let allowed = ClearLinks::new(allowed);
    let owner = OwnerNode::start_with(SECRET, silent_log(), allowed.clone()).await;
    let _room = owner.add_room(0);
    let (log, lines) = recording_log();
    let (peers, clock) = new_peers_with(allowed.clone(), log);
    // An old node links to a new one.
    let entered = with_timeout(enter_as_old_node(&owner.address, &clock)).await;
    let mut of_old_node = entered.expect("a node");
    expect_service(&mut of_old_node, &clock).await;
    // A new node links to an old one, and again after the old one was away.
    let (listener, old_address) = bind_listener().await;
    for _ in 0..2 {
        let entered = async {
            let entered = peers.enter(&old_address, RoomNumber(0), visitor()).await;
            let mut connection = entered.expect("a node");
            assert_eq!(next_output(&mut connection).await, Some(HubDelivery::Done));
            drop(connection);
        };
        with_timeout(async {
            tokio::select! {
                () = serve_as_old_node(&listener) => panic!("the link was lost"),
                () = entered => {}
            }
        })
        .await;
        wait_for_log(&lines, "lost the link to a node").await;
        lines.lock().expect("a lock").clear();
    }
    // The old node is upgraded: the link to its address is encrypted. Then it goes back.
    let upgraded = Box::pin(async {
        let opened = accept_encrypted(&listener).await;
        assert_ne!(opened.channel, LinkChannel::Clear);
        let channel = opened.channel;
        let (read, mut write) = opened.split();
        let mut frames = FrameReader::new(read);
        let answered = handshake::respond(&mut frames, &mut write, &SECRET, channel).await;
        assert!(answered.is_ok(), "{answered:?}");
    });
    let entered = peers.enter(&old_address, RoomNumber(0), visitor());
    let (entered, ()) = with_timeout(async { tokio::join!(entered, upgraded) }).await;
    assert!(entered.is_ok());
    wait_for_log(&lines, "lost the link to a node").await;
    let entered = async {
        let entered = peers.enter(&old_address, RoomNumber(0), visitor()).await;
        let mut connection = entered.expect("a node");
        assert_eq!(next_output(&mut connection).await, Some(HubDelivery::Done));
        connection
    };
    let mut to_old_node = with_timeout(async {
        tokio::select! {
            () = serve_as_old_node(&listener) => panic!("the link was lost"),
            connection = entered => connection,
        }
    })
    .await;
    // The store takes no old nodes any more: their links end, and new ones are refused.
    allow.send_replace(false);
    assert_eq!(next_output(&mut of_old_node).await, None);
    assert_eq!(next_output(&mut to_old_node).await, None);
    let refused = with_timeout(enter_as_old_node(&owner.address, &clock)).await;
    let refused = refused.err().map(|error| error.to_string());
    let reason = "the other node speaks version 2 of the link, and this one version 1";
    assert_eq!(refused.as_deref(), Some(reason));
    let entered = peers.enter(&old_address, RoomNumber(0), visitor());
    let accepted = accept_as_old_node(&listener);
    let (entered, accepted) = with_timeout(async { tokio::join!(entered, accepted) }).await;
    assert!(entered.is_err() && accepted.is_err());
    wait_for_log(&lines, "the other node does not encrypt the link").await;
    let connection = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    expect_service(&mut connection.expect("a node"), &clock).await;
}

#[tokio::test]
async fn a_node_without_tls_is_refused_from_the_start() {
    let (log, lines) = recording_log();
    let owner = OwnerNode::start(SECRET, log).await;
    let (_, clock) = new_peers();
    let refused = with_timeout(enter_as_old_node(&owner.address, &clock)).await;
    assert!(refused.is_err());
    let reason = "the other node speaks version 1 of the link, and this one version 2";
    wait_for_log(&lines, reason).await;
}
