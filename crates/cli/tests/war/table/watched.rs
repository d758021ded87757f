//! Games of others are watched where both players agree, and show what both know.

use super::{Line, Server, said};
use crate::support::Place;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;

/// Sits down, and lets others watch or not.
pub(crate) fn sits(mut line: Line, name: &str, watchable: bool) -> Line {
    let mut hello = said::hello(name);
    if watchable {
        hello["watchable"] = json!(true);
    }
    line.say(hello);
    assert_eq!(line.hear()["type"], "welcome");
    line
}

/// Asks for the games that may be watched, or for one of them.
pub(crate) fn watch(line: &mut Line, game: Option<&Value>) -> Vec<Value> {
    let mut request = json!({"type": "watch", "id": "look"});
    if let Some(game) = game {
        request["game_id"] = game.clone();
    }
    line.say(request);
    let answer = line.hear();
    assert_eq!(
        (&answer["type"], &answer["in_reply_to"]),
        (&json!("watched"), &json!("look")),
        "{answer}"
    );
    answer["games"].as_array().expect("a list").clone()
}

/// The games that may be watched, once they are as many: what is seen may be a second old.
#[track_caller]
pub(crate) fn open(line: &mut Line, many: usize) -> Vec<Value> {
    for _ in 0..50 {
        let seen = watch(line, None);
        if seen.len() == many {
            return seen;
        }
        sleep(Duration::from_millis(200));
    }
    panic!("there are not {many} games");
}

/// Begins a game of two who are free; the result is its number, and what each of them was dealt.
pub(crate) fn begin(lines: [&mut Line; 2], name: &str, kind: &str) -> (Value, [Value; 2]) {
    let choices = [0, 1].map(|seat| format!("{name}{seat}"));
    let [one, other] = lines;
    one.say(said::choose(&choices[0], kind));
    one.until("waiting");
    other.say(said::choose(&choices[1], kind));
    let mut game = Value::Null;
    for (line, choice) in [&mut *one, &mut *other].into_iter().zip(&choices) {
        let started = line.until("started").pop().expect("a game");
        line.say(said::open(&format!("{choice}-open"), &started, choice));
        game = started["game_id"].clone();
    }
    let dealt = |line: &mut Line| line.until("dealt").pop().expect("cards")["cards"].clone();
    (game, [dealt(one), dealt(other)])
}

/// Lets somebody decide, and hears that it was taken.
fn decides(line: &mut Line, id: &str, decision: &str) {
    line.say(line.decision(id, decision));
    line.until("decided");
}

/// Checks that nothing which only one player knows is in what is seen.
fn hides(seen: &Value, hands: &[Value; 2]) {
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
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut ann = sits(server.connect(), "Ann", true);
    let mut bob = sits(server.connect(), "Bob", true);
    let mut zoe = sits(server.connect(), "Zoe", false);
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
    hides(seen, &hands);
    decides(&mut bob, "d1", "play");
    let seen = watch(&mut zoe, Some(&game)).remove(0);
    assert_eq!(seen["decided"], json!([false, true]));
    hides(&seen, &hands);
    decides(&mut ann, "d0", "fold");
    let told = ann.until("result").pop().expect("a result");
    let seen = watch(&mut zoe, Some(&game)).remove(0);
    assert_eq!(seen["result"]["deltas"], json!([-5, 5]));
    assert_eq!(seen["result"]["decisions"], json!(["fold", "play"]));
    assert_eq!(told["delta"], -5);
    hides(&seen, &hands);
    // What is over runs no longer.
    open(&mut zoe, 0);
}

#[test]
fn watchers_see_the_cards_that_both_players_have_seen() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut ann = sits(server.connect(), "Ann", true);
    let mut bob = sits(server.connect(), "Bob", true);
    let mut zoe = sits(server.connect(), "Zoe", false);
    let (game, hands) = begin([&mut ann, &mut bob], "a", "single-card-game");
    let mut all = vec![hands];
    let told = loop {
        let deal = all.len();
        decides(&mut ann, &format!("a{deal}"), "play");
        bob.say(bob.decision(&format!("b{deal}"), "play"));
        let [first, second] = [&mut ann, &mut bob].map(|line| {
            loop {
                let heard = line.hear();
                if heard["type"] == "result" || heard["type"] == "redealt" {
                    break heard;
                }
            }
        });
        if first["type"] == "result" {
            break first;
        }
        all.push([first["cards"].clone(), second["cards"].clone()]);
        hides(&watch(&mut zoe, Some(&game))[0], &all[deal]);
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
fn nobody_is_watched_who_does_not_want_it() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut ann = sits(server.connect(), "Ann", true);
    let mut bob = sits(server.connect(), "Bob", false);
    let mut zoe = sits(server.connect(), "Zoe", false);
    let (game, _) = begin([&mut ann, &mut bob], "a", "single-card-game");
    for asked in [None, Some(&game), Some(&json!(77))] {
        assert_eq!(watch(&mut zoe, asked), [] as [Value; 0]);
    }
    // It holds until the player says otherwise, also in the middle of a game.
    for (watchable, seen) in [(true, 1), (false, 0)] {
        let _bob = sits(server.connect(), "Bob", watchable);
        open(&mut zoe, seen);
        assert_eq!(watch(&mut zoe, Some(&game)).len(), seen);
    }
    let mut line = server.connect();
    let ask = json!({"type": "watch", "id": "a"});
    assert_eq!(line.error(&ask), "hello_first");
    for game in [json!(null), json!(-1), json!("1")] {
        let ask = json!({"type": "watch", "id": "b", "game_id": game});
        assert_eq!(zoe.error(&ask), "bad_message", "{ask}");
    }
    let mut hello = said::hello("Cid");
    hello["watchable"] = json!(null);
    assert_eq!(line.error(&hello), "bad_message");
}

#[test]
fn the_house_lets_everybody_watch() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "1", "--decide-seconds", "60"]);
    let mut ann = sits(server.connect(), "Ann", true);
    let mut zoe = sits(server.connect(), "Zoe", false);
    ann.say(said::choose_with("a", &json!("house")));
    let started = ann.until("started").pop().expect("a game");
    let seen = open(&mut zoe, 1).remove(0);
    assert_eq!(seen["game_id"], started["game_id"]);
    assert_eq!(seen["deal"], 0, "seeds are opened");
    let houses: Vec<_> = seen["players"].as_array().expect("two").iter().collect();
    assert_eq!(
        (&houses[0]["house"], &houses[1]["house"]),
        (&json!(false), &json!(true))
    );
}
