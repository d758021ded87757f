//! The ladder as the table maintains and shows it.

use super::history::{meet, settle};
use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit for rating the past days.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays this many games of Ann, who plays, and Bob, who folds, at a table whose request limit they
/// don't reach.
pub(crate) fn play_games_won_by_folds(clients: &mut [RawClient; 2], count: usize) {
    for game in 0..count {
        let name = format!("g{game}");
        meet(clients, &name, "single-card-game");
        settle(clients, &name, ["play", "fold"]);
    }
}

/// Ladder, once the past days are rated.
pub(crate) fn ladder(client: &mut RawClient, span: &str) -> Value {
    let start = Instant::now();
    loop {
        client.send(json!({"type": "ladder", "id": "l", "span": span}));
        let answer = client.receive_until("ladder").pop().expect("an answer");
        if answer.get("until_ms").is_some() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{answer}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Checks the standings in a player's export.
pub(crate) fn check_standings(export: &str) {
    let export: Value = serde_json::from_str(export).expect("JSON");
    let ladder = export["ladder"].as_array().expect("a list").iter();
    let spans = ladder.map(|standing| (&standing["span"], &standing["games"]));
    let [ever, month] = [json!("ever"), json!("month")];
    let twenty = json!(20);
    assert_eq!(
        spans.collect::<Vec<_>>(),
        [(&ever, &twenty), (&month, &twenty)]
    );
}

#[test]
fn past_days_are_rated_once_and_shown() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0", "--rate", "1000"]);
    let mut clients = ["Ann", "Bob"].map(|name| server.player(name).0);
    play_games_won_by_folds(&mut clients, 24);
    // Nobody is rated before a day is over.
    clients[0].send(json!({"type": "ladder", "id": "l", "span": "week"}));
    let none = clients[0].receive_until("ladder").pop().expect("an answer");
    assert_eq!(
        (&none["top"], none.get("until_ms"), none.get("own")),
        (&json!([]), None, None)
    );
    // Clients of earlier versions don't know the games of today.
    assert_eq!(none.get("today"), None);
    drop(clients);
    for (name, opponent, score) in [("Ann", 2, (24, 0, 72)), ("Bob", 1, (0, 24, -72))] {
        let (mut client, _) = server.player_in_version(name, 4);
        client.send(json!({"type": "ladder", "id": "l", "span": "week"}));
        let answer = client.receive_until("ladder").pop().expect("an answer");
        let games = json!([{"player": opponent, "games": 24}]);
        assert_eq!(answer["today"], games, "{name}");
        client.send(json!({"type": "score", "id": "s", "opponent": opponent}));
        let answer = client.receive_until("score").pop().expect("an answer");
        let sum = (&answer["won"], &answer["lost"], &answer["tokens"]);
        assert_eq!(sum, (&json!(score.0), &json!(score.1), &json!(score.2)));
        client.send(json!({
            "type": "create_link", "id": "f", "game": "double-card-game",
            "secret_hash": "0".repeat(64)
        }));
        client.receive_until("links");
    }
    server.kill();
    // The games are moved back in time: six on each day, the last of them ten days ago.
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    store
        .execute_batch(
            "UPDATE event SET at = at - 86400000 * (13 - (game - 1) / 6) WHERE game IS NOT NULL; \
             UPDATE finished SET at = at - 86400000 * (13 - (game - 1) / 6);",
        )
        .expect("an older store");
    drop(store);
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let (mut ann, _) = server.player("Ann");
    let ever = ladder(&mut ann, "ever");
    let rungs = |answer: &Value| -> Vec<(u64, u64, u64)> {
        let rungs = answer["top"].as_array().expect("a list").iter();
        let number = |rung: &Value, field: &str| rung[field].as_u64().expect("a number");
        let rung = |rung| {
            (
                number(rung, "place"),
                number(rung, "player"),
                number(rung, "games"),
            )
        };
        rungs.map(rung).collect()
    };
    // Five of the six games of each day count.
    assert_eq!(rungs(&ever), [(1, 1, 20), (2, 2, 20)]);
    assert_eq!(
        (&ever["own"], &ever["top"][0]["name"]),
        (&ever["top"][0], &json!("Ann"))
    );
    let until = ever["until_ms"].as_u64().expect("a time");
    assert_eq!(until % 86_400_000, 0, "the end of a day");
    let [first, second] = [0, 1].map(|at| ever["top"][at]["rating"].as_i64().expect("a number"));
    assert!(first > 1_500 && second < 1_500, "{ever}");
    assert_eq!(
        ladder(&mut ann, "month")["top"].as_array().map(Vec::len),
        Some(2)
    );
    let week = ladder(&mut ann, "week");
    assert_eq!((&week["top"], week.get("own")), (&json!([]), None));
    let of = ["--admin", &server.admin, "--key", "table.db.key"];
    let verify = || sandbox.war(&[&["table", "verify"][..], &of].concat());
    let run = sandbox.war(&[&["table", "export", "1"][..], &of].concat());
    let export = run.exits_with(0).stdout;
    check_standings(&export);
    let export: Value = serde_json::from_str(&export).expect("JSON");
    assert_eq!(export["links"].as_array().map(Vec::len), Some(1));
    assert_eq!(export["links"][0]["game"], "double-card-game");
    verify().exits_with(0).reports("");
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let harm = "UPDATE rating SET rating = rating + 1 WHERE player = 2 AND span = 'ever'";
    store.execute_batch(harm).expect("a change");
    verify()
        .exits_with(1)
        .reports("the place of player 2 in the ladder");
}

#[test]
fn an_unknown_span_is_refused() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox, &["--bots", "0"]);
    let mut client = server.connect();
    let ask = json!({"type": "ladder", "id": "l", "span": "week"});
    assert_eq!(client.error(&ask), "hello_first");
    client.send(client_requests::hello("Ann"));
    client.receive();
    let ask = json!({"type": "ladder", "id": "l", "span": "year"});
    assert_eq!(client.error(&ask), "bad_message");
}
