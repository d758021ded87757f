//! What players see of their games that are over.

use super::{Line, Server, dealt, said};
use crate::support::Place;
use serde_json::{Value, json};

/// Asks for games, and hears the answer.
pub(crate) fn games(line: &mut Line, before: Option<u64>, limit: u32) -> Vec<Value> {
    let mut request = json!({"type": "games", "id": "look", "limit": limit});
    if let Some(before) = before {
        request["before"] = json!(before);
    }
    line.say(request);
    let answer = line.hear();
    assert_eq!(
        (&answer["type"], &answer["in_reply_to"]),
        (&json!("games"), &json!("look")),
        "{answer}"
    );
    answer["games"].as_array().expect("a list").clone()
}

pub(crate) fn figures(line: &mut Line) -> Value {
    line.say(json!({"type": "figures", "id": "count"}));
    let answer = line.hear();
    assert_eq!(answer["type"], "figures", "{answer}");
    answer
}

/// Plays another game of two who are free, up to its cards.
pub(crate) fn meet(lines: &mut [Line; 2], name: &str, game: &str) {
    let choices = [0, 1].map(|seat| format!("{name}{seat}"));
    for (line, choice) in lines.iter_mut().zip(&choices) {
        line.say(said::choose(choice, game));
    }
    for (line, choice) in lines.iter_mut().zip(&choices) {
        let started = line.until("started").pop().expect("a game");
        line.say(said::open(&format!("{choice}-open"), &started, choice));
    }
    for line in lines {
        line.until("dealt");
    }
}

/// Lets both decide so on their cards, and on new ones where those tie, until the game is over.
pub(crate) fn settle(lines: &mut [Line; 2], name: &str, decisions: [&str; 2]) -> [Value; 2] {
    for deal in 0.. {
        for (line, decision) in lines.iter_mut().zip(decisions) {
            line.say(line.decision(&format!("{name}-{deal}"), decision));
        }
        let ends = |line: &mut Line| loop {
            let heard = line.hear();
            if ["result", "redealt"]
                .map(Value::from)
                .contains(&heard["type"])
            {
                return heard;
            }
        };
        let ended = lines.each_mut().map(ends);
        if ended[0]["type"] == "result" {
            return ended;
        }
    }
    unreachable!("the game ends")
}

#[test]
fn players_look_back_on_their_games_page_by_page() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut lines = dealt(&server, "single-card-game");
    let mut results = vec![settle(&mut lines, "first", ["fold", "fold"])];
    for (name, decisions) in [("one", ["play", "fold"]), ("two", ["fold", "play"])] {
        meet(&mut lines, name, "double-card-game");
        results.push(settle(&mut lines, name, decisions));
    }
    for (seat, line) in lines.iter_mut().enumerate() {
        let all = games(line, None, 100);
        assert_eq!(all.len(), 3);
        for (game, result) in all.iter().rev().zip(&results) {
            let result = &result[seat];
            for field in ["game_id", "delta", "balance"] {
                assert_eq!(game[field], result[field], "{field}: {game}");
            }
            assert_eq!(game["ended_ms"], result["time_ms"], "{game}");
            assert_eq!(game["yours"], result["decisions"]["yours"], "{game}");
            assert_eq!(game["theirs"], result["decisions"]["theirs"], "{game}");
            assert_eq!(game["opponent"]["player"], 2 - seat, "{game}");
            assert_eq!(game["opponent"]["name"], ["Bob", "Ann"][seat], "{game}");
            assert_eq!(game["their_cards"], Value::Null, "nobody has shown them");
            assert_eq!(game["public"], true, "{game}");
        }
        let first = games(line, None, 2);
        assert_eq!(first, all[..2]);
        let before = first[1]["game_id"].as_u64();
        assert_eq!(games(line, before, 2), all[2..]);
        let before = all[2]["game_id"].as_u64();
        assert_eq!(games(line, before, 100), [] as [Value; 0]);
        assert_eq!(games(line, Some(77), 100), [] as [Value; 0]);
    }
    let counted = figures(&mut lines[0]);
    assert_eq!(
        counted["total"],
        json!({"games": 3, "won": 1, "folded": 2, "tokens": -1})
    );
    assert_eq!(
        counted["kinds"],
        json!([
            {"game": "single-card-game", "games": 1, "won": 0, "folded": 1, "tokens": -1},
            {"game": "double-card-game", "games": 2, "won": 1, "folded": 1, "tokens": 0},
        ])
    );
    let hands = counted["hands"].as_array().expect("a list");
    let sum: u64 = hands.iter().filter_map(|hand| hand["games"].as_u64()).sum();
    assert_eq!(sum, 3, "{counted}");
    // Nothing of it is in the sequence: the next message follows the last one.
    let seq = counted["seq"].as_u64().expect("a number");
    lines[0].say(said::single("again"));
    assert_eq!(lines[0].hear()["seq"], seq + 1);
    // Who comes back sees the same.
    let [ann, _bob] = lines;
    drop(ann);
    let (mut ann, _) = server.player("Ann");
    assert_eq!(figures(&mut ann)["total"], counted["total"]);
    assert_eq!(games(&mut ann, None, 1)[0]["balance"], 999);
}

