//! Spectators: games can be watched if both players agree, and only public information is shown.

use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

/// Joins, with or without permission for spectators.
pub(crate) fn sit_down(mut client: RawClient, name: &str, watchable: bool) -> RawClient {
    let mut hello = client_requests::hello(name);
    if watchable {
        hello["watchable"] = json!(true);
    }
    client.send(hello);
    assert_eq!(client.receive()["type"], "welcome");
    client
}

/// Requests the games that can be watched, or one of them.
pub(crate) fn watch(client: &mut RawClient, game: Option<&Value>) -> Vec<Value> {
    let mut request = json!({"type": "watch", "id": "look"});
    if let Some(game) = game {
        request["game_id"] = game.clone();
    }
    client.send(request);
    let answer = client.receive();
    assert_eq!(
        (&answer["type"], &answer["in_reply_to"]),
        (&json!("watched"), &json!("look")),
        "{answer}"
    );
    answer["games"].as_array().expect("a list").clone()
}

/// Games that can be watched, once there are this many. The list may be a second old.
#[track_caller]
pub(crate) fn open(client: &mut RawClient, many: usize) -> Vec<Value> {
    for _ in 0..50 {
        let seen = watch(client, None);
        if seen.len() == many {
            return seen;
        }
        sleep(Duration::from_millis(200));
    }
    panic!("there are not {many} games");
}

/// Starts a game of two free players. Returns its number, and the cards dealt to each.
pub(crate) fn begin(clients: [&mut RawClient; 2], name: &str, kind: &str) -> (Value, [Value; 2]) {
    let choices = [0, 1].map(|seat| format!("{name}{seat}"));
    let [one, other] = clients;
    one.send(client_requests::choose(&choices[0], kind));
    one.receive_until("waiting");
    other.send(client_requests::choose(&choices[1], kind));
    let mut game = Value::Null;
    for (client, choice) in [&mut *one, &mut *other].into_iter().zip(&choices) {
        let started = client.receive_until("started").pop().expect("a game");
        client.send(client_requests::open(
            &format!("{choice}-open"),
            &started,
            choice,
        ));
        game = started["game_id"].clone();
    }
    let dealt = |client: &mut RawClient| {
        client.receive_until("dealt").pop().expect("cards")["cards"].clone()
    };
    (game, [dealt(one), dealt(other)])
}

/// Sends a decision, and waits for the confirmation.
fn decide(client: &mut RawClient, id: &str, decision: &str) {
    client.send(client.decision(id, decision));
    client.receive_until("decided");
}

/// Checks that the view contains no card that only one player knows.
fn check_hidden(seen: &Value, hands: &[Value; 2]) {
    let text = seen.to_string();
    for card in hands
        .iter()
        .flat_map(|hand| hand.as_array().expect("cards"))
    {
        assert!(!text.contains(&card.to_string()), "{card} is in {text}");
    }
}

#[test]
fn games_whose_players_agree_are_watched() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut ann = sit_down(server.connect(), "Ann", true);
    let mut bob = sit_down(server.connect(), "Bob", true);
    let mut zoe = sit_down(server.connect(), "Zoe", false);
    assert_eq!(watch(&mut zoe, None), [] as [Value; 0]);
    let (game, hands) = begin([&mut ann, &mut bob], "a", "double-card-game");
    let list = open(&mut zoe, 1);
    assert_eq!(watch(&mut zoe, Some(&game)), list);
    let [seen] = &list[..] else {
        panic!("{list:?}");
    };
    let names: Vec<_> = seen["players"].as_array().expect("two").iter().collect();
    assert_eq!(
        (&names[0]["name"], &names[1]["name"]),
        (&json!("Ann"), &json!("Bob"))
    );
    assert_eq!(seen["game_id"], game);
    assert_eq!(
        (&seen["game"], &seen["deal"]),
        (&json!("double-card-game"), &json!(1))
    );
    assert_eq!(
        (&seen["decided"], seen.get("result")),
        (&json!([false, false]), None)
    );
    check_hidden(seen, &hands);
    decide(&mut bob, "d1", "play");
    let seen = watch(&mut zoe, Some(&game)).remove(0);
    assert_eq!(seen["decided"], json!([false, true]));
    check_hidden(&seen, &hands);
    decide(&mut ann, "d0", "fold");
    let told = ann.receive_until("result").pop().expect("a result");
    let seen = watch(&mut zoe, Some(&game)).remove(0);
    assert_eq!(seen["result"]["deltas"], json!([-5, 5]));
    assert_eq!(seen["result"]["decisions"], json!(["fold", "play"]));
    assert_eq!(told["delta"], -5);
    check_hidden(&seen, &hands);
    // A finished game is no longer listed.
    open(&mut zoe, 0);
}

