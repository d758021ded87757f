//! A table with several rooms at one node, as its players see it, with a real server and
//! connections.

use super::nodes::prober;
use super::{Cluster, Database, laws};
use crate::support::{Sandbox, replayed};
use crate::table::{RawClient, Server, client_requests};
use serde_json::{Value, json};
use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Time in which the log shows each leaf.
const LOGGED_WITHIN: Duration = Duration::from_secs(10);
/// Time in which nodes get their shares: a lease, and a check for each room handed over.
const SHARE_TIMEOUT: Duration = Duration::from_secs(10);

/// The only node of a table.
struct SingleNode {
    server: Server,
    sandbox: Sandbox,
}

impl SingleNode {
    fn start(database: &Database, options: &[&str]) -> Self {
        let node = Self::start_at(Sandbox::new(), database, options);
        node.wait_for_health("ok", 16);
        node
    }

    fn start_at(sandbox: Sandbox, database: &Database, options: &[&str]) -> Self {
        let url = database.url();
        let store = ["--store", &url, "--key", "table.key", "--rate", "1000"];
        let server = Server::start(&sandbox, &[&store[..], options].concat());
        Self { server, sandbox }
    }

    fn health(&self) -> Value {
        serde_json::from_str(&self.server.admin("/health").1).expect("JSON")
    }

