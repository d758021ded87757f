//! A client's session: timeouts and limits, with a clock that the test controls.

use super::client_requests;
use serde_json::{Value, json};
use war::i18n::{Catalogue, Lang};
use war_table::protocol::{PlayerId, Request, RequestId};
use war_table::server::client::{CloseCode, ConnectionEnd, Session, SessionAction};
use war_table::server::hub::HubDelivery;
use war_table::server::store::StoredMessage;
use war_table::time::Monotonic;
use war_table_world::store::MemoryStore;

fn at(milliseconds: u64) -> Monotonic {
    Monotonic::from_millis(milliseconds)
}

fn session(rate: u32) -> Session {
    Session::new(
        Catalogue::built_in(Lang::En),
        rate,
        MemoryStore::SECRET,
        at(0),
    )
}

fn stored(seq: u64, body: &str) -> StoredMessage {
    StoredMessage {
        seq,
        body: body.to_owned(),
        in_reply_to: None,
    }
}

fn answer(body: &str) -> HubDelivery {
    HubDelivery::Answer {
        body: body.to_owned(),
        in_reply_to: None,
    }
}

/// Pending actions of the session.
fn actions(session: &mut Session) -> Vec<SessionAction> {
    std::iter::from_fn(|| session.next_action()).collect()
}

fn woken(session: &mut Session, now: u64) -> Vec<SessionAction> {
    session.wake(at(now));
    actions(session)
}

fn send(session: &mut Session, said: &Value, now: u64) -> Vec<SessionAction> {
    session.receive_text(&said.to_string(), at(now));
    actions(session)
}

fn welcome(seq: u64, returns: bool) -> HubDelivery {
    HubDelivery::Welcome {
        player: PlayerId(1),
        seq,
        returns,
        watchable: Some(true),
        body: "welcome".to_owned(),
    }
}

/// Session of a player whose `hello` has just been answered.
fn welcomed_session(rate: u32) -> Session {
    let mut session = session(rate);
    send(&mut session, &client_requests::hello("Ann"), 0);
    session.deliver(welcome(0, false));
    actions(&mut session);
    session
}

/// Code of a refusal, which must be the only action.
fn code(actions: &[SessionAction]) -> String {
    let [SessionAction::Refuse(_, body)] = actions else {
        panic!("not refused: {actions:?}");
    };
    let message: Value = serde_json::from_str(body).expect("JSON");
    message["code"].as_str().expect("a code").to_owned()
}

#[test]
fn a_client_has_10_seconds_to_say_hello() {
    let mut new = session(20);
    assert_eq!(woken(&mut new, 0), [SessionAction::Ping]);
    assert_eq!(new.next_wake(), at(10_000));
    assert_eq!(woken(&mut new, 9_999), []);
    let closed = [SessionAction::End(ConnectionEnd::Close(CloseCode::Policy))];
    assert_eq!(woken(&mut new, 10_000), closed);
    // A client that sends only other requests is treated the same.
    let mut talks = session(20);
    for now in [1, 9_000] {
        assert_eq!(
            code(&send(&mut talks, &client_requests::cancel("x"), now)),
            "hello_first"
        );
    }
    assert_eq!(woken(&mut talks, 10_000), closed);
    assert_eq!(
        woken(&mut welcomed_session(20), 10_000),
        [SessionAction::Ping],
        "it has said hello"
    );
}

#[test]
fn a_silent_client_is_disconnected_after_a_minute() {
    let mut session = welcomed_session(20);
    let mut pings = Vec::new();
    let end = loop {
        let now = session.next_wake().as_millis();
        match woken(&mut session, now)[..] {
            [SessionAction::Ping] => pings.push(now),
            [SessionAction::End(end)] => break (now, end),
            ref other => panic!("{other:?}"),
        }
    };
    assert_eq!(pings, [0, 20_000, 40_000]);
    assert_eq!(end, (60_000, ConnectionEnd::Gone));
}

#[test]
fn a_pong_is_a_sign_of_life() {
    let mut session = welcomed_session(20);
    session.receive_control(at(50_000));
    assert_eq!(woken(&mut session, 109_999), [SessionAction::Ping]);
    assert_eq!(
        woken(&mut session, 110_000),
        [SessionAction::End(ConnectionEnd::Gone)]
    );
}