#[test]
fn a_showdown_shows_both_hands_and_a_forfeit_none() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut lines = dealt(&server, "double-card-game");
    let mut cards: Vec<Value> = Vec::new();
    let results = settle(&mut lines, "both", ["play", "play"]);
    for (line, result) in lines.iter_mut().zip(results) {
        let game = games(line, None, 1).pop().expect("a game");
        assert_eq!(game["cards"], result["cards"]["yours"], "{game}");
        assert_eq!(game["their_cards"], result["cards"]["theirs"], "{game}");
        cards.push(game["cards"].clone());
        // The ranks of the hand, the highest first.
        let held = figures(line)["hands"][0]["hand"].clone();
        let mut ranks: Vec<usize> = Vec::new();
        for card in game["cards"].as_array().expect("two cards") {
            let rank = card.as_str().expect("a card").chars().next();
            ranks.extend(rank.and_then(|rank| "23456789TJQKA".find(rank)));
        }
        ranks.sort_unstable_by(|one, other| other.cmp(one));
        let ranks = ranks
            .iter()
            .filter_map(|rank| "23456789TJQKA".chars().nth(*rank));
        assert_eq!(held, json!(ranks.collect::<String>()));
    }
    assert_ne!(cards[0], cards[1]);
    for (line, choice) in lines.iter_mut().zip(["f0", "f1"]) {
        line.say(said::single(choice));
    }
    let started = lines[0].until("started").pop().expect("a game");
    lines[0].say(said::open("f-open", &started, "f0"));
    for (line, deeds) in lines
        .iter_mut()
        .zip([["open", "forfeit"], ["forfeit", "open"]])
    {
        line.until("result");
        let game = games(line, None, 1).pop().expect("a game");
        assert_eq!([&game["yours"], &game["theirs"]], deeds, "{game}");
        assert_eq!(game.get("cards"), None, "{game}");
        let hands = &figures(line)["hands"];
        let none = hands.as_array().expect("a list").iter();
        assert!(none.clone().any(|hand| hand["hand"] == ""), "{hands}");
    }
}

#[test]
fn nobody_looks_back_before_they_say_who_they_are_nor_on_too_much() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    let ask = json!({"type": "games", "id": "a", "limit": 1});
    assert_eq!(line.error(&ask), "hello_first");
    line.say(said::hello("Ann"));
    line.hear();
    for (limit, before) in [
        (json!(0), json!(1)),
        (json!(101), json!(1)),
        (json!(1), json!(null)),
        (json!(1), json!(-1)),
    ] {
        let ask = json!({"type": "games", "id": "b", "limit": limit, "before": before});
        assert_eq!(line.error(&ask), "bad_message", "{ask}");
    }
    assert_eq!(games(&mut line, None, 100), [] as [Value; 0]);
    let none = figures(&mut line);
    assert_eq!(none["total"]["games"], 0);
    assert_eq!((&none["kinds"], &none["hands"]), (&json!([]), &json!([])));
}
