//! Requests, which take effect once, and messages, which arrive once and in order.

use super::{RawClient, Server, client_requests, dealt};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn a_repeated_request_takes_effect_once_and_is_answered_again() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let mut ann = server.player("Ann").0;
    let choose = client_requests::single("c");
    ann.send(choose.clone());
    let first = ann.receive();
    ann.send(choose.clone());
    assert_eq!(ann.receive(), first);
    let reused = client_requests::double("c");
    assert_eq!(ann.error(reused), "id_reused");
    drop(ann);
    // A repeated request gets the same answer on another connection, and after a crash.
    let hello = client_requests::hello("Ann");
    let mut again = server.connect();
    again.send(hello.clone());
    assert_eq!(again.receive()["seq"], 1);
    again.send(choose.clone());
    assert_eq!(again.receive(), first);
    let address = server.address.clone();
    server.kill();
    let server = Server::start_at(&sandbox, &address, &["--bots", "0"]);
    let mut again = server.connect();
    again.send(hello);
    again.receive();
    again.send(choose);
    assert_eq!(again.receive(), first);
}

#[test]
fn missed_messages_are_replayed_once_and_in_order() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let [mut ann, mut bob] = dealt(&server, "single-card-game");
    server.player("Carl");
    for client in [&mut ann, &mut bob] {
        client.send(client.decision("d", "fold"));
    }
    for client in [&mut ann, &mut bob] {
        client.receive_until("result");
    }
    let mut carl = server.connect();
    carl.send(client_requests::hello("Carl"));
    assert_eq!(carl.receive()["seq"], 0);
    carl.send(client_requests::single("c"));
    let mut heard = carl.receive_until("waiting");
    ann.send(client_requests::single("c2"));
    heard.extend(carl.receive_until("started"));
    let started = &heard[1];
    carl.send(client_requests::open("s", started, "c"));
    assert_eq!(carl.receive()["type"], "seeded");
    drop(carl);
    ann.send(client_requests::open("s2", started, "c2"));
    ann.receive_until("dealt");
    // Another connection receives nothing before it asks, then all earlier messages, then new ones.
    let mut carl = server.connect();
    carl.send(client_requests::hello("Carl"));
    assert_eq!(carl.receive()["seq"], 4);
    assert_eq!(
        carl.error(json!({"type": "resume", "id": "r", "after": 5})),
        "bad_after"
    );
    carl.send(json!({"type": "resume", "id": "r2", "after": 0}));
    let missed = carl.receive_until("dealt");
    assert_eq!(missed[..2], heard);
    let seqs: Vec<_> = missed
        .iter()
        .filter_map(|message| message["seq"].as_u64())
        .collect();
    assert_eq!(seqs, [1, 2, 3, 4]);
    ann.send(ann.decision("d2", "play"));
    carl.send(carl.decision("d", "fold"));
    let rest = carl.receive_until("result");
    assert_eq!(rest[0]["seq"], 5);
    assert_eq!(rest.len(), 3, "that both decided, and the result");
}

#[test]
fn a_request_right_after_hello_is_answered() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    client.write(&client_requests::hello("Ann"));
    client.write(&client_requests::single("c"));
    client.0.flush().expect("an open connection");
    assert_eq!(client.receive()["type"], "welcome");
    assert_eq!(client.receive()["type"], "waiting");
}

// All messages are sent at once, so the server handles them in one batch.
#[test]
fn players_who_ask_and_disconnect_at_once_lose_nothing() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.player("Ann").0;
    for number in 0..6 {
        let id = format!("c{number}");
        for request in [
            client_requests::single(&id),
            client_requests::cancel(&format!("x{number}")),
        ] {
            client.write(&request);
        }
    }
    client.0.close(None).expect("an open connection");
    while client.try_receive().is_ok() {}
    let mut again = server.connect();
    again.send(client_requests::hello("Ann"));
    let seq = again.receive()["seq"].as_u64().expect("a number");
    again.send(json!({"type": "resume", "id": "r", "after": 0}));
    for expected in 1..=seq {
        assert_eq!(again.receive()["seq"], expected);
    }
    again.send(client_requests::single("last"));
    assert_eq!(again.receive()["seq"], seq + 1);
}

#[test]
fn players_who_leave_before_they_are_welcomed_are_forgotten() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    for _ in 0..20 {
        let mut client = server.connect();
        client.write(&client_requests::hello("Ann"));
        client.0.close(None).expect("an open connection");
    }
    let until = Instant::now() + Duration::from_secs(60);
    while !server.admin("/health").1.contains("\"players\":0") {
        assert!(Instant::now() < until, "{}", server.admin("/health").1);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn every_request_of_a_burst_is_answered() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0", "--rate", "1000"]);
    let (mut client, _) = server.player("Ann");
    for number in 0..1000 {
        client.write(&client_requests::cancel(&number.to_string()));
    }
    client.0.flush().expect("an open connection");
    for number in 0..1000 {
        assert_eq!(client.receive()["in_reply_to"], number.to_string());
    }
}