#[test]
fn receiving_stored_messages_is_a_sign_of_life() {
    let mut session = welcomed_session(20);
    session.catch_up(1, at(59_000));
    let read = SessionAction::Read {
        player: PlayerId(1),
        after: 0,
    };
    assert_eq!(actions(&mut session), [read]);
    session.replay(vec![stored(1, "one")]);
    assert_eq!(
        actions(&mut session),
        [SessionAction::Send("one".into()), SessionAction::CatchUp]
    );
    session.catch_up(1, at(59_000));
    assert_eq!(woken(&mut session, 118_999), [SessionAction::Ping]);
    assert_eq!(
        woken(&mut session, 119_000),
        [SessionAction::End(ConnectionEnd::Gone)]
    );
}

#[test]
fn a_burst_of_twice_the_rate_is_allowed() {
    let mut session = welcomed_session(10);
    let cancel = client_requests::cancel("x");
    let granted = |actions: &[SessionAction]| matches!(actions, [SessionAction::Request(_)]);
    // The `hello` was the first of the twenty messages that are allowed.
    for number in 2..=20 {
        assert!(granted(&send(&mut session, &cancel, 0)), "message {number}");
    }
    assert_eq!(code(&send(&mut session, &cancel, 0)), "too_fast");
    assert_eq!(code(&send(&mut session, &cancel, 99)), "too_fast");
    assert!(granted(&send(&mut session, &cancel, 100)));
    assert_eq!(code(&send(&mut session, &cancel, 199)), "too_fast");
    assert!(granted(&send(&mut session, &cancel, 200)));
}

#[test]
fn a_flood_ends_the_connection() {
    let mut session = welcomed_session(10);
    for _ in 0..19 + 100 {
        session.receive_control(at(0));
    }
    assert_eq!(actions(&mut session), []);
    session.receive_control(at(0));
    let closed = [SessionAction::End(ConnectionEnd::Close(CloseCode::Policy))];
    assert_eq!(actions(&mut session), closed);
}

#[test]
fn a_client_is_not_read_while_answers_pile_up_or_its_hello_is_pending() {
    let mut session = session(20);
    assert!(session.should_read(0));
    send(&mut session, &client_requests::hello("Ann"), 0);
    assert!(!session.should_read(0));
    session.deliver(answer("refused"));
    assert!(session.should_read(15) && !session.should_read(16));
}

#[test]
fn a_returning_client_receives_nothing_before_it_asks() {
    let mut session = session(20);
    send(&mut session, &client_requests::hello("Ann"), 0);
    session.deliver(welcome(3, true));
    assert_eq!(
        actions(&mut session),
        [
            SessionAction::Send("welcome".into()),
            SessionAction::CatchUp
        ]
    );
    let push = |seq: u64| HubDelivery::Push {
        seq,
        body: seq.to_string().into(),
        in_reply_to: None,
    };
    session.deliver(push(4));
    assert_eq!(actions(&mut session), [SessionAction::CatchUp]);
    session.catch_up(4, at(0));
    assert_eq!(actions(&mut session), []);
    let resume = json!({"type": "resume", "id": "r", "after": 2});
    assert!(matches!(
        send(&mut session, &resume, 0)[..],
        [SessionAction::Request(_)]
    ));
    assert!(!session.should_read(0), "nothing is read before it is done");
    session.deliver(HubDelivery::Resumed(None));
    session.catch_up(4, at(0));
    assert_eq!(
        actions(&mut session),
        [SessionAction::CatchUp],
        "it was refused"
    );
    send(&mut session, &resume, 0);
    session.deliver(HubDelivery::Resumed(Some(2)));
    assert!(session.should_read(0));
    assert_eq!(actions(&mut session), [SessionAction::CatchUp]);
    session.catch_up(4, at(0));
    let read = SessionAction::Read {
        player: PlayerId(1),
        after: 2,
    };
    assert_eq!(actions(&mut session), [read]);
    session.replay(vec![stored(3, "3"), stored(4, "4")]);
    session.deliver(push(5));
    // Missed messages come first, then new ones. No message is sent twice.
    session.deliver(push(5));
    let sent: Vec<_> = actions(&mut session)
        .into_iter()
        .filter(|action| *action != SessionAction::CatchUp)
        .collect();
    assert_eq!(
        sent,
        ["3", "4", "5"].map(|body| SessionAction::Send(body.into()))
    );
}

