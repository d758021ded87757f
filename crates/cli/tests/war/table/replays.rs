//! Replay of earlier messages to a player who has been away.

use super::{Server, client_requests};
use crate::support::Sandbox;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const MESSAGES: u32 = 40_000;

/// Gives a player this many messages of typical length.
fn give_messages(sandbox: &Sandbox, player: &Value) {
    let mut store = rusqlite::Connection::open(sandbox.path("table.db")).expect("the store");
    let wait = Duration::from_secs(10);
    store.busy_timeout(wait).expect("a store");
    let all = store.transaction().expect("nobody else");
    for seq in 1..=MESSAGES {
        let body = json!({"seq": seq, "type": "waiting", "filler": "x".repeat(300)});
        let row = (player.as_i64(), seq, body.to_string());
        let put = "INSERT INTO outbox (player, seq, body) VALUES (?1, ?2, ?3)";
        all.execute(put, row).expect("a row");
    }
    let last = (player.as_i64(), MESSAGES);
    let set = "UPDATE player SET seq = ?2 WHERE id = ?1";
    all.execute(set, last).expect("a player");
    all.commit().expect("a store");
}

/// Server with many messages for Ann, who is away.
fn server_with_messages(sandbox: &Sandbox) -> Server {
    let mut server = Server::start(sandbox, &["--bots", "0"]);
    let (line, welcome) = server.player("Ann");
    drop(line);
    server.signal("TERM");
    server.end();
    give_messages(sandbox, &welcome["player"]);
    Server::start(sandbox, &["--bots", "0"])
}

// Ann has 12 MB of messages. The limit is 2 MiB at once, and 1 MiB a second.
#[test]
#[ignore = "waits for the real clock: `.ci/deep clock`"]
fn the_rate_of_replayed_messages_is_limited() {
    let sandbox = Sandbox::new();
    let server = server_with_messages(&sandbox);
    let mut ann = server.connect();
    ann.send(client_requests::hello("Ann"));
    assert_eq!(ann.receive()["seq"], MESSAGES);
    ann.send(json!({"type": "resume", "id": "r", "after": 0}));
    let reads = std::thread::spawn(move || {
        let began = Instant::now();
        let (mut bytes, mut expected) = (0, 1);
        while began.elapsed() < Duration::from_secs(3) {
            let message = ann.receive();
            assert_eq!(message["seq"], expected);
            bytes += message.to_string().len();
            expected += 1;
        }
        (ann, bytes)
    });
    // Other players are answered meanwhile.
    let (mut other, _) = server.player("Bob");
    let mut latencies = Vec::new();
    while !reads.is_finished() {
        let asked = Instant::now();
        other.error(client_requests::cancel(&latencies.len().to_string()));
        latencies.push(asked.elapsed());
        std::thread::sleep(Duration::from_millis(60));
    }
    latencies.sort_unstable();
    let [median, p99] = [50, 99].map(|hundredths| latencies[latencies.len() * hundredths / 100]);
    println!("median {median:?}, 99% {p99:?}");
    let (mut ann, bytes) = reads.join().expect("its end");
    let most = (2 + 3 + 1) * 1024 * 1024;
    assert!(bytes < most, "{bytes} bytes in three seconds");
    assert!(bytes > most / 3, "{bytes} bytes in three seconds");
    // The table closes without waiting for the rest.
    server.signal("TERM");
    let signalled = Instant::now();
    while ann.try_receive().is_ok() {}
    assert!(signalled.elapsed() < Duration::from_secs(5), "it goes on");
}

// The replay of Ann's 12 MB of messages takes at least ten seconds.
#[test]
fn requests_do_not_wait_for_replayed_messages() {
    let sandbox = Sandbox::new();
    let server = server_with_messages(&sandbox);
    let mut ann = server.connect();
    ann.send(client_requests::hello("Ann"));
    ann.receive();
    ann.send(json!({"type": "resume", "id": "r", "after": 0}));
    ann.send(client_requests::single("c"));
    let (mut bob, _) = server.player("Bob");
    let (stop, stopped) = std::sync::mpsc::channel();
    let reads = std::thread::spawn(move || {
        let mut last = 0;
        while stopped.try_recv().is_err() {
            last = ann.receive()["seq"].as_u64().expect("a number");
        }
        last
    });
    bob.send(client_requests::single("c"));
    while bob.receive()["type"] != "started" {}
    stop.send(()).expect("somebody who reads");
    let last = reads.join().expect("its end");
    assert!(last < u64::from(MESSAGES / 2), "it waited for {last}");
}
