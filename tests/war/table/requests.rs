//! Requests count once, and messages come once and in order.

use super::{Line, Server, dealt};
use crate::support::Place;
use serde_json::json;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn a_request_counts_once_and_is_answered_again() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    let (mut ann, welcome) = server.player("Ann");
    let choose = json!({"type": "choose", "id": "c", "game": "single-card-game"});
    ann.say(choose.clone());
    let first = ann.hear();
    ann.say(choose.clone());
    assert_eq!(ann.hear(), first);
    let reused = json!({"type": "choose", "id": "c", "game": "double-card-game"});
    assert_eq!(ann.error(reused), "id_reused");
    drop(ann);
    // The same on another connection, and after a crash.
    let token = welcome["token"].clone();
    let hello = json!({"type": "hello", "id": "h2", "name": "Ann", "token": token});
    let mut again = server.connect();
    again.say(hello.clone());
    assert_eq!(again.hear()["seq"], 1);
    again.say(choose.clone());
    assert_eq!(again.hear(), first);
    let address = server.address.clone();
    server.kill();
    let server = Server::start_at(&place, &address, &["--bots", "0"]);
    let mut again = server.connect();
    again.say(hello);
    again.hear();
    again.say(choose);
    assert_eq!(again.hear(), first);
}

#[test]
fn what_was_missed_comes_again_in_order_and_once() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    let (_, welcome) = server.player("Carl");
    let token = welcome["token"].clone();
    for line in [&mut ann, &mut bob] {
        line.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    }
    for line in [&mut ann, &mut bob] {
        line.until("result");
    }
    let mut carl = server.connect();
    carl.say(json!({"type": "hello", "id": "h", "name": "Carl", "token": token}));
    assert_eq!(carl.hear()["seq"], 0);
    carl.say(json!({"type": "choose", "id": "c", "game": "single-card-game"}));
    let mut heard = carl.until("waiting");
    ann.say(json!({"type": "choose", "id": "c2", "game": "single-card-game"}));
    heard.extend(carl.until("started"));
    carl.say(json!({"type": "seed", "id": "s", "value": ""}));
    assert_eq!(carl.hear()["type"], "seeded");
    drop(carl);
    ann.say(json!({"type": "seed", "id": "s2", "value": ""}));
    ann.until("dealt");
    // Another connection hears nothing before it asks, then all of it, then what is new.
    let mut carl = server.connect();
    carl.say(json!({"type": "hello", "id": "h", "name": "Carl", "token": token}));
    assert_eq!(carl.hear()["seq"], 4);
    assert_eq!(
        carl.error(json!({"type": "resume", "id": "r", "after": 5})),
        "bad_after"
    );
    carl.say(json!({"type": "resume", "id": "r", "after": 0}));
    let missed = carl.until("dealt");
    assert_eq!(missed[..2], heard);
    let seqs: Vec<_> = missed
        .iter()
        .filter_map(|message| message["seq"].as_u64())
        .collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    ann.say(json!({"type": "decide", "id": "d2", "decision": "play"}));
    carl.say(json!({"type": "decide", "id": "d", "decision": "fold"}));
    assert_eq!(carl.hear()["seq"], 5);
    assert_eq!(carl.hear()["type"], "result");
}

#[test]
fn what_follows_a_hello_at_once_is_heard() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    line.write(&json!({"type": "hello", "id": "h", "name": "Ann"}));
    line.write(&json!({"type": "choose", "id": "c", "game": "single-card-game"}));
    line.0.flush().expect("an open connection");
    assert_eq!(line.hear()["type"], "welcome");
    assert_eq!(line.hear()["type"], "waiting");
}

// All of it in one go, so that the server does it in one go.
#[test]
fn players_who_ask_and_leave_at_once_lose_nothing() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let (mut line, welcome) = server.player("Ann");
    for number in 0..6 {
        let id = format!("c{number}");
        let choose = json!({"type": "choose", "id": id, "game": "single-card-game"});
        let cancel = json!({"type": "cancel", "id": format!("x{number}")});
        for request in [choose, cancel] {
            line.write(&request);
        }
    }
    line.0.close(None).expect("an open connection");
    while line.try_hear().is_ok() {}
    let token = welcome["token"].clone();
    let mut again = server.connect();
    again.say(json!({"type": "hello", "id": "h", "name": "Ann", "token": token}));
    let seq = again.hear()["seq"].as_u64().expect("a number");
    again.say(json!({"type": "resume", "id": "r", "after": 0}));
    for expected in 1..=seq {
        assert_eq!(again.hear()["seq"], expected);
    }
    again.say(json!({"type": "choose", "id": "last", "game": "single-card-game"}));
    assert_eq!(again.hear()["seq"], seq + 1);
}