#[test]
fn messages_delivered_while_the_store_is_read_are_sent_at_once_and_only_once() {
    let mut session = welcomed_session(20);
    let push = |seq: u64| HubDelivery::Push {
        seq,
        body: seq.to_string().into(),
        in_reply_to: None,
    };
    let sends = |body: &str| SessionAction::Send(body.into());
    let messages = |seqs: std::ops::RangeInclusive<u64>| {
        let message = |seq: u64| stored(seq, &seq.to_string());
        seqs.map(message).collect::<Vec<_>>()
    };
    let read = |after| SessionAction::Read {
        player: PlayerId(1),
        after,
    };
    session.catch_up(3, at(0));
    session.catch_up(3, at(0));
    assert_eq!(actions(&mut session), [read(0)], "once at a time");
    session.deliver(push(1));
    assert_eq!(actions(&mut session), [sends("1"), SessionAction::CatchUp]);
    session.replay(messages(1..=3));
    assert_eq!(
        actions(&mut session),
        [sends("2"), sends("3"), SessionAction::CatchUp]
    );
    // Meanwhile the client resumes again, after an earlier message.
    session.catch_up(5, at(0));
    session.deliver(HubDelivery::Resumed(Some(1)));
    assert_eq!(actions(&mut session), [read(3), SessionAction::CatchUp]);
    session.replay(messages(4..=5));
    assert_eq!(actions(&mut session), [SessionAction::CatchUp]);
    session.catch_up(5, at(0));
    assert_eq!(actions(&mut session), [read(1)]);
    session.replay(messages(2..=5));
    let all = ["2", "3", "4", "5"].map(sends);
    assert_eq!(actions(&mut session)[..4], all);
}

#[test]
fn answers_waiting_for_stored_messages_are_limited() {
    let mut session = welcomed_session(20);
    send(&mut session, &client_requests::cancel("x"), 0);
    session.catch_up(1, at(0));
    for _ in 0..16 {
        assert!(session.should_read(0));
        let answer = json!({"type": "error", "seq": 1}).to_string();
        session.deliver(self::answer(&answer));
    }
    assert!(!session.should_read(0));
    session.replay(vec![stored(1, "one")]);
    assert!(session.should_read(0));
}

#[test]
fn a_second_hello_is_refused_and_a_close_is_answered() {
    let mut session = welcomed_session(20);
    let hello = client_requests::hello("Ann");
    assert_eq!(code(&send(&mut session, &hello, 0)), "hello_again");
    session.receive_close(at(0));
    assert_eq!(
        actions(&mut session),
        [SessionAction::End(ConnectionEnd::ClosedByClient)]
    );
    session.shut_down();
    assert_eq!(
        actions(&mut session),
        [SessionAction::End(ConnectionEnd::Close(CloseCode::Restart))]
    );
}

#[test]
fn an_unavailable_request_may_be_repeated() {
    let mut session = session(20);
    let hello = send(&mut session, &client_requests::hello("Ann"), 9_000);
    assert!(
        matches!(hello[..], [SessionAction::Request(Request::Hello { .. })]),
        "{hello:?}"
    );
    let id = |id| RequestId::new(id).expect("an id");
    assert!(!session.should_read(0), "one hello at a time");
    session.refuse_as_unavailable(id("h"), at(14_000));
    assert_eq!(code(&actions(&mut session)), "unavailable");
    assert!(session.should_read(0));
    let again = send(&mut session, &client_requests::hello("Ann"), 23_000);
    assert!(
        matches!(again[..], [SessionAction::Request(Request::Hello { .. })]),
        "{again:?}"
    );
    session.deliver(welcome(3, true));
    actions(&mut session);
    let resume = json!({"type": "resume", "id": "r", "after": 0});
    send(&mut session, &client_requests::cancel("x"), 23_000);
    send(&mut session, &resume, 23_000);
    session.refuse_as_unavailable(id("x"), at(28_000));
    assert!(!session.should_read(0), "the other one is on its way still");
    session.refuse_as_unavailable(id("r"), at(28_000));
    assert!(session.should_read(0));
    assert_eq!(
        send(&mut session, &resume, 29_000).len(),
        3,
        "two answers before"
    );
}

#[test]
fn an_answer_waits_for_the_messages_before_it() {
    let mut session = welcomed_session(20);
    send(&mut session, &client_requests::cancel("x"), 1);
    let sent = |seq: u64| json!({"type": "error", "seq": seq}).to_string();
    let sends = |body: String| SessionAction::Send(body.into());
    session.deliver(answer(&sent(2)));
    assert_eq!(actions(&mut session), [SessionAction::CatchUp]);
    session.replay(vec![stored(1, "one"), stored(2, "two")]);
    let expected = [
        sends("one".to_owned()),
        sends("two".to_owned()),
        sends(sent(2)),
        SessionAction::CatchUp,
    ];
    assert_eq!(actions(&mut session), expected);
    session.deliver(answer(&sent(2)));
    assert_eq!(
        actions(&mut session),
        [sends(sent(2)), SessionAction::CatchUp]
    );
}
