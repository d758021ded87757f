//! The ladder as the table keeps and shows it.

use super::looking_back::{meet, settle};
use super::{Line, Server, said};
use crate::support::Place;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

/// How long it may take until the days are rated that are over.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays this many games of Ann, who plays, and Bob, who folds, at a table without a limit that they
/// would meet.
pub(crate) fn won_by_folds(lines: &mut [Line; 2], count: usize) {
    for game in 0..count {
        let name = format!("g{game}");
        meet(lines, &name, "single-card-game");
        settle(lines, &name, ["play", "fold"]);
    }
}

/// The ladder, once these days are rated.
pub(crate) fn ladder(line: &mut Line, span: &str) -> Value {
    let start = Instant::now();
    loop {
        line.say(json!({"type": "ladder", "id": "l", "span": span}));
        let answer = line.until("ladder").pop().expect("an answer");
        if answer.get("until_ms").is_some() {
            return answer;
        }
        assert!(start.elapsed() < PATIENCE, "{answer}");
        thread::sleep(Duration::from_millis(100));
    }
}

/// Checks that what was exported of a player says where they stand.
pub(crate) fn stands(export: &str) {
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
fn days_that_are_over_are_rated_once_and_shown() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0", "--rate", "1000"]);
    let mut lines = ["Ann", "Bob"].map(|name| server.player(name).0);
    won_by_folds(&mut lines, 24);
    // Nobody is rated before a day is over.
    lines[0].say(json!({"type": "ladder", "id": "l", "span": "week"}));
    let none = lines[0].until("ladder").pop().expect("an answer");
    assert_eq!(
        (&none["top"], none.get("until_ms"), none.get("own")),
        (&json!([]), None, None)
    );
    drop(lines);
    server.kill();
    // Six games a day, the last of them ten days ago.
    let store = Connection::open(place.path("table.db")).expect("a store");
    store
        .execute_batch(
            "UPDATE event SET at = at - 86400000 * (13 - (game - 1) / 6) WHERE game IS NOT NULL; \
             UPDATE finished SET at = at - 86400000 * (13 - (game - 1) / 6);",
        )
        .expect("an older store");
    drop(store);
    let server = Server::start(&place, &["--bots", "0"]);
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
    let verify = || place.war(&[&["table", "verify"][..], &of].concat());
    let run = place.war(&[&["table", "export", "1"][..], &of].concat());
    stands(&run.ends_with(0).stdout);
    verify().ends_with(0).tells("");
    let store = Connection::open(place.path("table.db")).expect("a store");
    let harm = "UPDATE rating SET rating = rating + 1 WHERE player = 2 AND span = 'ever'";
    store.execute_batch(harm).expect("a change");
    verify()
        .ends_with(1)
        .tells("the place of player 2 in the ladder");
}

#[test]
fn a_span_that_there_is_not_is_refused() {
    let place = Place::new();
    let server = Server::start(&place, &["--bots", "0"]);
    let mut line = server.connect();
    let ask = json!({"type": "ladder", "id": "l", "span": "week"});
    assert_eq!(line.error(&ask), "hello_first");
    line.say(said::hello("Ann"));
    line.hear();
    let ask = json!({"type": "ladder", "id": "l", "span": "year"});
    assert_eq!(line.error(&ask), "bad_message");
}
