//! How many people are at a table, as each of its nodes says it.

use super::Database;
use super::nodes::Nodes;
use crate::table::{Line, said};
use serde_json::json;
use std::thread;
use std::time::{Duration, Instant};

/// How long it may take until every node knows it.
const TOLD_WITHIN: Duration = Duration::from_secs(10);

/// Waits until somebody at a node hears that so many people are here, and how many of them wait for a
/// game of one card and of two.
#[track_caller]
fn hears_of(line: &mut Line, expected: [u64; 3]) {
    let start = Instant::now();
    loop {
        line.say(json!({"type": "people", "id": "p"}));
        let people = line.until("people").pop().expect("an answer");
        let waiting = |game: &str| people["waiting"][game].as_u64();
        let told = [
            people["here"].as_u64(),
            waiting("single-card-game"),
            waiting("double-card-game"),
        ];
        if told == expected.map(Some) {
            return;
        }
        assert!(start.elapsed() < TOLD_WITHIN, "{people}");
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
    for (line, game) in [
        (&mut ann, "single-card-game"),
        (&mut bob, "double-card-game"),
    ] {
        line.say(said::choose("c", game));
        line.until("waiting");
    }
    for line in [&mut ann, &mut bob] {
        hears_of(line, [3, 1, 1]);
    }
    cid.say(said::choose("c", "double-card-game"));
    bob.until("started");
    for line in [&mut ann, &mut bob] {
        hears_of(line, [3, 1, 0]);
    }
    nodes.all[1].end();
    hears_of(&mut ann, [2, 1, 0]);
}
