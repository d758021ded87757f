use super::rig::{
    Owner, Proxy, SECRET, Told, expect_answers, left, listener, next, peers, request, silent, soon,
    told, visitor,
};
use crate::leases::NodeAddress;
use crate::peers::handshake;
use crate::peers::wire::{Frames, LONGEST, LinkError, ToGateway, ToOwner, send};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use war::i18n::Lang;
use war::support::hex::Hex;
use war::tokens::Name;
use war_table::protocol::{AccessToken, ProtocolVersion, Request, RequestId};
use war_table::server::rooms::RoomNumber;

#[tokio::test]
async fn a_visit_is_what_it_would_be_at_home() {
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(3);
    let (peers, clock) = peers();
    let entered = peers.enter(&owner.address, RoomNumber(3), visitor()).await;
    let mut visit = entered.expect("a node");
    let hello = Request::Hello {
        id: RequestId::new("h").expect("a name"),
        name: Name::new("Zoë").expect("a name"),
        token: AccessToken::new(Hex::new([9; 32])),
        watchable: false,
        protocol: ProtocolVersion,
    };
    for (request, id) in [(hello, "h"), (request("r"), "r")] {
        assert!(visit.ask(request.clone(), clock.now()).await.is_ok());
        expect_answers(&mut visit, id).await;
        if id == "h" {
            let came = told(&mut room).await;
            let Told::Came {
                address,
                lang,
                player,
                ..
            } = came
            else {
                panic!("{came:?}");
            };
            let expected = visitor();
            let told = (address, lang, player);
            assert_eq!(told, (expected.address, Lang::Pl, expected.player));
        }
        let asked = told(&mut room).await;
        let Told::Asked { request: asked, .. } = asked else {
            panic!("{asked:?}");
        };
        assert_eq!(asked, request);
    }
    assert_eq!(visit.inbox().latest(), 18);
    visit.leave(clock.now()).await;
    assert_eq!(told(&mut room).await, Told::Left);
}

// The clocks of two nodes have nothing to do with each other.
#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn a_request_comes_when_it_came() {
    let (peers, clock) = peers();
    tokio::time::sleep(Duration::from_millis(600)).await;
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(0);
    tokio::time::sleep(Duration::from_millis(1300)).await;
    let later = clock.now() - owner.clock.now();
    let entered = clock.now();
    let visit = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let visit = visit.expect("a node");
    let asked = clock.now() - 600;
    assert!(visit.ask(request("r"), asked).await.is_ok());
    let (came, requested) = (told(&mut room).await, told(&mut room).await);
    let Told::Came { arrived: came, .. } = came else {
        panic!("{came:?}");
    };
    let Told::Asked { arrived, .. } = requested else {
        panic!("{requested:?}");
    };
    for (arrived, when) in [(came, entered - later), (arrived, asked - later)] {
        // The way of it is all that may be missing.
        let way = (when - 2)..(when + 500);
        assert!(way.contains(&arrived), "{arrived} is not in {way:?}");
    }
}