#[test]
fn players_who_leave_before_they_are_welcomed_are_forgotten() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    for _ in 0..20 {
        let mut line = server.connect();
        line.write(&json!({"type": "hello", "id": "h", "name": "Ann"}));
        line.0.close(None).expect("an open connection");
    }
    let until = Instant::now() + Duration::from_secs(10);
    while !server.admin("/health").1.contains("\"players\":0") {
        assert!(Instant::now() < until, "{}", server.admin("/health").1);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_request_of_a_burst_is_answered() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0", "--rate", "1000"]);
    let (mut line, _) = server.player("Ann");
    for number in 0..1000 {
        line.write(&json!({"type": "cancel", "id": number.to_string()}));
    }
    line.0.flush().expect("an open connection");
    for number in 0..1000 {
        assert_eq!(line.hear()["in_reply_to"], number.to_string());
    }
}

#[test]
fn bad_requests_are_answered_and_the_connection_lives_on() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    for (request, code) in [
        (
            json!({"type": "choose", "id": "1", "game": "single-card-game"}),
            "hello_first",
        ),
        (
            json!({"type": "resume", "id": "1", "after": 0}),
            "hello_first",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "token": "00".repeat(32)}),
            "unknown_token",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "token": "' OR 1=1 --"}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": ""}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "x".repeat(33)}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "A\u{202e}nn"}),
            "bad_message",
        ),
        (
            json!({"type": "hello", "id": "", "name": "Ann"}),
            "bad_message",
        ),
        (json!({"type": "hello", "name": "Ann"}), "bad_message"),
        (
            json!({"type": "hello", "id": "1", "name": "Ann", "balance": 9}),
            "bad_message",
        ),
        (json!({"type": "hullo", "id": "1"}), "bad_message"),
        (json!([1, 2]), "bad_message"),
        (json!(["hello", "1", "Ann"]), "bad_message"),
        (
            json!({"type": "hello", "id": "1", "name": "\u{3164}\u{2800}"}),
            "bad_message",
        ),
        (json!(null), "bad_message"),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    for text in [
        "",
        "{",
        "hello",
        "{\"type\":\"hello\",\"id\":\"1\",\"id\":\"2\",\"name\":\"A\"}",
        "\u{0}",
    ] {
        line.raw(Message::text(text));
        assert_eq!(line.hear()["code"], "bad_message", "{text}");
    }
    line.raw(Message::text("[".repeat(4000)));
    assert_eq!(line.hear()["code"], "bad_message");
    line.raw(Message::binary(vec![0; 16]));
    assert_eq!(line.hear()["code"], "bad_message");
    let name = "<b>'; DROP TABLE player;--";
    line.say(json!({"type": "hello", "id": "1", "name": name}));
    assert_eq!(line.hear()["balance"], 1000);
    for (request, code) in [
        (
            json!({"type": "hello", "id": "2", "name": "Ann"}),
            "hello_again",
        ),
        (
            json!({"type": "decide", "id": "2", "decision": "play"}),
            "not_playing",
        ),
        (
            json!({"type": "seed", "id": "2", "value": "x"}),
            "not_playing",
        ),
        (
            json!({"type": "seed", "id": "2", "value": "x".repeat(65)}),
            "bad_message",
        ),
        (json!({"type": "cancel", "id": "2"}), "not_waiting"),
        (
            json!({"type": "resume", "id": "2", "after": -1}),
            "bad_message",
        ),
        (
            json!({"type": "resume", "id": "2", "after": u64::MAX}),
            "bad_after",
        ),
        (
            json!({"type": "choose", "id": "2", "game": "poker"}),
            "bad_message",
        ),
        (
            json!({"type": "choose", "id": "2", "game": {"single-card-game": null}}),
            "bad_message",
        ),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    line.say(json!({"type": "choose", "id": "3", "game": "single-card-game"}));
    assert_eq!(line.hear()["type"], "waiting");
    let mut other = server.player("Bob").0;
    other.say(json!({"type": "choose", "id": "1", "game": "single-card-game"}));
    assert_eq!(other.hear()["opponent"], name);
}

#[test]
fn errors_are_in_polish_too() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = Line::open(&server.address, "/ws?lang=pl", &[]).expect("a connection");
    line.say(json!({"type": "cancel", "id": "1"}));
    assert_eq!(line.hear()["message"], "najpierw musi być `hello`");
    line.raw(Message::binary(vec![0; 16]));
    let told = "niepoprawne żądanie: wiadomość musi być obiektem JSON wysłanym jako tekst";
    assert_eq!(line.hear()["message"], told);
    for (request, told) in [
        (
            json!({"type": "hello", "id": "1", "name": ""}),
            "imię musi mieć od 1 do 32 znaków, bez odstępów na początku i na końcu",
        ),
        (
            json!({"type": "hello", "id": "", "name": "A"}),
            "`id` musi mieć od 1 do 64 widocznych znaków ASCII",
        ),
        (json!({"type": "hello", "id": "1"}), "brakuje pola `name`"),
    ] {
        line.say(request);
        assert_eq!(
            line.hear()["message"],
            format!("niepoprawne żądanie: {told}")
        );
    }
}
