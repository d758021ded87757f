//! A client in another language, written from the schema and documentation alone, at a table that
//! stalls, is killed, and restarts.

use super::Server;
use crate::support::{Sandbox, project};
use rusqlite::Connection;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const OPTIONS: [&str; 6] = ["--bots", "0", "--decide-seconds", "4", "--rate", "1000"];

/// Starts a program of the client, which runs until its input ends.
pub(crate) fn foreign(program: &str, arguments: &[&str]) -> Child {
    Command::new("python3")
        // Leaves no caches in the source folders.
        .arg("-B")
        .arg(project().join("tests/foreign").join(program))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3")
}

/// Output of a program that has exited successfully.
#[track_caller]
pub(crate) fn output(child: Child) -> String {
    let output = child.wait_with_output().expect("its end");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{text}");
    text
}

#[test]
#[ignore = "needs python3"]
fn every_request_documented_as_invalid_is_refused() {
    let sandbox = Sandbox::new();
    let mut options = OPTIONS;
    options[3] = "100";
    let mut server = Server::start(&sandbox, &options);
    let mut client = foreign("bad.py", &[&server.address]);
    let mut told = BufReader::new(client.stdout.take().expect("its output"));
    let mut ready = String::new();
    told.read_line(&mut ready).expect("text");
    assert_eq!(ready, "ready\n");
    server.signal("TERM");
    let mut codes = String::new();
    told.read_to_string(&mut codes).expect("text");
    output(client);
    let codes: Vec<String> = serde_json::from_str(&codes).expect("codes");
    assert_eq!(codes.len(), 25, "{codes:?}");
    assert_eq!(server.end().0, 0);
}

#[test]
#[ignore = "needs python3"]
fn a_client_written_from_the_schema_survives_every_outage() {
    let sandbox = Sandbox::new();
    let mut server = Server::start(&sandbox, &OPTIONS);
    let address = server.address.clone();
    let mut client = foreign("play.py", &[&address, "3", "8"]);
    let pause = |ms| std::thread::sleep(Duration::from_millis(ms));
    for round in 0..3 {
        pause(900 + round * 137);
        // The server is stopped for longer than the time to decide, or to open a seed.
        server.signal("STOP");
        pause(6_000);
        server.signal("CONT");
        pause(600 + round * 91);
        server.kill();
        // A server that is down for long must not cost players their time to decide either.
        if round == 0 {
            pause(5_000);
        }
        server = Server::start_at(&sandbox, &address, &OPTIONS);
    }
    pause(1_000);
    drop(client.stdin.take());
    let found = output(client);
    server.kill();
    let players: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str(line).expect("a player"))
        .collect();
    assert_eq!(players.len(), 6);
    let store = Connection::open(sandbox.path("table.db")).expect("the store");
    for player in &players {
        assert!(player["lost"].as_u64() >= Some(3), "{player}");
        agrees(&store, player);
    }
    let sum = |what: fn(&Value) -> Option<u64>| players.iter().filter_map(what).sum::<u64>();
    assert!(sum(|player| player["repeated"].as_u64()) > 0, "{found}");
    assert!(sum(|player| player["clocks"].as_u64()) > 0, "{found}");
    let folded = "SELECT count(*) FROM outbox WHERE body LIKE '%\"timed_out\":true%' OR body LIKE '%\"forfeited\"%'";
    assert_eq!(number(&store, folded, 0), 0, "somebody was folded");
    let played = "SELECT count(*) FROM event WHERE body LIKE '%\"settled\"%'";
    let sides = players
        .iter()
        .filter_map(|player| player["games"].as_array());
    let sides: usize = sides.map(Vec::len).sum();
    assert_eq!(
        number(&store, played, 0) * 2,
        i64::try_from(sides).expect("few")
    );
}

/// Checks the balance that a player knows from messages against the store.
#[track_caller]
fn agrees(store: &Connection, player: &Value) {
    let id = player["player"].as_i64().expect("a number");
    let of = |sql: &str| number(store, sql, id);
    let own = |field: &str| player[field].as_i64().expect("a number");
    assert_eq!(
        of("SELECT balance FROM player WHERE id = ?1"),
        own("balance")
    );
    assert_eq!(of("SELECT seq FROM player WHERE id = ?1"), own("seq"));
    let sent = "SELECT count(*) FROM outbox WHERE player = ?1";
    assert_eq!(of(sent), own("seq"), "a gap, or a message too many");
    let booked = "SELECT coalesce(sum(CASE WHEN credit = ?1 THEN tokens ELSE -tokens END), 0) \
                  FROM ledger WHERE ?1 IN (debit, credit)";
    assert_eq!(of(booked), own("balance"), "the ledger of {player}");
    let named = store.query_row(
        "SELECT count(*) FROM player WHERE name = ?1",
        [player["name"].as_str()],
        |row| row.get::<_, i64>(0),
    );
    assert_eq!(named, Ok(1), "{player} came twice");
}

/// Number that a query about a player returns.
fn number(store: &Connection, sql: &str, player: i64) -> i64 {
    let mut statement = store.prepare(sql).expect("a statement");
    let parameters = [player];
    let given = &parameters[..statement.parameter_count()];
    statement
        .query_row(rusqlite::params_from_iter(given), |row| row.get(0))
        .expect("a number")
}
