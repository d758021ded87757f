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
    // The token is unused: a player who comes with it is new, and may leave as well.
    let mut client = server.connect();
    let welcome = join(&mut client, "Ann");
    assert_eq!(
        (&welcome["player"], &welcome["balance"]),
        (&json!(3), &json!(1000))
    );
    assert_eq!(games(&mut client, None, 1), [] as [Value; 0]);
    leave(client);
    let verify = ["table", "verify", "--admin", &server.admin];
    sandbox.war(&verify).exits_with(0);
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
