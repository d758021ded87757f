use super::harness::{
    OwnerNode, Proxy, ReceivedCommand, SECRET, accept_encrypted, bind_listener, connect_encrypted,
    expect_answers, new_peers, next_command, next_output, request, silent_log, visitor,
    wait_for_disconnect, with_timeout,
};
use crate::leases::NodeAddress;
use crate::peers::encryption::{LinkReader, LinkWriter};
use crate::peers::handshake;
use crate::peers::wire::{
    FrameReader, FrameToGateway, FrameToOwner, LinkError, MAX_FRAME_LEN, send_frame,
};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{self, UnboundedReceiver};
use war::i18n::Lang;
use war::support::hex::Hex;
use war::tokens::Name;
use war_table::protocol::{AccessToken, ProtocolVersion, Request, RequestId};
use war_table::server::rooms::RoomNumber;

#[tokio::test]
async fn a_remote_connection_behaves_like_a_local_one() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(3);
    let (peers, clock) = new_peers();
    let entered = peers.enter(&owner.address, RoomNumber(3), visitor()).await;
    let mut connection = entered.expect("a node");
    let hello = Request::Hello {
        id: RequestId::new("h").expect("a name"),
        name: Name::new("Zoë").expect("a name"),
        token: AccessToken::new(Hex::new([9; 32])),
        watchable: false,
        protocol: ProtocolVersion::V2,
    };
    for (request, id) in [(hello, "h"), (request("r"), "r")] {
        assert!(
            connection
                .send_request(request.clone(), clock.now())
                .await
                .is_ok()
        );
        expect_answers(&mut connection, id).await;
        if id == "h" {
            let connected = next_command(&mut room).await;
            let ReceivedCommand::Connected {
                address,
                lang,
                player,
                ..
            } = connected
            else {
                panic!("{connected:?}");
            };
            let expected = visitor();
            let received = (address, lang, player);
            assert_eq!(received, (expected.address, Lang::Pl, expected.player));
        }
        let asked = next_command(&mut room).await;
        let ReceivedCommand::Requested { request: asked, .. } = asked else {
            panic!("{asked:?}");
        };
        assert_eq!(asked, request);
    }
    assert_eq!(connection.inbox_mut().last_seq(), 19);
    connection.leave(clock.now()).await;
    assert_eq!(next_command(&mut room).await, ReceivedCommand::Disconnected);
}

// The clocks of the two nodes start at different times, so a link must transfer the age of a
// request instead of its arrival time.
#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn a_request_keeps_the_time_of_its_arrival() {
    let (peers, clock) = new_peers();
    tokio::time::sleep(Duration::from_millis(600)).await;
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(0);
    tokio::time::sleep(Duration::from_millis(1300)).await;
    let later = clock.now().as_millis() - owner.clock.now().as_millis();
    let later = Duration::from_millis(later);
    let entered = clock.now();
    let connection = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let connection = connection.expect("a node");
    let asked = clock.now().saturating_sub(Duration::from_millis(600));
    assert!(connection.send_request(request("r"), asked).await.is_ok());
    let (connected, requested) = (next_command(&mut room).await, next_command(&mut room).await);
    let ReceivedCommand::Connected { arrived: came, .. } = connected else {
        panic!("{connected:?}");
    };
    let ReceivedCommand::Requested { arrived, .. } = requested else {
        panic!("{requested:?}");
    };
    for (arrived, when) in [
        (came, entered.saturating_sub(later)),
        (arrived, asked.saturating_sub(later)),
    ] {
        // Only the time that the request spent on the link may be added to its age.
        let way = when.saturating_sub(Duration::from_millis(2))
            ..when.saturating_add(Duration::from_millis(500));
        assert!(way.contains(&arrived), "{arrived:?} is not in {way:?}");
    }
}

