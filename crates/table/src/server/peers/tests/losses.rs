use super::rig::{
    Owner, Proxy, SECRET, Told, expect_answers, left, listener, next, peers, request, silent, soon,
    told, visitor,
};
use crate::server::peers::frames::{ToGateway, ToOwner};
use crate::server::peers::handshake;
use crate::server::peers::wire::{Frames, LONGEST, LinkError, send};
use crate::server::rooms::{NodeAddress, RoomNumber};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{self, UnboundedReceiver};

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
