//! The table's log: what players learn of it, and what is in it.

use super::line::Line;
use super::{Server, said};
use crate::support::Place;
use ed25519_dalek::VerifyingKey;
use rusqlite::Connection;
use serde_json::Value;
use war::hex::Hex;
use war::log::{End, Start, TableId, leaf_hash, started_is_signed};
use war::replay::verify;

/// A field of a message as the digits that it is made of.
fn digits<const N: usize>(field: &Value) -> Hex<N> {
    let digits = field.as_str().expect("a text");
    digits.parse().expect("digits")
}

/// The leaf of a game's start, as one of its players makes it from what they heard.
fn start(started: &Value, player: &Value) -> Start {
    let opponent = &started["opponent"]["player"];
    let players = match started["seat"].as_u64() {
        Some(1) => [player, opponent],
        _ => [opponent, player],
    };
    Start {
        game: started["game_id"].as_u64().expect("a number"),
        rules: format!("{}/2", started["game"].as_str().expect("a game")),
        players: players.map(|player| player.as_u64().expect("a number")),
        commitment: digits(&started["commitment"]),
        seed_hashes: [0, 1].map(|seat| digits(&started["seed_hashes"][seat])),
        time_ms: started["time_ms"].as_u64().expect("a time"),
    }
}

/// The leaf of a game's end.
fn end(result: &Value) -> End {
    End {
        game: result["game_id"].as_u64().expect("a number"),
        digest: digits(&result["digest"]),
        time_ms: result["time_ms"].as_u64().expect("a time"),
    }
}

/// Plays a game against the house: what was heard of it.
fn play(line: &mut Line, id: &str) -> (Value, Value) {
    line.say(said::choose(id, "single-card-game"));
    let started = line.until("started").pop().expect("a game");
    line.say(said::open(&format!("{id} seed"), &started, id));
    let dealt = line.until("dealt").pop().expect("cards");
    line.say(said::decide(&format!("{id} fold"), &dealt, "fold"));
    let result = line.until("result").pop().expect("a result");
    (started, result)
}

/// The leaves as the store has them, in order: number, hash and text.
fn leaves(place: &Place) -> Vec<(u64, [u8; 32], String)> {
    let store = Connection::open(place.path("table.db")).expect("a store");
    let sql = "SELECT number, hash, body FROM leaf ORDER BY number";
    let mut statement = store.prepare(sql).expect("a table");
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    let rows = rows.expect("rows").collect::<Result<_, _>>();
    rows.expect("leaves")
}

#[test]
fn a_player_can_make_both_leaves_of_a_game_from_what_they_heard() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "1"]);
    let (mut ann, welcome) = server.player("Ann");
    let table: TableId = digits(&welcome["table"]);
    let key: Hex<32> = digits(&welcome["key"]);
    let key = VerifyingKey::from_bytes(key.bytes()).expect("a key");
    let mut expected = Vec::new();
    for game in 1..=3 {
        let (started, result) = play(&mut ann, &game.to_string());
        assert_eq!(started["table"], welcome["table"]);
        let start = start(&started, &welcome["player"]);
        let signature = started["signature"].as_str().expect("a signature");
        assert!(started_is_signed(&table, &start, signature, &key));
        let other = Start {
            game: 7,
            ..start.clone()
        };
        assert!(!started_is_signed(&table, &other, signature, &key));
        let first = expected.len() as u64;
        assert_eq!(result["leaves"], serde_json::json!([first, first + 1]));
        expected.push(start.to_string());
        let end = end(&result);
        expected.push(end.to_string());
        let (_, journal) = server.get(&format!("/games/{game}/journal.json"));
        let judged = verify(journal.as_bytes()).expect("memory is read");
        assert_eq!(judged.end().expect("an end").chain, end.digest);
    }
    server.kill();
    let stored = leaves(&place);
    let texts: Vec<_> = stored.iter().map(|(_, _, text)| text).collect();
    assert_eq!(texts, expected.iter().collect::<Vec<_>>());
    for (place, (number, hash, text)) in stored.iter().enumerate() {
        assert_eq!(*number, place as u64);
        assert_eq!(hash, leaf_hash(text.as_bytes()).bytes());
    }
    // Table and key are the same ones when it is opened again.
    let server = Server::start(&place, &["--bots", "1"]);
    let (_, again) = server.player("Bob");
    for field in ["table", "key"] {
        assert_eq!(again[field], welcome[field]);
    }
}

#[test]
fn a_journal_is_the_one_that_was_made_when_the_game_was_over() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "1"]);
    let (mut ann, _) = server.player("Ann");
    let (_, result) = play(&mut ann, "one");
    let (_, journal) = server.get("/games/1/journal.json");
    server.kill();
    let engine = env!("CARGO_PKG_VERSION");
    assert!(journal.contains(engine), "{journal}");
    // As if an earlier program had played it, whose screens were others.
    let store = Connection::open(place.path("table.db")).expect("a store");
    let set = "UPDATE settlement SET engine = 'war 0.0.1', printed = 42";
    store.execute(set, []).expect("a store");
    drop(store);
    let server = Server::start(&place, &["--bots", "1"]);
    let (_, other) = server.get("/games/1/journal.json");
    assert!(other.contains("\"engine\":\"war 0.0.1\""), "{other}");
    assert!(other.contains("\"bytes\":42"), "{other}");
    assert_eq!(digits::<16>(&result["digest"]), end(&result).digest);
}