#[tokio::test]
async fn visits_share_a_link_and_nothing_else() {
    let owner = Owner::start(SECRET, silent()).await;
    let mut rooms = [owner.take(1), owner.take(2)];
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = peers();
    let mut visits = Vec::new();
    for room in [1, 2] {
        let visit = peers
            .enter(&proxy.address, RoomNumber(room), visitor())
            .await;
        visits.push(visit.expect("a node"));
    }
    let mut second = visits.pop().expect("a visit");
    let mut first = visits.pop().expect("a visit");
    assert!(second.ask(request("b"), clock.now()).await.is_ok());
    assert!(first.ask(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut first, "a").await;
    expect_answers(&mut second, "b").await;
    first.leave(clock.now()).await;
    left(&mut rooms[0]).await;
    assert!(second.ask(request("c"), clock.now()).await.is_ok());
    expect_answers(&mut second, "c").await;
    // One that is simply dropped has left as well.
    drop(second);
    left(&mut rooms[1]).await;
    assert_eq!(proxy.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn many_visit_at_once() {
    const VISITS: usize = 500;
    let owner = Owner::start(SECRET, silent()).await;
    let _room = owner.take(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = peers();
    let one = async |number: usize| {
        let entered = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
        let mut visit = entered.expect("a node");
        for round in 0..5 {
            let id = format!("{number}.{round}");
            assert!(visit.ask(request(&id), clock.now()).await.is_ok());
            expect_answers(&mut visit, &id).await;
        }
        visit
    };
    let visits = futures_util::future::join_all((0..VISITS).map(one)).await;
    assert_eq!(visits.len(), VISITS);
    assert_eq!(proxy.connections.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_room_that_is_not_there_ends_the_visit_at_once() {
    let owner = Owner::start(SECRET, silent()).await;
    let _room = owner.take(0);
    let (peers, clock) = peers();
    let enter = async |room| {
        let entered = peers.enter(&owner.address, RoomNumber(room), visitor());
        entered.await.expect("a node")
    };
    let mut here = enter(0).await;
    let began = clock.now();
    assert_eq!(next(&mut enter(1).await).await, None);
    assert!(clock.now() - began < 1_000, "it was said");
    assert!(here.ask(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut here, "a").await;
}

#[tokio::test]
async fn a_visit_ends_with_the_writer_of_its_room() {
    let owner = Owner::start(SECRET, silent()).await;
    let _rooms = [owner.take(0), owner.take(1)];
    let (peers, clock) = peers();
    let enter = async |room| {
        let entered = peers.enter(&owner.address, RoomNumber(room), visitor());
        entered.await.expect("a node")
    };
    let (mut ends, mut stays) = (enter(0).await, enter(1).await);
    owner.end(0).await;
    assert_eq!(next(&mut ends).await, None);
    assert_eq!(next(&mut enter(0).await).await, None, "it has ended");
    assert!(stays.ask(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut stays, "a").await;
}

#[tokio::test]
async fn a_room_that_is_busy_holds_up_nobody_else() {
    let owner = Owner::start(SECRET, silent()).await;
    let _room = owner.take(0);
    let (busy, _takes_nothing) = mpsc::channel(1);
    owner.put(1, busy);
    let (peers, clock) = peers();
    let mut visits = Vec::new();
    for room in [1, 1, 1, 0] {
        let visit = peers
            .enter(&owner.address, RoomNumber(room), visitor())
            .await;
        let visit = visit.expect("a node");
        assert!(visit.ask(request("a"), clock.now()).await.is_ok());
        visits.push(visit);
    }
    let other = visits.last_mut().expect("a visit");
    expect_answers(other, "a").await;
}

/// A link to this node, of which the test does what it likes.
async fn dialed(to: &NodeAddress) -> (Frames<OwnedReadHalf>, OwnedWriteHalf) {
    let stream = TcpStream::connect(&to.0).await.expect("a node");
    let (read, mut write) = stream.into_split();
    let mut frames = Frames::new(read);
    let shaken = handshake::dial(&mut frames, &mut write, &SECRET).await;
    assert!(shaken.is_ok(), "{shaken:?}");
    (frames, write)
}

/// A link that a node has made, of which the test does what it likes.
async fn shaken(listener: &TcpListener) -> (Frames<OwnedReadHalf>, OwnedWriteHalf) {
    let (stream, _) = listener.accept().await.expect("a node");
    let (read, mut write) = stream.into_split();
    let mut frames = Frames::new(read);
    let shaken = handshake::listen(&mut frames, &mut write, &SECRET).await;
    assert!(shaken.is_ok(), "{shaken:?}");
    (frames, write)
}

/// A request of a visitor, as it came.
fn ask(visit: u64, request: &str) -> ToOwner {
    let request = serde_json::from_str(request).expect("JSON");
    ToOwner::Ask {
        visit,
        age: 0,
        request,
    }
}

/// What the owner says, besides that it is there.
async fn next_frame(frames: &mut Frames<OwnedReadHalf>) -> ToGateway {
    loop {
        match soon(frames.next(LONGEST)).await.expect("a frame") {
            ToGateway::Beat {} => {}
            frame => return frame,
        }
    }
}

/// A visitor to room 0.
fn enter(visit: u64) -> ToOwner {
    let visitor = visitor();
    ToOwner::Enter {
        visit,
        age: 0,
        room: RoomNumber(0),
        address: visitor.address,
        may_join: true,
        lang: "pl".to_owned(),
        player: visitor.player,
    }
}

/// An owner whose room 0 one visitor has entered, over a link of which the test does what it
/// likes.
struct Entered {
    owner: Owner,
    room: UnboundedReceiver<Told>,
    frames: Frames<OwnedReadHalf>,
    write: OwnedWriteHalf,
}

async fn entered() -> Entered {
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(0);
    let (frames, mut write) = dialed(&owner.address).await;
    assert!(send(&mut write, &enter(1)).await.is_ok());
    told(&mut room).await;
    Entered {
        owner,
        room,
        frames,
        write,
    }
}

#[tokio::test]
async fn a_link_that_was_cut_ends_its_visits_and_is_made_anew() {
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(0);
    let proxy = Proxy::start(&owner.address).await;
    let (peers, clock) = peers();
    for connections in 1..=3 {
        let visit = peers.enter(&proxy.address, RoomNumber(0), visitor()).await;
        let mut visit = visit.expect("a node");
        assert!(visit.ask(request("a"), clock.now()).await.is_ok());
        expect_answers(&mut visit, "a").await;
        assert_eq!(proxy.connections.load(Ordering::SeqCst), connections);
        proxy.cut();
        assert_eq!(next(&mut visit).await, None);
        assert!(visit.ask(request("b"), clock.now()).await.is_err());
        left(&mut room).await;
    }
}

#[tokio::test]
async fn a_node_that_closes_ends_the_visits_to_it() {
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(0);
    let (peers, _) = peers();
    let visit = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let mut visit = visit.expect("a node");
    told(&mut room).await;
    owner.closing.send_replace(true);
    assert_eq!(next(&mut visit).await, None);
    left(&mut room).await;
    let again = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    assert!(again.is_err());
}

#[tokio::test]
async fn a_link_that_nobody_needs_ends() {
    let (listener, address) = listener().await;
    let (peers, _) = peers();
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, link) = soon(async { tokio::join!(entered, shaken(&listener)) }).await;
    let visit = entered.expect("a node");
    let (mut frames, mut write) = link;
    // It is not lost because the other side is silent.
    drop(tokio::spawn(async move {
        while send(&mut write, &ToGateway::Beat {}).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }));
    drop(peers);
    let mut read = async || soon(frames.next::<ToOwner>(LONGEST)).await;
    assert!(matches!(read().await, Ok(ToOwner::Enter { .. })));
    assert!(matches!(read().await, Ok(ToOwner::Beat {})), "it is needed");
    drop(visit);
    let last = soon(async {
        loop {
            match read().await {
                Ok(_) => {}
                Err(error) => break error,
            }
        }
    });
    assert!(matches!(last.await, LinkError::Closed));
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn an_owner_that_is_silent_is_lost() {
    let (listener, address) = listener().await;
    let (peers, _) = peers();
    let entered = peers.enter(&address, RoomNumber(0), visitor());
    let (entered, _silent) = soon(async { tokio::join!(entered, shaken(&listener)) }).await;
    let began = Instant::now();
    assert_eq!(next(&mut entered.expect("a node")).await, None);
    let took = began.elapsed();
    assert!(took > Duration::from_secs(1), "beats may be late");
    assert!(took < Duration::from_millis(2500), "{took:?}");
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn nobody_waits_long_for_a_node_that_does_not_answer() {
    let (_listener, address) = listener().await;
    let (peers, _) = peers();
    let began = Instant::now();
    let enter = async |_| peers.enter(&address, RoomNumber(0), visitor()).await;
    let entered = soon(futures_util::future::join_all((0..100).map(enter))).await;
    assert!(entered.iter().all(Result::is_err));
    assert!(
        began.elapsed() < Duration::from_millis(2500),
        "one after the other"
    );
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn visitors_over_a_link_that_is_silent_leave() {
    let mut entered = entered().await;
    let began = Instant::now();
    left(&mut entered.room).await;
    assert!(began.elapsed() < Duration::from_millis(2500));
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn a_link_that_has_nothing_to_say_lasts() {
    let owner = Owner::start(SECRET, silent()).await;
    let _room = owner.take(0);
    let (peers, clock) = peers();
    let visit = peers.enter(&owner.address, RoomNumber(0), visitor()).await;
    let mut visit = visit.expect("a node");
    tokio::time::sleep(Duration::from_millis(3500)).await;
    assert!(visit.ask(request("a"), clock.now()).await.is_ok());
    expect_answers(&mut visit, "a").await;
}

#[tokio::test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
async fn a_node_that_does_not_take_what_it_is_sent_is_cut() {
    let mut entered = entered().await;
    let write = &mut entered.write;
    let request = r#"{"type":"resume","id":"big","after":0}"#;
    assert!(send(write, &ask(1, request)).await.is_ok());
    // It says that it is there, and reads nothing.
    let beats = async {
        while send(write, &ToOwner::Beat {}).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    soon(async { tokio::join!(beats, left(&mut entered.room)) }).await;
}

#[tokio::test]
async fn who_asks_for_too_much_or_for_what_nobody_knows_ends_alone() {
    let Entered {
        owner,
        mut room,
        mut frames,
        mut write,
    } = entered().await;
    assert!(send(&mut write, &enter(2)).await.is_ok());
    told(&mut room).await;
    let request = r#"{"type":"of a later version","id":"a"}"#;
    let visit = 1;
    assert!(send(&mut write, &ask(visit, request)).await.is_ok());
    left(&mut room).await;
    let first = next_frame(&mut frames).await;
    assert_eq!(first, ToGateway::NotOwner { visit });
    assert!(room.is_empty(), "the other one is still there");

    let (busy, _takes_nothing) = mpsc::channel(1);
    owner.put(0, busy);
    assert!(send(&mut write, &enter(3)).await.is_ok());
    for _ in 0..100 {
        let ask = ask(3, r#"{"type":"resume","id":"a","after":0}"#);
        assert!(send(&mut write, &ask).await.is_ok());
    }
    let second = next_frame(&mut frames).await;
    assert_eq!(second, ToGateway::NotOwner { visit: 3 });
}

#[tokio::test]
async fn garbage_ends_a_link() {
    let garbage: [&[u8]; 5] = [
        b"\xff\xff\xff\xff",
        b"\x00\x10\x00\x01",
        b"\x00\x00\x00\x00",
        b"\x00\x00\x00\x02{}",
        b"\x00\x00\x00\x10{\"later\":{\"a\":1}}",
    ];
    for garbage in garbage {
        let mut entered = entered().await;
        let began = Instant::now();
        assert!(entered.write.write_all(garbage).await.is_ok());
        left(&mut entered.room).await;
        assert!(began.elapsed() < Duration::from_secs(1), "{garbage:?}");
    }
}
