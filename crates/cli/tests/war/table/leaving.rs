//! Players leave the table for good, at their own wish.

use super::looking_back::{games, settle};
use super::{Line, Server, dealt, said};
use crate::support::Place;
use serde_json::{Value, json};

/// Asks to be forgotten, and hears that it was done; then the connection ends.
pub(crate) fn leaves(mut line: Line) {
    line.say(json!({"type": "forget", "id": "adieu"}));
    let answer = line.until("forgotten").pop().expect("an answer");
    assert_eq!(answer["in_reply_to"], "adieu");
    is_closed(&mut line);
}

/// Checks that nothing more is said.
pub(crate) fn is_closed(line: &mut Line) {
    while let Ok(heard) = line.try_hear() {
        assert_ne!(heard["type"], "error", "{heard}");
    }
}

/// Says who comes; the result is the `welcome`.
pub(crate) fn comes(line: &mut Line, name: &str) -> Value {
    line.say(said::hello(name));
    line.until("welcome").pop().expect("a welcome")
}

#[test]
fn players_are_forgotten_at_their_own_wish() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut lines = dealt(&server, "single-card-game");
    settle(&mut lines, "a", ["fold", "play"]);
    let (mut second, _) = server.player("Ann");
    let [ann, mut bob] = lines;
    leaves(ann);
    is_closed(&mut second);
    // The game stays, and the name does not.
    let game = games(&mut bob, None, 1).remove(0);
    assert_eq!(
        (&game["opponent"]["player"], &game["delta"]),
        (&json!(1), &json!(3))
    );
    assert_ne!(game["opponent"]["name"], "Ann");
    // The token is nobody's: who comes with it is new, and may leave as well.
    let mut line = server.connect();
    let welcome = comes(&mut line, "Ann");
    assert_eq!(
        (&welcome["player"], &welcome["balance"]),
        (&json!(3), &json!(1000))
    );
    assert_eq!(games(&mut line, None, 1), [] as [Value; 0]);
    leaves(line);
    let verify = ["table", "verify", "--admin", &server.admin];
    place.war(&verify).ends_with(0);
}

#[test]
fn nobody_is_forgotten_in_the_middle_of_a_game() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut lines = dealt(&server, "single-card-game");
    let ask = json!({"type": "forget", "id": "bye"});
    assert_eq!(lines[0].error(&ask), "playing");
    let used = json!({"type": "forget", "id": "c0"});
    assert_eq!(lines[0].error(&used), "id_reused");
    settle(&mut lines, "a", ["fold", "fold"]);
    // The answer is the same, however often it is asked for by this name.
    assert_eq!(lines[0].error(&ask), "playing");
    assert_eq!(lines[0].error(&used), "id_reused");
    let [ann, mut bob] = lines;
    leaves(ann);
    assert_eq!(games(&mut bob, None, 1)[0]["delta"], -1);
    let mut line = server.connect();
    assert_eq!(line.error(&ask), "hello_first");
}

#[test]
fn who_is_forgotten_waits_no_longer() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    ann.say(said::single("a"));
    ann.until("waiting");
    leaves(ann);
    let (mut bob, _) = server.player("Bob");
    bob.say(said::single("b"));
    assert_eq!(bob.hear()["type"], "waiting");
}
