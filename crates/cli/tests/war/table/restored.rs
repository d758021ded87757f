//! A table that goes on from a backup: nothing is given out twice, and everybody hears of it.

use super::logged::{checkpoint, play, players, verified};
use super::{Line, Server, said};
use crate::support::Place;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;

/// Comes back with all messages up to a number: the welcome, and what is heard next.
pub(crate) fn comes_back(server: &Server, name: &str, after: u64) -> (Line, Value, Value) {
    let mut line = Line::open(&server.address, "/ws", &[]).expect("a connection");
    line.say(said::hello(name));
    let welcome = line.hear();
    line.say(json!({"type": "resume", "id": "r", "after": after}));
    let next = line
        .try_hear()
        .unwrap_or_else(|error| panic!("{name} {after} {welcome}: {error}"));
    (line, welcome, next)
}

/// Checks that players who had these messages, and those who had none, are told that they go on
/// from a backup.
#[track_caller]
pub(crate) fn are_told(server: &Server, name: &str, afters: &[u64], balance: i64) {
    for after in afters {
        let (mut line, welcome, gone) = comes_back(server, name, *after);
        let seq = welcome["seq"].as_u64().expect("a number");
        assert!(seq > *after, "{welcome}");
        // What was said before is not kept, and the first message that is says the same.
        for (seq, told) in [(seq - 1, gone), (seq, line.hear())] {
            let expected = json!({
                "seq": seq, "type": "resync", "first_seq": seq + 1, "balance": balance,
                "place": "free", "cards": [],
            });
            assert_eq!(told, expected);
        }
        assert_eq!(welcome["balance"], balance);
    }
}

#[test]
fn a_table_that_was_restored_gives_out_nothing_twice_and_tells_all_players() {
    let place = Place::new();
    let mut server = Server::start(&place, &["--bots", "0"]);
    let mut seats = players(&server);
    let (started, _) = play(&mut seats, "one");
    let former = started["table"].clone();
    // A game that runs, and somebody who waits, at the time of the backup.
    for line in &mut seats {
        line.say(said::choose("two", "double-card-game"));
    }
    for line in &mut seats {
        line.until("started");
    }
    let mut cid = server.player("Cid").0;
    cid.say(said::choose("c", "double-card-game"));
    cid.until("waiting");
    place.write("before.txt", checkpoint(&server, 3));
    place.war(&["table", "backup", "copy.db"]).ends_with(0);
    for line in &mut seats {
        line.until("result");
    }
    let (lost, result) = play(&mut seats, "three");
    let heard = result["seq"].as_u64().expect("a number");
    let dan = server.player("Dan").1;
    place.write("lost.txt", checkpoint(&server, 6));
    let restored = ["table", "restored"];
    let run = place.war(&restored).ends_with(4);
    assert!(
        run.stderr.contains("already used by a server"),
        "{}",
        run.stderr
    );
    server.kill();

    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(place.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(place.path("copy.db"), place.path("table.db")).expect("a place");
    for (lang, says) in [
        ("pl", "3 wpisami: dowie się o tym 3 graczy"),
        ("en", "4 leaves: 3 players will hear of it, no games"),
    ] {
        let run = place
            .war(&[&["--lang", lang][..], &restored].concat())
            .ends_with(0);
        assert!(run.stdout.contains(says), "{}", run.stdout);
    }
    // Twice does no harm.
    let mut server = Server::start(&place, &["--bots", "0"]);
    are_told(&server, "Ann", &[0, 3, heard], 999);
    are_told(&server, "Cid", &[1], 1000);
    let mut seats = ["Ann", "Bob"].map(|name| comes_back(&server, name, heard).0);
    let (again, _) = play(&mut seats, "four");
    assert!(
        again["game_id"].as_u64() > lost["game_id"].as_u64(),
        "a number twice"
    );
    let (_, eve) = server.player("Eve");
    assert!(
        eve["player"].as_u64() > dan["player"].as_u64(),
        "a number twice"
    );
    assert_ne!(again["table"], former);
    for (game, status) in [(&lost["game_id"], "404"), (&json!(1), "200")] {
        let (answer, _) = server.get(&format!("/games/{game}/journal.json"));
        assert!(answer.contains(status), "{game}: {answer}");
    }

    // The log goes on under another name, and says from where.
    checkpoint(&server, 7);
    let (code, found) = verified(&place, &server, &[]);
    assert_eq!(
        (code, &found["games"], &found["ended"]),
        (0, &json!(3), &json!(3)),
        "{found}"
    );
    for seen in ["before.txt", "lost.txt"] {
        let (code, found) = verified(&place, &server, &["--with", seen]);
        assert_eq!(
            (code, found["verdict"].as_str()),
            (1, Some("UNEXPECTED")),
            "{found}"
        );
    }
    server.kill();
    let store = Connection::open(place.path("table.db")).expect("a store");
    let leaf = "SELECT body FROM leaf WHERE number = 3";
    let leaf: String = store.query_row(leaf, [], |row| row.get(0)).expect("a leaf");
    let before = place.read("before.txt");
    let root = before.lines().nth(2).expect("a root");
    let root: String = base64(root)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let expected = format!(
        "war-table restored/1\n{}\n3\n{root}\n",
        former.as_str().expect("it")
    );
    assert!(leaf.starts_with(&expected), "{leaf} {expected}");
}

/// The bytes of a text in base 64.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text
        .bytes()
        .filter_map(|digit| DIGITS.iter().position(|known| *known == digit));
    let bits: Vec<_> = digits
        .flat_map(|digit| (0..6).rev().map(move |bit| digit >> bit & 1))
        .collect();
    let byte = |bits: &[usize]| bits.iter().fold(0_usize, |byte, bit| byte << 1 | bit);
    let bytes = bits.chunks_exact(8).map(byte);
    bytes
        .map(|byte| u8::try_from(byte).expect("8 bits"))
        .collect()
}
