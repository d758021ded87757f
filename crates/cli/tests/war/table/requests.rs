//! Requests count once, and messages come once and in order.

use super::{Line, Server, dealt, said};
use crate::support::Place;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn a_request_counts_once_and_is_answered_again() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    let mut ann = server.player("Ann").0;
    let choose = said::single("c");
    ann.say(choose.clone());
    let first = ann.hear();
    ann.say(choose.clone());
    assert_eq!(ann.hear(), first);
    let reused = said::double("c");
    assert_eq!(ann.error(reused), "id_reused");
    drop(ann);
    // The same on another connection, and after a crash.
    let hello = said::hello("Ann");
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
    server.player("Carl");
    for line in [&mut ann, &mut bob] {
        line.say(line.decision("d", "fold"));
    }
    for line in [&mut ann, &mut bob] {
        line.until("result");
    }
    let mut carl = server.connect();
    carl.say(said::hello("Carl"));
    assert_eq!(carl.hear()["seq"], 0);
    carl.say(said::single("c"));
    let mut heard = carl.until("waiting");
    ann.say(said::single("c2"));
    heard.extend(carl.until("started"));
    let started = &heard[1];
    carl.say(said::open("s", started, "c"));
    assert_eq!(carl.hear()["type"], "seeded");
    drop(carl);
    ann.say(said::open("s2", started, "c2"));
    ann.until("dealt");
    // Another connection hears nothing before it asks, then all of it, then what is new.
    let mut carl = server.connect();
    carl.say(said::hello("Carl"));
    assert_eq!(carl.hear()["seq"], 4);
    assert_eq!(
        carl.error(json!({"type": "resume", "id": "r", "after": 5})),
        "bad_after"
    );
    carl.say(json!({"type": "resume", "id": "r2", "after": 0}));
    let missed = carl.until("dealt");
    assert_eq!(missed[..2], heard);
    let seqs: Vec<_> = missed
        .iter()
        .filter_map(|message| message["seq"].as_u64())
        .collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    ann.say(ann.decision("d2", "play"));
    carl.say(carl.decision("d", "fold"));
    let rest = carl.until("result");
    assert_eq!(rest[0]["seq"], 5);
    assert_eq!(rest.len(), 3, "that both decided, and the result");
}

#[test]
fn what_follows_a_hello_at_once_is_heard() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    line.write(&said::hello("Ann"));
    line.write(&said::single("c"));
    line.0.flush().expect("an open connection");
    assert_eq!(line.hear()["type"], "welcome");
    assert_eq!(line.hear()["type"], "waiting");
}

// All of it in one go, so that the server does it in one go.
#[test]
fn players_who_ask_and_leave_at_once_lose_nothing() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.player("Ann").0;
    for number in 0..6 {
        let id = format!("c{number}");
        for request in [said::single(&id), said::cancel(&format!("x{number}"))] {
            line.write(&request);
        }
    }
    line.0.close(None).expect("an open connection");
    while line.try_hear().is_ok() {}
    let mut again = server.connect();
    again.say(said::hello("Ann"));
    let seq = again.hear()["seq"].as_u64().expect("a number");
    again.say(json!({"type": "resume", "id": "r", "after": 0}));
    for expected in 1..=seq {
        assert_eq!(again.hear()["seq"], expected);
    }
    again.say(said::single("last"));
    assert_eq!(again.hear()["seq"], seq + 1);
}

