//! A table restored from a backup: no number is reused, and all players are notified.

use super::game_log::{self, checkpoint, play, players, verified};
use super::server::journal_path;
use super::{RawClient, Server, client_requests};
use crate::support::Sandbox;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::fs;

/// Reconnects as a client that already has all messages up to `after`. Returns the welcome and the
/// next message.
pub(crate) fn reconnect(server: &Server, name: &str, after: u64) -> (RawClient, Value, Value) {
    let mut client = RawClient::open(&server.address, "/ws", &[]).expect("a connection");
    client.send(client_requests::hello(name));
    let welcome = client.receive();
    client.send(json!({"type": "resume", "id": "r", "after": after}));
    let next = client
        .try_receive()
        .unwrap_or_else(|error| panic!("{name} {after} {welcome}: {error}"));
    (client, welcome, next)
}

/// Checks that a player who reconnects after any of these messages learns of the restored backup.
#[track_caller]
pub(crate) fn check_notified(server: &Server, name: &str, afters: &[u64], balance: i64) {
    for after in afters {
        let (mut client, welcome, gone) = reconnect(server, name, *after);
        let seq = welcome["seq"].as_u64().expect("a number");
        assert!(seq > *after, "{welcome}");
        // Earlier messages are not kept: a `resync` takes their place, and the first kept message
        // is a `resync`, too.
        for (seq, told) in [(seq - 1, gone), (seq, client.receive())] {
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
fn a_restored_table_reuses_no_number_and_notifies_all_players() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    let mut seats = players(&server);
    let (started, _) = play(&mut seats, "one");
    let former = started["table"].clone();
    // A running game and a waiting player, at the time of the backup.
    for client in &mut seats {
        client.send(client_requests::choose("two", "double-card-game"));
    }
    for client in &mut seats {
        client.receive_until("started");
    }
    let mut cid = server.player("Cid").0;
    cid.send(client_requests::choose("c", "double-card-game"));
    cid.receive_until("waiting");
    sandbox.write("before.txt", checkpoint(&server, 3));
    sandbox.war(&["table", "backup", "copy.db"]).exits_with(0);
    for client in &mut seats {
        client.receive_until("result");
    }
    let (lost, result) = play(&mut seats, "three");
    let heard = result["seq"].as_u64().expect("a number");
    let dan = server.player("Dan").1;
    sandbox.write("lost.txt", checkpoint(&server, 6));
    let restored = ["table", "restored"];
    let run = sandbox.war(&restored).exits_with(4);
    assert!(
        run.stderr.contains("already used by a server"),
        "{}",
        run.stderr
    );
    server.kill();

    for beside in ["", "-wal", "-shm"] {
        fs::remove_file(sandbox.path(&format!("table.db{beside}"))).expect("a file");
    }
    fs::rename(sandbox.path("copy.db"), sandbox.path("table.db")).expect("a place");
    let leaves = game_log::leaves(&sandbox).len();
    for (lang, says) in [
        ("pl", format!("{leaves} wpisami: dowie się o tym 3 graczy")),
        (
            "en",
            format!("{} leaves: 3 players will hear of it, no games", leaves + 1),
        ),
    ] {
        let run = sandbox
            .war(&[&["--lang", lang][..], &restored].concat())
            .exits_with(0);
        assert!(run.stdout.contains(&says), "{}", run.stdout);
    }
    // The second run of `war table restored` did no harm.
    let mut server = Server::start(&sandbox, &["--bots", "0"]);
    check_notified(&server, "Ann", &[0, 3, heard], 999);
    check_notified(&server, "Cid", &[1], 1000);
    let mut seats = ["Ann", "Bob"].map(|name| reconnect(&server, name, heard).0);
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
        let number = game.as_u64().expect("a number");
        let (answer, _) = server.get(&journal_path(&sandbox, number));
        assert!(answer.contains(status), "{game}: {answer}");
    }

    // The log continues under another name, and states its origin.
    checkpoint(&server, 7);
    let (code, found) = verified(&sandbox, &server, &[]);
    assert_eq!(
        (code, &found["games"], &found["ended"]),
        (0, &json!(3), &json!(3)),
        "{found}"
    );
    for seen in ["before.txt", "lost.txt"] {
        let (code, found) = verified(&sandbox, &server, &["--with", seen]);
        assert_eq!(
            (code, found["verdict"].as_str()),
            (1, Some("UNEXPECTED")),
            "{found}"
        );
    }
    server.kill();
    let store = Connection::open(sandbox.path("table.db")).expect("a store");
    let leaf = "SELECT body FROM leaf WHERE body LIKE 'war-table restored%'";
    let leaf: String = store.query_row(leaf, [], |row| row.get(0)).expect("a leaf");
    let before = sandbox.read("before.txt");
    let root = before.lines().nth(2).expect("a root");
    let root: String = base64(root)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let expected = format!(
        "war-table restored/1\n{}\n{leaves}\n{root}\n",
        former.as_str().expect("it")
    );
    assert!(leaf.starts_with(&expected), "{leaf} {expected}");
}

/// Decodes base 64.
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