#[tokio::test]
async fn connections_share_only_a_link() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut rooms = [owner.add_room(1), owner.add_room(2)];
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = new_peers();
    let mut connections = Vec::new();
    for room in [1, 2] {
        let connection = peers
            .enter(&proxy.address, RoomNumber(room), visitor())
            .await;
        connections.push(connection.expect("a node"));
    }
    let mut second = connections.pop().expect("a connection");
    let mut first = connections.pop().expect("a connection");
    assert!(second.send_request(request("b"), clock.now()).await.is_ok());
    assert!(first.send_request(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut first, "a").await;
    expect_answers(&mut second, "b").await;
    first.leave(clock.now()).await;
    wait_for_disconnect(&mut rooms[0]).await;
    assert!(second.send_request(request("c"), clock.now()).await.is_ok());
    expect_answers(&mut second, "c").await;
    // Dropping a connection leaves the room as well.
    drop(second);
    wait_for_disconnect(&mut rooms[1]).await;
    assert_eq!(proxy.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn many_connections_share_a_link_at_once() {
    const CONNECTIONS: usize = 500;
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let _room = owner.add_room(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = new_peers();
    let one = async |number: usize| {
        let entered = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
        let mut connection = entered.expect("a node");
        for round in 0..5 {
            let id = format!("{number}.{round}");
            assert!(
                connection
                    .send_request(request(&id), clock.now())
                    .await
                    .is_ok()
            );
            expect_answers(&mut connection, &id).await;
        }
        connection
    };
    let connections = futures_util::future::join_all((0..CONNECTIONS).map(one)).await;
    assert_eq!(connections.len(), CONNECTIONS);
    assert_eq!(proxy.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_connection_to_a_room_of_another_node_ends_at_once() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let _room = owner.add_room(0);
    let (peers, clock) = new_peers();
    let enter = async |room| {
        let entered = peers.enter(&owner.address, RoomNumber(room), visitor());
        entered.await.expect("a node")
    };
    let mut here = enter(0).await;
    let start = clock.now();
    assert_eq!(next_output(&mut enter(1).await).await, None);
    let waited = clock.now().saturating_since(start);
    assert!(waited < Duration::from_secs(1), "it was said");
    assert!(here.send_request(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut here, "a").await;
}

#[tokio::test]
async fn a_connection_ends_with_its_room() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let _rooms = [owner.add_room(0), owner.add_room(1)];
    let (peers, clock) = new_peers();
    let enter = async |room| {
        let entered = peers.enter(&owner.address, RoomNumber(room), visitor());
        entered.await.expect("a node")
    };
    let (mut ends, mut stays) = (enter(0).await, enter(1).await);
    owner.stop_room(0).await;
    assert_eq!(next_output(&mut ends).await, None);
    assert_eq!(next_output(&mut enter(0).await).await, None, "it has ended");
    assert!(stays.send_request(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut stays, "a").await;
}

#[tokio::test]
async fn a_busy_room_does_not_block_other_rooms() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let _room = owner.add_room(0);
    let (busy, _takes_nothing) = mpsc::channel(1);
    owner.add_queue(1, busy);
    let (peers, clock) = new_peers();
    let mut connections = Vec::new();
    for room in [1, 1, 1, 0] {
        let connection = peers
            .enter(&owner.address, RoomNumber(room), visitor())
            .await;
        let connection = connection.expect("a node");
        assert!(
            connection
                .send_request(request("a"), clock.now())
                .await
                .is_ok()
        );
        connections.push(connection);
    }
    let other = connections.last_mut().expect("a connection");
    expect_answers(other, "a").await;
}

/// Opens a link, with the dialer's end under control of the test.
async fn dial(to: &NodeAddress) -> (FrameReader<LinkReader>, LinkWriter) {
    let opened = connect_encrypted(to).await;
    let channel = opened.channel;
    let (read, mut write) = opened.split();
    let mut frames = FrameReader::new(read);
    let result = handshake::initiate(&mut frames, &mut write, &SECRET, channel).await;
    assert!(result.is_ok(), "{result:?}");
    (frames, write)
}

/// Accepts a link, with the listener's end under control of the test.
async fn accept(listener: &TcpListener) -> (FrameReader<LinkReader>, LinkWriter) {
    let opened = accept_encrypted(listener).await;
    let channel = opened.channel;
    let (read, mut write) = opened.split();
    let mut frames = FrameReader::new(read);
    let result = handshake::respond(&mut frames, &mut write, &SECRET, channel).await;
    assert!(result.is_ok(), "{result:?}");
    (frames, write)
}

/// Frame with a request.
fn request_frame(stream: u64, request: &str) -> FrameToOwner {
    let request = serde_json::from_str(request).expect("JSON");
    FrameToOwner::Request {
        stream,
        age: 0,
        request,
        protocol: None,
    }
}

/// Reads the next frame that is not a beat.
async fn next_frame(frames: &mut FrameReader<LinkReader>) -> FrameToGateway {
    loop {
        match with_timeout(frames.read_frame(MAX_FRAME_LEN))
            .await
            .expect("a frame")
        {
            FrameToGateway::Beat {} => {}
            frame => return frame,
        }
    }
}

/// Frame of a visitor who enters room 0.
fn enter_frame(stream: u64) -> FrameToOwner {
    let visitor = visitor();
    FrameToOwner::Enter {
        stream,
        age: 0,
        room: RoomNumber(0),
        address: visitor.address,
        may_join: true,
        lang: "pl".to_owned(),
        player: visitor.player,
    }
}

/// Owner of room 0, which one visitor has entered over a link under control of the test.
struct EnteredRoom {
    owner: OwnerNode,
    room: UnboundedReceiver<ReceivedCommand>,
    frames: FrameReader<LinkReader>,
    write: LinkWriter,
}

async fn enter_room() -> EnteredRoom {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(0);
    let (frames, mut write) = dial(&owner.address).await;
    assert!(send_frame(&mut write, &enter_frame(1)).await.is_ok());
    next_command(&mut room).await;
    EnteredRoom {
        owner,
        room,
        frames,
        write,
    }
}

#[tokio::test]
async fn a_lost_link_ends_its_connections_and_is_reopened() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = new_peers();
    for connections in 1..=3 {
        let connection = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
        let mut connection = connection.expect("a node");
        assert!(
            connection
                .send_request(request("a"), clock.now())
                .await
                .is_ok()
        );
        expect_answers(&mut connection, "a").await;
        assert_eq!(proxy.connections.load(Ordering::SeqCst), connections);
        proxy.cut();
        assert_eq!(next_output(&mut connection).await, None);
        assert!(
            connection
                .send_request(request("b"), clock.now())
                .await
                .is_err()
        );
        wait_for_disconnect(&mut room).await;
    }
}

#[tokio::test]
async fn a_closing_node_ends_the_connections_to_it() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let mut room = owner.add_room(0);
    let (peers, _) = new_peers();
    let connection = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let mut connection = connection.expect("a node");
    next_command(&mut room).await;
    owner.closing.send_replace(true);
    assert_eq!(next_output(&mut connection).await, None);
    wait_for_disconnect(&mut room).await;
    let again = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    assert!(again.is_err());
}

#[tokio::test]
async fn an_unused_link_is_closed() {
    let (listener, address) = bind_listener().await;
    let (peers, _) = new_peers();
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, link) = with_timeout(async { tokio::join!(entered, accept(&listener)) }).await;
    let connection = entered.expect("a node");
    let (mut frames, mut write) = link;
    // The beats ensure that the link is not closed because of silence.
    drop(tokio::spawn(async move {
        while send_frame(&mut write, &FrameToGateway::Beat {})
            .await
            .is_ok()
        {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }));
    drop(peers);
    let mut read = async || with_timeout(frames.read_frame::<FrameToOwner>(MAX_FRAME_LEN)).await;
    assert!(matches!(read().await, Ok(FrameToOwner::Enter { .. })));
    assert!(
        matches!(read().await, Ok(FrameToOwner::Beat {})),
        "it is needed"
    );
    drop(connection);
    let last = with_timeout(async {
        loop {
            match read().await {
                Ok(_) => {}
                Err(error) => break error,
            }
        }
    });
    // A beat that arrives at the closed socket resets the connection.
    let last = last.await;
    assert!(
        matches!(last, LinkError::Closed | LinkError::Io(_)),
        "{last}"
    );
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn the_link_to_a_silent_owner_is_closed() {
    let (listener, address) = bind_listener().await;
    let (peers, _) = new_peers();
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, _silent) = with_timeout(async { tokio::join!(entered, accept(&listener)) }).await;
    let start = Instant::now();
    assert_eq!(next_output(&mut entered.expect("a node")).await, None);
    let took = start.elapsed();
    assert!(took > Duration::from_secs(1), "beats may be late");
    assert!(took < Duration::from_millis(2500), "{took:?}");
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn connecting_to_a_node_that_does_not_answer_fails_soon() {
    let (_listener, address) = bind_listener().await;
    let (peers, _) = new_peers();
    let start = Instant::now();
    let enter = async |_| peers.enter(&address, RoomNumber(0), visitor()).await;
    let entered = with_timeout(futures_util::future::join_all((0..100).map(enter))).await;
    assert!(entered.iter().all(Result::is_err));
    assert!(
        start.elapsed() < Duration::from_millis(2500),
        "one after the other"
    );
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn clients_of_a_silent_link_leave() {
    let mut entered = enter_room().await;
    let start = Instant::now();
    wait_for_disconnect(&mut entered.room).await;
    assert!(start.elapsed() < Duration::from_millis(2500));
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn an_idle_link_stays_open() {
    let owner = OwnerNode::start(SECRET, silent_log()).await;
    let _room = owner.add_room(0);
    let (peers, clock) = new_peers();
    let connection = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let mut connection = connection.expect("a node");
    tokio::time::sleep(Duration::from_millis(3500)).await;
    assert!(
        connection
            .send_request(request("a"), clock.now())
            .await
            .is_ok()
    );
    expect_answers(&mut connection, "a").await;
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn the_link_to_a_node_that_does_not_read_is_closed() {
    let mut entered = enter_room().await;
    let write = &mut entered.write;
    let request = r#"{"type":"resume","id":"big","after":0}"#;
    assert!(send_frame(write, &request_frame(1, request)).await.is_ok());
    // The test sends beats, so that the link is not silent, but reads nothing.
    let beats = async {
        while send_frame(write, &FrameToOwner::Beat {}).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    with_timeout(async { tokio::join!(beats, wait_for_disconnect(&mut entered.room)) }).await;
}

#[tokio::test]
async fn unknown_or_too_many_requests_close_only_their_own_stream() {
    let EnteredRoom {
        owner,
        mut room,
        mut frames,
        mut write,
    } = enter_room().await;
    assert!(send_frame(&mut write, &enter_frame(2)).await.is_ok());
    next_command(&mut room).await;
    let request = r#"{"type":"of a later version","id":"a"}"#;
    let stream = 1;
    assert!(
        send_frame(&mut write, &request_frame(stream, request))
            .await
            .is_ok()
    );
    wait_for_disconnect(&mut room).await;
    let first = next_frame(&mut frames).await;
    assert_eq!(first, FrameToGateway::NotOwner { stream });
    assert!(room.is_empty(), "the other one is still there");

    let (busy, _takes_nothing) = mpsc::channel(1);
    owner.add_queue(0, busy);
    assert!(send_frame(&mut write, &enter_frame(3)).await.is_ok());
    for _ in 0..100 {
        let ask = request_frame(3, r#"{"type":"resume","id":"a","after":0}"#);
        assert!(send_frame(&mut write, &ask).await.is_ok());
    }
    let second = next_frame(&mut frames).await;
    assert_eq!(second, FrameToGateway::NotOwner { stream: 3 });
}

#[tokio::test]
async fn garbage_closes_a_link() {
    let garbage: [&[u8]; 5] = [
        b"\xff\xff\xff\xff",
        b"\x00\x10\x00\x01",
        b"\x00\x00\x00\x00",
        b"\x00\x00\x00\x02{}",
        b"\x00\x00\x00\x10{\"later\":{\"a\":1}}",
    ];
    for garbage in garbage {
        let mut entered = enter_room().await;
        let start = Instant::now();
        assert!(entered.write.write_all(garbage).await.is_ok());
        wait_for_disconnect(&mut entered.room).await;
        assert!(start.elapsed() < Duration::from_secs(1), "{garbage:?}");
    }
}
