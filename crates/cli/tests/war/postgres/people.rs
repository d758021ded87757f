//! Number of people at a table, as each of its nodes reports it.

use super::Database;
use super::nodes::Nodes;
use crate::table::{RawClient, client_requests};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// Time in which every node learns of a change.
const UPDATE_TIMEOUT: Duration = Duration::from_secs(10);

/// Waits until a player at a node is shown these numbers: people present, and people waiting for
/// each kind of game.
#[track_caller]
fn wait_for_counts(client: &mut RawClient, expected: [u64; 3]) {
    let start = Instant::now();
    loop {
        client.send(json!({"type": "people", "id": "p"}));
        let people = client.receive_until("people").pop().expect("an answer");
        let waiting = |game: &str| people["waiting"][game].as_u64();
        let told = [
            people["here"].as_u64(),
            waiting("single-card-game"),
            waiting("double-card-game"),
        ];
        if told == expected.map(Some) {
            return;
        }
        assert!(start.elapsed() < UPDATE_TIMEOUT, "{people}");
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn every_node_counts_the_people_of_all_nodes() {
    let mut nodes = Nodes::start(Database::new(), 2);
    let player = |at: usize, name| nodes.all[at].server.player(name).0;
    let [mut ann, mut cid] = ["Ann", "Cid"].map(|name| player(0, name));
    let mut bob = player(1, "Bob");
    for (client, game) in [
        (&mut ann, "single-card-game"),
        (&mut bob, "double-card-game"),
    ] {
        client.send(client_requests::choose("c", game));
        client.receive_until("waiting");
    }
    for client in [&mut ann, &mut bob] {
        wait_for_counts(client, [3, 1, 1]);
    }
    cid.send(client_requests::choose("c", "double-card-game"));
    bob.receive_until("started");
    for client in [&mut ann, &mut bob] {
        wait_for_counts(client, [3, 1, 0]);
    }
    nodes.all[1].end();
    wait_for_counts(&mut ann, [2, 1, 0]);
}