#[test]
fn players_who_leave_before_they_are_welcomed_are_forgotten() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    for _ in 0..20 {
        let mut line = server.connect();
        line.write(&said::hello("Ann"));
        line.0.close(None).expect("an open connection");
    }
    let until = Instant::now() + Duration::from_secs(60);
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
        line.write(&said::cancel(&number.to_string()));
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
    let with = |field: &str, value: &Value| {
        let mut hello = said::hello("Ann");
        hello[field] = value.clone();
        hello
    };
    for (request, code) in [
        (said::single("1"), "hello_first"),
        (
            json!({"type": "resume", "id": "1", "after": 0}),
            "hello_first",
        ),
        (
            json!({"type": "hello", "id": "1", "name": "Ann"}),
            "old_protocol",
        ),
        (with("token", &json!("' OR 1=1 --")), "bad_message"),
        (with("token", &json!(null)), "bad_message"),
        (with("name", &json!("")), "bad_message"),
        (with("name", &json!("x".repeat(33))), "bad_message"),
        (with("name", &json!("A\u{202e}nn")), "bad_message"),
        (with("id", &json!("")), "bad_message"),
        (with("balance", &json!(9)), "bad_message"),
        (json!({"type": "hullo", "id": "1"}), "bad_message"),
        (json!([1, 2]), "bad_message"),
        (json!(["hello", "1", "Ann"]), "bad_message"),
        (with("name", &json!("\u{3164}\u{2800}")), "bad_message"),
        (json!(null), "bad_message"),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    for text in [
        "",
        "{",
        "hello",
        "{\"type\":\"hello\",\"id\":\"1\",\"id\":\"2\",\"protocol\":2}",
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
    line.say(said::hello(name));
    assert_eq!(line.hear()["balance"], 1000);
    let first = json!({"game_id": 1, "deal": 1});
    let mut odd_choice = said::single("7");
    odd_choice["game"] = json!({"single-card-game": null});
    for (request, code) in [
        (said::hello("Ann"), "hello_again"),
        (said::decide("2", &first, "play"), "not_playing"),
        (said::open("3", &first, "2"), "not_playing"),
        (
            json!({"type": "seed", "id": "4", "game_id": 1, "value": "x".repeat(64)}),
            "bad_message",
        ),
        (said::cancel("5"), "not_waiting"),
        (
            json!({"type": "resume", "id": "2", "after": -1}),
            "bad_message",
        ),
        (
            json!({"type": "resume", "id": "6", "after": 1}),
            "bad_after",
        ),
        (said::choose("7", "poker"), "bad_message"),
        (odd_choice, "bad_message"),
    ] {
        assert_eq!(line.error(request.clone()), code, "{request}");
    }
    line.say(said::single("8"));
    assert_eq!(line.hear()["type"], "waiting");
    let mut other = server.player("Bob").0;
    other.say(said::single("1"));
    assert_eq!(other.hear()["opponent"]["name"], name);
}

#[test]
fn errors_are_in_polish_too() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = Line::open(&server.address, "/ws?lang=pl", &[]).expect("a connection");
    line.say(said::cancel("1"));
    assert_eq!(line.hear()["message"], "najpierw musi być `hello`");
    line.raw(Message::binary(vec![0; 16]));
    let told = "niepoprawne żądanie: wiadomość musi być obiektem JSON wysłanym jako tekst";
    assert_eq!(line.hear()["message"], told);
    for (request, told) in [
        (
            said::hello(""),
            "imię musi mieć od 1 do 32 znaków, bez odstępów na początku i na końcu",
        ),
        (
            said::cancel(""),
            "`id` musi mieć od 1 do 64 widocznych znaków ASCII",
        ),
        (json!({"type": "cancel", "id": "1"}), "brakuje pola `game`"),
    ] {
        line.say(request);
        assert_eq!(
            line.hear()["message"],
            format!("niepoprawne żądanie: {told}")
        );
    }
}

#[test]
fn an_old_client_is_told_to_update_and_the_connection_lives_on() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    let mut newer = said::hello("Ann");
    newer["protocol"] = json!(3);
    newer["more"] = json!("of the future");
    let old = json!({"type": "hello", "id": "h1", "name": "Ann"});
    for hello in [old, newer] {
        line.say(hello.clone());
        let answer = line.hear();
        assert_eq!(answer["code"], "old_protocol", "{hello}");
        assert_eq!(answer["in_reply_to"], hello["id"]);
        let told =
            "this client speaks another version of the protocol: update it, or reload the page";
        assert_eq!(answer["message"], told);
    }
    line.say(said::hello("Ann"));
    let welcome = line.hear();
    assert_eq!(
        (&welcome["type"], &welcome["protocol"]),
        (&json!("welcome"), &json!(2))
    );
    assert_eq!(welcome.get("token"), None);
}