#[test]
fn invalid_requests_are_answered_and_the_connection_stays_open() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    let with = |field: &str, value: &Value| {
        let mut hello = client_requests::hello("Ann");
        hello[field] = value.clone();
        hello
    };
    for (request, code) in [
        (client_requests::single("1"), "hello_first"),
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
        assert_eq!(client.error(request.clone()), code, "{request}");
    }
    for text in [
        "",
        "{",
        "hello",
        "{\"type\":\"hello\",\"id\":\"1\",\"id\":\"2\",\"protocol\":2}",
        "\u{0}",
    ] {
        client.send_raw(Message::text(text));
        assert_eq!(client.receive()["code"], "bad_message", "{text}");
    }
    client.send_raw(Message::text("[".repeat(4000)));
    assert_eq!(client.receive()["code"], "bad_message");
    client.send_raw(Message::binary(vec![0; 16]));
    assert_eq!(client.receive()["code"], "bad_message");
    let name = "<b>'; DROP TABLE player;--";
    client.send(client_requests::hello(name));
    assert_eq!(client.receive()["balance"], 1000);
    let first = json!({"game_id": 1, "deal": 1});
    let mut odd_choice = client_requests::single("7");
    odd_choice["game"] = json!({"single-card-game": null});
    for (request, code) in [
        (client_requests::hello("Ann"), "hello_again"),
        (client_requests::decide("2", &first, "play"), "not_playing"),
        (client_requests::open("3", &first, "2"), "not_playing"),
        (
            json!({"type": "seed", "id": "4", "game_id": 1, "value": "x".repeat(64)}),
            "bad_message",
        ),
        (client_requests::cancel("5"), "not_waiting"),
        (
            json!({"type": "resume", "id": "2", "after": -1}),
            "bad_message",
        ),
        (
            json!({"type": "resume", "id": "6", "after": 1}),
            "bad_after",
        ),
        (client_requests::choose("7", "poker"), "bad_message"),
        (odd_choice, "bad_message"),
    ] {
        assert_eq!(client.error(request.clone()), code, "{request}");
    }
    client.send(client_requests::single("8"));
    assert_eq!(client.receive()["type"], "waiting");
    let mut other = server.player("Bob").0;
    other.send(client_requests::single("1"));
    assert_eq!(other.receive()["opponent"]["name"], name);
}

#[test]
fn errors_are_also_in_polish() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = RawClient::open(&server.address, "/ws?lang=pl", &[]).expect("a connection");
    client.send(client_requests::cancel("1"));
    assert_eq!(client.receive()["message"], "najpierw musi być `hello`");
    client.send_raw(Message::binary(vec![0; 16]));
    let told = "niepoprawne żądanie: wiadomość musi być obiektem JSON wysłanym jako tekst";
    assert_eq!(client.receive()["message"], told);
    for (request, told) in [
        (
            client_requests::hello(""),
            "imię musi mieć od 1 do 32 znaków, bez odstępów na początku i na końcu",
        ),
        (
            client_requests::cancel(""),
            "`id` musi mieć od 1 do 64 widocznych znaków ASCII",
        ),
        (json!({"type": "cancel", "id": "1"}), "brakuje pola `game`"),
    ] {
        client.send(request);
        assert_eq!(
            client.receive()["message"],
            format!("niepoprawne żądanie: {told}")
        );
    }
}

#[test]
fn an_old_client_is_asked_to_update_and_the_connection_stays_open() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    let mut newer = client_requests::hello("Ann");
    newer["protocol"] = json!(5);
    newer["more"] = json!("of the future");
    let old = json!({"type": "hello", "id": "h1", "name": "Ann"});
    for hello in [old, newer] {
        client.send(hello.clone());
        let answer = client.receive();
        assert_eq!(answer["code"], "old_protocol", "{hello}");
        assert_eq!(answer["in_reply_to"], hello["id"]);
        let told =
            "this client speaks another version of the protocol: update it, or reload the page";
        assert_eq!(answer["message"], told);
    }
    client.send(client_requests::hello("Ann"));
    let welcome = client.receive();
    assert_eq!(
        (&welcome["type"], &welcome["protocol"]),
        (&json!("welcome"), &json!(2))
    );
    assert_eq!(welcome.get("token"), None);
}
