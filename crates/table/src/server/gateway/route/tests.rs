use super::{Errand, HOPS, PATIENCE, RETRY, Route, Step};
use crate::room::{AccessToken, PlayerId, Request, RequestId};
use crate::server::hub::{Hello, Outbound};
use crate::server::rooms::{RoomNumber, Rooms};
use war::support::hex::Hex;
use war::tokens::Name;

const PLAYER: PlayerId = PlayerId(7);
/// The first two bytes of the SHA-256 of 32 zeros are 0x6668.
const HOME: RoomNumber = RoomNumber(0x6668 % 16);
const MEETING: RoomNumber = RoomNumber(1);
const OTHER: RoomNumber = RoomNumber(5);

fn hello() -> Errand {
    Errand::Hello(Hello {
        id: RequestId::new("h").expect("an id"),
        name: Name::new("Ann").expect("a name"),
        token: AccessToken::new(Hex::new([0; 32])),
        watchable: false,
    })
}

fn choose(id: &str) -> Errand {
    let zeros = "0".repeat(64);
    request(&format!(
        r#"{{"type":"choose","id":"{id}","game":"double-card-game","seed_hash":"{zeros}"}}"#
    ))
}

fn resume() -> Errand {
    request(r#"{"type":"resume","id":"r","after":3}"#)
}

fn request(text: &str) -> Errand {
    Errand::Request(Request::parse(text).expect("a request"))
}

fn new_route() -> Route {
    Route::new(Rooms::new(16).expect("rooms"))
}

fn steps(route: &mut Route) -> Vec<Step> {
    std::iter::from_fn(|| route.next_step()).collect()
}

fn enter(room: RoomNumber, player: Option<PlayerId>) -> Step {
    Step::Enter { room, player }
}

fn send(errand: Errand, arrived: u64) -> Step {
    Step::Send { errand, arrived }
}

fn welcome() -> Outbound {
    Outbound::Welcome {
        player: PLAYER,
        seq: 3,
        returns: true,
        body: "{}".to_owned(),
    }
}

/// A route whose player is known, and in no room.
fn welcomed() -> Route {
    let mut route = new_route();
    route.ask(hello(), 0);
    for outbound in [welcome(), Outbound::Done, Outbound::Released] {
        route.deliver(outbound, 1);
    }
    steps(&mut route);
    route
}

#[test]
fn a_hello_goes_to_the_home_of_its_token() {
    let mut route = new_route();
    route.ask(hello(), 10);
    let expected = [enter(HOME, None), send(hello(), 10)];
    assert_eq!(steps(&mut route), expected);
    route.deliver(welcome(), 20);
    assert_eq!(steps(&mut route), [Step::Hand(welcome())]);
    route.deliver(Outbound::Done, 20);
    route.deliver(Outbound::Released, 20);
    assert!(route.is_empty() && steps(&mut route).is_empty());
}

#[test]
fn who_wants_to_play_goes_where_all_meet_who_want_that() {
    let mut route = welcomed();
    route.ask(choose("c"), 30);
    let expected = [enter(MEETING, Some(PLAYER)), send(choose("c"), 30)];
    assert_eq!(steps(&mut route), expected);
}

#[test]
fn who_wants_to_play_with_somebody_goes_where_those_meet() {
    let private = |with: &str| {
        let mut route = welcomed();
        let Errand::Request(mut choice) = choose("c") else {
            panic!("a request");
        };
        if let Request::Choose { with: whom, .. } = &mut choice {
            *whom = serde_json::from_str(with).expect("somebody");
        }
        route.ask(Errand::Request(choice), 30);
        steps(&mut route).swap_remove(0)
    };
    let at = |room| enter(RoomNumber(room), Some(PLAYER));
    let code = "000f".to_owned() + &"0".repeat(28);
    for side in ["invitation", "accept"] {
        assert_eq!(private(&format!(r#"{{"{side}":"{code}"}}"#)), at(15));
    }
    assert_eq!(private(r#"{"rematch":20}"#), at(4));
    assert_eq!(private(r#""house""#), enter(HOME, Some(PLAYER)));
}

#[test]
fn the_next_request_is_sent_when_the_one_before_is_done() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    route.ask(choose("2"), 31);
    assert_eq!(steps(&mut route).len(), 2, "enter and send");
    route.deliver(Outbound::Answer("no".to_owned()), 40);
    let answer = Step::Hand(Outbound::Answer("no".to_owned()));
    assert_eq!(steps(&mut route), [answer]);
    route.deliver(Outbound::Done, 40);
    assert_eq!(steps(&mut route), [send(choose("2"), 31)]);
}

#[test]
fn what_is_not_done_is_asked_in_the_room_where_the_player_is() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    steps(&mut route);
    route.deliver(Outbound::Elsewhere(OTHER), 40);
    let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
    assert_eq!(steps(&mut route), expected);
    // A game that ended before the request came lets the player go.
    route.deliver(Outbound::Released, 50);
    let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
    assert_eq!(steps(&mut route), expected);
}

#[test]
fn what_was_on_its_way_to_a_lost_room_is_sent_again_before_what_came_later() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    steps(&mut route);
    route.lost(40);
    route.ask(choose("2"), 41);
    assert_eq!(steps(&mut route), []);
    assert_eq!(route.next_wake(), Some(40 + RETRY));
    route.wake(40 + RETRY);
    let expected = [enter(MEETING, Some(PLAYER)), send(choose("1"), 30)];
    assert_eq!(steps(&mut route), expected);
}

#[test]
fn a_room_that_can_not_be_entered_is_sent_nothing() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    assert_eq!(route.next_step(), Some(enter(MEETING, Some(PLAYER))));
    route.lost(31);
    assert_eq!(steps(&mut route), []);
}

#[test]
fn who_is_sent_from_room_to_room_is_looked_for_a_moment_later() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    for hop in 0..HOPS {
        let room = if hop % 2 == 0 { OTHER } else { HOME };
        steps(&mut route);
        route.deliver(Outbound::Elsewhere(room), 40);
    }
    assert_eq!(steps(&mut route).len(), 2, "enter and send");
    route.deliver(Outbound::Elsewhere(OTHER), 40);
    assert_eq!(steps(&mut route), []);
    route.wake(40 + RETRY);
    let expected = [enter(OTHER, Some(PLAYER)), send(choose("1"), 30)];
    assert_eq!(steps(&mut route), expected);
}

#[test]
fn what_waits_too_long_is_not_to_be_had_now() {
    let mut route = welcomed();
    route.ask(choose("1"), 30);
    route.ask(resume(), PATIENCE);
    steps(&mut route);
    route.wake(30 + PATIENCE);
    let one = RequestId::new("1").expect("an id");
    let [Step::Leave, Step::Unavailable(id), rest @ ..] = &steps(&mut route)[..] else {
        panic!("it waits still");
    };
    assert_eq!(id, &one);
    assert_eq!(
        rest,
        [enter(HOME, Some(PLAYER)), send(resume(), PATIENCE)],
        "what came later is tried"
    );
    // Without a room there is nothing to leave.
    route.lost(40 + PATIENCE);
    route.wake(2 * PATIENCE);
    let id = RequestId::new("r").expect("an id");
    assert_eq!(steps(&mut route), [Step::Unavailable(id)]);
    assert_eq!(route.next_wake(), None);
}

#[test]
fn a_client_follows_its_player_into_a_room() {
    let mut route = welcomed();
    route.seen(Some(OTHER));
    assert_eq!(steps(&mut route), [enter(OTHER, Some(PLAYER))]);
    route.seen(Some(OTHER));
    assert_eq!(steps(&mut route), [], "it is there");
    route.seen(None);
    assert_eq!(steps(&mut route), [], "the room will say so");
    route.ask(resume(), 30);
    assert_eq!(steps(&mut route), [send(resume(), 30)]);
    route.seen(Some(HOME));
    assert_eq!(steps(&mut route), [], "what is on its way goes first");
}
