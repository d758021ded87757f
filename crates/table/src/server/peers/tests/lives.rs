use super::rig::{
    Owner, Proxy, SECRET, Told, expect_answers, left, next, peers, request, silent, told, visitor,
};
use war::i18n::Lang;
use war::support::hex::Hex;

use crate::room::{AccessToken, RequestId};
use crate::server::gateway::Errand;
use crate::server::hub::Hello;
use crate::server::rooms::RoomNumber;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::mpsc;
use war::tokens::Name;

#[tokio::test]
async fn a_visit_is_what_it_would_be_at_home() {
    let owner = Owner::start(SECRET, silent()).await;
    let mut room = owner.take(3);
    let (peers, clock) = peers();
    let entered = peers.enter(&owner.address, RoomNumber(3), visitor()).await;
    let mut visit = entered.expect("a node");
    let hello = Errand::Hello(Hello {
        id: RequestId::new("h").expect("a name"),
        name: Name::new("Zoë").expect("a name"),
        token: AccessToken::new(Hex::new([9; 32])),
        watchable: false,
    });
    for (errand, id) in [(hello, "h"), (request("r"), "r")] {
        assert!(visit.ask(errand.clone(), clock.now()).await.is_ok());
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
        let Told::Asked { errand: asked, .. } = asked else {
            panic!("{asked:?}");
        };
        assert_eq!(asked, errand);
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
