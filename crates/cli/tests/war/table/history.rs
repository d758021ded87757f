//! Past games, as their players see them.

use super::{RawClient, Server, client_requests, dealt};
use crate::support::Sandbox;
use serde_json::{Value, json};

/// Requests past games.
pub(crate) fn games(client: &mut RawClient, before: Option<u64>, limit: u32) -> Vec<Value> {
    let mut request = json!({"type": "games", "id": "look", "limit": limit});
    if let Some(before) = before {
        request["before"] = json!(before);
    }
    client.send(request);
    let answer = client.receive();
    assert_eq!(
        (&answer["type"], &answer["in_reply_to"]),
        (&json!("games"), &json!("look")),
        "{answer}"
    );
    answer["games"].as_array().expect("a list").clone()
}

pub(crate) fn figures(client: &mut RawClient) -> Value {
    client.send(json!({"type": "figures", "id": "count"}));
    let answer = client.receive();
    assert_eq!(answer["type"], "figures", "{answer}");
    answer
}

/// Starts another game of two free players, and continues until the cards are dealt.
pub(crate) fn meet(clients: &mut [RawClient; 2], name: &str, game: &str) {
    let choices = [0, 1].map(|seat| format!("{name}{seat}"));
    for (client, choice) in clients.iter_mut().zip(&choices) {
        client.send(client_requests::choose(choice, game));
    }
    for (client, choice) in clients.iter_mut().zip(&choices) {
        let started = client.receive_until("started").pop().expect("a game");
        client.send(client_requests::open(
            &format!("{choice}-open"),
            &started,
            choice,
        ));
    }
    for client in clients {
        client.receive_until("dealt");
    }
}

/// Has each player make their decision, again after each tie, until the game is over.
pub(crate) fn settle(clients: &mut [RawClient; 2], name: &str, decisions: [&str; 2]) -> [Value; 2] {
    for deal in 0.. {
        for (client, decision) in clients.iter_mut().zip(decisions) {
            client.send(client.decision(&format!("{name}-{deal}"), decision));
        }
        let ends = |client: &mut RawClient| loop {
            let heard = client.receive();
            if ["result", "redealt"]
                .map(Value::from)
                .contains(&heard["type"])
            {
                return heard;
            }
        };
        let ended = clients.each_mut().map(ends);
        if ended[0]["type"] == "result" {
            return ended;
        }
    }
    unreachable!("the game ends")
}

#[test]
fn players_read_their_past_games_page_by_page() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut clients = dealt(&server, "single-card-game");
    let mut results = vec![settle(&mut clients, "first", ["fold", "fold"])];
    for (name, decisions) in [("one", ["play", "fold"]), ("two", ["fold", "play"])] {
        meet(&mut clients, name, "double-card-game");
        results.push(settle(&mut clients, name, decisions));
    }
    for (seat, client) in clients.iter_mut().enumerate() {
        let all = games(client, None, 100);
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
        let first = games(client, None, 2);
        assert_eq!(first, all[..2]);
        let before = first[1]["game_id"].as_u64();
        assert_eq!(games(client, before, 2), all[2..]);
        let before = all[2]["game_id"].as_u64();
        assert_eq!(games(client, before, 100), [] as [Value; 0]);
        assert_eq!(games(client, Some(77), 100), [] as [Value; 0]);
    }
    let counted = figures(&mut clients[0]);
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
    // The answer is outside the sequence: the next message follows the last one.
    let seq = counted["seq"].as_u64().expect("a number");
    clients[0].send(client_requests::single("again"));
    assert_eq!(clients[0].receive()["seq"], seq + 1);
    // A player who returns sees the same figures.
    let [ann, _bob] = clients;
    drop(ann);
    let (mut ann, _) = server.player("Ann");
    assert_eq!(figures(&mut ann)["total"], counted["total"]);
    assert_eq!(games(&mut ann, None, 1)[0]["balance"], 999);
}

#[test]
fn a_past_showdown_shows_both_hands_and_a_forfeit_none() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut clients = dealt(&server, "double-card-game");
    let mut cards: Vec<Value> = Vec::new();
    let results = settle(&mut clients, "both", ["play", "play"]);
    for (client, result) in clients.iter_mut().zip(results) {
        let game = games(client, None, 1).pop().expect("a game");
        assert_eq!(game["cards"], result["cards"]["yours"], "{game}");
        assert_eq!(game["their_cards"], result["cards"]["theirs"], "{game}");
        cards.push(game["cards"].clone());
        // Ranks of the hand, highest first.
        let held = figures(client)["hands"][0]["hand"].clone();
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
    for (client, choice) in clients.iter_mut().zip(["f0", "f1"]) {
        client.send(client_requests::single(choice));
    }
    let started = clients[0].receive_until("started").pop().expect("a game");
    clients[0].send(client_requests::open("f-open", &started, "f0"));
    for (client, deeds) in clients
        .iter_mut()
        .zip([["open", "forfeit"], ["forfeit", "open"]])
    {
        client.receive_until("result");
        let game = games(client, None, 1).pop().expect("a game");
        assert_eq!([&game["yours"], &game["theirs"]], deeds, "{game}");
        assert_eq!(game.get("cards"), None, "{game}");
        let hands = &figures(client)["hands"];
        let none = hands.as_array().expect("a list").iter();
        assert!(none.clone().any(|hand| hand["hand"] == ""), "{hands}");
    }
}

#[test]
fn past_games_require_a_hello_and_a_page_limit() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    let ask = json!({"type": "games", "id": "a", "limit": 1});
    assert_eq!(client.error(&ask), "hello_first");
    client.send(client_requests::hello("Ann"));
    client.receive();
    for (limit, before) in [
        (json!(0), json!(1)),
        (json!(101), json!(1)),
        (json!(1), json!(null)),
        (json!(1), json!(-1)),
    ] {
        let ask = json!({"type": "games", "id": "b", "limit": limit, "before": before});
        assert_eq!(client.error(&ask), "bad_message", "{ask}");
    }
    assert_eq!(games(&mut client, None, 100), [] as [Value; 0]);
    let none = figures(&mut client);
    assert_eq!(none["total"]["games"], 0);
    assert_eq!((&none["kinds"], &none["hands"]), (&json!([]), &json!([])));
}