    /// Waits until the node has this status and serves this many rooms.
    #[track_caller]
    fn wait_for_health(&self, status: &str, rooms: u16) {
        let start = Instant::now();
        loop {
            let health = self.health();
            if health["status"] == status && health["rooms"] == rooms {
                return;
            }
            assert!(start.elapsed() < SHARE_TIMEOUT, "{health}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Two players who hold cards.
fn dealt(server: &Server, names: [&str; 2], game: &str) -> [RawClient; 2] {
    let mut clients = names.map(|name| server.player(name).0);
    deal(clients.each_mut(), game);
    clients
}

/// Deals cards to two players who are in no game.
pub(super) fn deal(mut clients: [&mut RawClient; 2], game: &str) {
    for (id, client) in ["c0", "c1"].into_iter().zip(&mut clients) {
        client.send(client_requests::choose(id, game));
    }
    for (id, client) in ["c0", "c1"].into_iter().zip(&mut clients) {
        let heard = client.receive_until("started");
        client.send(client_requests::open("s", &heard[heard.len() - 1], id));
    }
    for client in clients {
        client.receive_until("dealt");
    }
}

impl Drop for SingleNode {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}\n{}", self.health(), self.sandbox.logs().concat());
        }
    }
}

/// Ends a game in which Ann plays and Bob folds. Returns the messages to each of them up to the
/// result.
pub(super) fn end(ann: &mut RawClient, bob: &mut RawClient) -> [Vec<Value>; 2] {
    ann.send(ann.decision("d", "play"));
    bob.send(bob.decision("d", "fold"));
    [ann.receive_until("result"), bob.receive_until("result")]
}

/// Checks that these are all messages to a player from this one on, in order.
#[track_caller]
fn assert_complete(heard: &[Value], first: u64) {
    let numbers: Vec<_> = heard
        .iter()
        .map(|message| message["seq"].as_u64())
        .collect();
    let expected = (first..).map(Some).take(heard.len());
    assert_eq!(numbers, expected.collect::<Vec<_>>(), "{heard:#?}");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn each_kind_of_game_is_played_in_its_own_room() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "0"]);
    let sql = database.sql();
    let evenings = [
        (["Ann", "Bob"], "single-card-game"),
        (["Carl", "Dora"], "double-card-game"),
    ];
    for (number, (names, game)) in (1..).zip(evenings) {
        let [mut ann, mut bob] = dealt(&node.server, names, game);
        let [won, lost] = end(&mut ann, &mut bob);
        let (won, lost) = (&won[won.len() - 1], &lost[lost.len() - 1]);
        assert_eq!([&won["outcome"], &lost["outcome"]], ["won", "lost"]);
        let path = database.journal_path(won["game_id"].as_i64().expect("a number"));
        let (head, journal) = node.server.get(&path);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert_eq!(replayed(journal.as_bytes()).0, None);
        let rooms = "SELECT count(DISTINCT room) FROM war.event WHERE game IS NOT NULL";
        assert_eq!(sql.number(rooms), number, "the kinds meet apart");
    }
    let start = Instant::now();
    while sql.number("SELECT count(*) FROM war.leaf WHERE number IS NOT NULL") < 4 {
        assert!(start.elapsed() < LOGGED_WITHIN, "a leaf has no number");
        thread::sleep(Duration::from_millis(50));
    }
    laws::hold_in(&sql);
    let free = "SELECT count(*) FROM war.player WHERE room IS NULL";
    assert_eq!(sql.number(free), 4, "who does not play is in no room");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn all_connections_of_a_player_receive_every_message() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "0"]);
    let [(mut ann, _), (mut bob, _)] = ["Ann", "Bob"].map(|name| node.server.player(name));
    // This connection of Ann's sends `hello` before anything happens, and is in no room.
    let (mut idle, welcome) = node.server.player("Ann");
    assert_eq!(welcome["seq"], 0);
    idle.send(json!({"type": "resume", "id": "r", "after": 0}));
    ann.send(client_requests::choose("c0", "double-card-game"));
    ann.receive_until("waiting");
    assert_eq!(idle.receive()["type"], "waiting");
    // This connection of Ann's opens while she waits for an opponent.
    let (mut late, welcome) = node.server.player("Ann");
    assert_eq!(welcome["seq"], 1);
    late.send(json!({"type": "resume", "id": "r", "after": 0}));
    bob.send(client_requests::choose("c1", "double-card-game"));
    let started = bob.receive_until("started");
    bob.send(client_requests::open("s", &started[0], "c1"));
    let started = ann.receive_until("started");
    drop(ann);
    late.send(client_requests::open("s", &started[0], "c0"));
    let mut heard = late.receive_until("dealt");
    bob.receive_until("dealt");
    // This connection of Ann's opens during the game.
    let (mut again, welcome) = node.server.player("Ann");
    let seq = welcome["seq"].as_u64().expect("a number");
    again.send(json!({"type": "resume", "id": "r", "after": 1}));
    assert_complete(&again.receive_until("dealt"), 2);
    let [more, _] = end(&mut late, &mut bob);
    heard.extend(more);
    assert_complete(&heard, 1);
    assert_complete(&idle.receive_until("result"), 2);
    assert_complete(&again.receive_until("result"), seq + 1);
    laws::hold_in(&database.sql());
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_new_player_on_two_connections_is_one_player() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "0"]);
    let names: Vec<_> = (0..20).map(|number| format!("Player {number}")).collect();
    let mut clients: Vec<_> = names
        .iter()
        .map(|_| [(); 2].map(|()| node.server.connect()))
        .collect();
    for (name, twice) in names.iter().zip(&mut clients) {
        for client in twice {
            client.send(client_requests::hello(name));
        }
    }
    for twice in &mut clients {
        let [one, other] = twice.each_mut().map(RawClient::receive);
        assert_eq!(
            [&one["type"], &other["type"]],
            ["welcome", "welcome"],
            "{one} {other}"
        );
        assert_eq!(one["player"], other["player"]);
    }
    let count = "SELECT count(*) FROM war.player";
    assert_eq!(database.sql().number(count), 20);
}

// Twice as many new players as the limit per minute may come at once. Each name is looked up in a
// different room.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn new_players_per_address_are_limited_across_rooms() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "0", "--new-players", "1"]);
    let welcomes = |room| {
        let mut client = node.server.connect();
        client.send(client_requests::hello(&prober(room)));
        let heard = client.receive();
        heard["code"].as_str().unwrap_or("welcome").to_owned()
    };
    assert_eq!(welcomes(0), "welcome");
    for _ in 0..3 {
        assert_eq!(welcomes(0), "welcome", "who comes back is not new");
    }
    assert_eq!(welcomes(1), "welcome");
    for room in 2..5 {
        assert_eq!(welcomes(room), "too_fast", "{room}");
    }
    assert_eq!([welcomes(0), welcomes(1)], ["welcome", "welcome"]);
    let players = "SELECT count(*) FROM war.player";
    assert_eq!(database.sql().number(players), 2);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_house_player_is_in_the_matchmaking_room() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "1"]);
    let sql = database.sql();
    let house = "SELECT count(*) FROM war.player WHERE house AND room IN (0, 1)";
    assert_eq!(sql.number(house), 2, "one for each kind of game");
    let mut ann = node.server.player("Ann").0;
    for (number, game) in (1..).zip(["single-card-game", "double-card-game"]) {
        let id = format!("c{number}");
        ann.send(client_requests::choose(&id, game));
        let started = ann.receive_until("started");
        let opponent = &started[started.len() - 1]["opponent"];
        assert_eq!(opponent["house"], true, "{opponent}");
        ann.send(client_requests::open(
            &format!("s{number}"),
            &started[started.len() - 1],
            &id,
        ));
        ann.receive_until("dealt");
        ann.send(ann.decision(&format!("d{number}"), "fold"));
        ann.receive_until("result");
    }
    assert_eq!(sql.number("SELECT count(*) FROM war.player WHERE house"), 2);
}