#[test]
fn spectators_see_only_cards_that_both_players_have_seen() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut ann = sit_down(server.connect(), "Ann", true);
    let mut bob = sit_down(server.connect(), "Bob", true);
    let mut zoe = sit_down(server.connect(), "Zoe", false);
    let (game, hands) = begin([&mut ann, &mut bob], "a", "single-card-game");
    let mut all = vec![hands];
    let told = loop {
        let deal = all.len();
        decide(&mut ann, &format!("a{deal}"), "play");
        bob.send(bob.decision(&format!("b{deal}"), "play"));
        let [first, second] = [&mut ann, &mut bob].map(|client| {
            loop {
                let heard = client.receive();
                if heard["type"] == "result" || heard["type"] == "redealt" {
                    break heard;
                }
            }
        });
        if first["type"] == "result" {
            break first;
        }
        all.push([first["cards"].clone(), second["cards"].clone()]);
        check_hidden(&watch(&mut zoe, Some(&game))[0], &all[deal]);
    };
    let seen = watch(&mut zoe, Some(&game)).remove(0);
    let last = all.pop().expect("a deal");
    assert_eq!(seen["result"]["cards"], json!(last));
    assert_eq!(seen["result"]["cards"][0], told["cards"]["yours"]);
    assert_eq!(seen["result"]["deltas"][0], told["delta"]);
    assert_eq!(
        (&seen["ties"], &seen["deal"]),
        (&json!(all), &json!(all.len() + 1))
    );
}

#[test]
fn players_who_do_not_agree_are_not_watched() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut ann = sit_down(server.connect(), "Ann", true);
    let mut bob = sit_down(server.connect(), "Bob", false);
    let mut zoe = sit_down(server.connect(), "Zoe", false);
    let (game, _) = begin([&mut ann, &mut bob], "a", "single-card-game");
    for asked in [None, Some(&game), Some(&json!(77))] {
        assert_eq!(watch(&mut zoe, asked), [] as [Value; 0]);
    }
    // The setting holds until the player changes it, also in the middle of a game.
    for (watchable, seen) in [(true, 1), (false, 0)] {
        let _bob = sit_down(server.connect(), "Bob", watchable);
        open(&mut zoe, seen);
        assert_eq!(watch(&mut zoe, Some(&game)).len(), seen);
    }
    let mut client = server.connect();
    let ask = json!({"type": "watch", "id": "a"});
    assert_eq!(client.error(&ask), "hello_first");
    for game in [json!(null), json!(-1), json!("1")] {
        let ask = json!({"type": "watch", "id": "b", "game_id": game});
        assert_eq!(zoe.error(&ask), "bad_message", "{ask}");
    }
    let mut hello = client_requests::hello("Cid");
    hello["watchable"] = json!(null);
    assert_eq!(client.error(&hello), "bad_message");
}

#[test]
fn the_house_agrees_to_spectators() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "1", "--decide-seconds", "60"]);
    let mut ann = sit_down(server.connect(), "Ann", true);
    let mut zoe = sit_down(server.connect(), "Zoe", false);
    ann.send(client_requests::choose_with("a", &json!("house")));
    let started = ann.receive_until("started").pop().expect("a game");
    let seen = open(&mut zoe, 1).remove(0);
    assert_eq!(seen["game_id"], started["game_id"]);
    assert_eq!(seen["deal"], 0, "seeds are opened");
    let houses: Vec<_> = seen["players"].as_array().expect("two").iter().collect();
    assert_eq!(
        (&houses[0]["house"], &houses[1]["house"]),
        (&json!(false), &json!(true))
    );
}
