//! Players who leave the table permanently and are forgotten, at their own request.

use super::history::{games, settle};
use super::{RawClient, Server, client_requests, dealt};
use crate::support::Sandbox;
use serde_json::{Value, json};

/// Asks to be forgotten, receives the confirmation, and then the end of the connection.
pub(crate) fn leave(mut client: RawClient) {
    client.send(json!({"type": "forget", "id": "adieu"}));
    let answer = client.receive_until("forgotten").pop().expect("an answer");
    assert_eq!(answer["in_reply_to"], "adieu");
    assert_closed(&mut client);
}

/// Checks that the connection ends without an error message.
pub(crate) fn assert_closed(client: &mut RawClient) {
    while let Ok(heard) = client.try_receive() {
        assert_ne!(heard["type"], "error", "{heard}");
    }
}

/// Sends hello. Returns the `welcome`.
pub(crate) fn join(client: &mut RawClient, name: &str) -> Value {
    client.send(client_requests::hello(name));
    client.receive_until("welcome").pop().expect("a welcome")
}

#[test]
fn players_are_forgotten_at_their_own_request() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut clients = dealt(&server, "single-card-game");
    settle(&mut clients, "a", ["fold", "play"]);
    let (mut second, _) = server.player("Ann");
    let [ann, mut bob] = clients;
    leave(ann);
    assert_closed(&mut second);
    // The game remains, and the name does not.
    let game = games(&mut bob, None, 1).remove(0);
    assert_eq!(
        (&game["opponent"]["player"], &game["delta"]),
        (&json!(1), &json!(3))
    );
    assert_ne!(game["opponent"]["name"], "Ann");
    let verify = ["table", "verify", "--admin", &server.admin];
    sandbox.war(&verify).exits_with(0);
}

/// Sends `hello` with Ann's token in this version of the protocol. Returns the answer.
fn say_hello(client: &mut RawClient, version: u32) -> Value {
    let mut hello = client_requests::hello("Ann");
    hello["protocol"] = version.into();
    client.send(hello);
    client.receive()
}

#[test]
fn a_forgotten_token_is_refused_for_good() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    leave(server.player("Ann").0);
    for attempt in ["at once", "after a restart"] {
        for (version, code) in [(2, "banned"), (3, "banned"), (4, "forgotten")] {
            let mut client = server.connect();
            let refused = say_hello(&mut client, version);
            assert_eq!(refused["code"], code, "{attempt}: {refused}");
            let text = refused["message"].as_str().expect("a text");
            assert!(text.contains("deleted"), "{text}");
            // The answer to the first request may have been lost.
            client.send(json!({"type": "forget", "id": "again"}));
            let answer = client.receive();
            assert_eq!(answer["type"], "forgotten", "{answer}");
            assert_eq!(answer["in_reply_to"], "again");
            // Another player may come over the same connection.
            client.send(client_requests::hello("Bob"));
            let welcome = client.receive();
            assert_eq!(
                (&welcome["type"], &welcome["player"]),
                (&json!("welcome"), &json!(2))
            );
            assert_eq!(client.error(json!({"type": "forget"})), "bad_message");
        }
        server.kill();
        server = Server::start(&sandbox, &["--bots", "0"]);
    }
    let orders = ["table", "forget", "2", "--admin", &server.admin];
    sandbox.war(&orders).exits_with(0);
    let mut client = server.connect();
    client.send(client_requests::hello("Bob"));
    assert_eq!(
        client.receive()["code"],
        "banned",
        "an operator forgot the player"
    );
}

#[test]
fn nobody_is_forgotten_in_the_middle_of_a_game() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut clients = dealt(&server, "single-card-game");
    let ask = json!({"type": "forget", "id": "bye"});
    assert_eq!(clients[0].error(&ask), "playing");
    let used = json!({"type": "forget", "id": "c0"});
    assert_eq!(clients[0].error(&used), "id_reused");
    settle(&mut clients, "a", ["fold", "fold"]);
    // The answer is the same, however often this id is used.
    assert_eq!(clients[0].error(&ask), "playing");
    assert_eq!(clients[0].error(&used), "id_reused");
    let [ann, mut bob] = clients;
    leave(ann);
    assert_eq!(games(&mut bob, None, 1)[0]["delta"], -1);
    let mut client = server.connect();
    assert_eq!(client.error(&ask), "hello_first");
}

#[test]
fn a_forgotten_player_no_longer_waits() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    ann.send(client_requests::single("a"));
    ann.receive_until("waiting");
    leave(ann);
    let (mut bob, _) = server.player("Bob");
    bob.send(client_requests::single("b"));
    assert_eq!(bob.receive()["type"], "waiting");
}