// Up to sixteen requests may wait for answers, so a client may send that many at once.
#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn every_request_of_a_burst_is_answered_in_order() {
    let database = Database::new();
    let node = SingleNode::start(&database, &["--bots", "0"]);
    let (mut client, _) = node.server.player("Ann");
    for number in 0..50 {
        client.send(client_requests::cancel(&number.to_string()));
    }
    for number in 0..50 {
        let answer = client.receive();
        assert_eq!(answer["code"], "not_waiting", "{answer}");
        assert_eq!(answer["in_reply_to"], number.to_string());
    }
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn players_learn_that_the_table_is_unavailable_and_it_recovers() {
    let database = Database::of(Arc::new(Cluster::start("")));
    let node = SingleNode::start(&database, &["--bots", "0"]);
    let (mut ann, _) = node.server.player("Ann");
    let mut bob = node.server.connect();
    thread::scope(|scope| {
        let away = scope.spawn(|| database.cluster().restart("INT", 7));
        node.wait_for_health("failing", 0);
        ann.send(client_requests::choose("c0", "double-card-game"));
        bob.send(client_requests::hello("Bob"));
        for client in [&mut ann, &mut bob] {
            let answer = client.receive();
            assert_eq!(answer["code"], "unavailable", "{answer}");
        }
        away.join().expect("a restart");
    });
    node.wait_for_health("ok", 16);
    // A request that was not carried out is repeated on the same connection.
    bob.send(client_requests::hello("Bob"));
    bob.receive_until("welcome");
    ann.send(client_requests::choose("c0", "double-card-game"));
    ann.receive_until("waiting");
    bob.send(client_requests::choose("c1", "double-card-game"));
    bob.receive_until("started");
    ann.receive_until("started");
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn a_node_that_shuts_down_hands_over_its_rooms_with_their_games() {
    let database = Database::new();
    let mut node = SingleNode::start(&database, &["--bots", "0"]);
    let [ann, bob] = dealt(&node.server, ["Ann", "Bob"], "double-card-game");
    node.server.signal("TERM");
    assert_eq!(node.server.end().0, 0);
    let sql = database.sql();
    for none in ["room WHERE owner IS NOT NULL", "node"] {
        assert_eq!(
            sql.number(&format!("SELECT count(*) FROM war.{none}")),
            0,
            "{none}"
        );
    }
    drop((ann, bob));
    let (url, options) = (database.url(), ["--key", "table.key", "--bots", "0"]);
    let options = [&["--store", &url][..], &options].concat();
    node.server = Server::start(&node.sandbox, &options);
    node.wait_for_health("ok", 16);
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| node.server.player(name).0);
    for client in [&mut ann, &mut bob] {
        client.send(json!({"type": "resume", "id": "r", "after": 0}));
        client.receive_until("dealt");
    }
    end(&mut ann, &mut bob);
    laws::hold_in(&sql);
}

#[test]
#[ignore = "needs PostgreSQL; `.ci/deep` installs it"]
fn nodes_share_the_rooms() {
    let database = Database::new();
    let first = SingleNode::start(&database, &["--bots", "0"]);
    let sandbox = Sandbox::new();
    let key = |sandbox: &Sandbox| sandbox.path("table.key");
    fs::copy(key(&first.sandbox), key(&sandbox)).expect("a key");
    let mut second = SingleNode::start_at(sandbox, &database, &["--bots", "0"]);
    for node in [&first, &second] {
        node.wait_for_health("ok", 8);
    }
    second.server.signal("TERM");
    assert_eq!(second.server.end().0, 0);
    first.wait_for_health("ok", 16);
    laws::hold_in(&database.sql());
}
